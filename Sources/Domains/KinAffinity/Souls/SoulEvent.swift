/// An event of a person's practice, a source for learning their soul: a session, goals sought, realms visited, objects
/// met, or a reaction.
///
/// One event may be several of these: a session of 20 minutes for sleep in the ocean that the person liked.
public struct SoulEvent: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The instant of the event, or the beginning of a session.
    public let at: Timestamp
    /// The goals that were sought, each a synonym of `TherapeuticGoal` or a different word.
    public let goals: [String]
    /// The realm types that were visited.
    public let realms: [String]
    /// The categories of the objects that were met.
    public let objects: [String]
    /// The length of a session in minutes, 0 if unknown; nil for an event that is not a session.
    public let minutes: Double?
    /// The reaction of the person, −1 (disliked) to 1 (liked); nil when unknown.
    public let reaction: Double?

    /// Creates an event, and checks it.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - at: The instant of the event.
    ///   - goals: The goals that were sought.
    ///   - realms: The realm types that were visited.
    ///   - objects: The categories of the objects that were met.
    ///   - minutes: The length of a session, 0 or more; nil for an event that is not a session.
    ///   - reaction: The reaction, −1 to 1.
    /// - Throws: `.invalidArgument` for an invalid user id (`RecordID`), an empty name, a negative length, a reaction
    ///   outside its range, or an event without any content; `.notFinite`; naming the field.
    public init(
        userID: String, at: Timestamp, goals: [String] = [], realms: [String] = [], objects: [String] = [],
        minutes: Double? = nil, reaction: Double? = nil
    ) throws(KinError) {
        for (field, names) in [("goals", goals), ("realms", realms), ("objects", objects)] where names.contains("") {
            throw .field(field, "one has no name")
        }
        try KinError.check(minutes, "minutes", "0 or more") { $0 >= 0 }
        try KinError.check(reaction, "reaction", "from -1 to 1") { abs($0) <= 1 }
        guard minutes != nil || reaction != nil || !(goals + realms + objects).isEmpty else {
            throw KinError(.invalidArgument, "the event is empty; give goals, realms, objects, minutes or a reaction")
        }
        self.userID = try RecordID.checked(userID, field: "uid")
        self.at = at
        self.goals = goals
        self.realms = realms
        self.objects = objects
        self.minutes = minutes
        self.reaction = reaction
    }
}

/// The counts that a soul needs to learn from further events.
public struct SoulHistory: Sendable, Hashable {
    /// The largest value of a count.
    static let highestCount = 1 << 40

    /// The number of sessions.
    public internal(set) var sessions = 0
    /// The number of sessions of unknown length.
    public internal(set) var untimed = 0
    /// The number of sessions as of the last one, with a half-life of 28 days.
    public internal(set) var recent = 0.0
    /// The beginning of the earliest session.
    public internal(set) var first: Timestamp?
    /// The beginning of the latest session.
    public internal(set) var last: Timestamp?
    /// The day of the latest session, by the person's clock.
    public internal(set) var lastDay: LocalDay?
    /// The number of reactions.
    public internal(set) var reactions = 0
}
