import CKinKernels
import KinCore

/// One hit: the C struct as a comparable value.
struct Hit: Equatable, CustomStringConvertible {
    var query: UInt32
    var block: UInt32
    var rows: UInt64

    var description: String { "(query \(query), block \(block), rows \(String(rows, radix: 16)))" }
}

/// Random input for one call of `screen`.
struct ScreenCase: CustomStringConvertible {
    let seed: UInt64
    let codeBits: Int
    let groups: Int
    let blocks: Int
    let queries: Int
    let squared: Bool
    private(set) var codes: [UInt8]
    let weights: [Int8]
    var limits: [Int32]
    /// The queries chosen for each block, query q at bit q; nil for all.
    let chosen: [UInt64]?

    var description: String {
        "seed \(seed), \(codeBits) bits, \(groups) groups, \(blocks) blocks, \(queries) queries, squared \(squared)"
            + (chosen == nil ? "" : ", chosen queries")
    }

    init(seed: UInt64, codeBits: Int, groups: Int, blocks: Int, queries: Int, squared: Bool) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        self.codeBits = codeBits
        self.groups = groups
        self.blocks = blocks
        self.queries = queries
        self.squared = squared
        codes = Self.codes(count: blocks * groups * 256, using: &random)
        weights = Self.weights(
            count: queries * groups * 4,
            codeBits: codeBits,
            squared: squared,
            using: &random
        )
        chosen = random.below(2) == 0 ? nil : Self.chosen(blocks: blocks, queries: queries, using: &random)
        limits = []
        limits = (0..<queries).map { limit(ofQuery: $0, using: &random) }
    }

    /// Squared distances. For each query one row is as near as possible from a group on, and just within the limit or
    /// just beyond it.
    ///
    /// Up to that group the row looks like a row that passes.
    init(seed: UInt64, codeBits: Int, groups: Int, queries: Int, matchingFrom group: Int) {
        self.init(seed: seed, codeBits: codeBits, groups: groups, blocks: 2, queries: queries, squared: true)
        for query in 0..<queries {
            for j in 4 * group..<4 * groups {
                let v = (1 << (codeBits - 1)) - Int(weights[query * 4 * groups + j])
                codes[place(block: query % blocks, row: query, dimension: j)] = UInt8(v << (8 - codeBits))
            }
            limits[query] = Int32(sum(block: query % blocks, row: query, query: query) - (query % 3 == 0 ? 1 : 0))
        }
    }

    /// Codes of one character per case: spread, all extreme, or one value throughout.
    private static func codes(count: Int, using random: inout SeededGenerator) -> [UInt8] {
        let temper = random.below(6)
        return (0..<count).map { _ in
            switch temper {
            case 0: 0
            case 1: 255
            case 2: random.below(2) == 0 ? 0 : 255
            case 3: UInt8(120 + random.below(16))
            default: UInt8(random.below(256))
            }
        }
    }

    /// Weights within the contract: |w| ≤ 127 for 8 bits and |w| ≤ 32 for 6 bits. In squared L2 with 6 bits, w ≥ −31,
    /// because a weight is 32 − v with a 6-bit v, so that sums of 16 dimensions fit 16 bits.
    private static func weights(
        count: Int,
        codeBits: Int,
        squared: Bool,
        using random: inout SeededGenerator
    ) -> [Int8] {
        let most = codeBits == 8 ? 127 : 32
        let least = codeBits == 8 ? -127 : squared ? -31 : -32
        let temper = random.below(5)
        return (0..<count).map { _ in
            switch temper {
            case 0: Int8(most)
            case 1: Int8(least)
            case 2: Int8(random.below(2) == 0 ? least : most)
            default: Int8(least + random.below(most - least + 1))
            }
        }
    }

    /// Any of the queries for each block, often none or all.
    private static func chosen(blocks: Int, queries: Int, using random: inout SeededGenerator) -> [UInt64] {
        let all = queries == 64 ? UInt64.max : (1 << UInt64(queries)) - 1
        return (0..<blocks).map { _ in
            switch random.below(5) {
            case 0: 0
            case 1: all
            case 2: random.next() & random.next() & all
            default: random.next() & all
            }
        }
    }

    /// A limit that some row meets exactly or misses by one, or that lets all or no rows pass.
    private func limit(ofQuery query: Int, using random: inout SeededGenerator) -> Int32 {
        let sum = sum(block: random.below(blocks), row: random.below(64), query: query)
        switch random.below(12) {
        case 0: return .max
        case 1: return .min
        case 2: return 32767
        case 3: return -32768
        case 4: return Int32(40_000 - random.below(80_001))
        case 5, 6: return Int32(sum) - 1
        case 7: return Int32(sum) + 1
        default: return Int32(sum)
        }
    }

    /// The offset of a code in the header's block layout.
    private func place(block: Int, row: Int, dimension j: Int) -> Int {
        block * 256 * groups + j / 4 * 256 + row * 4 + j % 4
    }

    /// The sum that `screen` compares, computed from its definition in the header.
    func sum(block: Int, row: Int, query: Int) -> Int {
        var square = 0
        var product = 0
        for j in 0..<(4 * groups) {
            let u = Int(codes[place(block: block, row: row, dimension: j)]) >> (8 - codeBits)
            square += u * (u - (1 << codeBits))
            product += u * Int(weights[query * 4 * groups + j])
        }
        return product + (squared ? square >> 1 : 0)
    }

    /// Every hit, by definition.
    func expectedHits() -> [Hit] {
        var hits: [Hit] = []
        for block in 0..<blocks {
            for query in 0..<queries where chosen.map({ $0[block] >> UInt64(query) & 1 == 1 }) ?? true {
                let all = (0..<64).map { sum(block: block, row: $0, query: query) }
                var rows: UInt64 = 0
                for row in 0..<64 where all[row] <= Int(limits[query]) { rows |= 1 << UInt64(row) }
                guard rows != 0 else { continue }
                hits.append(Hit(query: UInt32(query), block: UInt32(block), rows: rows))
            }
        }
        return hits
    }
}

