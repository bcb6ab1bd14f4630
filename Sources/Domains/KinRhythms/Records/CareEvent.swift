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

    /// Replaces the author, and removes the note's text and the app's members; the event, its times and its amounts stay.
    package mutating func disown(as author: String) {
        record.note?.author = author
        removeTexts()
    }

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    package var extra: String? {
        get { record.note?.extra }
        set { record.note?.extra = newValue }
    }

    private mutating func removeTexts() {
        record.note?.text = nil
        extra = nil
    }

    /// The event in the log of a different owner of the baby. An event without an author gets its present user as author.
    package func kept(by keeper: String) throws(KinError) -> CareEvent {
        var record = record
        if keeper != userID, record.note?.author?.isEmpty ?? true { record.note?.author = userID }
        return try CareEvent(userID: keeper, babyID: babyID, record: record)
    }

    /// The event as removed at an instant, without its texts, so that neither this version nor an older one restores it.
    package func removed(at now: Timestamp) -> CareEvent {
        var event = self
        event.record.note?.isRemoved = true
        let version = record.note?.updated.map { Timestamp(clamping: $0.microseconds + 1) }
        event.record.note?.updated = max(now, version ?? now)
        event.removeTexts()
        return event
    }

    /// Converts the rows of a log to records. A row without an id gets one from its type, start and content, so the
    /// same rows again replace their records.
    ///
    /// - Throws: `.invalidArgument` for a missing or invalid id of the user or the baby.
    public static func events(of log: RhythmLog, userID: String, babyID: String) throws(KinError) -> [CareEvent] {
        var events: [CareEvent] = []
        for row in log.identified { events.append(try CareEvent(userID: userID, babyID: babyID, record: row)) }
        return events
    }

    /// The id of the event, unique for the baby.
    public var id: String { record.note?.id ?? "" }
}

/// A baby as a stored record.
public struct BabyRecord: Sendable, Hashable {
    /// The id of an owner of the baby's log.
    public let userID: String
    /// The id of the baby, the same for all owners and unique for each.
    public let id: String
    /// The name and day of birth.
    public package(set) var baby: RhythmLog.Baby
    /// The ids of all owners. Empty in a record to store: the owners do not change, and a new baby belongs to ``userID``
    /// alone.
    public let owners: [String]

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?
    /// Whether the stored values of members that the record lacks remain when it is stored.
    package var isPartial = false

    /// Creates a record of a baby.
    ///
    /// - Throws: `.invalidArgument` for a missing or invalid id of the user, the baby or an owner (`RecordID`), and for
    ///   owners without the user.
    public init(userID: String, id: String, baby: RhythmLog.Baby, owners: [String] = []) throws(KinError) {
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.id = try RecordID.checked(id, field: "id")
        self.baby = baby
        var all: [String] = []
        for owner in owners { all.append(try RecordID.checked(owner, field: "owners")) }
        self.owners = all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
        guard all.isEmpty || all.contains(self.userID) else {
            throw .field("owners", "owners must include the record's user, \"\(self.userID)\"")
        }
    }

    /// The ids of all owners, including the owner of a record that was stored without owners.
    package var allOwners: [String] { owners.isEmpty ? [userID] : owners }

    /// A partial record with the stored record's values of the members that it lacks; any other record itself.
    package func completed(by stored: BabyRecord?) -> BabyRecord {
        guard isPartial, let stored else { return self }
        var record = self
        if baby.name.isEmpty { record.baby.name = stored.baby.name }
        record.baby.born = baby.born ?? stored.baby.born
        record.baby.zone = baby.zone ?? stored.baby.zone
        record.extra = extra ?? stored.extra
        return record
    }

    /// The record under the id of one of its owners.
    package func kept(by keeper: String) throws(KinError) -> BabyRecord { try owned(by: owners, keeper: keeper) }

    /// The record with different owners, under the id of one of them.
    package func owned(by owners: [String], keeper: String) throws(KinError) -> BabyRecord {
        var record = try BabyRecord(userID: keeper, id: id, baby: baby, owners: owners)
        record.extra = extra
        return record
    }
}
