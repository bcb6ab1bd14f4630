// Parameters that are read together into one value.

extension Parameter {
    /// Several parameters whose values make up one.
    ///
    /// - Parameters:
    ///   - parts: The parameters.
    ///   - make: Makes the value.
    static func combining<each Part: Sendable>(
        _ parts: repeat Parameter<each Part>,
        make: @escaping @Sendable (repeat each Part) throws(KinError) -> Value
    ) -> Parameter {
        var descriptions: [ParameterDescription] = []
        for some in repeat (each parts).descriptions { descriptions += some }
        return Parameter(descriptions: descriptions) { request throws(KinError) in
            let values = (repeat try (each parts).read(request))
            return try make(repeat each values)
        }
    }
}

extension Parameter<InventoryQuery> {
    /// The conditions of a search for items.
    static var inventoryQuery: Parameter {
        combining(
            Parameter<GeographicCoordinates?>("near", .coordinates, "The place to measure distances from."),
            Parameter<Double?>(
                "within_km", .number(ParameterRange.kilometers, unit: "km"), "The largest distance from `near`."),
            Parameter<Set<InventoryItem.Kind>?>("type", .wordSet(InventoryItem.Kind.names), "The types of items."),
            Parameter<Set<InventoryItem.Access>?>(
                "access", .wordSet(InventoryItem.Access.names), "The modes of access."),
            Parameter<Set<InventoryItem.Status>?>(
                "status", .wordSet(InventoryItem.Status.names),
                "The states of availability. Default: only `available` in a ranking, otherwise all."),
            Parameter<[InventoryQuery.SenseCondition]>.senses, Parameter<Set<Pleasure.Dimension>?>.giving,
            Parameter<DayPart?>("slot", .words, "The part of the day."),
            Parameter<Double?>("minutes", .number(ParameterRange.minutes, unit: "min"), "The available time."),
            Parameter<TemporalTags.Season?>("season", .words, "The season."),
            Parameter<Double>(
                "distance_weight", .number(ParameterRange.unit), default: 0,
                "The weight w of the distance in a ranking by (1 - w) match + w (1 - distance / within_km).")
        ) {
            place, radius, kinds, accesses, statuses, senses, pleasures, slot, minutes, season, weight throws(KinError)
            in
            var query = InventoryQuery(
                location: place, radiusKilometers: radius, kinds: kinds, accesses: accesses, statuses: statuses,
                senses: senses, pleasures: pleasures.map { $0.sorted() } ?? [], slot: slot, minutes: minutes,
                season: season)
            query.distanceWeight = weight
            return query
        }
    }
}

extension Parameter<[InventoryQuery.SenseCondition]> {
    /// The parameter `senses`: conditions on the affordances of items.
    static var senses: Parameter {
        Parameter(
            "senses", .list("sense", InventoryQuery.SenseCondition.form.read), default: [],
            "Conditions on the affordances of items, each with any of `sense`, `intensity` and `context`.")
    }
}

extension Parameter<Set<Pleasure.Dimension>?> {
    /// The parameter `giving`: the dimensions that items give.
    static var giving: Parameter {
        Parameter("giving", .wordSet(Pleasure.Dimension.names), "The dimensions that an item gives.")
    }
}

extension InventoryQuery.SenseCondition {
    fileprivate static let form = RecordSchema<InventoryQuery.SenseCondition>(
        "condition",
        .optional("sense", \.sense, .text),
        .standard(
            "intensity", \.intensity, .word("intensity"),
            default: .low),
        .optional("context", \.context, .text),
        make: InventoryQuery.SenseCondition.init(sense:atLeast:context:))
}

/// The parameters of a search by embedding, as in a request.
struct EmbeddingChoice: Sendable {
    let vector: [Float]?
    let model: String?
    let weight: Double?

    /// Whether embeddings are to be compared.
    var isGiven: Bool { vector != nil || model != nil || weight != nil }

    /// The query for sessions near to an embedding and a point.
    ///
    /// - Throws: `.invalidArgument` if the embedding is missing; as `EmbeddingQuery`.
    func query(_ point: Pleasure?, comparing dimensions: Set<Pleasure.Dimension>? = nil) throws(KinError)
        -> EmbeddingQuery
    {
        guard let vector else {
            throw KinError(
                .invalidArgument, "give an \"embedding\", or a \"session\" that has one")
        }
        return try EmbeddingQuery(
            embedding: vector, model: model, weight: weight, point: point, comparing: dimensions)
    }
}

