/// The methods of affinity: comparison, matching, contributions and inboxes.
enum AffinityMethods {
    static let group = MethodGroup(
        title: "Affinity",
        prose: """
            A soul is `{"uid": "u42", "goals": {"anxiety": 5}, "realms": …, "objects": …, "patterns": {"hours": [24 numbers], "minutes": 20,
            "sessions_per_week": 4, "streak": 9}, "valence": 0.3}`; unknown parts are left out. `put` takes `{"soul": …}` too. Weights are an object of blocks,
            in any unit. `learn_souls` makes souls from events.

            Searches are exact: they give the same scores, to the bit, as comparing every pair. `coverage` is the share of all weight that could be compared.
            A `connection` needs a coverage of 0.60 (`soul_mirror` 0.75); with less it is `distant_echo`, whatever the score. Goals count by their rarity, and
            more so the more people there are. Traits are compared regardless of case and Unicode form; blanks, hyphens and underscores are the same.
            "Night Sky", `night_sky` and NIGHT-SKY are one realm, "Straße" and "STRASSE" one object. Souls are stored as they are written, and answers
            have traits in snake case. Goals are also compared by the synonyms of `therapeutic_value`: "Anxiety" and "calm" are both `anxiety_relief`.

            A store's scores shrink if few events are behind the souls, unless `shrink` is false. A soul of n events (the sum of the amounts) has the factor
            √((n + 1) / (n + 2)), rounded to a multiple of 1/2,048. A score is multiplied by the factors of both; their product is `shrinkage` in `why`. So
            equal newcomers are no soul mirrors: a soul mirror needs 19 events of each. Souls without goals, realms and objects do not shrink. `raise` in
            `why` is the smallest change for a stronger connection: the events of the person with fewer, or the block that would have to rise least.

            A store has one affinity model: its weights and the rarity of goals among its souls. `affinity`, `match`, `similar_souls`, `similar_pairs`, `why`
            and `route` use it. `weights`, `every_goal_alike` and `shrink` in a request replace the stored values for this call. An engine in memory without records uses
            `model`, the answer of `affinity_model`, or the standard weights with scores that shrink. With the standard weights, `match` uses the rarity among its `souls`.

            Scores mean different things in different populations. `nearer_than` estimates the share of pairs of the store's people with a lower score, among
            pairs with a coverage of 0.60: 0.992 means "nearer than 99.2 % of pairs". It interpolates between quantiles that are 0.01 apart, and 0.001 above
            0.99. They are the quantiles of all pairs, or of a sample of 4,096 (65,536 with `quantile`). It requires 15 people. `affinity` and `why` have it,
            and lists have it with connections by `quantile`. `connections` selects the bounds of connections: fixed bounds of the `score` (0.70, 0.75, 0.85,
            0.95) or shares of pairs (`quantile`). By quantile, parallel paths are nearer than 95 % of pairs, resonant travellers than 98 %, kindred spirits
            than 99.5 %, soul mirrors than 99.95 %; `quantiles` sets other shares. `minimum_coverage` raises the coverage that connections need.

            `keep_affinity_model` stores all of these settings, and limits the deliveries of `route`. `deliveries_per_day` is the most contributions delivered
            to a person within 24 hours, highest affinity first. A new soul also receives the matching contributions of the last 30 days that were routed before,
            once and within that limit. `minimum_events` is the least sum of amounts in the souls of author and recipient.
            """,
        methods: [
            affinity, match, learnSouls, similarSouls, similarPairs, why, model, keepModel, contribute, route, inbox,
            digest,
            joinWorld, accept, decline, block, anonymousName,
        ])

    // MARK: Souls of the request

    private static let affinity = EngineMethod(
        "affinity", "Compares two souls of the request.",
        soul("a", "A soul."), soul("b", "Another soul."), Parameter<AffinityChoice>.affinityChoice, givenModel
    ) { engine, a, b, choice, model throws(KinError) in
        try AffinityMethods.model(choice, model, of: engine).affinity(between: a, and: b)
    }

