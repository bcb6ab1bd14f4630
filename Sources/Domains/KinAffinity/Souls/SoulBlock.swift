/// The parts of a soul that are compared, each with a similarity of its own.
public enum SoulBlock: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// What the person wants to be healed of or helped with.
    case goals
    /// The kinds of places that the person seeks.
    case realms
    /// The kinds of things that the person dwells on.
    case objects
    /// When, how long and how often the person practises.
    case patterns
    /// How light or heavy the person's feelings are.
    case valence

    /// "goals", "realms", "objects", "patterns", "valence".
    public var name: String { Self.names[rawValue] }

    /// The names of all blocks, in their order.
    public static let names = ["goals", "realms", "objects", "patterns", "valence"]

    public static func < (a: SoulBlock, b: SoulBlock) -> Bool { a.rawValue < b.rawValue }

    /// The blocks that hold traits by name.
    package static let named: [SoulBlock] = [.goals, .realms, .objects]

    /// The blocks whose similarity is a cosine.
    package static let cosines: [SoulBlock] = [.goals, .realms, .objects, .patterns]
}

/// Some of the blocks.
package struct BlockMask: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(_ block: SoulBlock) { rawValue = 1 << UInt8(block.rawValue) }

    /// The blocks, in their order.
    package var blocks: [SoulBlock] { SoulBlock.allCases.filter(has) }

    package func has(_ block: SoulBlock) -> Bool { contains(BlockMask(block)) }
}
