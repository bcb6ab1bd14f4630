/// A domain's index that is written into a file of derived data.
protocol SavedSections: Sendable {
    /// Reads the index from a file whose checksums match.
    init(file: SectionFile) throws(KinError)
    /// Writes the sections of the index.
    func write(to writer: inout SectionFileWriter) throws(KinError)
    /// Whether two indexes find the same records.
    func agrees(with other: Self) throws(KinError) -> Bool
    /// An estimate of the index's memory, in bytes.
    var byteCount: Int { get }
}

extension InventoryIndex: SavedSections {}
extension EmbeddingIndex: SavedSections {}

/// An index of all people's records of a kind, with the records' ids by row number, saved in one file.
protocol RecordIndex: SavedValue where Key == SingletonKey {
    associatedtype Index: SavedSections

    /// The index of all records, by their row numbers or ids.
    var index: Index { get }
    /// The ids of the records by row number, to identify the record of a deleted row.
    var ids: RowIDs { get }

    init(index: Index, ids: RowIDs)
}

/// The key of a value that is derived from the records of all people.
enum SingletonKey: Hashable, Sendable { case only }

extension RecordIndex {
    var byteCount: Int { index.byteCount + ids.byteCount }

    static var savedKeys: [SingletonKey] { [.only] }
    static var fileVersion: FormatVersion { FormatVersion(major: 1, minor: 0) }

    init(for key: SingletonKey, file: SectionFile) throws(KinError) {
        try self.init(index: Index(file: file), ids: RowIDs(file: file))
    }

    func write(to writer: inout SectionFileWriter) throws(KinError) {
        try index.write(to: &writer)
        try ids.write(to: &writer)
    }

    func agrees(with anew: Self) throws(KinError) -> Bool { try index.agrees(with: anew.index) }
}
