import KinCore
import KinIndex
import KinJSON
import KinLinearAlgebra
import KinPleasure
import KinStore

/// The methods of people, sessions, inventory and missions.
enum PeopleMethods {
    static let all = [
        method("near") { request throws(KinError) in
            .near(
                try target(&request), k: try request.count("k", default: 10),
                metric: try request.choice("metric", of: Metric.allCases, named: Metric.allCases.map(\.rawValue))
                    ?? .squaredL2,
                where: try request.optional("where") { reader throws(KinError) in
                    // Ids in the condition are brought into normal form.
                    try FilterExpression(parsing: RecordID.normalized(reader.string()))
                })
        },
        method("sessions") { request throws(KinError) in
            .sessions(
                of: try request.id("user"), count: try request.count("count", default: 10),
                after: try request.optionalID("after"))
        },
        method("profile") { request throws(KinError) in
            .profile(try request.id("user"), at: try request.instant("at"))
        },
        method("insight") { request throws(KinError) in
            .insight(session: try request.id("session"), k: try request.count("k", default: 5))
        },
        method("inventory") { request throws(KinError) in try inventory(&request) },
        method("missions") { request throws(KinError) in try missions(&request) },
        method("map") { request throws(KinError) in .map(try request.id("user")) },
        method("users") { _ throws(KinError) in .users },
        method("info") { _ throws(KinError) in .info },
    ]

    private static func method(
        _ name: String, _ question: @escaping @Sendable (inout EngineRequest) throws(KinError) -> PeopleQuestion
    ) -> EngineMethod {
        EngineMethod(name) { call, request throws(KinError) in
            let question = try question(&request)
            try request.finish()
            return try call.store.answer(question, now: { () throws(KinError) in call.now }).json
        }
    }

    private static func target(_ request: inout EngineRequest) throws(KinError) -> PeopleQuestion.Target {
        let (session, user) = (try request.optionalID("session"), try request.optionalID("user"))
        let instant = try request.instant("at")
        let point = try pleasure("point", &request)
        guard [session != nil, user != nil, point != nil].count(where: { $0 }) == 1, instant == nil || user != nil
        else {
            throw KinError(
                .invalidArgument,
                "name one of \"session\", \"user\" (and \"at\") and \"point\" to compare sessions with")
        }
        if let session { return .session(session) }
        if let user { return .person(user, at: instant) }
        return .point(point ?? Pleasure())
    }

    /// Reads a point of the pleasure space; missing dimensions are 0.
    private static func pleasure(_ name: String, _ request: inout EngineRequest) throws(KinError) -> Pleasure? {
        try request.optional(name) { reader throws(KinError) in try Pleasure(fromSome: &reader) }
    }

    private static func place(_ request: inout EngineRequest) throws(KinError) -> GeographicCoordinates? {
        try request.optional("near") { reader throws(KinError) in try GeographicCoordinates(from: &reader) }
    }

    private static func inventory(_ request: inout EngineRequest) throws(KinError) -> PeopleQuestion {
        let query = InventoryQuery(
            location: try place(&request),
            radiusKilometers: try request.number("within_km", in: EngineRequest.kilometers),
            kinds: try request.choices(
                "type", of: InventoryItem.Kind.allCases, named: InventoryItem.Kind.allCases.map(\.name)
            ).map { Set($0) },
            accesses: try request.choices(
                "access", of: InventoryItem.Access.allCases, named: InventoryItem.Access.allCases.map(\.name)
            ).map { Set($0) },
            statuses: try request.choices(
                "status", of: InventoryItem.Status.allCases, named: InventoryItem.Status.allCases.map(\.name)
            ).map { Set($0) },
            senses: try senses(&request),
            pleasures: try request.choices(
                "giving", of: Pleasure.Dimension.allCases, named: Pleasure.Dimension.names) ?? [],
            slot: try request.choice("slot", of: DayPart.allCases, named: DayPart.names),
            minutes: try request.number("minutes", in: EngineRequest.minutes),
            season: try request.choice("season", of: TemporalTags.Season.allCases, named: TemporalTags.Season.names))
        let (user, point) = (try request.optionalID("user"), try pleasure("point", &request))
        guard user == nil || point == nil else {
            throw KinError(.invalidArgument, "rank for a \"user\" or for a \"point\", not for both")
        }
        return .inventory(
            query, wish: user.map { .person($0) } ?? point.map { .point($0) },
            k: try request.count("k", default: 10))
    }

    private static let senseKeys = JSONKeys(["sense", "intensity", "context"], required: [])
    private static let intensities = JSONKeys(Affordance.Intensity.allCases.map(\.name))

    private static func senses(
        _ request: inout EngineRequest
    ) throws(KinError) -> [InventoryQuery.SenseCondition] {
        try request.optionalList("senses") { reader throws(KinError) in
            var condition = InventoryQuery.SenseCondition()
            try reader.members(of: senseKeys) { reader, key throws(KinError) in
                switch key {
                case 0: condition.sense = try reader.string()
                case 1:
                    let level = try reader.choice(of: intensities, "intensity")
                    condition.intensity = Affordance.Intensity.allCases[level]
                default: condition.context = try reader.string()
                }
            }
            return condition
        } ?? []
    }

    private static func missions(_ request: inout EngineRequest) throws(KinError) -> PeopleQuestion {
        var wish = PeopleQuestion.MissionWish(
            person: try request.id("user"),
            place: try request.required("near") { reader throws(KinError) in try GeographicCoordinates(from: &reader) },
            minutes: try request.required("minutes", in: EngineRequest.minutes),
            slot: try request.required("slot") { reader throws(KinError) in
                DayPart.allCases[try reader.choice(of: JSONKeys(DayPart.names), "time of day")]
            })
        if let radius = try request.number("within_km", in: EngineRequest.kilometers) { wish.radiusKilometers = radius }
        wish.state = try request.choice("state", of: SessionState.allCases, named: SessionState.names)
        wish.weather = try request.choice(
            "weather", of: MissionRequest.Weather.allCases, named: MissionRequest.Weather.allCases.map(\.rawValue))
        wish.season = try request.choice("season", of: TemporalTags.Season.allCases, named: TemporalTags.Season.names)
        return .missions(wish, k: try request.integer("k", in: 1...InventoryIndex.mostMissions) ?? 5)
    }
}
