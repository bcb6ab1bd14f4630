/// The methods of sessions, profiles, inventory and missions.
enum PleasureMethods {
    static let group = MethodGroup(
        title: "Sessions, profiles and missions",
        prose: """
            `metric` selects the distance: \(Metric.allCases.summaries). Times of day are in the person's time zone.

            A **mood** shapes the target profile: its effects raise or lower dimensions (`profile` lists them). The effects begin with the table of `Mood` and
            are learned from the person's sessions in that mood. A session is in a mood if the profile's `current_state`, when the session began, was the name
            of the mood or a synonym, and nothing else (`tired`, `Happy`). `neutral` sets no mood. With several moods
            (`"mood": ["anxious", "curious"]`) the effect on each dimension is the mean of their effects. So opposite effects cancel each other out, and
            `neutral` with a mood halves its effects. Neither order nor repetition matters. Of the sixteen dimensions, those that a session does not
            name are unknown and teach nothing. A search treats them as 0, like the session's point.

            A session may have an **embedding** of its transcript or note for each model (records `session_embedding`: numbers, or Base64 of little-endian
            32-bit floats). With `embedding`, `model` or `weight` (w), `near` compares only the sessions with an embedding, exactly, by (1 - w) |Δp|² + w
            |Δe|². Here p are the points and e the embeddings at unit length, so that |Δe|² is 2 - 2 cos.
            """,
        methods: [
            near, vectors, sessions, profile, profileHistory, insight, transitions, map, advance, end, inventory, items,
            missions, flipPoints,
            geofenceEvents,
        ])

    private static let near = EngineMethod(
        "near", "Finds the sessions nearest to a session, to a person's target profile, to a point or to an embedding.",
        answer: "list of matches, nearest first",
        Parameter<String?>("session", .id, "The session to compare with. It is left out of the answer."),
        Parameter<String?>("user", .id, "The person whose target profile to compare with."),
        Parameter<PartialPleasure?>("point", .point, "The point to compare with."),
        Parameter<Bool>(
            "compare", .words([true, false], ["named", "all"]), default: true,
            "The dimensions of a point to compare: the named ones, or all, with 0 for missing ones."),
        Parameter<EmbeddingChoice>.embedding,
        Parameter<Timestamp?>("at", .instant, "The instant of the person's target profile. Default: now."),
        Parameter<LocalZone?>.zone, Parameter<Set<Mood>?>.moods,
        Parameter<Int>("k", .count, default: 10, "The number of sessions."),
        Parameter<Metric>(
            "metric", .words, default: .squaredL2, "The distance."),
        Parameter<FilterExpression?>(
            "where", .filter,
            "A condition on `user`, `state` and `start`, such as `state = drift and start >= 2026-01-01`."),
        Parameter<ListTaste>.taste(of: "session", category: "state")
    ) {
        engine, session, user, point, comparesNamed, embedding, instant, zone, moods, k, metric, filter, taste
            throws(KinError)
        in
        guard !embedding.isGiven || taste == .none else {
            throw KinError(
                .invalidArgument,
                "lists with \"diversity\", \"per_category\", \"exclude\", \"liked\" or \"disliked\" compare points alone; leave the embedding out"
            )
        }
        guard !embedding.isGiven || metric == .squaredL2 else {
            throw .field("metric", "embeddings are compared by l2 alone; leave the metric out")
        }
        switch (session, user, point) {
        case (let session?, nil, nil) where instant == nil && zone == nil && moods == nil:
            guard taste == .none else {
                return try engine.near(
                    engine.session(session).embedding,
                    taste: ListTaste(
                        liked: taste.liked, disliked: taste.disliked, variety: taste.variety.excluding([session])),
                    k: k, metric: metric, where: filter)
            }
            guard embedding.isGiven else {
                return try engine.near(session: session, k: k, metric: metric, where: filter)
            }
            return try engine.near(
                session: session, embedding: embedding.vector, embeddedBy: embedding.model,
                weight: embedding.weight ?? EmbeddingQuery.standardWeight, k: k, where: filter)
        case (nil, let user?, nil):
            let target = try engine.profile(of: user, at: instant, in: zone, moods: moods).target
            guard embedding.isGiven else {
                return try engine.near(target, taste: taste, k: k, metric: metric, where: filter)
            }
            return try engine.near(embedding.query(target), k: k, where: filter)
        case (nil, nil, let point?) where instant == nil && zone == nil && moods == nil:
            let dimensions = comparesNamed ? point.named : nil
            guard embedding.isGiven else {
                return try engine.near(
                    point.point, taste: taste, comparing: dimensions, k: k, metric: metric, where: filter)
            }
            return try engine.near(embedding.query(point.point, comparing: dimensions), k: k, where: filter)
        case (nil, nil, nil) where embedding.vector != nil && instant == nil && zone == nil && moods == nil:
            return try engine.near(embedding.query(nil), k: k, where: filter)
        default:
            throw KinError(
                .invalidArgument,
                "name one of \"session\", \"user\" (and \"at\", \"zone\", \"mood\") and \"point\" to compare sessions with, or an \"embedding\""
            )
        }
    }

