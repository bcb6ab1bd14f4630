/// A set of ids with one bit for each number from 0 to the largest id: 64 times smaller than a list if ids are dense.
public struct IDBitmap: Sendable {
    private var words: [UInt64]

    /// The number of ids in the set.
    public private(set) var count: Int

    /// Creates a set without ids.
    public init() {
        words = []
        count = 0
    }

    /// Creates a set of the given ids.
    ///
    /// - Precondition: The ids are below ``capacity``.
    public init(_ ids: some Sequence<VectorID>) {
        self.init()
        for id in ids { insert(id) }
    }

    /// Creates a set from packed bits: id i is in the set if bit i mod 64 of word i ÷ 64 is set.
    public init(words: [UInt64]) {
        self.words = words
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// The upper bound of ids in a bitmap: all ids are below 2³⁶ (a bitmap of 8 GB).
    public static let capacity: UInt64 = 1 << 36

    /// Whether an id is in the set, in O(1).
    @inline(__always)
    public func contains(_ id: VectorID) -> Bool {
        let word = id.rawValue >> 6
        return word < UInt64(words.count) && words[Int(word)] & (1 << (id.rawValue & 63)) != 0
    }

    /// Inserts an id; the bitmap grows if necessary.
    ///
    /// - Precondition: The id is below ``capacity``.
    public mutating func insert(_ id: VectorID) {
        precondition(id.rawValue < Self.capacity, "the id is too large for a bitmap; use a list of ids")
        let word = Int(id.rawValue >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        let bit: UInt64 = 1 << (id.rawValue & 63)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    /// Removes an id from the set if present; the size of the bitmap stays the same. O(1).
    public mutating func remove(_ id: VectorID) {
        guard contains(id) else { return }
        words[Int(id.rawValue >> 6)] &= ~(1 << (id.rawValue & 63))
        count -= 1
    }
}

extension IDBitmap: Hashable {
    /// Whether two sets have the same ids, regardless of the sizes of their bitmaps.
    public static func == (a: IDBitmap, b: IDBitmap) -> Bool {
        a.count == b.count && zip(a.words, b.words).allSatisfy { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for word in words where word != 0 { hasher.combine(word) }
    }
}

extension IDBitmap: Sequence {
    /// An iterator over the ids in ascending order.
    public func makeIterator() -> Iterator { Iterator(words: words) }

    public struct Iterator: IteratorProtocol {
        private let words: [UInt64]
        private var index = 0
        private var rest: UInt64

        fileprivate init(words: [UInt64]) {
            self.words = words
            rest = words.first ?? 0
        }

        public mutating func next() -> VectorID? {
            while rest == 0 {
                index += 1
                guard index < words.count else { return nil }
                rest = words[index]
            }
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            return VectorID(UInt64(index * 64 + bit))
        }
    }
}
