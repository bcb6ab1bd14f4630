import KinCore
import KinJSON
import KinRhythms

extension RecordKind {
    /// The tables of babies and care events, added by the migration "rhythms".
    static let careTables = """
        CREATE TABLE baby (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            id TEXT NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, id)
        ) STRICT;

        CREATE TABLE care_event (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            baby TEXT NOT NULL,
            id TEXT NOT NULL,
            start INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, baby, id)
        ) STRICT;
        CREATE INDEX care_event_by_time ON care_event (person, baby, start, id);
        """
}

extension BabyRecord: StoredRecord {
    static let table = RecordTable<BabyRecord>(
        "baby", owner: \.userID, .text("id", \.id), key: ["person", "id"], order: ["id"])
}

extension CareEvent: StoredRecord {
    static let table = RecordTable<CareEvent>(
        "care_event", owner: \.userID, .text("baby", \.babyID), .text("id", \.id),
        .integer("start", { @Sendable in Int($0.record.start.microseconds) }),
        key: ["person", "baby", "id"], order: ["baby", "start", "id"])
    static let idPaths = [["user_id"], ["baby"], ["event", "id"]]
    var updated: Timestamp? { record.note?.updated }
    var isToBeAdopted: Bool { lacksZone }
    static let adoption: (@Sendable (CareEvent, WriteTransaction) throws -> CareEvent)? = { event, transaction in
        guard let person = try People.number(of: event.userID, in: transaction.database),
            let zone = try KeptChallenges.knownZone(of: person, in: transaction.database)
        else { return event }
        return event.read(in: zone)
    }
}
