package import KinCore
package import KinJSON

extension ConnectionQuantiles: JSONRecord, JSONObject {
    package static let recordName = "shares of pairs, 0 to 1, by connection"

    private static let keys = JSONKeys(Array(SoulConnection.names.dropFirst()), required: [])

    /// Reads an object of connections with the shares of pairs that they exceed; missing shares are the standard ones.
    package init(from reader: inout JSONReader) throws(KinError) {
        var shares = Array(Self.standard.shares.dropFirst())
        try reader.members(of: Self.keys) { reader, key throws(KinError) in shares[key] = try reader.number() }
        try self.init(shares)
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for connection in SoulConnection.allCases.dropFirst() {
            writer.member(connection.name, self[connection])
        }
    }
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
