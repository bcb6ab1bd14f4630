// A test of all rows of a chunk yields one bit per row. Entries after the last row are in memory, and are masked out at
// the end.

extension ColumnTest {
    /// Tests the rows of a chunk.
    ///
    /// - Parameter mask: Receives one word for each block of 64 rows; bits past the last row can be anything.
    func test(_ chunk: AttributeChunk, into mask: UnsafeMutablePointer<UInt64>) {
        let blocks = chunk.blocks
        switch self {
        case .constant(let value):
            unsafe mask.update(repeating: value ? .max : 0, count: blocks)
        case .presence(let column, let isPresent):
            let presence = unsafe chunk.presence(column)
            for b in 0..<blocks { unsafe mask[b] = isPresent ? presence[b] : ~presence[b] }
        case .idRange(let range, let isNegated):
            unsafe Self.fill(mask, blocks, isNegated: isNegated, chunk.idWords) { range.contains($0) }
        case .idList(let words):
            unsafe Self.fill(mask, blocks, words, chunk.idWords)
        case .allowedIDs(let ids):
            // A function is called with the ids of rows only.
            unsafe Self.fill(mask, blocks, isNegated: false) { row in
                unsafe row < chunk.count && ids.filter.allows(chunk.ids[row])
            }
        case .wordRange(let column, let range, let isNegated):
            unsafe Self.fill(mask, blocks, isNegated: isNegated, chunk.words(column)) { range.contains($0) }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .wordList(let column, let words):
            unsafe Self.fill(mask, blocks, words, chunk.words(column))
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .numberRange(let column, let range, let isNegated):
            let (low, high) = (range.lowerBound, range.upperBound)
            unsafe Self.fill(mask, blocks, isNegated: isNegated, chunk.words(column)) { bits in
                let number = Double(bitPattern: bits)
                return number >= low && number <= high
            }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .code(let column, let code, let isNegated):
            unsafe Self.fill(mask, blocks, isNegated: isNegated, chunk.codes(column)) { $0 == code }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .codeSet(let column, let bits):
            unsafe Self.fill(mask, blocks, isNegated: false, chunk.codes(column)) { Self.contains($0, in: bits) }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .bit(let column, let isSet):
            let values = unsafe chunk.words(column)
            for b in 0..<blocks { unsafe mask[b] = isSet ? values[b] : ~values[b] }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        case .overlap(let column, let start, let end):
            let (starts, ends) = unsafe (chunk.words(column), chunk.words(column + 1))
            unsafe Self.fill(mask, blocks, isNegated: false) { row in
                unsafe Self.overlaps(starts[row], ends[row], start, end)
            }
            unsafe Self.restrict(mask, blocks, to: chunk.presence(column))
        }
    }

    /// Whether a code's bit is set.
    @inline(__always)
    static func contains(_ code: UInt32, in bits: [UInt64]) -> Bool {
        let word = Int(code / 64)
        return word < bits.count && bits[word] & (1 << UInt64(code % 64)) != 0
    }

    /// Whether a stored range has an instant in common with a given range; see ``TimeRange/overlaps(_:)``.
    @inline(__always)
    static func overlaps(_ from: UInt64, _ to: UInt64, _ start: Int64, _ end: Int64) -> Bool {
        let (from, to) = (Int64(bitPattern: from), Int64(bitPattern: to))
        return (from == start) || ((from < end) && (start < to))
    }

    @inline(__always)
    private static func fill<Value: FixedWidthInteger>(
        _ mask: UnsafeMutablePointer<UInt64>, _ blocks: Int, isNegated: Bool, _ values: UnsafePointer<Value>,
        _ holds: (Value) -> Bool
    ) {
        unsafe fill(mask, blocks, isNegated: isNegated) { unsafe holds(values[$0]) }
    }

    /// Tests 64 rows at a time: first into one byte per row, which the compiler does in SIMD registers, then into one
    /// bit per byte.
    ///
    /// The eight bytes of a word, each 0 or 1, become eight bits by one multiplication. It moves byte i to bit 56 + i,
    /// and no two products share a bit.
    @inline(__always)
    private static func fill(
        _ mask: UnsafeMutablePointer<UInt64>, _ blocks: Int, isNegated: Bool, _ holds: (_ row: Int) -> Bool
    ) {
        let flip: UInt64 = isNegated ? .max : 0
        unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 64) { memory in
            let bytes = unsafe memory.baseAddress!.bindMemory(to: UInt8.self, capacity: 64)
            let words = UnsafeRawPointer(bytes)
            for b in 0..<blocks {
                for i in 0..<64 { unsafe bytes[i] = (holds(b * 64 + i) ? 1 : 0) }
                var bits: UInt64 = 0
                for i in 0..<8 {
                    let word = unsafe UInt64(littleEndian: words.load(fromByteOffset: 8 * i, as: UInt64.self))
                    bits |= ((word &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(truncatingIfNeeded: 8 * i)
                }
                unsafe mask[b] = bits ^ flip
            }
        }
    }

    /// Tests for membership in a list: a few values one by one, more values by binary search.
    private static func fill(
        _ mask: UnsafeMutablePointer<UInt64>, _ blocks: Int, _ words: [UInt64], _ values: UnsafePointer<UInt64>
    ) {
        switch words.count {
        case 1...4:
            // Always four comparisons; a shorter list is padded with its last word.
            let (a, d) = (words[0], words[words.count - 1])
            let (b, c) = (words[min(1, words.count - 1)], words[min(2, words.count - 1)])
            unsafe fill(mask, blocks, isNegated: false, values) {
                $0 == a || $0 == b || $0 == c || $0 == d
            }
        default:
            unsafe fill(mask, blocks, isNegated: false, values) { words.containsSorted($0) }
        }
    }

    private static func restrict(
        _ mask: UnsafeMutablePointer<UInt64>, _ blocks: Int, to presence: UnsafeMutablePointer<UInt64>
    ) {
        for b in 0..<blocks { unsafe mask[b] &= presence[b] }
    }
}

extension AttributeChunk {
    /// The ids as words.
    fileprivate var idWords: UnsafeMutablePointer<UInt64> { unsafe memory.assumingMemoryBound(to: UInt64.self) }
}

extension [UInt64] {
    /// Whether an ascending array has an element. O(log n).
    func containsSorted(_ word: UInt64) -> Bool {
        let place = partition { $0 < word }
        return place < count && self[place] == word
    }
}
