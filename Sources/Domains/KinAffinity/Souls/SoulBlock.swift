/// The parts of a soul that are compared, each with its own similarity.
public enum SoulBlock: Int, Sendable, Hashable, NamedCase, Comparable {
    /// The therapeutic goals of the person.
    case goals
    /// The realm types that the person visits.
    case realms
    /// The categories of objects that the person meets.
    case objects
    /// The session habits of the person.
    case patterns
    /// The emotional valence of the person.
    case valence

    /// The names of all blocks in files and JSON, in their order.
    public static let names = ["goals", "realms", "objects", "patterns", "valence"]

    public static func < (a: SoulBlock, b: SoulBlock) -> Bool { a.rawValue < b.rawValue }

    /// The blocks that consist of named traits.
    package static let named: [SoulBlock] = [.goals, .realms, .objects]

    /// The blocks whose similarity is a cosine.
    package static let cosines: [SoulBlock] = [.goals, .realms, .objects, .patterns]
}

/// A set of blocks, a bit for each.
package struct BlockMask: OptionSet, Sendable, Hashable {
    /// The bits; the first block has the lowest.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the set of one block.
    package init(_ block: SoulBlock) { rawValue = 1 << UInt8(block.rawValue) }

    /// The blocks of the set, in their order.
    package var blocks: [SoulBlock] { SoulBlock.allCases.filter(has) }

    /// Whether a block is in the set.
    package func has(_ block: SoulBlock) -> Bool { contains(BlockMask(block)) }
}
