// The answers about sessions, profiles and inventory in JSON.

extension SessionMatch: DeclaredObject {
    package static let schema = ObjectSchema<SessionMatch>(
        .field("distance", \.distance),
        .optional("pleasure_distance", \.parts?.pleasure, "between the points, if points and embeddings are compared"),
        .optional("embedding_distance", \.parts?.embedding, "with an embedding"),
        .field("session", \.session))
}

extension SessionVectors: DeclaredObject {
    package static let schema = ObjectSchema<SessionVectors>(
        .field("model", \.model, "null for points"),
        .field("dimension", \.dimension),
        .field("sessions", \.sessions, "their ids"),
        .field("vectors", \.elements, as: .vector, "`dimension` numbers per session, in the order of `sessions`"))
}

extension ProfileVersion: DeclaredObject {
    package static let schema = ObjectSchema<ProfileVersion>(
        .field("since", \.since),
        .field("profile", \.profile))
}

extension PersonProfile: DeclaredObject {
    package static let schema = ObjectSchema<PersonProfile>(
        .field("user", \.user),
        .field("at", \.instant),
        .field("slot", { $0.slot.name }, "the part of the day"),
        .field("sessions", \.sessionCount, "the number of sessions learned from"),
        .field("declared", \.declared?.pleasure, "as stored"),
        .field("learned", \.learned, "the declared profile, moved towards the sessions that ended since its start"),
        .field("target", \.target, "the learned profile, shaped by the time of day and the moods"),
        .field("mood", \.mood))
}

extension MoodInfluence: DeclaredObject {
    package static let schema = ObjectSchema<MoodInfluence>(
        .field("name", \.moods.names, "several moods are separated by commas"),
        .field("sessions", \.sessionCount, "the number of sessions in any of the moods"),
        .members("effects", \.namedEffects, by: "dimension, -1 (lowered) to 1 (raised)"))

    private var namedEffects: [(name: String, value: Float)] {
        Pleasure.Dimension.allCases.filter { effects[$0] != 0 }.map { ($0.name, effects[$0]) }
    }
}

extension [Mood] {
    /// The names of the moods, separated by commas.
    package var names: String { map(\.rawValue).joined(separator: ", ") }
}

extension SessionInsight: DeclaredObject {
    package static let schema = ObjectSchema<SessionInsight>(
        .list("similar", \.similar, .field("id", \.id), .field("distance", \.distance)),
        .list(
            "shifts", \.shifts,
            .field("dimension", { $0.dimension.name }),
            .field("value", \.value),
            .field("baseline", { $0.n == 0 ? nil : $0.baseline }, "the mean of the past sessions; null without any"),
            .field("effect_size", \.effectSize),
            .field("n", \.n, "the number of sessions compared with"),
            .field(
                "direction", \.direction.rawValue,
                "raised or lowered: by 0.8 or more, or from a baseline that never varied; usual; unknown: fewer than 3 sessions"
            )),
        .list(
            "co_activations", \.coActivations,
            .field("pair", { [$0.first.name, $0.second.name] }),
            .field("lift", \.lift),
            .field("together", \.together, "the number of sessions with both"),
            .field("n", \.n),
            .field("p", \.pValue),
            .field("p_adjusted", \.adjustedPValue)),
        .field("usual_path", { $0.paths.usual.map(\.name) }, "states"),
        .field("usual_path_count", \.paths.usualCount),
        .field("past_sessions", \.paths.n))
}

extension StatePaths: DeclaredObject {
    package static let schema = ObjectSchema<StatePaths>(
        .field("usual_path", { $0.usual.map(\.name) }, "states"),
        .field("usual_path_count", \.usualCount),
        .field("sessions", \.n),
        .list(
            "steps", \.steps,
            .field("from", { $0.from.name }),
            .field("to", { $0.to.name }),
            .field("count", \.count),
            .field("share", \.share)))
}

extension SessionMap: DeclaredObject {
    package static let schema = ObjectSchema<SessionMap>(
        .list(
            "axes", \.map.axes,
            .field("explained_variance_ratio", \.explainedVarianceRatio),
            .members(
                "loadings", { zip(Pleasure.Dimension.allCases, $0.loadings).map { ($0.name, $1) } }, by: "dimension")),
        .field("explained_variance_ratio", { $0.map.axes.map(\.explainedVarianceRatio) }),
        .field("silhouette", \.types.silhouette),
        .list(
            "kinds", \.types.kinds, .field("name", \.name, "empty for sessions without pleasures"),
            .field("sessions", \.count)),
        .list(
            "trajectory", \.trajectory,
            .field("id", { $0.point.id }),
            .field("start", { $0.point.start }),
            .field("kind", { $0.kind }, "index into `kinds`, from 0"),
            .field("coordinates", { $0.point.coordinates })))

    private var trajectory: [(point: PleasureMap.Point, kind: Int)] {
        let labels = Dictionary(zip(sessions.map(\.id), types.labels)) { first, _ in first }
        return map.points.map { ($0, labels[$0.id] ?? 0) }
    }
}

extension Mission: DeclaredObject {
    package static let schema = ObjectSchema<Mission>(
        .field("tool", \.tool.id),
        .field("tool_name", { $0.tool.name }),
        .field("tool_coords", \.tool.location, "null for a tool without a location, which the person has with them"),
        .field("space", \.space.id),
        .field("space_name", { $0.space.name }),
        .field("space_coords", \.space.location),
        .field("score", \.score),
        .members("parts", { $0.parts.map { ($0.name.rawValue, $0.contribution) } }, by: "part of the score"),
        .field("travel_minutes", \.travelMinutes, "to the tool, on to the space and back"),
        .field("minutes_there", \.minutesThere, "within the useful durations of both"),
        .optional("mood", \.mood, "in a mood"))
}

extension Mission.MoodChange: DeclaredObject {
    package static let schema = ObjectSchema<Mission.MoodChange>(
        .field("name", \.moods.names, "several moods are separated by commas"),
        .field("change", \.change, "the part of the score that the moods add"))
}

extension MissionFlip: DeclaredObject {
    package static let schema = ObjectSchema<MissionFlip>(
        .field("condition", \.parts.condition, "`minutes`, `within_km`, `target`, `weather` or `travel`"),
        .optional("dimension", \.parts.dimension, "the coordinate of a target"),
        .optional("number", \.parts.number, "the changed minutes, kilometres or coordinate"),
        .optional("word", \.parts.word, "the changed weather or means of travel"),
        .field("mission", \.mission, "the first mission after the change, or null if there is none"))

    private var parts: (condition: String, dimension: String?, number: Double?, word: String?) {
        switch change {
        case .minutes(let minutes): ("minutes", nil, minutes, nil)
        case .radius(let kilometers): ("within_km", nil, kilometers, nil)
        case .target(let dimension, let value): ("target", dimension.name, Double(value), nil)
        case .weather(let weather): ("weather", nil, nil, weather.rawValue)
        case .travel(let travel): ("travel", nil, nil, travel.rawValue)
        }
    }
}

extension StoreCounts: DeclaredObject {
    package static let schema = ObjectSchema<StoreCounts>(
        .field("people", \.people),
        .field("sessions", { $0.records["session"] ?? 0 }),
        .field("items", { $0.records["inventory_item"] ?? 0 }),
        .field("records", { Members($0.records) }, "the number of each kind"),
        .optional(
            "warnings", { $0.warnings.isEmpty ? nil : $0.warnings },
            "if another program removed a file of the open store"))
}
