extension ConnectionQuantiles: JSONRecord, JSONObject {
    package static let recordName = "shares of pairs, 0 to 1, by connection"

    /// Reads an object of connections with the shares of pairs that they exceed; missing shares are the standard ones.
    package init(from reader: inout JSONReader) throws(KinError) {
        var shares = Array(Self.standard.shares.dropFirst())
        try reader.members { reader, name throws(KinError) in
            let alias = SoulConnection.aliases.first { Spelling.plain($0.alias) == Spelling.plain(name) }
            guard let place = SoulConnection(spelled: alias?.name ?? name)?.rawValue, place > 0 else {
                let names = Array(SoulConnection.names.dropFirst())
                throw reader.error(
                    "there is no connection \"\(name.prefix(40))\"; \(Spelling.advice(on: name, among: names))")
            }
            shares[place - 1] = try reader.number()
        }
        try self.init(shares)
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for connection in SoulConnection.allCases.dropFirst() {
            writer.member(connection.name, self[connection])
        }
    }
}

extension JSONForm<SoulConnection> {
    /// A connection, in any spelling.
    package static let connection = JSONForm(
        words.names.joined(separator: ", "),
        read: { reader throws(KinError) in SoulConnection.allCases[try reader.choice(of: words, "connection")] },
        write: { $1.string($0.name) })

    private static let words = JSONKeys(SoulConnection.names, aliases: SoulConnection.aliases)
}

extension AffinityCalibration: JSONRecord {
    package static let recordName = "scores at 119 shares"

    /// Reads the list of scores.
    package init(from reader: inout JSONReader) throws(KinError) {
        let start = reader
        let scores = try reader.list { reader throws(KinError) in try reader.number() }
        guard let calibration = AffinityCalibration(scores: scores) else {
            throw start.error("a calibration is \(Self.shares.count) ascending scores from 0 to 1")
        }
        self = calibration
    }

    package func write(to writer: inout JSONWriter) { writer.array(scores) { $1.number($0) } }
}

extension ConnectionBounds: JSONObject {
    /// Writes an object of connections with their least scores.
    package func writeMembers(to writer: inout JSONWriter) {
        for connection in SoulConnection.allCases.dropFirst() {
            writer.member(connection.name, score(of: connection))
        }
    }
}
