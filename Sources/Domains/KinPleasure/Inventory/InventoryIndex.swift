/// An index of inventory items by location, kind, time and pleasure.
///
/// Items are sorted by cells of the earth, so a search within a radius scans only nearby cells, at 16 bytes an item.
/// The sorted columns have 48 bytes an item; a single change shifts them and does not move the items themselves. An
/// index is a value: a copy is a snapshot.
///
///     let index = try InventoryIndex(items)
///     let found = try index.search(
///         InventoryQuery(location: here, radiusKilometers: 2, slot: .dawn, minutes: 45), for: profile.target(at: now), k: 10)
public struct InventoryIndex: Sendable {
    /// The items, in rows of no particular order; nil for items that are still in the same row of the opened file.
    var items: [InventoryItem?] = []
    /// The items of the opened file.
    var saved: SavedItems?
    /// The row of each item, by id.
    var rowsByID: [String: Int] = [:]

    /// The cell key of each slot, ascending; items without a location come last.
    var keys: [UInt32] = []
    /// The row of each slot; within a cell the order is arbitrary, and no result depends on it.
    var rows: [UInt32] = []
    var attributes: [ItemAttributes] = []
    /// The points of the slots with a location.
    var points: [SpherePoint] = []
    var senses = SenseTable()
    /// The number of combinations of senses when the items were last sorted.
    var sensesAtSort = 0
    /// The bytes of items in memory that are outside their rows.
    private var outlyingBytes = 0

    /// The largest number of changes that are made one by one; more changes sort all items.
    private static let mostSingleChanges = 64

    /// Creates an index without items.
    public init() {}

    /// Creates an index of items.
    ///
    /// - Throws: `.duplicateID`, naming the item.
    /// - Complexity: O(n log n).
    public init(_ items: [InventoryItem]) throws(KinError) {
        self.items = items
        rowsByID.reserveCapacity(items.count)
        for (row, item) in items.enumerated() {
            guard rowsByID.updateValue(row, forKey: item.id) == nil else {
                throw KinError(.duplicateID, "there are two items with this id").within("item", item.id)
            }
            outlyingBytes += item.outlyingBytes
        }
        sort()
    }

    /// The number of items in the index.
    public var count: Int { items.count }

    /// The number of slots with a location, which come first.
    var locatedCount: Int { points.count }

    /// An estimate of the memory that the index takes, in bytes. O(1).
    public var byteCount: Int {
        let slot = MemoryLayout<UInt32>.stride * 2 + MemoryLayout<ItemAttributes>.stride
        let known = MemoryLayout<(String, Int)>.stride * 4 / 3 + 1
        return items.count * (MemoryLayout<InventoryItem>.stride + slot + known)
            + points.count * MemoryLayout<SpherePoint>.stride + outlyingBytes + (saved?.byteCount ?? 0)
    }

    /// The item with an id; nil for an unknown id. O(1).
    public subscript(id: String) -> InventoryItem? { rowsByID[id].map { item(inRow: $0) } }

    /// The item in a row, read from the file if it is still there.
    func item(inRow row: Int) -> InventoryItem { items[row] ?? saved!.item(row) }

    /// The item in a slot.
    @inline(__always)
    func item(inSlot slot: Int) -> InventoryItem { item(inRow: Int(rows[slot])) }

    /// The id of the item in a slot.
    @inline(__always)
    func id(inSlot slot: Int) -> String {
        let row = Int(rows[slot])
        return items[row]?.id ?? saved!.id(row)
    }

    /// Whether a time in minutes is at least the shortest useful duration of the item in a slot.
    @inline(__always)
    func suffices(_ minutes: Double, forSlot slot: Int) -> Bool {
        // The item itself is needed only between the rounded duration and the next number.
        let rounded = attributes[slot].leastMinutes
        guard minutes >= Double(rounded), minutes < Double(rounded.nextUp) else { return minutes >= Double(rounded) }
        return minutes >= item(inSlot: slot).times.durationRange?.lowerBound ?? 0
    }

    /// Whether the useful durations of the items in two slots have a common value.
    @inline(__always)
    func shareDurations(_ a: Int, _ b: Int) -> Bool {
        if let isShared = ItemAttributes.shareDurations(attributes[a], attributes[b]) { return isShared }
        let ranges = [a, b].map { item(inSlot: $0).times.durationRange ?? 0...(.infinity) }
        return ranges[0].overlaps(ranges[1])
    }

