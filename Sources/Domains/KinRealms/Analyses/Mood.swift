/// Where a mood lies in Russell's circumplex: how pleasant it is and how awake, each from −1 to 1.
///
/// Russell, "A circumplex model of affect", Journal of Personality and Social Psychology 39(6), 1980, doi:10.1037/h0077714.
/// The places of the words are this table's own.
public struct Mood: Sendable, Hashable {
    /// From −1, unpleasant, to 1.
    public let pleasantness: Float
    /// From −1, sleepy, to 1, excited.
    public let arousal: Float

    init(_ pleasantness: Float, _ arousal: Float) {
        self.pleasantness = pleasantness
        self.arousal = arousal
    }

    /// In the middle: what a word that is not in the table counts as.
    public static let neutral = Mood(0, 0)

    /// The mood of a word, or of the first known word of several: "quietly joyful". Nil when none is known.
    public init?(_ text: String) {
        let words = text.lowercased().split { !$0.isLetter }
        guard let known = words.lazy.compactMap({ Self.table[String($0)] }).first else { return nil }
        self = known
    }

    /// An effect laid over a scene.
    public struct Overlay: Sendable, Hashable {
        /// What it is: "drifting mist".
        public let name: String
        /// From 0 to 1.
        public let intensity: Double
    }

    /// The effects that go with the mood: what, by the quarter of the circumplex, and how strong, by the distance from its middle.
    public var overlays: [Overlay] {
        let strength = Double(max(abs(pleasantness), abs(arousal)))
        let names =
            switch (pleasantness, arousal) {
            case _ where strength < 0.15: ["soft vignette"]
            case (0..., ..<0): ["soft light", "drifting mist"]
            case (0..., _): ["sun rays", "floating petals"]
            case (_, ..<0): ["light rain", "low fog"]
            default: ["slow wind", "dimmed light"]
            }
        return names.enumerated().map { place, name in
            Overlay(name: name, intensity: rounded(max(0.15, strength) / Double(place + 1)))
        }
    }

    private static let table: [String: Mood] = [
        "peaceful": Mood(0.8, -0.7), "calm": Mood(0.7, -0.8), "serene": Mood(0.8, -0.8), "tranquil": Mood(0.8, -0.8),
        "relaxed": Mood(0.7, -0.7), "quiet": Mood(0.4, -0.7), "still": Mood(0.3, -0.8), "cozy": Mood(0.7, -0.5),
        "cosy": Mood(0.7, -0.5), "warm": Mood(0.7, -0.2), "gentle": Mood(0.6, -0.5), "dreamy": Mood(0.5, -0.5),
        "sleepy": Mood(0.1, -0.9), "contemplative": Mood(0.3, -0.5), "reflective": Mood(0.3, -0.5),
        "nostalgic": Mood(0.2, -0.3), "romantic": Mood(0.7, 0.1), "hopeful": Mood(0.7, 0.1), "content": Mood(0.7, -0.3),
        "focused": Mood(0.3, 0.2), "majestic": Mood(0.6, 0.4), "awe": Mood(0.6, 0.5), "magical": Mood(0.7, 0.4),
        "whimsical": Mood(0.7, 0.3), "mysterious": Mood(0.1, 0.2), "joyful": Mood(0.9, 0.5), "cheerful": Mood(0.8, 0.4),
        "happy": Mood(0.9, 0.3), "playful": Mood(0.8, 0.6), "lively": Mood(0.6, 0.7), "vibrant": Mood(0.7, 0.7),
        "energetic": Mood(0.6, 0.9), "exciting": Mood(0.7, 0.9), "adventurous": Mood(0.6, 0.7),
        "festive": Mood(0.8, 0.7),
        "busy": Mood(0, 0.6), "chaotic": Mood(-0.6, 0.8), "tense": Mood(-0.6, 0.6), "dramatic": Mood(0, 0.6),
        "anxious": Mood(-0.7, 0.6), "dark": Mood(-0.5, 0.1), "gloomy": Mood(-0.6, -0.4), "sad": Mood(-0.7, -0.4),
        "melancholic": Mood(-0.5, -0.4), "lonely": Mood(-0.6, -0.3), "bleak": Mood(-0.6, -0.5), "neutral": Mood(0, 0),
    ]
}

/// A number for a file: six decimals say all that it means.
func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
