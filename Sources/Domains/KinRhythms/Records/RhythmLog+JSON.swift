public import KinCore
package import KinJSON

extension RhythmLog {
    /// The names of a log's fields; camel case is read too.
    private static let keys = JSONKeys(
        ["name", "date_of_birth", "events", "dateOfBirth"], required: ["events"])

    /// Reads a log: an array of events, or an object of `name`, `date_of_birth` and `events`.
    ///
    /// - Throws: `.malformedInput`, naming line and column, the event and the field.
    public init(json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try RhythmLog(from: &reader) }
    }

    /// Reads a log as ``init(json:)`` does, wherever it stands.
    package init(from reader: inout JSONReader) throws(KinError) {
        var baby = Baby()
        var records: [RhythmRecord] = []
        // An object has names; anything else has to be the array itself.
        if reader.isAtObject() {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: baby.name = try reader.optionalString() ?? ""
                case 2: try Self.read(&records, from: &reader)
                default: baby.born = try reader.optional { reader throws(KinError) in try reader.localInstant() }
                }
            }
        } else {
            try Self.read(&records, from: &reader)
        }
        self.init(records, baby: baby)
    }

    private static func read(_ records: inout [RhythmRecord], from reader: inout JSONReader) throws(KinError) {
        try reader.array { reader throws(KinError) in
            var record: RhythmRecord
            do throws(KinError) {
                record = try RhythmRecord(from: &reader)
            } catch {
                throw error.within("event", records.count + 1)
            }
            record.row = records.count + 1
            records.append(record)
        }
    }

    /// The log as JSON: `name`, `date_of_birth` and `events`, which ``init(json:)`` reads.
    public var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("name") { $0.string(baby.name) }
            if let born = baby.born { writer.member("date_of_birth") { $0.string(LocalClock.birth(born)) } }
            writer.member("events") { $0.array(records) { $0.write(to: &$1) } }
        }
        return writer.text
    }
}
