package import KinAffinity
package import KinJSON

extension Kindred {
    /// Writes the kindred of a person as an object, with what the affinity is made of if that is given.
    package func write(to writer: inout JSONWriter, of user: String, _ bond: Affinity? = nil) {
        writer.object { writer in
            writer.member("user") { $0.string(user) }
            writer.member("other", formerly: "kindred") { $0.string(userID) }
            if let bond { return bond.write(to: &writer) }
            writer.member("score") { $0.number(affinity) }
            writer.member("connection") { $0.string(connection.name) }
            writer.member("coverage", formerly: "evidence") { $0.number(evidence) }
            writer.member("compared") { $0.array(compared.map(\.name)) }
        }
    }

    /// The same as text, on one line.
    package func json(of user: String, _ bond: Affinity?) -> String {
        var writer = JSONWriter()
        write(to: &writer, of: user, bond)
        return writer.text
    }
}