    private static let match = EngineMethod(
        "match", "Matches souls of the request: the most similar souls of one person, or of each.",
        answer: "list of matches, best first; for all people, by ascending `user`",
        Parameter<[Soul]>("souls", .list("soul", Soul.init(from:)), "The souls, each person once."),
        Parameter<String?>("user", .id, "The person to match. Default: everyone."),
        Parameter<Int>("k", .count, default: 10, "The number of matches for each person."),
        Parameter<Double?>("above", .number(ParameterRange.unit), "The minimum score, instead of `k`."),
        coverage, limit, Parameter<AffinityChoice>.affinityChoice, givenModel, Parameter<Int>.threads
    ) { engine, souls, user, k, above, coverage, limit, choice, given, threads throws(KinError) in
        let model = try AffinityMethods.model(choice, given, of: engine)
        // If neither the store nor the request has a model, rarity is counted among the given souls.
        let hasOwnModel = try engine.hasOwnModel
        let isCounted = given == nil && !hasOwnModel && choice.everyGoalAlike != true
        var matcher = try SoulMatcher(
            souls, model: model, rarity: isCounted ? .automatic : .asInModel, threads: threads)
        // If the model has no quantiles of its population, those of the given souls are used.
        if model.calibration == nil { matcher = matcher.calibrated(model.connections) }
        guard let user else {
            return try matcher.pairs(k: k, above: above, minimumCoverage: coverage, limit: limit, threads: threads)
        }
        let found =
            if let above {
                try matcher.matches(of: user, above: above, minimumCoverage: coverage)
            } else {
                try matcher.mostSimilar(to: user, k: k, minimumCoverage: coverage)
            }
        return found.map { ScoredSoulPair(first: user, match: $0) }
    }

    /// The model for the souls of a request: the given model, the store's, or the standard one.
    private static func model(_ choice: AffinityChoice, _ given: AffinityModel?, of engine: Engine) throws(KinError)
        -> AffinityModel
    {
        if given == nil, try engine.hasOwnModel { return try engine.store.affinityModel(choice) }
        var model = given ?? AffinityModel(shrinksScores: true)
        model.weights = choice.weights ?? model.weights
        if choice.everyGoalAlike == true { model.rarity = nil }
        model.shrinksScores = choice.shrinksScores ?? model.shrinksScores
        model.connections = try choice.connections(over: model.connections)
        return model
    }

    private static func soul(_ name: String, _ help: String) -> Parameter<Soul> {
        Parameter(name, .object("soul", Soul.init(from:)), help)
    }

    private static let givenModel = Parameter<AffinityModel?>(
        "model", .object("affinity model", AffinityModel.init(from:)),
        "An answer of `affinity_model`, to reproduce its scores.")

    private static let limit = Parameter<Int>(
        "limit", .count, default: 250_000, "The largest number of matches. More are an error.")

    private static let coverage = Parameter<Double>(
        "coverage", .number(ParameterRange.unit), default: 0, "The minimum share of all weight that must be comparable."
    )

    // MARK: Souls of the store

    private static let learnSouls = EngineMethod(
        command: "learn_souls", "Learns souls from events: sessions, goals, realms, objects and reactions.",
        answer: "list of the souls that changed, each with its `history`",
        Parameter<[SoulEvent]>(
            "events", .list("soul event", SoulEvent.init(from:)),
            """
            `{"uid", "at", "goals": […], "realms": […], "objects": […], "minutes", "reaction"}`. `at` is at most an hour after the present. An event with `minutes` is a session; 0 means \
            unknown length. A `reaction` is -1 to 1; each name gains 1 + reaction, and 1 without a reaction. Goals with the same word count \
            once, repeated realms and objects as often as they are named. Events have no ids, so each call counts: repeat it only if the first call failed. \
            Within a call the events may be in any order. A later call may have earlier events, but the streak does not count a session before the day \
            of the last one, and `valence` depends on the order of the calls above 20 reactions: each new reaction then has a weight of 1/20, whenever it \
            was. To correct a streak, `put` the soul.
            """),
        Parameter<LocalZone?>.zone
    ) { engine, events, zone in
        let now = try engine.now()
        for event in events {
            do throws(KinError) { try event.at.requirePassed("at", by: now, "the present") } catch {
                throw error.within("user", event.userID)
            }
        }
        return try await engine.store.learnSouls(from: events, zone: zone)
    }

