extension Pleasure {
    /// One of the sixteen dimensions of the pleasure space.
    ///
    /// The raw value is the index of its coordinate in storage. Order and names are a contract of files, JSON and the C
    /// interface.
    public enum Dimension: Int, Sendable, Hashable, NamedCase {
        // Spatial.
        /// Pleasure in structure and organisation.
        case order
        /// Pleasure in contained rather than expansive space.
        case enclosure
        /// Pleasure in route-finding and directed movement.
        case path
        /// Pleasure in vistas and the big picture.
        case horizon
        // Cognitive.
        /// Pleasure in productive tension.
        case anxiety
        /// Pleasure in not knowing.
        case ignorance
        /// Pleasure in ritual and recurrence.
        case repetition
        // Temporal.
        /// Pleasure in aftermath and reflection.
        case post
        // Embodied.
        /// Pleasure in eating and drinking.
        case food
        /// Pleasure in moving the body.
        case mobility
        /// Pleasure in ambiguous intimacy.
        case eroticUncertainty
        /// Pleasure in touching and making.
        case materialPlay
        // Relational.
        /// Pleasure in agency and mastery.
        case power
        /// Pleasure in resonance with natural systems.
        case natureMirror
        /// Pleasure in openness to chance.
        case serendipityFollowing
        /// Pleasure in building outward from stable points.
        case anchorExpansion

        /// The number of dimensions, 16.
        public static let count = 16

        /// The names of all dimensions in files and JSON, in storage order.
        public static let names = [
            "order", "enclosure", "path", "horizon",
            "anxiety", "ignorance", "repetition",
            "post",
            "food", "mobility", "erotic_uncertainty", "material_play",
            "power", "nature_mirror", "serendipity_following", "anchor_expansion",
        ]

        /// A group of related dimensions.
        public enum Group: String, Sendable, Hashable, CaseIterable {
            /// Order, enclosure, path, horizon.
            case spatial
            /// Anxiety, ignorance, repetition: cognitive pleasures.
            case cognitive
            /// The dimension post alone.
            case temporal
            /// Food, mobility, erotic uncertainty, material play.
            case embodied
            /// Power, nature mirror, serendipity following, anchor expansion.
            case relational
        }

        /// The group that the dimension belongs to.
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
    /// Orders dimensions by their storage order.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