/// The function under test.
enum Screener: Sendable {
    case table(KernelTable)
    case reference(bits: Int)
}

extension ScreenCase {
    /// Calls `screen` until it is done, `capacity` hits at a time, and checks its guarantees about the buffer.
    ///
    /// - Returns: all hits, or nil if a call broke a guarantee.
    func hits(of screener: Screener, capacity: Int, startingAt first: Int = 0) -> [Hit]? {
        // Codes on a 64-byte boundary, and a guard after the buffer of hits.
        let aligned = UnsafeMutableRawBufferPointer.allocate(byteCount: codes.count, alignment: 64)
        defer { unsafe aligned.deallocate() }
        unsafe aligned.copyBytes(from: codes)
        let guardHit = kin_hit(query: 77, block: 77, rows: 77)
        var buffer = [kin_hit](repeating: guardHit, count: capacity + 2)
        var found: [Hit] = []
        var block = first
        var calls = 0
        while block < blocks {
            let before = block
            let count = unsafe weights.withUnsafeBufferPointer { weights in
                unsafe limits.withUnsafeBufferPointer { limits in
                    unsafe (chosen ?? []).withUnsafeBufferPointer { words in
                        var job = unsafe kin_screen_job(
                            codes: aligned.baseAddress!.assumingMemoryBound(to: UInt8.self),
                            groups: groups,
                            end_block: blocks,
                            weights: weights.baseAddress!,
                            limits: limits.baseAddress!,
                            queries: queries,
                            squared: squared ? 1 : 0,
                            chosen: chosen == nil ? nil : words.baseAddress
                        )
                        switch screener {
                        case .table(let table):
                            return unsafe table.functions.screen(&job, &block, &buffer, capacity)
                        case .reference(let bits):
                            return unsafe kin_reference_screen(UInt32(bits), &job, &block, &buffer, capacity)
                        }
                    }
                }
            }
            calls += 1
            guard count <= capacity, block > before, block <= blocks, calls <= blocks,
                buffer[capacity...].allSatisfy({ $0.rows == 77 && $0.query == 77 && $0.block == 77 })
            else { return nil }
            found += buffer[..<count].map { Hit(query: $0.query, block: $0.block, rows: $0.rows) }
        }
        return found
    }
}
