import KinChallenges
import KinCore
import KinJSON

// Challenges, daily content and people's answers to them, as rows.

extension Challenge: StoredRecord {
    static let table = RecordTable<Challenge>("challenge", .text("id", \.id), order: ["id"])

    static func isRecognized(by members: [String]) -> Bool { members.contains("time_investment") }
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
