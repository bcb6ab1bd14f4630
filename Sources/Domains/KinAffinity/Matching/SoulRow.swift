/// A soul's numbers in a table: contiguous 64-bit words, so that comparing a soul costs one or two cache misses.
///
/// Word 0 has the counts of goals, realms and objects, 16 bits each, and above them five bits of the mask and 11 of the
/// evidence factor. Words 1…4 are the sums of
/// squares of goals, realms, objects and pattern; word 5 is the valence. Goals are stored without their rarity, which
/// changes with every soul. Then follow the pattern's 27 coordinates, if there is a pattern, the traits' values by
/// block and ascending name, and their features, two to a word.
@safe
struct SoulRow {
    private let words: UnsafePointer<UInt64>

    init(_ words: UnsafePointer<UInt64>) { unsafe self.words = words }

    @inline(__always)
    private var head: UInt64 { unsafe words[0] }

    /// The blocks of the soul.
    @inline(__always)
    var mask: BlockMask { BlockMask(rawValue: UInt8(truncatingIfNeeded: head >> 48 & 0x1F)) }

    /// The factor for the number of events.
    @inline(__always)
    var evidence: EvidenceFactor {
        EvidenceFactor(steps: UInt16(truncatingIfNeeded: head >> (64 - EvidenceFactor.bits)))
    }

    /// The number of traits of a block, 0…2.
    @inline(__always)
    func count(_ block: Int) -> Int { Int(head >> (16 * UInt64(block)) & 0xFFFF) }

    /// The sum of squares of goals, realms, objects (0…2) or pattern (3).
    @inline(__always)
    func squares(_ block: Int) -> Double { unsafe Double(bitPattern: words[1 + block]) }

    /// The sum of the squares of the goals' values, each multiplied by its factor, in their order.
    @inline(__always)
    func goalSquares(_ factors: UnsafePointer<Double>) -> Double {
        var squares = 0.0
        for i in 0..<count(0) {
            let value = unsafe values[i] * factors[Int(features[i])]
            squares += value * value
        }
        return squares
    }

    /// The features of the goals.
    var goals: [Int] { (0..<count(0)).map { unsafe Int(features[$0]) } }

    /// The valence, −1…1; 0 without one.
    @inline(__always)
    var valence: Double { unsafe Double(bitPattern: words[5]) }

    @inline(__always)
    private var patternWords: Int { mask.has(.patterns) ? SessionPattern.dimension : 0 }

    /// The 27 coordinates of the pattern, if there is one.
    @inline(__always)
    var pattern: UnsafePointer<Double> { unsafe UnsafeRawPointer(words + 6).assumingMemoryBound(to: Double.self) }

    /// The values of all traits, by block.
    @inline(__always)
    var values: UnsafePointer<Double> {
        unsafe UnsafeRawPointer(words + 6 + patternWords).assumingMemoryBound(to: Double.self)
    }

    /// The features of all traits, by block.
    @inline(__always)
    var features: UnsafePointer<UInt32> {
        unsafe UnsafeRawPointer(values + traits).assumingMemoryBound(to: UInt32.self)
    }

    /// The number of traits in all blocks.
    @inline(__always)
    var traits: Int { count(0) + count(1) + count(2) }

    /// The index of the first trait of a block.
    @inline(__always)
    func start(_ block: Int) -> Int {
        var start = 0
        for b in 0..<block { start += count(b) }
        return start
    }

    /// Prefetches the first 512 bytes of the row, which a comparison reads.
    @inline(__always)
    func prefetch() { unsafe Kernels.active.prefetch(words, bytes: 512) }

    /// Encodes a soul as the words of a row, and adds its traits to the table of features.
    static func words(_ vector: SoulVector, features table: inout FeatureTable) -> [UInt64] {
        let evidence = UInt64(vector.evidence.steps) << (64 - EvidenceFactor.bits)
        var words: [UInt64] = [evidence | UInt64(vector.mask.rawValue) << 48]
        for (b, block) in vector.blocks.enumerated() { words[0] |= UInt64(block.names.count) << (16 * UInt64(b)) }
        words += vector.blocks.map { $0.squares.bitPattern }
        words.append(vector.patternSquares.bitPattern)
        words.append((vector.valence ?? 0).bitPattern)
        words += vector.pattern.map(\.bitPattern)
        for block in vector.blocks { words += block.values.map(\.bitPattern) }
        var half: UInt64?
        for (b, block) in vector.blocks.enumerated() {
            for name in block.names {
                let feature = UInt64(table.number(of: name, in: SoulBlock.named[b]))
                if let first = half {
                    words.append(first | feature << 32)
                    half = nil
                } else {
                    half = feature
                }
            }
        }
        if let half { words.append(half) }
        return words
    }

    /// Decodes the row to its soul's vector, with the given goal factors by feature.
    func vector(_ table: FeatureTable, goals factors: [Double]) -> SoulVector {
        let blocks = (0..<3).map { b in
            var block = SoulVector.Block()
            for i in start(b)..<start(b) + count(b) {
                block.names.append(unsafe table.name(features[i]))
                let value = unsafe values[i]
                block.values.append(b == 0 ? unsafe value * factors[Int(features[i])] : value)
            }
            block.squares = b == 0 ? unsafe goalSquares(factors) : squares(b)
            return block
        }
        let pattern = mask.has(.patterns) ? unsafe Array(UnsafeBufferPointer(start: self.pattern, count: 27)) : []
        return SoulVector(
            blocks: blocks, pattern: pattern, patternSquares: squares(3), valence: mask.has(.valence) ? valence : nil,
            evidence: evidence)
    }
}

/// Rows are equal if all their words are.
extension SoulRow: Hashable {
    private var contents: UnsafeBufferPointer<UInt64> {
        let count = Self.emptyWords.count + patternWords + traits + (traits + 1) / 2
        return unsafe UnsafeBufferPointer(start: words, count: count)
    }

    static func == (a: SoulRow, b: SoulRow) -> Bool { unsafe a.contents.elementsEqual(b.contents) }

    func hash(into hasher: inout Hasher) { unsafe hasher.combine(bytes: UnsafeRawBufferPointer(contents)) }
}
