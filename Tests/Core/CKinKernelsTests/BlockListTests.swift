import CKinKernels
import KinCore
import Testing

/// The kernels of a single query, compared with the definitions in the header.
@Suite("Block lists and bounds")
struct BlockListTests {
    /// Runs `body` with codes in memory that is aligned like blocks.
    private func withCodes(_ count: Int, _ code: () -> UInt8, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: count)
        defer { unsafe memory.deallocate() }
        for i in 0..<count { unsafe (memory + i).initialize(to: code()) }
        unsafe body(memory)
    }

    /// Σ min(127, |u − v|)², where v = 128 − w for each weight w.
    private func sum(_ codes: UnsafePointer<UInt8>, block: Int, row: Int, _ weights: [Int8]) -> Int {
        weights.indices.reduce(0) { sum, j in
            let code = unsafe Int(codes[((block * (weights.count / 4) + j / 4) * 64 + row) * 4 + j % 4])
            let gap = min(127, abs(code - (128 - Int(weights[j]))))
            return sum + gap * gap
        }
    }

    @Test(
        "chosen blocks are screened by all code bits, even where gaps are clipped", arguments: KernelTable.all
    )
    func screenBlocks(table: KernelTable) {
        for seed in 0..<UInt64(60) {
            var random = SeededGenerator(seed: 7400 + seed)
            let groups = [1, 4, 5, 9, 12, 28][Int(seed % 6)]
            // Far codes with clipped gaps, near codes, or any codes.
            let temper = random.below(3)
            let code = { UInt8(temper == 0 ? 255 : temper == 1 ? 100 + random.below(60) : random.below(256)) }
            unsafe withCodes(5 * groups * 256, code) { codes in
                let weights = (0..<4 * groups).map { _ in Int8(temper == 0 ? 127 : random.below(255) - 127) }
                let centres = weights.reduce(0) { $0 + (128 - Int($1)) * (128 - Int($1)) }
                let blocks = (0..<1 + random.below(7)).map { _ in UInt32(random.below(5)) }
                // One row is exactly at the query and all others are far: it must not be rejected with them.
                let row = random.below(64)
                for j in 0..<4 * groups where seed % 4 == 0 {
                    let offset = ((Int(blocks[0]) * groups + j / 4) * 64 + row) * 4 + j % 4
                    unsafe codes[offset] = UInt8(128 - Int(weights[j]))
                }
                // Exactly the sum of that row, one less, or one more.
                let some = unsafe sum(codes, block: Int(blocks[0]), row: row, weights)
                let limit = (some - centres) >> 1 + random.below(3) - 1
                let most = 2 * limit + 1 + centres
                var found = [UInt64](repeating: .max, count: blocks.count)
                unsafe table.functions.screen_blocks(
                    codes, groups, blocks, blocks.count, weights, Int32(limit), &found)
                for (i, block) in blocks.enumerated() {
                    var expected: UInt64 = 0
                    for row in 0..<64 where unsafe sum(codes, block: Int(block), row: row, weights) <= most {
                        expected |= 1 << UInt64(row)
                    }
                    #expect(found[i] == expected, "\(groups) groups, block \(i), seed \(7400 + seed)")
                }
            }
        }
    }

    @Test("bounds equal to the limit are within it", arguments: KernelTable.all)
    func boundsWithin(table: KernelTable) {
        var random = SeededGenerator(seed: 7500)
        for blocks in 1...5 {
            let bounds = (0..<64 * blocks).map { _ in Int32(random.below(9) - 4) }
            for limit in [Int32.min, -5, -4, 0, 3, 4, .max] {
                var found = [UInt64](repeating: 0xAAAA, count: blocks)
                unsafe table.functions.bounds_within(bounds, bounds.count, limit, &found)
                for i in bounds.indices {
                    #expect((found[i / 64] >> UInt64(i % 64) & 1 != 0) == (bounds[i] <= limit), "\(i), limit \(limit)")
                }
            }
        }
    }

    @Test("a query coded for boxes is rounded outwards and clamped", arguments: KernelTable.all)
    func codeBoxQuery(table: KernelTable) {
        for seed in 0..<UInt64(80) {
            var random = SeededGenerator(seed: 7600 + seed)
            let dimension = 1 + random.below(40)
            let padded = (dimension + 3) / 4 * 4
            let step = 0.25
            let slack = seed % 2 == 0 ? 0 : 0.001
            // Some of the quarters are exactly on the grid.
            let query = (0..<(dimension + 7) / 8 * 8).map { j -> Float in
                guard j < dimension else { return 0 }
                return random.below(3) == 0 ? Float(random.below(300) - 20) / 4 : Float(random.uniform() * 80 - 8)
            }
            let offsets = (0..<padded).map { j -> Float in j < dimension ? Float(random.below(3)) / 4 : 0 }
            var above = [UInt8](repeating: 99, count: padded)
            var below = above
            let outer = unsafe table.functions.code_box_query(query, dimension, offsets, step, slack, &above, &below)
            var expected = 0.0
            for j in 0..<padded {
                guard j < dimension else {
                    #expect(above[j] == 0 && below[j] == 0, "dimension \(j), seed \(7600 + seed)")
                    continue
                }
                let t = (Double(query[j]) - Double(offsets[j])) / step
                let (up, down) = (t + slack, t - slack)
                #expect(Double(above[j]) == min(255, max(0, up)).rounded(.up), "dimension \(j), seed \(7600 + seed)")
                #expect(
                    Double(below[j]) == min(255, max(0, down)).rounded(.down), "dimension \(j), seed \(7600 + seed)")
                let beyond = max(0, down - 255, -up)
                expected += beyond * beyond
            }
            #expect(abs(outer - expected) <= 1e-12 * (1 + expected), "seed \(7600 + seed)")
        }
    }
}
