import KinCore
import KinTestSupport
import Testing

@testable import KinRhythms

@Suite("Night of a log")
struct NightWindowTests {
    /// Thirty days with a night from 20:00 to 06:00, and naps that begin at equal distances from 08:00 on.
    private static func blocks(
        naps: Int, of length: Double, wakings: Int, jitter: Double, _ random: inout SeededGenerator
    ) -> [RhythmState.Block] {
        (0..<30).flatMap { day in
            let midnight = Double(day) * 1440
            let night = (0...wakings).map { part in
                let each = 600 / Double(wakings + 1)
                let start = midnight + 1200 + Double(part) * each
                return RhythmState.Block(start: start, end: start + each - (part < wakings ? 20 : 0))
            }
            let by = (0..<naps).map { nap in
                let start = midnight + 480 + Double(nap) * (660 / Double(naps)) + (random.uniform() * 2 - 1) * jitter
                return RhythmState.Block(start: start, end: start + length)
            }
            return (by + night).sorted { $0.start < $1.start }
        }
    }

    @Test("the night is found from one to eight naps a day", arguments: [1, 2, 3, 4, 5, 6, 7, 8], [0.0, 10, 30])
    func isToldFromNaps(naps: Int, jitter: Double) throws {
        let seed = TestSeed()
        var random = seed.generator
        let length = naps == 1 ? 180 : naps < 4 ? 90 : 660 / Double(naps) - 50
        for wakings in [0, 1, 3] {
            let blocks = Self.blocks(naps: naps, of: length, wakings: wakings, jitter: jitter, &random)
            let night = try #require(NightWindow(blocks[...]), "\(seed)")
            #expect(abs(night.start - 1200) <= 30, "\(seed), \(wakings) wakings: \(night)")
            #expect(abs(night.end - 360) <= 30, "\(seed), \(wakings) wakings: \(night)")
            let inside = blocks.count { night.contains($0) }
            #expect(inside == 30 * (wakings + 1), "\(seed), \(wakings) wakings: \(inside) sleeps in \(night)")
        }
    }
}
