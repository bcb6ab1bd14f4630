import HashTreeCollections
import KinCore

/// The strings of one column of categories and the numbers that stand for them, from 1 on; 0 stands for none.
///
/// Two strings are the same category when their bytes are. As in ``IDMap`` there are two places: a sorted list, which may
/// lie in a mapped file, holds codes 1 … n, and a persistent hash tree those that came later, so that a snapshot costs
/// nothing and a write after it little.
struct CategoryDictionary: Sendable {
    private(set) var sorted: SortedStrings?
    private var codes = TreeDictionary<Exactly, UInt32>()
    /// The later strings in the order of their codes, in pieces of ``pieceCount`` so that a write copies no more than one.
    private var later: [[String]] = []

    private static let pieceCount = 512

    /// A string that is equal to another when the bytes are; Swift's own equality is that of canonical forms.
    private struct Exactly: Hashable {
        let string: String

        static func == (a: Exactly, b: Exactly) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }

        func hash(into hasher: inout Hasher) {
            var string = string
            string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    init(sorted: SortedStrings? = nil) { self.sorted = sorted }

    /// The number of strings, including those that no row uses any more.
    var count: Int { (sorted?.count ?? 0) + codes.count }

    /// The code of a string, or nil when no row ever had it.
    func code(of string: String) -> UInt32? {
        if let index = sorted?.firstIndex(of: string) { return UInt32(index + 1) }
        return codes[Exactly(string: string)]
    }

    /// The string with a code; nil for 0, and for codes that only a damaged file has.
    func string(_ code: UInt64) -> String? {
        guard code >= 1, code <= UInt64(count) else { return nil }
        let index = Int(code) - 1
        let first = sorted?.count ?? 0
        if let sorted, index < first { return sorted[index] }
        return later[(index - first) / Self.pieceCount][(index - first) % Self.pieceCount]
    }

    /// The code of a string, a new one if it has none.
    mutating func insert(_ string: String) -> UInt32 {
        if let code = code(of: string) { return code }
        let code = UInt32(count + 1)
        codes[Exactly(string: string)] = code
        if later.last.map({ $0.count == Self.pieceCount }) ?? true { later.append([]) }
        later[later.count - 1].append(string)
        return code
    }

    /// Codes are 32-bit numbers.
    static let largestCount = Int(UInt32.max) - 1

    /// Bytes that the strings take, roughly.
    var byteCount: Int {
        let own = later.reduce(0) { $0 + $1.reduce(0) { $0 + 2 * ($1.utf8.count + 24) } }
        return own + (sorted.map { $0.byteCount + 8 * $0.count } ?? 0)
    }

    /// The strings that some row uses, sorted, and for every old code the new one (0 for those that are dropped).
    ///
    /// - Parameter isUsed: For each code from 0 on.
    func compacted(keeping isUsed: [Bool]) -> (dictionary: CategoryDictionary, codes: [UInt32]) {
        let kept = isUsed.indices.dropFirst().filter { isUsed[$0] && $0 <= count }
            .map { (string: string(UInt64($0)) ?? "", code: $0) }
            .sorted { $0.string.utf8.lexicographicallyPrecedes($1.string.utf8) }
        var codes = [UInt32](repeating: 0, count: count + 1)
        for (i, entry) in kept.enumerated() { codes[entry.code] = UInt32(i + 1) }
        return (CategoryDictionary(sorted: SortedStrings(kept.map(\.string))), codes)
    }
}
