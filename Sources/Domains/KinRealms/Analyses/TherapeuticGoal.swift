public import KinCore

/// What a person may want of an image or a world, with the names that models and people give it.
///
/// This is the only table of synonyms: keys of `therapeutic_value`, an object's `therapeutic_associations` and the goals that a person
/// asks for all pass through ``init(named:)``.
public enum TherapeuticGoal: Int, Sendable, Hashable, CaseIterable {
    /// Less anxiety; what calms.
    case anxietyRelief
    /// Less tension after too much.
    case stressRelief
    /// To fall asleep and rest.
    case sleep
    /// To concentrate.
    case focus
    /// To be here, in the body.
    case grounding
    /// To feel better than before.
    case moodLift
    /// To become awake and active.
    case energy
    /// To feel close to others.
    case connection
    /// To play, wonder and invent.
    case creativity
    /// To be kind to oneself.
    case selfCompassion
    /// To bear a loss.
    case griefSupport
    /// To bear pain.
    case painRelief

    /// The name in files: "anxiety_relief".
    public var name: String { Self.table[rawValue].name }

    /// The other names it goes by.
    public var synonyms: [String] { Self.table[rawValue].synonyms }

    /// The goal with a name or a synonym; letter case, blanks and hyphens do not matter.
    public init?(_ word: some StringProtocol) {
        guard let goal = Self.byName[Self.normal(word)] else { return nil }
        self = goal
    }

    /// The goal that a person named.
    ///
    /// - Throws: `.invalidArgument` for an unknown word, with the nearest known one.
    public init(named word: String) throws(KinError) {
        if let goal = TherapeuticGoal(word) {
            self = goal
            return
        }
        let near = Spelling.nearest(to: Self.normal(word), in: Self.byName.keys.sorted())
        let hint =
            near.map { "did you mean \"\($0)\"?" } ?? "there are " + Self.table.map(\.name).joined(separator: ", ")
        throw KinError(.invalidArgument, "there is no goal \"\(word.prefix(40))\"; \(hint)")
    }

    private static func normal(_ word: some StringProtocol) -> String {
        String(
            decoding: word.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                case UInt8(ascii: " "), UInt8(ascii: "-"): UInt8(ascii: "_")
                default: byte
                }
            }, as: UTF8.self)
    }

    private static let byName: [String: TherapeuticGoal] = Dictionary(
        allCases.flatMap { goal in ([goal.name] + goal.synonyms).map { ($0, goal) } },
        uniquingKeysWith: { first, _ in first })

    private static let table: [(name: String, synonyms: [String])] = [
        (
            "anxiety_relief",
            [
                "anxiety", "anxious", "worry", "panic", "calm", "calming", "calmness", "soothing", "relaxation",
                "relaxing", "peace",
            ]
        ),
        (
            "stress_relief",
            ["stress", "stress_reduction", "tension", "burnout", "decompression", "unwinding", "destress"]
        ),
        (
            "sleep",
            ["insomnia", "sleep_support", "sleep_aid", "rest", "restful", "restfulness", "bedtime", "winding_down"]
        ),
        ("focus", ["concentration", "attention", "clarity", "mental_clarity", "productivity", "study", "work"]),
        ("grounding", ["grounded", "groundedness", "presence", "mindfulness", "stability", "safety", "embodiment"]),
        (
            "mood_lift",
            [
                "mood", "mood_boost", "mood_elevation", "depression", "depression_relief", "joy", "happiness", "uplift",
                "uplifting",
                "hope", "cheer",
            ]
        ),
        ("energy", ["energizing", "energising", "vitality", "motivation", "activation", "movement", "fatigue"]),
        (
            "connection",
            ["social_connection", "social", "belonging", "companionship", "loneliness", "togetherness", "love"]
        ),
        (
            "creativity",
            ["creative", "inspiration", "imagination", "play", "playfulness", "curiosity", "wonder", "awe"]
        ),
        ("self_compassion", ["self_care", "self_esteem", "self_love", "acceptance", "confidence", "nourishment"]),
        ("grief_support", ["grief", "loss", "healing", "comfort", "comforting", "solace", "nostalgia"]),
        ("pain_relief", ["pain", "chronic_pain", "body_relief", "physical_comfort"]),
    ]
}

/// A value from 0 to 1 for each goal; 0 where nothing is said.
public struct GoalValues: Sendable, Hashable {
    private var values: SIMD16<Float> = .zero

    /// Nothing for any goal.
    public init() {}

    /// The value for a goal.
    public subscript(goal: TherapeuticGoal) -> Float {
        get { values[goal.rawValue] }
        set { values[goal.rawValue] = newValue }
    }

    /// The mean value for some goals; 0 for none.
    public func mean(of goals: [TherapeuticGoal]) -> Double {
        goals.isEmpty ? 0 : goals.reduce(0) { $0 + Double(self[$1]) } / Double(goals.count)
    }

    /// The goals of positive value, the highest first, ties in the order of the table.
    public var focus: [TherapeuticGoal] {
        TherapeuticGoal.allCases.filter { self[$0] > 0 }.sorted { (self[$1], $0.rawValue) < (self[$0], $1.rawValue) }
    }
}
