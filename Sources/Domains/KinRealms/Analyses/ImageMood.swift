/// A position in Russell's circumplex model of affect: pleasantness and arousal, each −1…1.
///
/// Russell, "A circumplex model of affect", Journal of Personality and Social Psychology 39(6), 1980,
/// doi:10.1037/h0077714. The positions of words are by judgement.
public struct ImageMood: Sendable, Hashable {
    /// The pleasantness, from −1 (unpleasant) to 1.
    public let pleasantness: Float
    /// The arousal, from −1 (sleepy) to 1 (excited).
    public let arousal: Float

    init(_ pleasantness: Float, _ arousal: Float) {
        self.pleasantness = pleasantness
        self.arousal = arousal
    }

    /// The origin, used for words that are not in the table.
    public static let neutral = ImageMood(0, 0)

    /// Creates the mood of the first word of a text that is in the table: "quietly joyful"; nil if no word is.
    public init?(_ text: String) {
        let words = text.lowercased().split { !$0.isLetter }
        guard let known = words.lazy.compactMap({ Self.table[String($0)] }).first else { return nil }
        self.init(known.pleasantness, known.arousal)
    }

    /// A visual effect over a scene.
    public struct Overlay: Sendable, Hashable {
        /// The name of the effect: "drifting mist".
        public let name: String
        /// The strength of the effect, 0…1.
        public let intensity: Double
    }

    /// The effects for the mood: the quadrant determines their kind, the distance from the origin their strength.
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

/// A number rounded to the six decimals of the files.
func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
