import KinCore
import KinJSON
import KinRhythms

extension RecordKind {
    static let baby = RecordKind("baby", columns: ["person", "id", "body"], key: ["person", "id"], order: ["id"])

    static let careEvent = RecordKind(
        "care_event", columns: ["person", "baby", "id", "start", "body"], key: ["person", "baby", "id"],
        order: ["baby", "start", "id"])

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
    static var kind: RecordKind { .baby }
    static let idPaths = [["user_id"], ["id"]]

    var owner: String? { userID }

    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }
}

extension CareEvent: StoredRecord {
    static var kind: RecordKind { .careEvent }
    static let idPaths = [["user_id"], ["baby"], ["event", "id"]]
    // A reading of the local clock, held only against other readings of it.
    var updated: Timestamp? { record.note?.updated.map { Timestamp(unchecked: $0.microseconds) } }

    var owner: String? { userID }

    var values: [SQLValue] { [.text(babyID), .text(id), .integer(record.start.microseconds), .utf8(jsonBytes)] }
}
