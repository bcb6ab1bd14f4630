import GRDB

/// The index of all inventory items, cached in memory and saved in the index folder.
struct CachedInventory: RecordIndex {
    /// Version 2 has the words of affordances in their plain form.
    static var fileVersion: FormatVersion { FormatVersion(major: 2, minor: 0) }

    static var sources: [RecordKind] { [InventoryItem.kind] }

    private(set) var index: InventoryIndex
    private(set) var ids: RowIDs

    init(index: InventoryIndex, ids: RowIDs) {
        self.index = index
        self.ids = ids
    }

    init(for key: SingletonKey, in database: Database) throws {
        let rows = try RecordQuery<InventoryItem>("ORDER BY id").numbered(in: database)
        index = try InventoryIndex(rows.map(\.record))
        ids = RowIDs(rows.map { ($0.number, $0.record.id) })
    }

    mutating func apply(_ changes: [RecordChange], for key: SingletonKey, in database: Database) throws -> Bool {
        guard let rows = try ChangedRows<InventoryItem>(changes, limit: max(1000, index.count / 4), in: database) else {
            return false
        }
        index.remove(rows.gone.compactMap { ids.remove($0) })
        index.upsert(rows.present.map(\.record))
        for row in rows.present { ids[row.number] = row.record.id }
        return true
    }

    static func fileName(for key: SingletonKey) -> String { "inventory" }
    static var fileKind: FourCharacterCode { "INVT" }
}

extension Store {
    /// The cached index of all inventory items.
    ///
    /// - Throws: As ``item(_:)``.
    /// - Complexity: O(1); O(changes) after changes; O(items) if the index is neither in memory nor in a file.
    public nonisolated func inventoryIndex() throws(KinError) -> InventoryIndex {
        try withInventoryIndex { $0 }
    }

    /// Runs a body on the index of ``inventoryIndex()``. If the index is cached, this takes no lock and makes no copy.
    ///
    /// - Throws: As ``inventoryIndex()``; the errors of the body (see `KinError.underlying`).
    public nonisolated func withInventoryIndex<Answer, Failure: Error>(
        _ body: (InventoryIndex) throws(Failure) -> Answer
    ) throws(KinError) -> Answer {
        try derived(CachedInventory.self, for: .only) { (kept) throws(KinError) in
            try callingBack { try body(kept.index) }
        }
    }
}
