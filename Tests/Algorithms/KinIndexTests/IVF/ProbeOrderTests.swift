import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Probe order of lists")
struct ProbeOrderTests {
    @Test("lists are ordered by bound, then by number", arguments: [0, 1, 2, 31, 32, 33, 64, 326, 5_000])
    func sorts(count: Int) {
        var random = TestSeed().generator
        // Wide, narrow, equal, extreme, and nearly all small.
        let draws: [(inout SeededGenerator) -> Int32] = [
            { Int32(truncatingIfNeeded: $0.next()) }, { Int32($0.below(50_000)) }, { Int32($0.below(3)) }, { _ in 7 },
            { $0.below(2) == 0 ? .min : .max }, { $0.below(20) == 0 ? Int32($0.below(1 << 30)) : Int32($0.below(100)) },
        ]
        for draw in draws {
            var keys = (0..<count).map { ProbeOrder.key(draw(&random), $0) }.shuffled(using: &random)
            let expected = keys.sorted {
                (ProbeOrder.bound($0), ProbeOrder.number($0)) < (ProbeOrder.bound($1), ProbeOrder.number($1))
            }
            unsafe ProbeOrder.sort(&keys, count: count)
            #expect(keys == expected, "\(count)")
        }
    }
}
