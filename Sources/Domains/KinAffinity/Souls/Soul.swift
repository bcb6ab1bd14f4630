/// A soul: the goals, realms, objects, session habits and valence of a person that affinity compares.
///
///     var anna = try Soul(userID: "anna", goals: SoulTraits(["sleep": 5, "anxiety": 2]), valence: 0.2)
///     anna.realms = try SoulTraits(["ocean": 9])
///     anna.eventCount    // 16.0
///     let affinity = AffinityModel.standard.affinity(between: anna, and: ben)
///
/// Unknown blocks are empty, and never compared.
public struct Soul: Sendable, Hashable {
    /// The id of the person.
    public let userID: String
    /// The therapeutic goals, with the number of times each was sought.
    public var goals: SoulTraits
    /// The realm types, with the number of visits of each.
    public var realms: SoulTraits
    /// The categories of objects, with the number of encounters of each.
    public var objects: SoulTraits
    /// The session habits; nil when unknown.
    public var pattern: SessionPattern?
    /// The emotional valence, −1…1; nil when unknown.
    public internal(set) var valence: Double?
    /// A note of the app about the person, which is stored and never compared, shown or passed on.
    public var note: String?
    /// The counts that ``learn(_:in:)`` continues; nil before its first call.
    public internal(set) var history: SoulHistory?
    /// Members of an app's record without a field in Kin: the JSON of an object, or nil.
    public var extra: String?

    /// Creates a soul, and checks it.
    ///
    /// - Parameters:
    ///   - userID: The id of the person.
    ///   - goals: The goals with their amounts.
    ///   - realms: The realm types with their amounts.
    ///   - objects: The object categories with their amounts.
    ///   - pattern: The session habits.
    ///   - valence: The emotional valence, −1…1.
    ///   - note: A note of the app.
    /// - Throws: `.invalidArgument` for an invalid user id (`RecordID`) or a valence outside −1…1, `.notFinite`; naming
    ///   the field.
    public init(
        userID: String, goals: SoulTraits = SoulTraits(), realms: SoulTraits = SoulTraits(),
        objects: SoulTraits = SoulTraits(),
        pattern: SessionPattern? = nil, valence: Double? = nil, note: String? = nil
    ) throws(KinError) {
        try KinError.check(valence, "valence", "from -1 to 1") { abs($0) <= 1 }
        let pattern = pattern?.isEmpty == true ? nil : pattern
        self.userID = try RecordID.checked(userID, field: "uid")
        self.goals = goals
        self.realms = realms
        self.objects = objects
        self.pattern = pattern
        self.valence = valence
        self.note = note
    }

    /// The number of events that the soul is based on: the sum of the amounts of its goals, realms and objects.
    public var eventCount: Double {
        SoulBlock.named.reduce(0) { traits($1).list.reduce($0) { $0 + $1.amount } }
    }

    /// The traits of a block that holds traits.
    package func traits(_ block: SoulBlock) -> SoulTraits {
        switch block {
        case .goals: goals
        case .realms: realms
        case .objects: objects
        case .patterns, .valence: SoulTraits()
        }
    }
}
