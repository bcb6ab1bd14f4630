/// The strings of one category column and their codes, starting at 1; code 0 means no string. The strings of a tags
/// column are sets of tags (``TagSet/joined``), for which the dictionary also has posting lists.
///
/// Two strings are the same category if their bytes are equal. As in ``IDMap`` there are two tables. A sorted list,
/// possibly in a mapped file, has codes 1 … n. The later ones are in pages that snapshots share, so that a snapshot
/// costs nothing and a write after it little.
struct CategoryDictionary: Sendable {
    private(set) var sorted: SortedStrings?
    /// The later strings in the order of their codes.
    private var later = NumberedTexts()

    /// The posting lists of the sorted sets of tags; empty until a filter needs them.
    private let sortedLists: TagLists?
    /// The tags of the later sets and, by the number of a tag, the codes of the later sets that contain it.
    private var laterTags = NumberedTexts()
    private var laterLists = PagedArray<[UInt32]>()

    init(sorted: SortedStrings? = nil) {
        self.sorted = sorted
        sortedLists = sorted.map(TagLists.init)
    }

    /// The number of strings, including unused ones.
    var count: Int { (sorted?.count ?? 0) + later.count }

    /// The code of a string; nil if no row ever had it.
    func code(of string: String) -> UInt32? {
        if let index = sorted?.firstIndex(of: string) { return UInt32(index + 1) }
        return later.number(of: string).map { UInt32((sorted?.count ?? 0) + $0 + 1) }
    }

    /// The string with a code; nil for 0, and for invalid codes in a damaged file.
    func string(_ code: UInt64) -> String? {
        guard code >= 1, code <= UInt64(count) else { return nil }
        let index = Int(code) - 1
        let first = sorted?.count ?? 0
        if let sorted, index < first { return sorted[index] }
        return later[index - first]
    }

    /// Returns the code of a string, adding the string if it is new.
    mutating func insert(_ string: String) -> UInt32 {
        if let index = sorted?.firstIndex(of: string) { return UInt32(index + 1) }
        return UInt32((sorted?.count ?? 0) + later.insert(string) + 1)
    }

    /// Returns the code of a set of tags, adding the set if it is new.
    mutating func insert(_ set: TagSet) -> UInt32 {
        let known = count
        let code = insert(set.joined)
        if count > known {
            for tag in set.tags {
                let number = laterTags.insert(tag)
                if number == laterLists.count { laterLists.append([]) }
                laterLists[number].append(code)
            }
        }
        return code
    }

    /// The codes of the sets that contain a tag.
    ///
    /// - Complexity: O(sets with the tag); the first call after opening or compaction is O(sets).
    func codes(containing tag: String) -> [UInt32] {
        let sorted = sortedLists?.codes(containing: ExactString(string: tag)) ?? []
        return sorted + (laterTags.number(of: tag).map { laterLists[$0] } ?? [])
    }

    /// The tags of all sets, in no particular order.
    var tags: [String] { (sortedLists?.whole.keys.map(\.string) ?? []) + (0..<laterTags.count).map { laterTags[$0] } }

    /// Codes are 32-bit numbers.
    static let largestCount = Int(UInt32.max) - 1

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
