package import KinAffinity
package import KinJSON

extension ScoredSoul {
    /// Writes the match of a person as an object, with the parts of the affinity when it is given.
    package func write(to writer: inout JSONWriter, of user: String, _ affinity: Affinity? = nil) {
        writer.object { writer in
            writer.member("user") { $0.string(user) }
            writer.member("other", formerly: "kindred") { $0.string(userID) }
            if let affinity { return affinity.writeMembers(to: &writer) }
            writer.member("score") { $0.number(self.affinity) }
            writer.member("connection") { $0.string(connection.name) }
            writer.member("coverage", formerly: "evidence") { $0.number(coverage) }
            if let nearerThan { writer.member("nearer_than") { $0.number(nearerThan) } }
            writer.member("compared") { $0.array(compared.map(\.name)) }
        }
    }

    /// The object as text, on one line.
    package func json(of user: String, _ affinity: Affinity?) -> String {
        var writer = JSONWriter()
        write(to: &writer, of: user, affinity)
        return writer.text
    }
}
