/// The tags of the sections of names, as in `FORMAT.md`.
private enum NameSections {
    static let strings: SortedStrings.Tags = (ends: "NAME", bytes: "NAMB")
    static let ids: FourCharacterCode = "NAMI"
    static let order: FourCharacterCode = "NAMO"
}

/// The names of a saved index in ascending order of their bytes, in a mapped file.
///
/// A damaged file causes wrong names, never an access out of bounds.
@safe
final class SavedNames: @unchecked Sendable {
    private let names: SortedStrings
    /// The id of each name.
    private let ids: UnsafePointer<VectorID>
    /// The names in ascending order of their ids.
    private let order: UnsafePointer<UInt32>

    /// Reads the names in a file; nil if it has none.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - count: The number of vectors.
    /// - Throws: `.corruptFile` unless every vector can have a name.
    init?(_ file: SectionFile, count: Int) throws(KinError) {
        guard file.section(NameSections.ids) != nil else { return nil }
        let ids = try file.section(NameSections.ids, requiring: 8, count: count)
        let order = try file.section(NameSections.order, requiring: 4, count: count)
        names = try file.sortedStrings(NameSections.strings, count: count)
        unsafe self.ids = UnsafePointer(ids.start(of: VectorID.self))
        unsafe self.order = UnsafePointer(order.start(of: UInt32.self))
    }

    var byteCount: Int { names.byteCount + 20 * names.count }

    /// The id of a name when the file was saved; nil if it had none. O(log n).
    func id(of name: String) -> VectorID? { names.firstIndex(of: name).map { unsafe ids[$0] } }

    /// The bytes of an id's name when the file was saved; nil if it had none, or if they are not UTF-8, which a damaged
    /// file causes. O(1) if ids are consecutive, otherwise O(log n).
    func name(of id: VectorID) -> UnsafeBufferPointer<UInt8>? {
        let count = UInt64(names.count)
        guard count > 0, let first = self.id(inOrder: 0), let last = self.id(inOrder: names.count - 1), first <= id,
            id <= last
        else { return nil }
        // Ids are different, so as many come before this one as there are numbers from the first, less those left out.
        let most = min(id.rawValue - first.rawValue, count - 1)
        let span = last.rawValue - first.rawValue
        guard span >= count else { return unsafe name(inOrder: Int(most)) }
        let least = most - min(most, span - (count - 1))
        let place = (Int(least)..<Int(most)).partition { self.id(inOrder: $0).map { $0 < id } ?? false }
        return unsafe self.id(inOrder: place) == id ? name(inOrder: place) : nil
    }

    private func name(inOrder place: Int) -> UnsafeBufferPointer<UInt8>? {
        let index = unsafe Int(order[place])
        guard index < names.count else { return nil }
        let bytes = unsafe names.utf8(at: index)
        return unsafe bytes.isUTF8 ? bytes : nil
    }

    /// An id by its place in ascending order; nil if the file is damaged there.
    private func id(inOrder place: Int) -> VectorID? {
        let index = unsafe Int(order[place])
        return index < names.count ? unsafe ids[index] : nil
    }

    /// All names with their ids, in ascending order of the names' bytes.
    var entries: [NameTable.Entry] {
        (0..<names.count).map { unsafe NameTable.Entry(id: ids[$0], name: names[$0]) }
    }

    /// The first contradiction in the names, or between them and the ids of their index.
    ///
    /// If every name has a different vector and their numbers are equal, every vector has a name.
    func firstContradiction(isVector: (VectorID) -> Bool) -> Contradiction? {
        if let description = names.firstContradiction { return (Section.Name(NameSections.strings.ends), description) }
        for place in 0..<names.count {
            guard let id = id(inOrder: place), place == 0 || self.id(inOrder: place - 1)! < id else {
                return (Section.Name(NameSections.order), "place \(place) does not follow in ascending order of ids")
            }
        }
        for (index, entry) in entries.enumerated() {
            guard isVector(entry.id) else {
                return (Section.Name(NameSections.ids), "name \(index) belongs to \(entry.id), which is no vector")
            }
            if let problem = NameFormat.problem(entry.name) {
                return (Section.Name(NameSections.strings.bytes), "name \(index) is not valid: \(problem)")
            }
        }
        return nil
    }
}

extension NameTable {
    /// Writes the names of vectors; nothing if there are none.
    ///
    /// Removed names are not written, and a file that is opened and saved again has the same bytes.
    ///
    /// - Parameter isVector: Whether the index still has an id.
    /// - Complexity: O(n log n).
    func write(where isVector: (VectorID) -> Bool, to writer: inout SectionFileWriter) throws(KinError) {
        guard !isEmpty else { return }
        // Saved names come first, because they are sorted, and the sort takes O(n) for them.
        var all = saved?.entries.filter { isVector($0.id) } ?? []
        all += entries
        var sorted = all.indices.map { (start: all[$0].name.firstBytes, index: $0) }
        sorted.sort { a, b in
            a.start != b.start
                ? a.start < b.start : all[a.index].name.utf8.lexicographicallyPrecedes(all[b.index].name.utf8)
        }
        let ids = sorted.map { all[$0.index].id }
        let order = ids.indices.map { (id: ids[$0], index: UInt32($0)) }.sorted { $0.id < $1.id }.map(\.index)
        try SortedStrings(sorted.map { all[$0.index].name }).write(to: &writer, NameSections.strings)
        try writer.write(ids.span, to: NameSections.ids)
        try writer.write(order.span, to: NameSections.order)
    }
}

extension String {
    /// The first eight bytes as a number, which orders texts like their bytes.
    fileprivate var firstBytes: UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 64
        for byte in utf8.prefix(8) {
            shift -= 8
            number |= UInt64(byte) << shift
        }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes are a text.
    package var isUTF8: Bool {
        unsafe reduce(0, |) < 0x80 || String(validating: self, as: UTF8.self) != nil
    }
}
