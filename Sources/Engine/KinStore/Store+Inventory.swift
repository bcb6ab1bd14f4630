extension Store {
    /// Inserts or replaces inventory items by id. If this throws, no item is stored.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ items: [InventoryItem]) throws(KinError) {
        try putAll(items, "items")
    }

    /// Removes an inventory item by id.
    ///
    /// - Returns: Whether the item existed.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func removeItem(_ id: String) throws(KinError) -> Bool {
        try write("remove item \(id)") { try $0.remove(InventoryItem.kind, key: [.id(id, "item")]) }
    }

    /// The item with this id; nil if there is no such item.
    ///
    /// - Throws: `.corruptFile` if it is damaged; `.inputOutput`.
    public nonisolated func item(_ id: String) throws(KinError) -> InventoryItem? {
        try items([id])[0]
    }

    /// The items with given ids, in the order of the ids; nil for an id without an item.
    ///
    /// - Throws: As ``item(_:)``.
    public nonisolated func items(_ ids: [String]) throws(KinError) -> [InventoryItem?] {
        try read("read items") { database in
            try ids.map {
                try RecordQuery<InventoryItem>("WHERE inventory_item.id = ?", [.id($0, "item")]).first(in: database)
            }
        }
    }

    /// All inventory items, by ascending id.
    ///
    /// - Throws: As ``item(_:)``.
    public nonisolated func inventory() throws(KinError) -> [InventoryItem] {
        try read("read the inventory") { try RecordQuery<InventoryItem>("ORDER BY id").all(in: $0) }
    }
}

extension InventoryItem: StoredRecord {
    static let table = RecordTable<InventoryItem>("inventory_item", .text("id", \.id), order: ["id"])
    static func isRecognized(by members: [String]) -> Bool { members.contains("access_mode") }
}
