/// The tags of the attributes' sections, the same for both kinds of index, in the order of `FORMAT.md`.
enum AttributeFile {
    static let settings: FourCharacterCode = "ATTR"
    static let attributes: FourCharacterCode = "ATTK"
    static let names: FourCharacterCode = "ATTN"
    static let categories: SortedStrings.Tags = (ends: "CATE", bytes: "CATB")
    static let chunks: FourCharacterCode = "ATTC"
    static let table: IDTableSections.Sorted = ("ATMI", "ATMS")

    /// The kinds in the order of their numbers.
    static let kinds: [AttributeKind] = [.integer, .number, .category, .time, .boolean, .timeRange, .tags]
}

/// The three numbers of section `ATTR`.
struct AttributeSettings: BitwiseCopyable {
    /// The total number of rows.
    var count: UInt64
    /// The largest id; 0 without rows.
    var idBound: UInt64
    /// The number of entries of `ATMI` and `ATMS`: the rows whose id differs from their slot.
    var tableCount: UInt64
}

/// One entry of section `ATTK`.
struct AttributeEntry: BitwiseCopyable {
    /// The index of the attribute's kind in ``AttributeFile/kinds``.
    var kind: UInt32
    /// The end of the attribute's name in `ATTN`; it begins at the end of the previous name.
    var nameEnd: UInt32
    /// The number of strings of a category, or of different sets of tags; 0 for other kinds.
    var categories: UInt64
}
