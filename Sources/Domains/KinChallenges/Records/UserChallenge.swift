/// An assignment of a challenge to a person, with its outcome.
public struct UserChallenge: Sendable, Hashable {
    /// The status of an assignment.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// It has no outcome yet.
        case pending
        /// The person completed the challenge.
        case completed
        /// The person skipped the challenge.
        case skipped
    }

    /// The id of the person.
    public let userID: String
    /// The id of the challenge.
    public let challengeID: String
    /// The instant of the assignment.
    public let assigned: Timestamp
    /// The status of the assignment.
    public let status: Status
    /// The instant of the completion; nil for other statuses.
    public let completed: Timestamp?
    /// The rating of a completion, 1 to 5.
    public let rating: Int?
    /// The time that a completion took, in minutes, 0 or more.
    public let minutes: Double?
    /// The date for which the challenge was assigned: the date in the person's zone at that time or, after travel to an
    /// earlier date, the latest date reached. Nil if it is unknown, as in an app's record.
    public package(set) var date: LocalDay?

    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates an assignment, and checks it.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - challengeID: The id of the challenge.
    ///   - assigned: The instant of the assignment.
    ///   - status: The status.
    ///   - completed: The instant of the completion, not before the assignment; required for `.completed`, and nil for
    ///     other statuses.
    ///   - rating: The rating of a completion, 1 to 5.
    ///   - minutes: The time that a completion took, 0 or more.
    ///   - date: The date for which it was assigned, a date of `assigned` in some time zone; nil if unknown.
    /// - Throws: `.invalidArgument` or `.notFinite`, naming the field.
    public init(
        userID: String, challengeID: String, assigned: Timestamp, status: Status = .pending,
        completed: Timestamp? = nil,
        rating: Int? = nil, minutes: Double? = nil, date: LocalDay? = nil
    ) throws(KinError) {
        guard (status == .completed) == (completed != nil) else {
            throw .field(
                "completed_date",
                status == .completed ? "it is missing" : "it is there, but the status is \(status.rawValue)")
        }
        if let completed, completed < assigned {
            throw .field("completed_date", "must not be before assigned_date, as \(completed) is")
        }
        if let rating, !(1...5).contains(rating) { throw .field("rating", "must be from 1 to 5, not \(rating)") }
        try KinError.check(minutes, "completion_time", "0 minutes or more") { $0 >= 0 }
        guard status == .completed || (rating == nil && minutes == nil) else {
            throw .field(
                rating == nil ? "completion_time" : "rating", "it is there, but the status is \(status.rawValue)")
        }
        let utc = LocalZone.utc.day(at: assigned)
        if let date, abs(date.number - utc.number) > 1 {
            throw .field("date", "must be the date of assigned_date in a time zone, \(utc) in UTC, not \(date)")
        }
        self.userID = try RecordID.checked(userID, field: "user_id")
        self.challengeID = try RecordID.checked(challengeID, field: "challenge_id")
        self.assigned = assigned
        self.status = status
        self.completed = completed
        self.rating = rating
        self.minutes = minutes
        self.date = date
    }

    /// Reads an assignment from its JSON object.
    ///
    /// - Parameter json: One object; `user_id`, `challenge_id` and `assigned_date` are required.
    /// - Throws: `.malformedInput`, or as the other initializer, naming the field.
    public init(json: String) throws(KinError) { try self.init(parsing: json) }

    /// The assignment as a JSON object, on one line.
    public var json: String { jsonText }

    /// The assignment after its completion.
    ///
    /// - Throws: As the initializer.
    package func completed(at instant: Timestamp, rating: Int?, minutes: Double?) throws(KinError) -> UserChallenge {
        var outcome = try UserChallenge(
            userID: userID, challengeID: challengeID, assigned: assigned, status: .completed,
            completed: max(instant, assigned), rating: rating, minutes: minutes, date: date)
        outcome.extra = extra
        return outcome
    }

    /// The assignment after it was skipped.
    package func skipped() throws(KinError) -> UserChallenge {
        var outcome = try UserChallenge(
            userID: userID, challengeID: challengeID, assigned: assigned, status: .skipped, date: date)
        outcome.extra = extra
        return outcome
    }

    /// The date for which it was assigned, if it is known, else the date of the assignment in a zone.
    package func date(in zone: LocalZone) -> LocalDay { date ?? zone.day(at: assigned) }
}

extension UserChallenge: DeclaredRecord, ExtensibleRecord {
    package static let form = RecordSchema<UserChallenge>(
        "user challenge", id: "user_id", aliases: [("challenge", "challenge_id"), ("user", "user_id")], extra: .stored,
        .required("user_id", \.userID, .id),
        .required("challenge_id", \.challengeID, .id),
        .required("assigned_date", \.assigned, .instant),
        .standard("status", \.status, .word("status"), default: .pending),
        .optional("completed_date", \.completed, .instant),
        .optional("rating", \.rating, .integer(in: 1...5)),
        .optional("completion_time", \.minutes, .number("0 or more", unit: "min")),
        .optional("date", \.date, .date),
        make: UserChallenge.init(userID:challengeID:assigned:status:completed:rating:minutes:date:))
}