    /// Adds or replaces items. An item with a known id replaces the old one; the last of several with one id counts.
    ///
    /// - Complexity: O(1) for a known item with the same location, else O(n) for moving 48 bytes an item. More than 64
    ///   items together take O(n log n).
    public mutating func upsert(_ changed: [InventoryItem]) {
        let oneByOne = changed.count <= Self.mostSingleChanges
        for item in changed {
            outlyingBytes += item.outlyingBytes
            guard let row = rowsByID[item.id] else {
                rowsByID[item.id] = items.count
                items.append(item)
                if oneByOne { insert(row: items.count - 1) }
                continue
            }
            outlyingBytes -= items[row]?.outlyingBytes ?? 0
            if oneByOne, self.item(inRow: row).location == item.location {
                attributes[slot(of: row)] = ItemAttributes(item, senses: senses.number(of: item))
                items[row] = item
            } else {
                if oneByOne { removeSlot(of: row) }
                items[row] = item
                if oneByOne { insert(row: row) }
            }
        }
        // Unused combinations are dropped when they may be half of all.
        if !oneByOne || senses.count > 2 * sensesAtSort + 1024 { sort() }
    }

    /// Removes items by id; unknown ids are ignored.
    ///
    /// - Returns: The number of items removed.
    /// - Complexity: O(n) for moving 48 bytes an item; more than 64 items together O(n log n).
    @discardableResult
    public mutating func remove(_ ids: some Sequence<String>) -> Int {
        let gone = Set(ids).filter { rowsByID[$0] != nil }
        let oneByOne = gone.count <= Self.mostSingleChanges
        for id in gone {
            guard let row = rowsByID.removeValue(forKey: id) else { continue }
            outlyingBytes -= items[row]?.outlyingBytes ?? 0
            if oneByOne { removeSlot(of: row) }
            // The last item moves into the gap.
            let last = items.count - 1
            if row < last {
                if oneByOne { rows[slot(of: last)] = UInt32(row) }
                let item = item(inRow: last)
                if items[last] == nil { outlyingBytes += item.outlyingBytes }
                items[row] = item
                rowsByID[item.id] = row
            }
            items.removeLast()
        }
        if !oneByOne { sort() }
        return gone.count
    }

    /// The slot of a row. O(log n + items in its cell).
    private func slot(of row: Int) -> Int {
        let key = Self.key(of: item(inRow: row))
        let first = keys.partition { $0 < key }
        return rows[first...].firstIndex(of: UInt32(row))!
    }

    /// Inserts a slot for a row, after the others of its cell.
    private mutating func insert(row: Int) {
        let item = item(inRow: row)
        let key = Self.key(of: item)
        let slot = keys.partition { $0 <= key }
        keys.insert(key, at: slot)
        rows.insert(UInt32(row), at: slot)
        attributes.insert(ItemAttributes(item, senses: senses.number(of: item)), at: slot)
        if let location = item.location { points.insert(SpherePoint(location), at: slot) }
    }

    /// Removes a row's entries from the columns sorted by cell; the row itself stays. O(items).
    private mutating func removeSlot(of row: Int) {
        let slot = slot(of: row)
        if slot < points.count { points.remove(at: slot) }
        keys.remove(at: slot)
        rows.remove(at: slot)
        attributes.remove(at: slot)
    }

    /// Sorts all rows into slots.
    private mutating func sort() {
        let items = takeItems()
        let sorted = items.indices.map { UInt64(Self.key(of: items[$0])) << 32 | UInt64($0) }.sorted()
        keys = sorted.map { UInt32($0 >> 32) }
        rows = sorted.map { UInt32(truncatingIfNeeded: $0) }
        senses = SenseTable()
        attributes = rows.map { ItemAttributes(items[Int($0)], senses: senses.number(of: items[Int($0)])) }
        sensesAtSort = senses.count
        let located = keys.partition { $0 != GeographicGrid.noCell }
        points = rows[..<located].map { SpherePoint(items[Int($0)].location!) }
    }

    /// Reads the items that are still in the file into memory, and returns all.
    private mutating func takeItems() -> [InventoryItem] {
        let all = items.indices.map { row in
            guard let item = items[row] else {
                let item = saved!.item(row)
                outlyingBytes += item.outlyingBytes
                return item
            }
            return item
        }
        if saved != nil { (items, saved) = (all, nil) }
        return all
    }

    private static func key(of item: InventoryItem) -> UInt32 {
        item.location.map { GeographicGrid.key(of: $0) } ?? GeographicGrid.noCell
    }
}

extension InventoryItem {
    /// An estimate of the bytes of its texts and lists, which are outside its row.
    fileprivate var outlyingBytes: Int {
        func bytes(_ text: String) -> Int { text.utf8.count > 15 ? text.utf8.count + 32 : 0 }
        var sum = 2 * bytes(id) + bytes(name) + times.bestTimes.count + times.seasons.count + 128
        for affordance in affordances {
            sum += MemoryLayout<Affordance>.stride
            switch affordance {
            case .sense(let sense, _, let context): sum += bytes(sense) + (context.map { bytes($0) } ?? 0)
            case .pleasures(let dimensions): sum += dimensions.count + 32
            }
        }
        return sum
    }
}