    private static let vectors = EngineMethod(
        "vectors", "Lists the vectors of sessions, without their texts, by ascending session id.",
        Parameter<String?>(
            "model", .id, "The model whose embeddings to list. Default: the points of the pleasure space."),
        Parameter<String?>("user", .id, "The person whose sessions to list. Default: all people.")
    ) { engine, model, user throws(KinError) in try engine.store.vectors(model: model, of: user) }

    private static let sessions = EngineMethod(
        "sessions", "Lists the sessions of a person, newest first.", answer: "list of `session`",
        Parameter<String>("user", .id, "The person."),
        Parameter<Int>("count", .count, default: 10, "The number of sessions."),
        Parameter<String?>("after", .id, "The last session of the previous page.")
    ) { engine, user, count, last throws(KinError) in
        LabelledList("session", try engine.sessions(of: user, count: count, after: last))
    }

    private static let profile = EngineMethod(
        "profile", "Returns a person's declared, learned and target profiles.",
        Parameter<String>("user", .id, "The person."), Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone,
        Parameter<Set<Mood>?>.moods
    ) { engine, user, instant, zone, moods throws(KinError) in
        try engine.profile(of: user, at: instant, in: zone, moods: moods)
    }

    private static let profileHistory = EngineMethod(
        "profile_history", "Lists the versions of a person's declared profile.",
        answer: "list of versions, by ascending start", Parameter<String>("user", .id, "The person.")
    ) { engine, user throws(KinError) in try engine.profileHistory(of: user) }

    private static let insight = EngineMethod(
        "insight", "Compares a session with the person's earlier sessions.",
        Parameter<String>("session", .id, "The session."),
        Parameter<Int>("k", .count, default: 5, "The number of similar sessions.")
    ) { engine, session, k throws(KinError) in try engine.insight(session: session, k: k) }

    private static let transitions = EngineMethod(
        "transitions", "Counts the transitions between the states of a person's sessions.",
        Parameter<String>("user", .id, "The person.")
    ) { engine, user throws(KinError) in try engine.transitions(of: user) }

    private static let map = EngineMethod(
        "map", "Draws a map of a person's sessions by principal components.",
        Parameter<String>("user", .id, "The person."),
        Parameter<Int>("components", .integer(2...3), default: 2, "The number of axes."),
        Parameter<[PleasureMap.Axis]>(
            "like", .list("axis", PleasureMap.Axis.init(from:)), default: [],
            "The `axes` of an earlier map, to keep their orientation.")
    ) { engine, user, components, axes throws(KinError) in
        try engine.map(of: user, components: components, like: axes)
    }

    private static let advance = EngineMethod(
        command: "advance", "Moves a session to a different state.", answer: "the session",
        Parameter<String>("session", .id, "The session."),
        Parameter<SessionState>(
            "state", .words, "The next state. The method `end` moves a session to reflection.")
    ) { engine, session, state in try await engine.advance(session: session, to: state) }

    private static let end = EngineMethod(
        command: "end", "Ends a session, which moves to reflection.", answer: "the session",
        Parameter<String>("session", .id, "The session."),
        Parameter<Timestamp?>("at", .instant, "The end. Default: the session's stored end, otherwise now.")
    ) { engine, session, instant in try await engine.end(session: session, at: instant) }

