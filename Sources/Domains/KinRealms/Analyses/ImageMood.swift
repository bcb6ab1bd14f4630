/// Where a mood lies in Russell's circumplex: how pleasant it is and how awake, each from −1 to 1.
///
/// Russell, "A circumplex model of affect", Journal of Personality and Social Psychology 39(6), 1980, doi:10.1037/h0077714.
/// The places of the words are this table's own.
public struct ImageMood: Sendable, Hashable {
    /// From −1, unpleasant, to 1.
    public let pleasantness: Float
    /// From −1, sleepy, to 1, excited.
    public let arousal: Float

    init(_ pleasantness: Float, _ arousal: Float) {
        self.pleasantness = pleasantness
        self.arousal = arousal
    }

    /// In the middle: what a word that is not in the table counts as.
    public static let neutral = ImageMood(0, 0)

    /// The mood of a word, or of the first known word of several: "quietly joyful". Nil when none is known.
    public init?(_ text: String) {
        let words = text.lowercased().split { !$0.isLetter }
        guard let known = words.lazy.compactMap({ Self.table[String($0)] }).first else { return nil }
        self.init(known.pleasantness, known.arousal)
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
        return names.enumerated().map { position, name in
            Overlay(name: name, intensity: rounded(max(0.15, strength) / Double(position + 1)))
        }
    }

    private static let table: [String: (pleasantness: Float, arousal: Float)] = [
        "peaceful": (0.8, -0.7), "calm": (0.7, -0.8), "serene": (0.8, -0.8), "tranquil": (0.8, -0.8),
        "relaxed": (0.7, -0.7), "quiet": (0.4, -0.7), "still": (0.3, -0.8), "cozy": (0.7, -0.5),
        "cosy": (0.7, -0.5), "warm": (0.7, -0.2), "gentle": (0.6, -0.5), "dreamy": (0.5, -0.5),
        "sleepy": (0.1, -0.9), "contemplative": (0.3, -0.5), "reflective": (0.3, -0.5),
        "nostalgic": (0.2, -0.3), "romantic": (0.7, 0.1), "hopeful": (0.7, 0.1), "content": (0.7, -0.3),
        "focused": (0.3, 0.2), "majestic": (0.6, 0.4), "awe": (0.6, 0.5), "magical": (0.7, 0.4),
        "whimsical": (0.7, 0.3), "mysterious": (0.1, 0.2), "joyful": (0.9, 0.5), "cheerful": (0.8, 0.4),
        "happy": (0.9, 0.3), "playful": (0.8, 0.6), "lively": (0.6, 0.7), "vibrant": (0.7, 0.7),
        "energetic": (0.6, 0.9), "exciting": (0.7, 0.9), "adventurous": (0.6, 0.7),
        "festive": (0.8, 0.7),
        "busy": (0, 0.6), "chaotic": (-0.6, 0.8), "tense": (-0.6, 0.6), "dramatic": (0, 0.6),
        "anxious": (-0.7, 0.6), "dark": (-0.5, 0.1), "gloomy": (-0.6, -0.4), "sad": (-0.7, -0.4),
        "melancholic": (-0.5, -0.4), "lonely": (-0.6, -0.3), "bleak": (-0.6, -0.5), "neutral": (0, 0),
    ]
}

/// A number for a file: six decimals say all that it means.
func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