extension Parameter<EmbeddingChoice> {
    /// The parameters `embedding`, `model` and `weight`.
    static var embedding: Parameter {
        combining(
            Parameter<[Float]?>(
                "embedding", .object("vector", JSONForm<[Float]>.vector.read),
                "The embedding to compare with: numbers, or Base64 of little-endian 32-bit floats. Default: the embedding of `session`."
            ),
            Parameter<String?>(
                "model", .id,
                "The model of the embeddings to compare. Default: the only model, if the store has just one."),
            Parameter<Double?>(
                "weight", .number(ParameterRange.unit),
                "The weight w of the embedding's distance. Default: 0.5, or 1 for an embedding alone.")
        ) { vector, model, weight throws(KinError) in EmbeddingChoice(vector: vector, model: model, weight: weight) }
    }
}

extension Parameter<Set<Mood>?> {
    /// The parameter `mood`: a person's moods. Default: the mood in their profile.
    static var moods: Parameter {
        Parameter(
            "mood", .wordSet(Mood.allCases.map(\.rawValue)),
            "The person's mood, or several. Default: the mood in their profile's `current_state`, if any.")
    }
}

extension TimedPosition {
    /// A position, `{"at": instant, "lat": 40.7, "lng": -73.9}`.
    static let form = RecordSchema<TimedPosition>(
        "position",
        .required("at", \.instant, .instant),
        .required("lat", \.location.latitude, .number("-90 to 90", unit: "degrees")),
        .required("lng", \.location.longitude, .number("-180 to 180", unit: "degrees"))
    ) { instant, latitude, longitude throws(KinError) in
        TimedPosition(
            instant: instant, location: try GeographicCoordinates(latitude: latitude, longitude: longitude))
    }
}

extension ParameterForm<SessionState> {
    /// A session state; the error for the name of a mood names the parameter of moods.
    fileprivate static var stateOfMission: ParameterForm {
        ParameterForm(
            type: words.type,
            read: { reader, name throws(KinError) in
                var text = reader
                do throws(KinError) {
                    return try words.read(&reader, name)
                } catch {
                    guard let word = try? text.string(), Mood(words: word) != nil else { throw error }
                    throw reader.error("\"\(word)\" is a mood, not a session state; give it as \"mood\"")
                }
            })
    }
}

extension Parameter<MissionConditions> {
    /// The conditions of missions, in addition to person, place and minutes.
    static var missionConditions: Parameter {
        combining(
            Parameter<DayPart?>("slot", .words, "The part of the day. Default: the part then."),
            Parameter<Double>(
                "within_km", .number(ParameterRange.kilometers, unit: "km"), default: 3,
                "The largest distance from person to tool and space, and between the two."),
            Parameter<SessionState?>(
                "state", .stateOfMission,
                "The state of the person's session. Default: that of the session that runs then, else the state in the profile then."
            ),
            Parameter<Set<Mood>?>.moods,
            Parameter<MissionRequest.Weather?>(
                "weather", .words,
                "The weather; in a storm a context of the space is `indoors`, `inside`, `home` or a building such as `museum`. Default: unknown."
            ),
            Parameter<MissionRequest.Travel>("travel", .words, default: .walk, "The means of travel."),
            Parameter<TemporalTags.Season?>("season", .words, "The season."),
            Parameter<Timestamp?>.at, Parameter<LocalZone?>.zone,
            Parameter<Double?>(
                "diversity", .number(0...0.99),
                "The weight of differences from the missions listed before. Default: 1/3. 0 ranks by score alone."),
            Parameter<[String]>(
                "exclude", .ids(of: "item"), default: [], "Tools and spaces that no mission uses.")
        ) { slot, radius, state, moods, weather, travel, season, instant, zone, diversity, excluded throws(KinError) in
            var conditions = MissionConditions()
            conditions.slot = slot
            conditions.radiusKilometers = radius
            conditions.state = state
            conditions.moods = moods
            conditions.weather = weather
            conditions.travel = travel
            conditions.season = season
            conditions.instant = instant
            conditions.zone = zone
            conditions.diversity = diversity
            conditions.excluded = Set(excluded)
            return conditions
        }
    }
}

extension PleasureMap.Axis {
    private static let keys = JSONKeys(["loadings", "explained_variance_ratio"], required: ["loadings"])

    /// Reads an axis of an earlier map, in the form of an answer.
    init(from reader: inout JSONReader) throws(KinError) {
        var (ratio, loadings) = (0.0, [Double]())
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            if key == 1 { return ratio = try reader.number() }
            let members = try reader.rawMembers()
            loadings = try Pleasure.Dimension.allCases.map { dimension throws(KinError) in
                guard let member = members.first(where: { $0.name == dimension.name }) else {
                    throw KinError(
                        .malformedInput, "an axis has a loading of each dimension; \(dimension.name) is missing")
                }
                return try JSONReader.read(member.value) { reader throws(KinError) in try reader.number() }
            }
        }
        self.init(explainedVarianceRatio: ratio, loadings: loadings)
    }
}
