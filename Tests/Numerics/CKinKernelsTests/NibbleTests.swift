import CKinKernels
import KinCore
import Testing

@Suite("Four-bit codes")
struct NibbleTests {
    @Test("rows pass whose terms add up to the limit, also where 8-bit sums saturate", arguments: KernelTable.all)
    func screens(table: KernelTable) {
        for seed in 0..<UInt64(60) {
            var random = SeededGenerator(seed: 7700 + seed)
            let pairs = [8, 1, 4, 9, 16][Int(seed % 5)]
            let blocks = 1 + random.below(5)
            let bytes = blocks * pairs * 64
            let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
                .bindMemory(to: UInt8.self, capacity: bytes)
            defer { unsafe memory.deallocate() }
            for i in 0..<bytes { unsafe (memory + i).initialize(to: UInt8(random.below(256))) }
            // Sums far above 255, sums about the limit, and many equal ones.
            let most = [256, 40, 3][random.below(3)]
            let terms = (0..<32 * pairs).map { _ in UInt8(random.below(most)) }
            let sum = { (row: Int) -> Int in
                (0..<pairs).reduce(0) { sum, pair in
                    let byte = unsafe Int(memory[(row / 64 * pairs + pair) * 64 + row % 64])
                    return sum + Int(terms[32 * pair + byte % 16]) + Int(terms[32 * pair + 16 + byte / 16])
                }
            }
            let limit = min(254, max(0, sum(random.below(64 * blocks)) + random.below(3) - 1))
            var expected = [UInt64](repeating: 0, count: blocks)
            for row in 0..<64 * blocks where sum(row) <= limit { expected[row / 64] |= 1 << UInt64(row % 64) }

            let capacity = 1 + random.below(3)
            var found = [UInt64](repeating: 0, count: blocks)
            var block = 0
            unsafe terms.withUnsafeBufferPointer { terms in
                var job = unsafe kin_nibble_job(
                    nibbles: memory, pairs: pairs, end_block: blocks, table: terms.baseAddress, limit: UInt8(limit))
                while block < blocks {
                    var hits = [kin_hit](repeating: kin_hit(), count: capacity)
                    let n = unsafe table.functions.screen_nibbles(&job, &block, &hits, capacity)
                    for hit in hits.prefix(n) {
                        #expect(hit.query == 0 && hit.rows != 0)
                        found[Int(hit.block)] = hit.rows
                    }
                }
            }
            #expect(found == expected, "\(pairs) pairs, limit \(limit), seed \(7700 + seed)")
        }
    }
}
