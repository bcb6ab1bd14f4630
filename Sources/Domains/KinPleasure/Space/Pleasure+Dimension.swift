extension Pleasure {
    /// One of the sixteen dimensions of the pleasure space.
    ///
    /// The raw value is the place of its coordinate in storage. Order and names are a contract of files, JSON and the C interface.
    public enum Dimension: Int, Sendable, Hashable, CaseIterable {
        // Spatial.
        /// Structure and organisation.
        case order
        /// Contained rather than expansive space.
        case enclosure
        /// Route-finding, directed movement.
        case path
        /// Vistas, the big picture.
        case horizon
        // Cognitive.
        /// Appetite for productive tension.
        case anxiety
        /// Comfort with not knowing.
        case ignorance
        /// Ritual, recurrence.
        case repetition
        // Temporal.
        /// Aftermath, reflection.
        case post
        // Embodied.
        /// Eating and drinking.
        case food
        /// The joy of moving.
        case mobility
        /// Ambiguous intimacy.
        case eroticUncertainty
        /// Touching, making.
        case materialPlay
        // Relational.
        /// Agency, mastery.
        case power
        /// Resonance with natural systems.
        case natureMirror
        /// Openness to chance.
        case serendipityFollowing
        /// Building outward from stable points.
        case anchorExpansion

        /// How many there are.
        public static let count = 16

        /// The name in files and JSON: `nature_mirror`.
        public var name: String { Self.names[rawValue] }

        /// The dimension with this name, or nil when there is none.
        public init?(name: String) {
            guard let position = Self.names.firstIndex(of: name) else { return nil }
            self = Self.allCases[position]
        }

        /// All names, in storage order.
        public static let names = [
            "order", "enclosure", "path", "horizon",
            "anxiety", "ignorance", "repetition",
            "post",
            "food", "mobility", "erotic_uncertainty", "material_play",
            "power", "nature_mirror", "serendipity_following", "anchor_expansion",
        ]

        /// What a dimension is about.
        public enum Group: String, Sendable, Hashable, CaseIterable {
            /// Order, enclosure, path, horizon.
            case spatial
            /// Anxiety, ignorance, repetition.
            case cognitive
            /// Post.
            case temporal
            /// Food, mobility, erotic uncertainty, material play.
            case embodied
            /// Power, nature mirror, serendipity following, anchor expansion.
            case relational
        }

        /// What it is about.
        public var group: Group {
            switch self {
            case .order, .enclosure, .path, .horizon: .spatial
            case .anxiety, .ignorance, .repetition: .cognitive
            case .post: .temporal
            case .food, .mobility, .eroticUncertainty, .materialPlay: .embodied
            case .power, .natureMirror, .serendipityFollowing, .anchorExpansion: .relational
            }
        }
    }
}

extension Pleasure.Dimension: CustomStringConvertible {
    public var description: String { name }
}

extension Pleasure.Dimension: Comparable {
    /// By their order in storage.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