    private static let inventory = EngineMethod(
        "inventory", "Finds inventory items by conditions, ranked for a person or a point.",
        Parameter<InventoryQuery>.inventoryQuery,
        Parameter<String?>("user", .id, "The person to rank for."),
        Parameter<Pleasure?>("point", .point, "The point to rank for."),
        Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone, Parameter<Set<Mood>?>.moods,
        Parameter<Int>("k", .count, default: 10, "The number of items."),
        Parameter<ListTaste>.taste(of: "item", category: "type")
    ) { engine, query, user, point, instant, zone, moods, k, taste throws(KinError) in
        guard user == nil || point == nil else {
            throw KinError(.invalidArgument, "rank for a \"user\" or for a \"point\", not for both")
        }
        let ranking =
            user.map { InventoryRanking.user($0, at: instant, in: zone, moods: moods) } ?? point.map { .point($0) }
        return try RankedItems(
            try engine.inventory(query, ranking: ranking, taste: taste, k: k), isRanked: ranking != nil,
            hasWeight: query.distanceWeight > 0
        ) { () throws(KinError) in try engine.inventoryReport(query, isRanked: ranking != nil) }
    }

    private static let items = EngineMethod(
        "items", "Reads inventory items by their ids.",
        Parameter<[String]>("ids", .ids(of: "item"), "The ids of the items.")
    ) { engine, ids throws(KinError) in ItemList(ids: ids, items: try engine.store.items(ids)) }

    private static let missions = EngineMethod(
        "missions", "Finds pairs of a tool and a space for a person, a place and the available time.",
        person, place, availableMinutes, Parameter<MissionConditions>.missionConditions,
        Parameter<Int>("k", .integer(1...InventoryIndex.mostMissions), default: 5, "The number of missions.")
    ) { engine, user, place, minutes, conditions, k throws(KinError) in
        try FoundMissions(engine.missions(for: user, near: place, minutes: minutes, conditions: conditions, k: k)) {
            () throws(KinError) in
            try engine.missionReport(for: user, near: place, minutes: minutes, conditions: conditions)
        }
    }

    private static let flipPoints = EngineMethod(
        "flip_points", "Finds the smallest change of each condition that changes the first mission.",
        answer: """
            list of changes: fewer and more minutes, a smaller and a larger `within_km`, one coordinate of the target, the weather nearest to the present \
            one, and the means of travel nearest in speed. A condition whose changes keep the first mission is left out; up to a day and 1,000 km are tried
            """,
        person, place, availableMinutes, Parameter<MissionConditions>.missionConditions
    ) { engine, user, place, minutes, conditions throws(KinError) in
        try engine.flipPoints(for: user, near: place, minutes: minutes, conditions: conditions)
    }

    private static let person = Parameter<String>("user", .id, "The person.")
    private static let place = Parameter<GeographicCoordinates>("near", .coordinates, "The location of the person.")
    private static let availableMinutes = Parameter<Double>(
        "minutes", .number(ParameterRange.minutes, unit: "min"), "The available time, including the way there and back."
    )

    private static let geofenceEvents = EngineMethod(
        "geofence_events", "Finds where a stream of positions enters and leaves the geofences of items.",
        Parameter<[TimedPosition]>(
            "positions", .list("position", TimedPosition.form.read),
            "The positions by ascending instant, each with `at`, `lat` and `lng`."),
        Parameter<Double>(
            "within_km", .number(ParameterRange.kilometers, unit: "km"), default: 0.1,
            "The largest distance at which an item is entered."),
        Parameter<Double?>(
            "exit_km", .number(ParameterRange.kilometers, unit: "km"),
            "The distance beyond which an item is left. Default: 1.2 times `within_km`."),
        Parameter<[String]>(
            "inside", .ids(of: "item"), default: [], "The items already entered: `inside` of the previous answer."),
        Parameter<Set<InventoryItem.Kind>?>("type", .wordSet(InventoryItem.Kind.names), "The types of items."),
        Parameter<Set<InventoryItem.Status>?>(
            "status", .wordSet(InventoryItem.Status.names), "The states of availability."),
        Parameter<[InventoryQuery.SenseCondition]>.senses, Parameter<Set<Pleasure.Dimension>?>.giving
    ) { engine, positions, enter, exit, inside, kinds, statuses, senses, pleasures throws(KinError) in
        var tracker = try GeofenceTracker(enterKilometers: enter, exitKilometers: exit, inside: inside)
        let events = try engine.geofenceEvents(
            &tracker, along: positions,
            where: InventoryQuery(
                kinds: kinds, statuses: statuses, senses: senses, pleasures: pleasures.map { $0.sorted() } ?? []))
        return GeofenceCrossings(events: events, inside: tracker.inside)
    }
}
