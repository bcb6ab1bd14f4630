public import KinCore

/// An index of inventory items by location, kind, time and pleasure.
///
/// Items are sorted by cells of the earth, so that a search within a radius scans the nearby cells alone, at 16 bytes
/// an item. An index is a value: a copy is a snapshot.
///
///     let index = try InventoryIndex(items)
///     let found = try index.search(
///         InventoryQuery(location: here, radiusKilometers: 2, slot: .dawn, minutes: 45), for: profile.target(at: now), k: 10)
public struct InventoryIndex: Sendable {
    /// The items by ascending cell key, then id; those without a location last.
    private(set) var items: [InventoryItem] = []
    private(set) var keys: [UInt32] = []
    private(set) var attributes: [ItemAttributes] = []
    private(set) var points: [SpherePoint] = []
    /// The number of items with a location.
    private(set) var locatedCount = 0
    private(set) var senses = SenseTable()
    private var slots: [String: Int] = [:]

    /// Creates an index without items.
    public init() {}

    /// Creates an index of items.
    ///
    /// - Throws: `.duplicateID`, naming the item.
    /// - Complexity: O(n log n).
    public init(_ items: [InventoryItem]) throws(KinError) {
        var seen: Set<String> = []
        for item in items where !seen.insert(item.id).inserted {
            throw KinError(.duplicateID, "there are two items with this id").within("item", item.id)
        }
        rebuild(items)
    }

    /// The number of items in the index.
    public var count: Int { items.count }

    /// The item with an id, or nil when there is none.
    public subscript(id: String) -> InventoryItem? { slots[id].map { items[$0] } }

    /// Adds items; one with a known id replaces the old item, and of several with one id the last counts.
    ///
    /// - Complexity: O(1) for a known item with the same location; else O(n log n) for all together.
    public mutating func upsert(_ changed: [InventoryItem]) {
        var moved: [String: InventoryItem] = [:]
        for item in changed {
            if moved[item.id] == nil, let slot = slots[item.id], items[slot].location == item.location {
                items[slot] = item
                attributes[slot] = ItemAttributes(item, senses: senses.number(of: item))
            } else {
                moved[item.id] = item
            }
        }
        guard !moved.isEmpty else { return }
        rebuild(items.filter { moved[$0.id] == nil } + moved.values)
    }

    /// Removes items by id; unknown ids are ignored.
    ///
    /// - Returns: The number of items removed.
    /// - Complexity: O(n log n) for all together.
    @discardableResult
    public mutating func remove(_ ids: some Sequence<String>) -> Int {
        let gone = Set(ids).filter { slots[$0] != nil }
        guard !gone.isEmpty else { return 0 }
        rebuild(items.filter { !gone.contains($0.id) })
        return gone.count
    }

    private mutating func rebuild(_ all: [InventoryItem]) {
        let keyed = all.map { (key: $0.location.map { GeographicGrid.key(of: $0) } ?? GeographicGrid.noCell, item: $0) }
            .sorted { ($0.key, $0.item.id) < ($1.key, $1.item.id) }
        senses = SenseTable()
        items = keyed.map(\.item)
        keys = keyed.map(\.key)
        attributes = []
        attributes.reserveCapacity(items.count)
        for item in items { attributes.append(ItemAttributes(item, senses: senses.number(of: item))) }
        locatedCount = keys.partition { $0 != GeographicGrid.noCell }
        points = items[..<locatedCount].map { SpherePoint($0.location!) }
        slots = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, $0) })
    }
}
