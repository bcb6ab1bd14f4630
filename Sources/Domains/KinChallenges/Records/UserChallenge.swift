public import KinCore
package import KinJSON

/// A challenge that a person was given, and what came of it.
public struct UserChallenge: Sendable, Hashable {
    /// What came of it.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// Nothing yet.
        case pending
        /// It was done.
        case completed
        /// It was declined.
        case skipped
    }

    /// Whose it is.
    public let userID: String
    /// Which challenge.
    public let challengeID: String
    /// When it was given.
    public let assigned: Timestamp
    /// What came of it.
    public let status: Status
    /// When it was done.
    public let completed: Timestamp?
    /// How it was liked, 1 to 5.
    public let rating: Int?
    /// How long it took, in minutes.
    public let minutes: Double?

    /// A challenge that somebody was given.
    ///
    /// - Throws: `.invalidArgument` or `.notFinite` naming the field: for what is no id (`RecordID`), a completed one without an instant or one before it was given, any
    ///   other with an instant, a rating outside 1 to 5, minutes below 0, and a rating or minutes of what is not completed.
    public init(
        userID: String, challengeID: String, assigned: Timestamp, status: Status = .pending,
        completed: Timestamp? = nil,
        rating: Int? = nil, minutes: Double? = nil
    ) throws(KinError) {
        guard (status == .completed) == (completed != nil) else {
            throw .field(
                "completed_date",
                status == .completed ? "it is missing" : "it is there, but the status is \(status.rawValue)")
        }
        if let completed, completed < assigned {
            throw .field("completed_date", "it is \(completed), before assigned_date")
        }
        if let rating, !(1...5).contains(rating) { throw .field("rating", "it is \(rating), and must be from 1 to 5") }
        if let minutes, !minutes.isFinite { throw .field("completion_time", "it is \(minutes)", .notFinite) }
        if let minutes, minutes < 0 { throw .field("completion_time", "it is \(minutes) minutes") }
        guard status == .completed || (rating == nil && minutes == nil) else {
            throw .field(
                rating == nil ? "completion_time" : "rating", "it is there, but the status is \(status.rawValue)")
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.challengeID = try RecordID.checked(challengeID, field: "challenge_id")
        self.assigned = assigned
        self.status = status
        self.completed = completed
        self.rating = rating
        self.minutes = minutes
    }

    /// Reads one from its JSON object.
    ///
    /// - Throws: `.malformedInput` or what the other initializer throws, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// As a JSON object, on one line.
    public var json: String { jsonText }

    /// The same after it was done.
    ///
    /// - Throws: As the initializer.
    package func completed(at instant: Timestamp, rating: Int?, minutes: Double?) throws(KinError) -> UserChallenge {
        try UserChallenge(
            userID: userID, challengeID: challengeID, assigned: assigned, status: .completed,
            completed: max(instant, assigned), rating: rating, minutes: minutes)
    }

    /// The same after it was declined.
    package func skipped() throws(KinError) -> UserChallenge {
        try UserChallenge(userID: userID, challengeID: challengeID, assigned: assigned, status: .skipped)
    }
}

extension UserChallenge: JSONRecord {
    package static let recordName = "user challenge"

    private static let fields = RecordFields(
        [
            "user_id", "challenge_id", "assigned_date", "status", "completed_date", "rating", "completion_time",
        ], required: ["user_id", "challenge_id", "assigned_date"])

    package init(from reader: inout JSONReader) throws(KinError) {
        var (userID, challengeID) = ("", "")
        var assigned = Timestamp(unchecked: 0)
        var status = Status.pending
        var completed: Timestamp?
        var rating: Int?
        var minutes: Double?
        try Self.fields.read(&reader) { reader, field throws(KinError) in
            switch field {
            case 0: userID = try reader.string()
            case 1: challengeID = try reader.string()
            case 2: assigned = try reader.instant()
            case 3: status = try reader.word("status")
            case 4: completed = try reader.instant()
            case 5: rating = try reader.integer(in: 1...5)
            default: minutes = try reader.number()
            }
        }
        try self.init(
            userID: userID, challengeID: challengeID, assigned: assigned, status: status, completed: completed,
            rating: rating, minutes: minutes)
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("user_id") { $0.string(userID) }
            writer.member("challenge_id") { $0.string(challengeID) }
            writer.member("assigned_date") { $0.string(assigned.description) }
            writer.member("status") { $0.string(status.rawValue) }
            if let completed { writer.member("completed_date") { $0.string(completed.description) } }
            if let rating { writer.member("rating") { $0.integer(rating) } }
            if let minutes { writer.member("completion_time") { $0.number(minutes) } }
        }
    }
}