    private static let similarSouls = EngineMethod(
        "similar_souls", "Finds the people in the store who are most similar to a person.", answer: "as `match`",
        Parameter<String>("user", .id, "The person."),
        Parameter<Int>("k", .count, default: 10, "The number of people."),
        Parameter<Double?>("above", .number(ParameterRange.unit), "The minimum score, instead of `k`."),
        coverage, Parameter<AffinityChoice>.affinityChoice,
        Parameter<ListVariety>.variety(of: "person", category: "connection")
    ) { engine, user, k, above, coverage, choice, variety throws(KinError) in
        try engine.similarSouls(
            to: user, k: k, above: above, variety: variety, coverage: coverage, model: choice
        ).map { ScoredSoulPair(first: user, match: $0) }
    }

    private static let similarPairs = EngineMethod(
        "similar_pairs", "Matches people in the store: the most similar people of each, or all pairs above a score.",
        answer: "as `match`",
        Parameter<Int>("k", .count, default: 10, "The number of people for each person."),
        Parameter<Double?>(
            "above", .number(ParameterRange.unit), "The minimum score, instead of `k`. Each pair is then listed once."),
        coverage, limit, Parameter<AffinityChoice>.affinityChoice, Parameter<Int>.threads
    ) { engine, k, above, coverage, limit, choice, threads throws(KinError) in
        try engine.store.matcher(choice, threads: threads).pairs(
            k: k, above: above, minimumCoverage: coverage, limit: limit, threads: threads)
    }

    private static let why = EngineMethod(
        "why", "Explains the affinity of two people in the store.", answer: "as `affinity`",
        Parameter<String>("user", .id, "The person."), Parameter<String>("other", .id, "The other person."),
        Parameter<AffinityChoice>.affinityChoice
    ) { engine, user, other, choice throws(KinError) in
        try engine.affinity(between: user, and: other, model: choice)
    }

    private static let model = EngineMethod(
        "affinity_model", "Returns the store's affinity model.",
        answer: """
            `weights`, `every_goal_alike`; if that is false, `people` and `goals` (the number of people with each goal); by quantile, `quantiles` \
            and `bounds` (their scores); `minimum_coverage`; from 15 people on, `calibration` (the scores at 119 shares of pairs)
            """
    ) { engine throws(KinError) in try engine.store.affinityModel() }

    private static let keepModel = EngineMethod(
        command: "keep_affinity_model", "Stores settings of affinity. Missing settings stay unchanged.",
        answer: "as `affinity_model`", Parameter<AffinityChoice>.affinityChoice,
        Parameter<Int?>(
            "deliveries_per_day", .integer(0...ParameterRange.mostResults),
            "The largest number of contributions delivered to a person within 24 hours. 0: no limit."),
        Parameter<Double?>(
            "minimum_events", .number(0...1e15), "The minimum sum of amounts in the souls of author and recipient.")
    ) { engine, choice, deliveriesPerDay, minimumEvents in
        try await engine.keepAffinityModel(choice, deliveriesPerDay: deliveriesPerDay, minimumEvents: minimumEvents)
    }

    // MARK: Contributions

    private static let contribute = EngineMethod(
        command: "contribute", "Stores a contribution of a person.", answer: "`id`",
        Parameter<String>("user", .id, "The author."),
        Parameter<Contribution>(
            "contribution", .object("contribution", Contribution.init(from:)),
            """
            `{"zone": …}` or `{"story": …}`, or the object inside either. The `scenes` of a zone are names, or their number. Its goals are \
            free words, as those of souls; a world uses only the goals of `world` and their synonyms.
            """
        ),
        Parameter<Timestamp?>("made", .instant, "The instant at which the contribution was made. Default: now.")
    ) { engine, user, contribution, made in
        Members(["id": try await engine.contribute(contribution, by: user, at: made)])
    }

    private static let route = EngineMethod(
        command: "route",
        "Delivers contributions to the people whom their authors match. A new soul receives those of the last 30 days.",
        Parameter<Int>.threads, Parameter<AffinityChoice>.affinityChoice
    ) { engine, threads, choice in try await engine.route(model: choice, threads: threads) }

    private static let inbox = EngineMethod(
        "inbox", "Lists a person's inbox, newest first.",
        Parameter<String>("user", .id, "The person."),
        Parameter<InboxState?>(
            "state", .words,
            "The state of the items. Default: all states except declined.")
    ) { engine, user, state throws(KinError) in try engine.inbox(of: user, state) }

    private static let digest = EngineMethod(
        "digest", "Summarises the items that arrived in a person's inbox since an instant.",
        Parameter<String>("user", .id, "The person."), Parameter<Timestamp>("since", .instant, "The first instant.")
    ) { engine, user, since throws(KinError) in try engine.store.digest(of: user, since: since) }

