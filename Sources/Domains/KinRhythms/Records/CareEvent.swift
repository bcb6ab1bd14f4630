public import KinCore

/// An event of a baby's log as a store keeps it: whose log it is, which baby's, and what was done.
public struct CareEvent: Sendable, Hashable {
    /// Who keeps the log, and takes it along when they are forgotten.
    public let userID: String
    /// Which of their babies, by its id.
    public let babyID: String
    /// What was done. Its note has an id.
    public let record: RhythmRecord

    /// An event of a log.
    ///
    /// - Throws: `.invalidArgument` when the user, the baby or the event has no id or what is none (`RecordID`).
    public init(userID: String, babyID: String, record: RhythmRecord) throws(KinError) {
        let babyID = try RecordID.checked(babyID, field: "baby")
        guard let id = record.note?.id, !id.isEmpty else {
            throw KinError(.invalidArgument, "the event has no id, by which a later form of it would replace it")
                .within("field", "id")
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.babyID = babyID
        var record = record
        record.note?.id = try RecordID.checked(id, field: "id")
        self.record = record
    }

    /// The rows of a log as events; rows without an id get one of their place, "row-1" for the first.
    ///
    /// - Throws: `.invalidArgument` when the user or the baby has no id.
    public static func events(of log: RhythmLog, userID: String, babyID: String) throws(KinError) -> [CareEvent] {
        var events: [CareEvent] = []
        for (position, row) in log.records.enumerated() {
            var row = row
            var note = row.note ?? RhythmRecord.Note()
            if note.id?.isEmpty ?? true { note.id = "row-\(position + 1)" }
            row.note = note
            events.append(try CareEvent(userID: userID, babyID: babyID, record: row))
        }
        return events
    }

    /// The event's id, which differs from those of the baby's other events.
    public var id: String { record.note?.id ?? "" }
}

/// A baby as a store keeps it.
public struct BabyRecord: Sendable, Hashable {
    /// Who keeps its log.
    public let userID: String
    /// The baby's id, which differs from those of the user's other babies.
    public let id: String
    /// Name and day of birth.
    public let baby: RhythmLog.Baby

    /// A baby of somebody's.
    ///
    /// - Throws: `.invalidArgument` when the user or the baby has no id or what is none (`RecordID`).
    public init(userID: String, id: String, baby: RhythmLog.Baby) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.id = try RecordID.checked(id, field: "id")
        self.baby = baby
    }
}
