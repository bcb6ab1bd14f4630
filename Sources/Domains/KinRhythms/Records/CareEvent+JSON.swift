extension CareEvent: JSONRecord, JSONObject {
    package static let recordName = "care event"

    /// The names of the members; `time_zone` is the event's own zone, the same as `time_zone` in `event`.
    private static let keys = JSONKeys(
        ["user_id", "baby", "event", "time_zone"], required: ["user_id", "baby", "event"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (userID, babyID): (String, String) = ("", "")
        var (record, zone): (RhythmRecord?, LocalZone?) = (nil, nil)
        // The zone may come after the event.
        var event: JSONReader?
        do throws(KinError) {
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: userID = try reader.string()
                case 1: babyID = try reader.string()
                case 2:
                    event = reader
                    try reader.skip()
                default: zone = try reader.optional(JSONForm.zone.read)
                }
            }
            if var event { record = try RhythmRecord(from: &event, in: zone) }
            guard let record else { throw reader.unexpected("an event") }
            try self.init(userID: userID, babyID: babyID, record: record)
        } catch {
            throw error.inRecord(Self.recordName, record?.note?.id)
        }
    }

    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("user_id", userID)
        writer.member("baby", babyID)
        writer.member("event", record)
    }
}

extension BabyRecord: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<BabyRecord>(
        "baby", id: "id", extra: .stored,
        .required("user_id", \.userID, .id),
        .required("id", \.id, .id),
        .standard("name", \.baby.name, .text, default: ""),
        .optional("date_of_birth", \.baby.born, .birth, writesNull: true),
        .optional("time_zone", \.baby.zone, .zone),
        .standard("owners", \.owners, .list(of: .id), default: [], writesDefault: false)
    ) { user, id, name, born, zone, owners throws(KinError) in
        try BabyRecord(userID: user, id: id, baby: RhythmLog.Baby(name: name, born: born, zone: zone), owners: owners)
    }
}

extension JSONForm<LocalDateTime> {
    /// A date, or a time of the local clock; an offset from UTC is ignored.
    package static let birth = parsed("date or local time", text: \.dateOrDateTime) { text throws(KinError) in
        try LocalDateTime(parsing: text)
    }
}
