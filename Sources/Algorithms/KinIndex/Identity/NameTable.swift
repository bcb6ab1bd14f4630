/// The names of an index's vectors: texts that serve as ids. Each belongs to one id, which the index hands out and
/// never uses again.
///
/// As in ``IDMap`` there are two tables. ``saved`` is an immutable sorted list in a mapped file. Later names are in
/// pages that copies share, so that a snapshot costs nothing and a write after it little. A saved name is only
/// proposed: it is valid if the index still has its id. So removing one writes nothing.
///
/// Two names are the same if their bytes are equal. A later name takes about 40 bytes and the bytes of its text.
struct NameTable: Sendable {
    struct Entry: Sendable {
        let id: VectorID
        let name: String
    }

    /// The names of the file that the index was opened from.
    let saved: SavedNames?
    /// The later names, in no particular order.
    private var names: NumberedTexts
    /// The id of each later name.
    private var ids = PagedArray<VectorID>()
    /// The number of each id's later name.
    private var map = IDMap()

    /// Creates a table of the names in a file.
    ///
    /// - Parameter largestKey: A small number makes many names share a key, for tests.
    init(saved: SavedNames? = nil, largestKey: UInt64 = .max >> 1) {
        self.saved = saved
        names = NumberedTexts(largestKey: largestKey)
    }

    /// Whether no vector ever had a name.
    var isEmpty: Bool { saved == nil && ids.isEmpty }

    /// The later names, in no particular order.
    var entries: [Entry] { ids.indices.map { Entry(id: ids[$0], name: names[$0]) } }

    /// A place in the table for a name.
    struct Place {
        fileprivate let key: VectorID
        /// The id of the name; nil if no later name is the same.
        let id: VectorID?
    }

    /// The place of a name, or the place that it would get.
    func place(of name: UnsafeBufferPointer<UInt8>) -> Place {
        let (key, number) = unsafe names.find(name)
        return Place(key: key, id: number.map { ids[$0] })
    }

    /// The id of a name; nil if it never had one. The id may have no vector any more.
    func id(of name: String) -> VectorID? { laterID(of: name) ?? saved?.id(of: name) }

    /// The id of a name that is not in ``saved``; nil if there is none.
    func laterID(of name: String) -> VectorID? { names.number(of: name).map { ids[$0] } }

    /// The name of an id, if it is not in ``saved``. The bytes are valid until the table changes.
    func laterName(of id: VectorID) -> UnsafeBufferPointer<UInt8>? {
        unsafe map.slot(of: id, in: ids).map { unsafe names.utf8(at: $0) }
    }

    /// Records the names of a first load.
    ///
    /// - Parameter ids: The id of each name; consecutive.
    /// - Returns: A row with the name of an earlier row; nil if all names differ. The table is invalid then.
    mutating func load(_ names: TextList, ids: [VectorID]) -> Int? {
        for id in ids {
            map.put(id, in: self.ids.count)
            self.ids.append(id)
        }
        return self.names.load(names)
    }

    /// Records the name of a new id.
    ///
    /// - Parameter place: The place of the name, in which there is no id.
    mutating func insert(_ name: UnsafeBufferPointer<UInt8>, for id: VectorID, at place: Place) {
        map.put(id, in: ids.count)
        ids.append(id)
        unsafe names.append(name, at: place.key)
    }

    /// Removes the name of an id that was removed.
    mutating func remove(_ id: VectorID) {
        guard let gap = map.slot(of: id, in: ids) else { return }
        names.remove(at: gap)
        map.remove(id)
        let last = ids.removeLast()
        if gap < ids.count {
            map.put(last, in: gap)
            ids[gap] = last
        }
    }

    /// The approximate memory of a later name in addition to its text.
    static let entryBytes = 40

    /// The approximate number of bytes of the names, in memory or mapped.
    var byteCount: Int { (saved?.byteCount ?? 0) + names.byteCount + 8 * ids.count }
}

extension PagedArray: SlotIDs where Element == VectorID {
    func id(at slot: Int) -> VectorID { self[slot] }
}

/// The format of names.
package enum NameFormat {
    /// The largest number of bytes of UTF-8.
    static let maximumBytes = 1024

    /// The reason why a text cannot be a name; nil if it can.
    package static func problem(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { unsafe problem($0) }
    }

    /// The reason why the bytes of a text cannot be a name; nil if they can.
    static func problem(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard !bytes.isEmpty else { return "it is empty" }
        guard bytes.count <= maximumBytes else {
            return "it has \(bytes.count) bytes of UTF-8, and an id has at most \(maximumBytes)"
        }
        // Visible ASCII is the usual case. Without branches, many bytes are compared at once.
        let isPlain = unsafe bytes.reduce(0) { max($0, $1 &- 0x20) } < 0x5F
        if isPlain { return nil }
        if unsafe bytes.contains(where: { $0 == 0x09 || $0 == 0x0A }) { return "it has a tab or a line feed" }
        let text = unsafe String(decoding: bytes, as: UTF8.self)
        return VisibleText.firstHidden(in: text).map { "it has the hidden character \($0)" }
    }
}
