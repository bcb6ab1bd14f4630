import HashTreeCollections
import KinCore

/// The strings of one category column and their codes, starting at 1; code 0 means no string. The strings of a tags
/// column are sets of tags (``TagSet/joined``), for which the dictionary also has posting lists.
///
/// Two strings are the same category if their bytes are equal. As in ``IDMap`` there are two tables. A sorted list,
/// possibly in a mapped file, has codes 1 … n. A persistent hash tree has the later ones, so that a snapshot costs
/// nothing and a write after it little.
struct CategoryDictionary: Sendable {
    private(set) var sorted: SortedStrings?
    private var codes = TreeDictionary<ExactString, UInt32>()
    /// The later strings in the order of their codes, in pieces of ``pieceCount`` strings, so that a write copies at
    /// most one piece.
    private var later: [[String]] = []

    /// The posting lists of the sorted sets of tags; empty until a filter needs them.
    private let sortedLists: TagLists?
    /// For each tag, the codes of the later sets that contain it.
    private var laterLists = TreeDictionary<ExactString, [UInt32]>()

    private static let pieceCount = 512

    init(sorted: SortedStrings? = nil) {
        self.sorted = sorted
        sortedLists = sorted.map(TagLists.init)
    }

    /// The number of strings, including unused ones.
    var count: Int { (sorted?.count ?? 0) + codes.count }

    /// The code of a string; nil if no row ever had it.
    func code(of string: String) -> UInt32? {
        if let index = sorted?.firstIndex(of: string) { return UInt32(index + 1) }
        return codes[ExactString(string: string)]
    }

    /// The string with a code; nil for 0, and for invalid codes in a damaged file.
    func string(_ code: UInt64) -> String? {
        guard code >= 1, code <= UInt64(count) else { return nil }
        let index = Int(code) - 1
        let first = sorted?.count ?? 0
        if let sorted, index < first { return sorted[index] }
        return later[(index - first) / Self.pieceCount][(index - first) % Self.pieceCount]
    }

    /// Returns the code of a string, adding the string if it is new.
    mutating func insert(_ string: String) -> UInt32 {
        if let code = code(of: string) { return code }
        let code = UInt32(count + 1)
        codes[ExactString(string: string)] = code
        if later.last.map({ $0.count == Self.pieceCount }) ?? true { later.append([]) }
        later[later.count - 1].append(string)
        return code
    }

    /// Returns the code of a set of tags, adding the set if it is new.
    mutating func insert(_ set: TagSet) -> UInt32 {
        let known = count
        let code = insert(set.joined)
        if count > known {
            for tag in set.tags { laterLists[ExactString(string: tag), default: []].append(code) }
        }
        return code
    }

    /// The codes of the sets that contain a tag.
    ///
    /// - Complexity: O(sets with the tag); the first call after opening or compaction is O(sets).
    func codes(containing tag: String) -> [UInt32] {
        let tag = ExactString(string: tag)
        return (sortedLists?.codes(containing: tag) ?? []) + (laterLists[tag] ?? [])
    }

    /// The tags of all sets, in no particular order.
    var tags: [String] { (sortedLists?.whole.keys.map(\.string) ?? []) + laterLists.keys.map(\.string) }

    /// Codes are 32-bit numbers.
    static let largestCount = Int(UInt32.max) - 1

    /// The approximate number of bytes of the strings.
    var byteCount: Int {
        let own = later.reduce(0) { $0 + $1.reduce(0) { $0 + 2 * ($1.utf8.count + 24) } }
        let lists = laterLists.reduce(0) { $0 + 4 * $1.value.count }
        return own + lists + (sorted.map { $0.byteCount + 8 * $0.count } ?? 0)
    }

    /// The strings in use, sorted, and the new code for every old one (0 for dropped strings).
    ///
    /// - Parameter isUsed: Whether a code is in use, for each code from 0.
    func compacted(keeping isUsed: [Bool]) -> (dictionary: CategoryDictionary, codes: [UInt32]) {
        let kept = isUsed.indices.dropFirst().filter { isUsed[$0] && $0 <= count }
            .map { (string: string(UInt64($0)) ?? "", code: $0) }
            .sorted { $0.string.utf8.lexicographicallyPrecedes($1.string.utf8) }
        var codes = [UInt32](repeating: 0, count: count + 1)
        for (i, entry) in kept.enumerated() { codes[entry.code] = UInt32(i + 1) }
        return (CategoryDictionary(sorted: SortedStrings(kept.map(\.string))), codes)
    }
}

/// A string compared by its bytes; Swift compares canonical forms instead.
struct ExactString: Hashable {
    let string: String

    static func == (a: ExactString, b: ExactString) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