    private static let joinWorld = EngineMethod(
        "join_world", "Adds the zones and stories of a person's inbox to a world.",
        answer: """
            the world with `contributed_zones`, each with a portal to the nearest zone of its realm, and `contributed_stories`, each with the \
            `zone` that starts it. They are the items delivered, discovered or accepted in the inbox, and replace those added before
            """,
        Parameter<String>("user", .id, "The person."),
        Parameter<RealmWorld>("world", .world, "The person's world, from an answer of `world` or of this method.")
    ) { engine, user, world throws(KinError) in JSONText(try engine.joinWorld(world, for: user).json) }

    private static let accept = decision("accept", "Accepts an item of a person's inbox.") { engine, item, user in
        try await engine.store.accept(item, by: user)
    }

    private static let decline = decision("decline", "Declines an item of a person's inbox.") { engine, item, user in
        try await engine.store.decline(item, by: user)
    }

    private static let block = decision(
        "block",
        """
        Declines an item and everything else by its author, permanently: none can be accepted later, even if the author is forgotten and returns.
        """
    ) { engine, item, user in try await engine.store.blockAuthor(of: item, by: user) }

    private static func decision(
        _ name: String, _ summary: String, _ decide: @escaping @Sendable (Engine, String, String) async throws -> Void
    ) -> EngineMethod {
        EngineMethod(
            command: name, summary, answer: "`{}`", Parameter<String>("user", .id, "The person."),
            Parameter<String>("item", .id, "The item.")
        ) { engine, user, item in
            try await decide(engine, item, user)
            return Members.none
        }
    }

    private static let anonymousName = EngineMethod(
        "anonymous_name", "Returns the anonymous name of a person. It does not reveal the id.",
        answer: "`name`; null before the store has a naming key", Parameter<String>("user", .id, "The person.")
    ) { engine, user throws(KinError) in
        Members(["name": try engine.store.anonymousName(of: user)?.description])
    }
}

extension Engine {
    /// Whether a model for comparisons exists, from a store on a disk or from the souls in memory.
    fileprivate var hasOwnModel: Bool {
        get throws(KinError) {
            guard let store = try storeInUse else { return false }
            if !store.path.isEmpty { return true }
            return try store.matcher().count > 0
        }
    }
}

extension Parameter<AffinityChoice> {
    /// The parameters `weights`, `every_goal_alike`, `shrink`, `connections`, `quantiles` and `minimum_coverage`.
    fileprivate static var affinityChoice: Parameter {
        combining(
            Parameter<AffinityWeights?>(
                "weights", .object("weights", AffinityWeights.init(from:)),
                "The weights of the blocks, in any unit. Default: the model's weights."),
            Parameter<Bool?>(
                "every_goal_alike", .boolean, "Whether all goals count the same, regardless of their rarity."),
            Parameter<Bool?>("shrink", .boolean, "Whether scores shrink if few events are behind the souls."),
            Parameter<Bool?>(
                "connections", .words([false, true], ["score", "quantile"]),
                "The bounds of connections: fixed scores, or quantiles of the population. Default: the model's bounds."),
            Parameter<ConnectionQuantiles?>(
                "quantiles", .object("shares by connection", ConnectionQuantiles.init(from:)),
                "The shares of pairs that connections exceed, 0 to 1."),
            Parameter<Double?>(
                "minimum_coverage", .number(ParameterRange.unit),
                "The minimum coverage of any connection. Default: the model's coverage.")
        ) { weights, everyGoalAlike, shrinksScores, byQuantile, quantiles, minimumCoverage throws(KinError) in
            AffinityChoice(
                weights: weights, everyGoalAlike: everyGoalAlike, shrinksScores: shrinksScores, byQuantile: byQuantile,
                quantiles: quantiles, minimumCoverage: minimumCoverage)
        }
    }
}

extension RoutingReport: DeclaredObject {
    package static let schema = ObjectSchema<RoutingReport>(
        .field("contributions", \.contributions),
        .field("deliveries", \.deliveries),
        .field("newcomers", \.newcomers, "new souls, which also receive earlier contributions"),
        .field("waiting", \.waiting, "contributions whose authors have no soul yet"),
        .field("over_limit", \.overLimit, "deliveries left out"))
}
