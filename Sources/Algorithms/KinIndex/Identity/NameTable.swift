import KinCore

/// The names of an index's vectors: texts that serve as ids. Each belongs to one id, which the index hands out and
/// never uses again.
///
/// As in ``IDMap`` there are two tables. ``saved`` is an immutable sorted list in a mapped file. Later names are in
/// pages that copies share, so that a snapshot costs nothing and a write after it little. A saved name is only
/// proposed: it is valid if the index still has its id. So removing one writes nothing.
///
/// Two names are the same if their bytes are equal. A later name takes about 110 bytes and the memory of its text.
struct NameTable: Sendable {
    struct Entry: Sendable {
        let id: VectorID
        let name: String
    }

    /// The names of the file that the index was opened from.
    let saved: SavedNames?
    /// The later names, in no particular order.
    private(set) var entries = PagedArray<Entry>()
    /// The entry of each later name.
    private var table: TextTable
    /// The entry of each id.
    private var map = IDMap()
    /// The number of bytes of UTF-8 in ``entries``.
    private var textBytes = 0

    /// Creates a table of the names in a file.
    ///
    /// - Parameter largestKey: A small number makes many names share a key, for tests.
    init(saved: SavedNames? = nil, largestKey: UInt64 = .max >> 1) {
        self.saved = saved
        table = TextTable(largestKey: largestKey)
    }

    /// Whether no vector ever had a name.
    var isEmpty: Bool { saved == nil && entries.isEmpty }

    /// A place in the table for a name.
    struct Place {
        fileprivate let key: VectorID
        /// The id of the name; nil if no later name is the same.
        let id: VectorID?
    }

    /// The place of a name, or the place that it would get.
    func place(of name: String) -> Place {
        let (key, entry) = find(name)
        return Place(key: key, id: entry.map { entries[$0].id })
    }

    /// The id of a name; nil if it never had one. The id may have no vector any more.
    func id(of name: String) -> VectorID? { place(of: name).id ?? saved?.id(of: name) }

    /// The name of an id, if it is not in ``saved``.
    func laterName(of id: VectorID) -> String? { map.slot(of: id, in: entries).map { entries[$0].name } }

    /// Records the names of a first load, in the order of the table's pages, so that each page is read once.
    ///
    /// - Parameter ids: The id of each name; consecutive.
    /// - Returns: A row with the name of an earlier row; nil if all names differ. The table is invalid then.
    mutating func load(_ names: [String], ids: [VectorID]) -> Int? {
        precondition(isEmpty, "the first load")
        table.reserve(names.count)
        let keys = names.map { table.key(of: $0) }
        for (id, name) in zip(ids, names) {
            map.put(id, in: entries.count)
            entries.append(Entry(id: id, name: name))
            textBytes += name.utf8.count
        }
        let rows = keys.indices.map { UInt64(table.page(of: keys[$0])) << 32 | UInt64($0) }.sorted()
        for row in rows.lazy.map({ Int($0 & 0xFFFF_FFFF) }) {
            var key = keys[row]
            while let earlier = table[key].map(Int.init) {
                if names[earlier].utf8.elementsEqual(names[row].utf8) { return max(earlier, row) }
                key = table.next(key)
            }
            table[key] = UInt32(row)
        }
        return nil
    }

    /// Records the name of a new id.
    ///
    /// - Parameter place: The place of the name, in which there is no id.
    mutating func insert(_ name: String, for id: VectorID, at place: Place) {
        table[place.key] = UInt32(entries.count)
        map.put(id, in: entries.count)
        entries.append(Entry(id: id, name: name))
        textBytes += name.utf8.count
    }

    /// Removes the name of an id that was removed.
    mutating func remove(_ id: VectorID) {
        guard let gap = map.slot(of: id, in: entries) else { return }
        let name = entries[gap].name
        table.remove(name) { [entries] in entries[$0].name }
        map.remove(id)
        let last = entries.count - 1
        if gap < last {
            table[find(entries[last].name).key] = UInt32(gap)
            map.put(entries[last].id, in: gap)
            entries[gap] = entries[last]
        }
        entries.removeLast()
        textBytes -= name.utf8.count
    }

    /// The key and the entry of a name; for a new name, the key that it would get, and nil.
    private func find(_ name: String) -> (key: VectorID, place: Int?) { table.find(name) { entries[$0].name } }

    /// The approximate memory of a later name in addition to its text.
    static let entryBytes = 110

    /// The approximate number of bytes of the names, in memory or mapped.
    var byteCount: Int { (saved?.byteCount ?? 0) + Self.entryBytes * entries.count + textBytes }
}

extension PagedArray: SlotIDs where Element == NameTable.Entry {
    func id(at slot: Int) -> VectorID { self[slot].id }
}

/// The format of names.
package enum NameFormat {
    /// The largest number of bytes of UTF-8.
    static let maximumBytes = 1024

    /// The reason why a text cannot be a name; nil if it can.
    package static func problem(_ text: String) -> String? {
        let bytes = text.utf8
        guard !bytes.isEmpty else { return "it is empty" }
        guard bytes.count <= maximumBytes else {
            return "it has \(bytes.count) bytes of UTF-8, and an id has at most \(maximumBytes)"
        }
        // Visible ASCII is the usual case. Without branches, many bytes are compared at once.
        var text = text
        let isPlain = text.withUTF8 { unsafe $0.reduce(0) { max($0, $1 &- 0x20) } < 0x5F }
        if isPlain { return nil }
        if bytes.contains(where: { $0 == 0x09 || $0 == 0x0A }) { return "it has a tab or a line feed" }
        return VisibleText.firstHidden(in: text).map { "it has the hidden character \($0)" }
    }
}
