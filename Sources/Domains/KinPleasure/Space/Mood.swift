/// A named mood, with the dimensions that people in it seek more or less than usual.
///
/// The table ``effects`` is by judgement, from the meaning of the dimensions, and only a starting point: a person's own
/// sessions in a mood gradually replace it (``TasteHistory/influence(of:at:learned:target:)``).
public enum Mood: String, Sendable, Hashable, CaseIterable {
    /// No mood in particular, which has no effect.
    case neutral
    /// Worried or afraid: shelter and ritual, nothing unknown.
    case anxious
    /// Under pressure: distance and nature, no tension.
    case stressed
    /// Tired or exhausted: rest, nothing that requires strength.
    case depleted
    /// Down: company of nature and familiar things.
    case sad
    /// Without company: shared food and ties.
    case lonely
    /// Angry or frustrated: movement and strength.
    case angry
    /// Without stimulation: new and uncertain things.
    case bored
    /// Unable to sit still: movement over a wide ground.
    case restless
    /// Drawn to unknown things.
    case curious
    /// Inclined to try things for their own sake.
    case playful
    /// At rest: views, nature and afterthought.
    case calm
    /// Happy: food, movement and others.
    case joyful
    /// Full of strength: effort and productive tension.
    case energetic
    /// Concentrated on one thing: structure, no chance.
    case focused

    /// The table's effects by dimension: raised above 0, lowered below, with the weight as the absolute value.
    public var effects: MoodEffects { MoodEffects(table) }

    private var table: [(Pleasure.Dimension, Float)] {
        switch self {
        case .neutral: []
        case .anxious:
            [
                (.enclosure, 0.6), (.repetition, 0.6), (.natureMirror, 0.5), (.order, 0.4), (.anxiety, -0.7),
                (.ignorance, -0.5), (.serendipityFollowing, -0.3),
            ]
        case .stressed:
            [(.natureMirror, 0.6), (.mobility, 0.4), (.horizon, 0.4), (.anxiety, -0.6), (.power, -0.4)]
        case .depleted:
            [
                (.enclosure, 0.5), (.post, 0.5), (.food, 0.4), (.natureMirror, 0.4), (.mobility, -0.5), (.power, -0.5),
                (.anxiety, -0.5),
            ]
        case .sad:
            [(.natureMirror, 0.5), (.anchorExpansion, 0.5), (.food, 0.3), (.materialPlay, 0.3), (.anxiety, -0.4)]
        case .lonely:
            [(.anchorExpansion, 0.6), (.food, 0.5), (.serendipityFollowing, 0.3), (.enclosure, -0.4)]
        case .angry:
            [(.mobility, 0.6), (.power, 0.4), (.materialPlay, 0.4), (.enclosure, -0.4), (.ignorance, -0.3)]
        case .bored:
            [
                (.serendipityFollowing, 0.6), (.ignorance, 0.5), (.anxiety, 0.4), (.path, 0.3), (.repetition, -0.6),
                (.order, -0.3),
            ]
        case .restless:
            [(.mobility, 0.7), (.path, 0.5), (.horizon, 0.3), (.enclosure, -0.5), (.repetition, -0.3)]
        case .curious:
            [
                (.ignorance, 0.7), (.serendipityFollowing, 0.6), (.path, 0.4), (.horizon, 0.3), (.repetition, -0.5),
            ]
        case .playful:
            [
                (.materialPlay, 0.7), (.serendipityFollowing, 0.4), (.eroticUncertainty, 0.3), (.mobility, 0.3),
                (.order, -0.4),
            ]
        case .calm:
            [(.natureMirror, 0.5), (.horizon, 0.4), (.post, 0.4), (.anxiety, -0.3)]
        case .joyful:
            [(.food, 0.4), (.mobility, 0.4), (.serendipityFollowing, 0.4), (.anchorExpansion, 0.4)]
        case .energetic:
            [(.mobility, 0.6), (.anxiety, 0.5), (.power, 0.5), (.post, -0.4), (.enclosure, -0.3)]
        case .focused:
            [
                (.order, 0.6), (.repetition, 0.4), (.power, 0.4), (.path, 0.3), (.serendipityFollowing, -0.5),
                (.ignorance, -0.3),
            ]
        }
    }

    /// Further words for a mood, as people write them.
    package static let synonyms: [String: Mood] = [
        "worried": .anxious, "nervous": .anxious, "afraid": .anxious, "overwhelmed": .stressed, "tense": .stressed,
        "tired": .depleted, "exhausted": .depleted, "drained": .depleted, "low": .sad, "down": .sad, "grieving": .sad,
        "isolated": .lonely, "frustrated": .angry, "irritated": .angry, "understimulated": .bored,
        "fidgety": .restless, "inquisitive": .curious, "exploratory": .curious, "silly": .playful,
        "relaxed": .calm, "peaceful": .calm, "content": .calm, "happy": .joyful,
        "energised": .energetic, "energized": .energetic, "motivated": .energetic, "concentrated": .focused,
    ]

    /// Reads a mood from a person's own words: a mood's name or a synonym, alone, in any case.
    ///
    /// A longer text is not a mood: "not anxious" contains the word and means the opposite.
    ///
    /// - Parameter text: The word, with or without surrounding white space.
    public init?(words text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let name = words.first.map({ Spelling.plain($0) }),
            let mood = Mood(rawValue: name) ?? Self.synonyms[name]
        else { return nil }
        self = mood
    }
}

/// The signed effects of a mood on the dimensions, −1…1: above 0 a dimension is raised, below 0 it is lowered.
public struct MoodEffects: Sendable, Hashable {
    /// The effects in storage order.
    let values: SIMD16<Float>

    init(_ values: SIMD16<Float>) {
        self.values = values.clamped(lowerBound: SIMD16(repeating: -1), upperBound: .one)
    }

    fileprivate init(_ table: [(Pleasure.Dimension, Float)]) {
        var values = SIMD16<Float>.zero
        for (dimension, effect) in table { values[dimension.rawValue] = effect }
        self.init(values)
    }

    /// The effect on a dimension, −1…1.
    public subscript(dimension: Pleasure.Dimension) -> Float { values[dimension.rawValue] }
}

extension Pleasure {
    /// The point under the effects e of a mood: p + e (1 − p) in raised dimensions, p (1 + e) in lowered ones.
    ///
    /// The point stays in 0…1. An effect of 1 leads to 1, an effect of −1 to 0, and an effect of 0 changes nothing.
    public func shaped(by effects: MoodEffects) -> Pleasure {
        let (p, e) = (coordinates, effects.values)
        return Pleasure(clamping: p + e * p.replacing(with: 1 - p, where: e .> 0))
    }

    /// The effects that lead from this point to a given one: the inverse of ``shaped(by:)``.
    func effects(leadingTo other: Pleasure) -> MoodEffects {
        let (p, m) = (coordinates, other.coordinates)
        let room = p.replacing(with: 1 - p, where: m .> p)
        // If there is no room, the two coordinates are equal.
        return MoodEffects(((m - p) / room).replacing(with: 0, where: room .<= 0))
    }
}
