import GRDB

/// The cached catalog of all challenges.
struct CachedCatalog: DerivedValue {
    static var sources: [RecordKind] { [Challenge.kind] }

    let catalog: ChallengeCatalog

    init(for key: SingletonKey, in database: Database) throws {
        catalog = try ChallengeCatalog(RecordQuery<Challenge>("ORDER BY id").all(in: database))
    }

    /// A challenge takes about 2,000 bytes with its texts and features.
    var byteCount: Int { 256 + catalog.challenges.count * 2_000 }
}

/// The cached year of daily content: the store's content or, while it is incomplete, the content that comes with Kin.
struct CachedContent: DerivedValue {
    static var sources: [RecordKind] { [ContentItem.kind] }

    let library: ContentLibrary
    /// The missing days of an incomplete year; empty if the store has no content.
    let missing: [Int]

    init(for key: SingletonKey, in database: Database) throws {
        let items = try RecordQuery<ContentItem>("ORDER BY day").all(in: database)
        missing = Self.missing(among: items.map(\.id))
        let isComplete = !items.isEmpty && missing.isEmpty
        library = try isComplete ? ContentLibrary(items) : ContentGenerator().library()
    }

    /// The missing days of an incomplete year, without reading the content; empty if the store has no content.
    static func missingDays(in database: Database) throws -> [Int] {
        missing(among: try SQLStatement("SELECT day FROM content_day", in: database).all { Int($0.integer(0)) })
    }

    private static func missing(among days: [Int]) -> [Int] {
        days.isEmpty ? [] : ContentLibrary.missingDays(among: days)
    }

    /// A day of content takes about 1,000 bytes with its texts.
    var byteCount: Int { library.items.count * 1_000 }
}

/// A person's cached records of challenges and daily content.
struct CachedChallenges: DerivedValue {
    static var sources: [RecordKind] {
        [
            ChallengePreferences.kind, ChallengeState.kind, UserChallenge.kind, ChallengeDecision.kind,
            ContentRotation.kind,
        ]
    }

    let preferences: ChallengePreferences?
    let state: ChallengeState?
    /// The number of the last decision; 0 without decisions.
    private let lastDecision: Int
    /// The challenges given to the person, by ascending time.
    let given: [UserChallenge]
    /// The decisions without an outcome.
    let open: [ChallengeDecision]
    let rotation: ContentRotation?
    /// The time zone of the preferences; nil for an unknown zone.
    let zone: LocalZone?

    static func person(of user: String) -> String? { user }

    init(for user: String, in database: Database) throws {
        preferences = try RecordQuery(of: user).first(in: database)
        state = try RecordQuery(of: user).first(in: database)
        lastDecision =
            try SQLStatement(
                "SELECT max(decision) FROM challenge_decision WHERE person = (SELECT number FROM person WHERE uid = ?)",
                in: database
            ).first([.id(user, "user")]) { Int($0.integer(0)) } ?? 0
        given = try RecordQuery(of: user, "ORDER BY assigned, challenge").all(in: database)
        open = try RecordQuery(of: user, "AND is_open = 1").all(in: database)
        rotation = try RecordQuery(of: user).first(in: database)
        zone = try? Self.zone(of: preferences)
    }

    /// A given challenge takes about 400 bytes, an open decision and its candidates about 4,000, the state of the policy about 8,000, the
    /// preferences and the rotation about 1,000 each.
    var byteCount: Int {
        512 + given.count * 400 + open.count * 4_000 + (state == nil ? 0 : 8_000) + (preferences == nil ? 0 : 1_000)
            + (rotation == nil ? 0 : 1_000)
    }

    /// The selector of the person.
    ///
    /// - Throws: `.invalidArgument` if there are no challenges and the person was given none; `.unknownID` for an unknown
    ///   time zone.
    func selector(
        for user: String, of catalog: ChallengeCatalog, in zone: LocalZone?, profile: [String: Double]
    ) throws(KinError) -> ChallengeSelector {
        guard !catalog.isEmpty || !given.isEmpty else {
            throw KinError(
                .invalidArgument,
                "there are no challenges in the store; import some, or examples that kin generate challenges makes")
        }
        let known: ChallengePreferences
        if let preferences { known = preferences } else { known = try ChallengePreferences(userID: user) }
        var selector = try ChallengeSelector(
            catalog: catalog, preferences: known, zone: self.zone(zone), profile: profile, state: state,
            history: given, open: open)
        selector.continueNumbers(after: lastDecision)
        selector.rotation = rotation
        return selector
    }

    /// The given time zone, else the zone of the preferences.
    ///
    /// - Throws: `.unknownID` for an unknown time zone.
    func zone(_ given: LocalZone?) throws(KinError) -> LocalZone {
        if let zone = given ?? zone { return zone }
        return try Self.zone(of: preferences)
    }

    /// The time zone of a person's preferences; nil without preferences, for UTC (their default) and for an unknown
    /// zone.
    static func knownZone(of user: String, in database: Database) throws -> LocalZone? {
        let preferences = try RecordQuery<ChallengePreferences>(of: user).first(in: database)
        guard let name = preferences?.timeZone, name != "UTC" else { return nil }
        return try? LocalZone(named: name)
    }

    /// The time zone of preferences; UTC without them.
    ///
    /// - Throws: `.unknownID` for an unknown time zone.
    static func zone(of preferences: ChallengePreferences?) throws(KinError) -> LocalZone {
        try LocalZone(named: preferences?.timeZone ?? "UTC")
    }

    /// The person's rotation at an instant; day 1 if they have not begun.
    func rotation(of user: String, at instant: Timestamp, in zone: LocalZone) throws(KinError) -> ContentRotation {
        if let rotation { return rotation.at(instant, in: zone) }
        return try ContentRotation(userID: user, from: zone.day(at: instant)).at(instant, in: zone)
    }
}

extension Store {
    /// The cached catalog of all challenges, active or not.
    ///
    /// - Throws: `.corruptFile` if a challenge is damaged; `.inputOutput`.
    public nonisolated func challengeCatalog() throws(KinError) -> ChallengeCatalog {
        try derived(CachedCatalog.self, for: .only).catalog
    }

    /// The cached year of daily content: the store's content or, while it is incomplete, the content that comes with Kin.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public nonisolated func contentLibrary() throws(KinError) -> ContentLibrary {
        try derived(CachedContent.self, for: .only).library
    }

    /// A person's records of challenges and daily content.
    nonisolated func challenges(of user: String) throws(KinError) -> CachedChallenges {
        try derived(CachedChallenges.self, for: RecordID.checked(user, field: "user"))
    }
}
