public import KinCore

/// A set of ids stored as one bit for each number from 0 to the largest: for dense ids, 64 times smaller than a list.
public struct IDBitmap: Sendable, Hashable {
    private var words: [UInt64]

    /// How many ids are in the set.
    public private(set) var count: Int

    /// An empty set.
    public init() {
        words = []
        count = 0
    }

    /// A set of ids.
    ///
    /// - Precondition: The ids are below ``capacity``.
    public init(_ ids: some Sequence<VectorID>) {
        self.init()
        for id in ids { insert(id) }
    }

    /// A set read from packed bits: id i is in the set when bit i mod 64 of word i ÷ 64 is set.
    public init(words: [UInt64]) {
        self.words = words
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Ids in a bitmap are below this (2³⁶: a bitmap of 8 GB).
    public static let capacity: UInt64 = 1 << 36

    /// Whether an id is in the set. O(1).
    @inline(__always)
    public func contains(_ id: VectorID) -> Bool {
        let word = id.rawValue >> 6
        return word < UInt64(words.count) && words[Int(word)] & (1 << (id.rawValue & 63)) != 0
    }

    /// Puts an id into the set; the bitmap grows to hold it.
    ///
    /// - Precondition: The id is below ``capacity``.
    public mutating func insert(_ id: VectorID) {
        precondition(id.rawValue < Self.capacity, "the id is too large for a bitmap: use SearchFilter.ids")
        let word = Int(id.rawValue >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        let bit: UInt64 = 1 << (id.rawValue & 63)
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    /// Takes an id out of the set.
    public mutating func remove(_ id: VectorID) {
        guard contains(id) else { return }
        words[Int(id.rawValue >> 6)] &= ~(1 << (id.rawValue & 63))
        count -= 1
    }
}

extension IDBitmap: Sequence {
    /// The ids in ascending order.
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
