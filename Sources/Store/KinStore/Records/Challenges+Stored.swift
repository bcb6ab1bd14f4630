import KinChallenges
import KinCore
import KinJSON

// Challenges, daily content, and what people do with them, as rows.

extension RecordKind {
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
    static let table = RecordTable<Challenge>("challenge", .text("id", \.id), order: ["id"])

    static func isRecognized(by members: [String]) -> Bool {
        members.contains("time_investment") || members.contains("timeInvestment")
    }
}

extension ContentItem: StoredRecord {
    static let table = RecordTable<ContentItem>("content_day", .integer("day", \.id), order: ["day"])
    static func isRecognized(by members: [String]) -> Bool { members.contains("quote") }
}

extension ChallengePreferences: StoredRecord {
    static let table = RecordTable<ChallengePreferences>("challenge_preferences", owner: \.userID)
}

extension ChallengeState: StoredRecord {
    static let table = RecordTable<ChallengeState>("challenge_state", owner: \.userID)
}

extension UserChallenge: StoredRecord {
    static let table = RecordTable<UserChallenge>(
        "user_challenge", owner: \.userID, .text("challenge", \.challengeID), .instant("assigned", \.assigned),
        key: ["person", "challenge", "assigned"], order: ["assigned", "challenge"])
}

extension ChallengeDecision: StoredRecord {
    static let table = RecordTable<ChallengeDecision>(
        "challenge_decision", owner: \.userID, .integer("decision", \.number), .boolean("is_open", \.isOpen),
        key: ["person", "decision"], order: ["decision"])
}

extension NotificationRecord: StoredRecord {
    static let table = RecordTable<NotificationRecord>(
        "notification", owner: \.userID, .instant("sent", \.sent), key: ["person", "sent"], order: ["sent"])
}

extension ContentRotation: StoredRecord {
    static let table = RecordTable<ContentRotation>("rotation", owner: \.userID)
}

extension DailyReflection: StoredRecord {
    static let table = RecordTable<DailyReflection>(
        "reflection", owner: \.userID, .integer("date", \.date.number), key: ["person", "date"], order: ["date"])
}
