/// A therapeutic goal of an image or a world, with its synonyms.
///
/// This is the only table of synonyms: it is used for keys of `therapeutic_value`, for an object's
/// `therapeutic_associations` and for the goals of a request.
public enum TherapeuticGoal: Int, Sendable, Hashable, CaseIterable {
    /// Relief from anxiety, by calming.
    case anxietyRelief
    /// Relief from tension and overload.
    case stressRelief
    /// Falling asleep and resting.
    case sleep
    /// Concentration on a task.
    case focus
    /// Presence in the body and the moment.
    case grounding
    /// A better mood than before.
    case moodLift
    /// Being awake and active.
    case energy
    /// Closeness to other people.
    case connection
    /// Play, wonder and invention.
    case creativity
    /// Kindness and care towards oneself.
    case selfCompassion
    /// Support in bearing a loss.
    case griefSupport
    /// Support in bearing pain.
    case painRelief

    /// The name in files: "anxiety_relief".
    public var name: String { Self.table[rawValue].name }

    /// The synonyms that are recognised in addition to the name.
    public var synonyms: [String] { Self.table[rawValue].synonyms.split(separator: " ").map(String.init) }

    /// Creates the goal with a name or a synonym, ignoring case, blanks, hyphens, underscores and points; nil for an
    /// unknown word.
    public init?(_ word: some StringProtocol) {
        guard let goal = Self.byName[Spelling.plain(word)] else { return nil }
        self = goal
    }

    /// Creates the goal with a name or a synonym.
    ///
    /// - Throws: `.invalidArgument` for an unknown word, with the most similar name.
    public init(named word: String) throws(KinError) {
        if let goal = TherapeuticGoal(word) {
            self = goal
            return
        }
        let near = Spelling.nearest(to: word, in: Self.allCases.flatMap { [$0.name] + $0.synonyms })
        let hint =
            near.map { "did you mean \"\($0)\"?" } ?? "there are " + Self.names.joined(separator: ", ")
        throw KinError(.invalidArgument, "there is no goal \"\(word.prefix(40))\"; \(hint)")
    }

    /// Throws an error for a list of goals that is empty.
    package static func require(_ goals: [TherapeuticGoal]) throws(KinError) {
        guard goals.isEmpty else { return }
        throw .field("goals", "must name one goal or more, such as sleep; there are " + names.joined(separator: ", "))
    }

    private static let names = table.map(\.name)
    private static let byName: [String: TherapeuticGoal] = Dictionary(
        allCases.flatMap { goal in ([goal.name] + goal.synonyms).map { (Spelling.plain($0), goal) } },
        uniquingKeysWith: { first, _ in first })

    private static let table: [(name: String, synonyms: String)] = [
        ("anxiety_relief", "anxiety anxious worry panic calm calming calmness soothing relaxation relaxing peace"),
        ("stress_relief", "stress stress_reduction tension burnout decompression unwinding destress"),
        ("sleep", "insomnia sleep_support sleep_aid rest restful restfulness bedtime winding_down"),
        ("focus", "concentration attention clarity mental_clarity productivity study work"),
        ("grounding", "grounded groundedness presence mindfulness stability safety embodiment"),
        (
            "mood_lift",
            "mood mood_boost mood_elevation depression depression_relief joy happiness uplift uplifting hope "
                + "cheer"
        ),
        ("energy", "energizing energising vitality motivation activation movement fatigue"),
        ("connection", "social_connection social belonging companionship loneliness togetherness love"),
        ("creativity", "creative inspiration imagination play playfulness curiosity wonder awe"),
        ("self_compassion", "self_care self_esteem self_love acceptance confidence nourishment"),
        ("grief_support", "grief loss healing comfort comforting solace nostalgia"),
        ("pain_relief", "pain chronic_pain body_relief physical_comfort"),
    ]
}

/// A value for each goal, 0…1; 0 by default.
public struct GoalValues: Sendable, Hashable {
    private var values: SIMD16<Float> = .zero

    /// Creates values of 0 for every goal.
    public init() {}

    /// Creates values by calling a function for each goal.
    init(_ value: (TherapeuticGoal) -> Float) {
        for goal in TherapeuticGoal.allCases { self[goal] = value(goal) }
    }

    /// The value for a goal, 0…1.
    public subscript(goal: TherapeuticGoal) -> Float {
        get { values[goal.rawValue] }
        set { values[goal.rawValue] = newValue }
    }

    /// The mean value for some goals; 0 for no goals.
    public func mean(of goals: [TherapeuticGoal]) -> Double {
        goals.isEmpty ? 0 : goals.reduce(0) { $0 + Double(self[$1]) } / Double(goals.count)
    }

    /// The goals with a value above 0, by descending value, ties in the order of the cases.
    public var focus: [TherapeuticGoal] {
        TherapeuticGoal.allCases.filter { self[$0] > 0 }.sorted { (self[$1], $0.rawValue) < (self[$0], $1.rawValue) }
    }
}
