import KinChallenges
import KinCore
import KinJSON

// Challenges, daily content, and what people do with them, as rows.

extension RecordKind {
    static let challenge = RecordKind("challenge", columns: ["id", "body"], key: ["id"], order: ["id"])
    static let contentDay = RecordKind("content_day", columns: ["day", "body"], key: ["day"], order: ["day"])
    static let challengePreferences = RecordKind(
        "challenge_preferences", columns: ["person", "body"], key: ["person"], order: ["number"])
    static let challengeState = RecordKind(
        "challenge_state", columns: ["person", "body"], key: ["person"], order: ["number"])
    static let userChallenge = RecordKind(
        "user_challenge", columns: ["person", "challenge", "assigned", "body"],
        key: ["person", "challenge", "assigned"],
        order: ["assigned", "challenge"])
    static let challengeDecision = RecordKind(
        "challenge_decision", columns: ["person", "decision", "is_open", "body"], key: ["person", "decision"],
        order: ["decision"])
    static let notification = RecordKind(
        "notification", columns: ["person", "sent", "body"], key: ["person", "sent"], order: ["sent"])
    static let rotation = RecordKind("rotation", columns: ["person", "body"], key: ["person"], order: ["number"])
    static let reflection = RecordKind(
        "reflection", columns: ["person", "date", "body"], key: ["person", "date"], order: ["date"])

    /// The tables of challenges and daily content, added by the migration "challenges".
    static let challengeTables = """
        CREATE TABLE challenge (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE content_day (
            number INTEGER PRIMARY KEY,
            day INTEGER NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE challenge_preferences (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL UNIQUE REFERENCES person ON DELETE CASCADE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE challenge_state (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL UNIQUE REFERENCES person ON DELETE CASCADE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE user_challenge (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            challenge TEXT NOT NULL,
            assigned INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, challenge, assigned)
        ) STRICT;
        CREATE INDEX user_challenge_by_time ON user_challenge (person, assigned);

        CREATE TABLE challenge_decision (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            decision INTEGER NOT NULL,
            is_open INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, decision)
        ) STRICT;
        CREATE INDEX challenge_decision_open ON challenge_decision (person, decision) WHERE is_open = 1;

        CREATE TABLE notification (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            sent INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, sent)
        ) STRICT;

        CREATE TABLE rotation (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL UNIQUE REFERENCES person ON DELETE CASCADE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE reflection (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            date INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, date)
        ) STRICT;
        """
}

extension Challenge: StoredRecord {
    static var kind: RecordKind { .challenge }
    static let idPaths = [["id"]]

    static func isRecognized(by members: [String]) -> Bool {
        members.contains("time_investment") || members.contains("timeInvestment")
    }

    var owner: String? { nil }
    var values: [SQLValue] { [.text(id), .utf8(jsonBytes)] }
}

extension ContentItem: StoredRecord {
    static var kind: RecordKind { .contentDay }
    static let idPaths = [[String]]()
    static func isRecognized(by members: [String]) -> Bool { members.contains("quote") }
    var owner: String? { nil }
    var values: [SQLValue] { [.integer(Int64(id)), .utf8(jsonBytes)] }
}

extension ChallengePreferences: StoredRecord {
    static var kind: RecordKind { .challengePreferences }
    static let idPaths = [["user_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.utf8(jsonBytes)] }
}

extension ChallengeState: StoredRecord {
    static var kind: RecordKind { .challengeState }
    static let idPaths = [["user_id"], ["queue", "challenge_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.utf8(jsonBytes)] }
}

extension UserChallenge: StoredRecord {
    static var kind: RecordKind { .userChallenge }
    static let idPaths = [["user_id"], ["challenge_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.text(challengeID), .integer(assigned.microseconds), .utf8(jsonBytes)] }
}

extension ChallengeDecision: StoredRecord {
    static var kind: RecordKind { .challengeDecision }
    static let idPaths = [["user_id"], ["challenge_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.integer(Int64(number)), .integer(isOpen ? 1 : 0), .utf8(jsonBytes)] }
}

extension NotificationRecord: StoredRecord {
    static var kind: RecordKind { .notification }
    static let idPaths = [["user_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.integer(sent.microseconds), .utf8(jsonBytes)] }
}

extension ContentRotation: StoredRecord {
    static var kind: RecordKind { .rotation }
    static let idPaths = [["user_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.utf8(jsonBytes)] }
}

extension DailyReflection: StoredRecord {
    static var kind: RecordKind { .reflection }
    static let idPaths = [["user_id"]]
    var owner: String? { userID }
    var values: [SQLValue] { [.integer(Int64(date.number)), .utf8(jsonBytes)] }
}
