public import KinCore

/// A row of a baby's log as a stored record, with its user and baby.
public struct CareEvent: Sendable, Hashable {
    /// The id of the user who owns the log; forgetting the user deletes it.
    public let userID: String
    /// The id of the baby, unique for the user.
    public let babyID: String
    /// The row of the log, with an id in its note.
    public private(set) var record: RhythmRecord

    /// Creates a record from a row.
    ///
    /// - Throws: `.invalidArgument` for a missing or invalid id of the user, the baby or the event (`RecordID`).
    public init(userID: String, babyID: String, record: RhythmRecord) throws(KinError) {
        let babyID = try RecordID.checked(babyID, field: "baby")
        guard let id = record.note?.id, !id.isEmpty else {
            throw .field("id", "the event has no id, by which a later form of it would replace it")
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.babyID = babyID
        var record = record
        record.note?.id = try RecordID.checked(id, field: "id")
        self.record = record
    }

    /// Replaces the author and removes the note's text; the event, its times and its amounts stay.
    package mutating func disown(as author: String) {
        record.note?.author = author
        record.note?.text = nil
    }

    /// Converts the rows of a log to records. Rows without an id get one from their position: "row-1" for the first
    /// row.
    ///
    /// - Throws: `.invalidArgument` for a missing or invalid id of the user or the baby.
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

    /// The id of the event, unique for the baby.
    public var id: String { record.note?.id ?? "" }
}

/// A baby as a stored record.
public struct BabyRecord: Sendable, Hashable {
    /// The id of the user who owns the baby's log.
    public let userID: String
    /// The id of the baby, unique for the user.
    public let id: String
    /// The name and day of birth.
    public let baby: RhythmLog.Baby

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a record of a baby.
    ///
    /// - Throws: `.invalidArgument` for a missing or invalid id of the user or the baby (`RecordID`).
    public init(userID: String, id: String, baby: RhythmLog.Baby) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.id = try RecordID.checked(id, field: "id")
        self.baby = baby
    }
}
