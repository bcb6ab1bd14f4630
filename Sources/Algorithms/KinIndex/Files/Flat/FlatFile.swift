/// The tags of a flat index's file, in the order of `FORMAT.md`; the others are in ``IndexSections`` and
/// ``IDTableSections``.
enum FlatFile {
    static let kind: FourCharacterCode = "FLAT"
    /// The version of an index with names or tags.
    static let versionWithNamesOrTags = FormatVersion(major: 1, minor: 2)
    /// The version without names and tags; an index without attributes is written as version 1.0.
    static let version = FormatVersion(major: 1, minor: 1)
    static let versionWithoutAttributes = FormatVersion(major: 1, minor: 0)
    /// The name of the kind in errors.
    static let name = "a flat index"

    static let chunks: FourCharacterCode = "CHNK"
    static let grid: FourCharacterCode = "GRID"
}

/// The six numbers of section `META`.
struct FlatSettings: BitwiseCopyable {
    var dimension: UInt64
    /// 0 squared L2, 1 inner product, 2 cosine.
    var metric: UInt64
    var chunkShift: UInt64
    var count: UInt64
    var nextID: UInt64
    /// The number of entries of `MAPI` and `MAPS`.
    var tableCount: UInt64
}

/// One entry of section `CHNK`.
struct FlatChunkEntry: BitwiseCopyable {
    var rows: UInt64
    /// The number of the chunk's `GRID`, or ``uncoded``.
    var grid: UInt64
    var eightBitError: Double
    var sixBitError: Double

    static let uncoded = UInt64.max
}
