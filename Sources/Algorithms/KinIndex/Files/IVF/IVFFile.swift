/// The tags of the file of an index in lists, in the order of `FORMAT.md`; the others are in ``IndexSections`` and
/// ``IDTableSections``.
package enum IVFFile {
    package static let kind: FourCharacterCode = "IVF "
    package static let version = FormatVersion(major: 1, minor: 0)
    /// The version of an index with names or tags.
    static let versionWithNamesOrTags = FormatVersion(major: 1, minor: 2)
    /// The name of the kind in errors.
    static let name = "an inverted-file index"

    static let frame: FourCharacterCode = "FRAM"
    static let nodes: FourCharacterCode = "NODE"
    static let centroids: FourCharacterCode = "CENT"
    static let recall: FourCharacterCode = "RCAL"
    static let lists: FourCharacterCode = "CELL"
    static let listBoxes: FourCharacterCode = "CBOX"
    static let grids: FourCharacterCode = "GRID"
    static let boxGrids: FourCharacterCode = "BGRD"
    static let boxes: FourCharacterCode = "BOXS"
    static let tableGrid: FourCharacterCode = "TGRD"
    static let tableLows: FourCharacterCode = "TLOW"
    static let tableHighs: FourCharacterCode = "THIG"

    /// Lists have 256 to 4,096 vectors: searches have room for 64 blocks of 64.
    static let shifts = 8...12
}

/// The numbers of section `META`.
struct IVFSettings: BitwiseCopyable {
    var dimension: UInt64
    /// 0 squared L2, 1 inner product, 2 cosine.
    var metric: UInt64
    var listShift: UInt64
    var count: UInt64
    var nextID: UInt64
    var listCount: UInt64
    /// The partitioning of a build: 0 automatic, 1 median splits, 2 k-means lists.
    var partitioning: UInt64
    /// The number of k-means lists requested; 0 for other partitionings.
    var requestedLists: UInt64
    /// The number of entries of `MAPD`, or of `MAPI` and `MAPS`; one of the two is 0.
    var denseCount: UInt64
    var sortedCount: UInt64
    /// The id of the first entry of `MAPD`.
    var denseFirst: UInt64
    /// The numbers of vectors and queries when recall was measured, and of vectors inserted or removed since.
    var measuredCount: UInt64
    var measuredQueries: UInt64
    var measuredChanges: UInt64
    /// The share of all blocks that an exact search screened in that measurement.
    var exactShare: Double
}

/// One entry of section `CELL`.
struct IVFListEntry: BitwiseCopyable {
    var rows: UInt64
    /// The number of rows appended or moved since the list was built.
    var changes: UInt64
    /// The index of the list's element in `GRID`, or ``none`` if the rows are not coded.
    var grid: UInt64
    /// The index of the list's elements in `BGRD` and `BOXS`, or ``none`` if its blocks have no boxes.
    var boxes: UInt64
    var eightBitError: Double
    var sixBitError: Double

    static let none = UInt64.max
}

/// One entry of section `RCAL`: a measured recall.
struct IVFRecallEntry: BitwiseCopyable {
    var k: UInt64
    var factor: Double
    var recall: Double
    var error: Double
}
