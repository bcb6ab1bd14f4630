package import KinAffinity
import KinCore
package import KinJSON

extension ScoredSoul {
    /// Writes the match of a person as an object, with the parts of the affinity when it is given.
    package func write(to writer: inout JSONWriter, of user: String, _ affinity: Affinity? = nil) {
        writer.object { writer in
            writer.member("user", user)
            writer.member("other", userID)
            if let affinity { return affinity.writeMembers(to: &writer) }
            writer.member("score", self.affinity)
            writer.member("connection", connection.name)
            writer.member("coverage", coverage)
            if let nearerThan { writer.member("nearer_than", nearerThan) }
            writer.member("compared", compared.map(\.name))
        }
    }

    /// The object as text, on one line.
    package func json(of user: String, _ affinity: Affinity?) -> String {
        var writer = JSONWriter()
        write(to: &writer, of: user, affinity)
        return writer.text
    }
}
