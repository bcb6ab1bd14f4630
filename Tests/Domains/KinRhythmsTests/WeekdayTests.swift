import KinCore
import KinTestSupport
import Testing

@testable import KinRhythms

/// Babies whose naps have other times on some days of the week, as with day care.
@Suite("Weekly schedules")
struct WeekdayTests {
    /// The starts of naps on one day, in minutes after midnight: one nap at day care, at a fixed time; two at home.
    private static func naps(atCare: Bool, _ random: inout SeededGenerator) -> [(start: Double, length: Double)] {
        atCare
            ? [(735 + random.normalDeviate() * 8, 100)]
            : [(590 + random.normalDeviate() * 15, 70), (875 + random.normalDeviate() * 15, 80)]
    }

    /// The share of naps inside the interval, of hits within half an hour, and the mean confidence: over the first naps
    /// on days 56 to 91 that have day care or not.
    private static func measures(
        days care: Set<Int>, atCare: Bool, _ random: inout SeededGenerator
    ) throws -> (coverage: Double, hits: Double, confidence: Double) {
        var (covered, hits, confidence, count) = (0.0, 0.0, 0.0, 0.0)
        for _ in 0..<6 {
            var records: [RhythmRecord] = []
            var asked: [(now: LoggedTime, nap: LoggedTime)] = []
            for day in 0..<92 {
                // The first day, 2026-01-01, is a Thursday; Monday is 0.
                let isCare = care.contains((day + 3) % 7)
                let midnight = Double(day) * 1440
                let waking = midnight + 420 + (random.normalDeviate() * 15).rounded()
                let naps = naps(atCare: isCare, &random).map { (midnight + $0.start.rounded(), $0.length) }
                if isCare == atCare, day >= 56 { asked.append((SampleLog.at(waking), SampleLog.at(naps[0].0))) }
                let bedtime = midnight + 1180 + (random.normalDeviate() * 15).rounded() - 1440
                records.append(SampleLog.sleep(bedtime, waking - bedtime))
                records += naps.map { SampleLog.sleep($0.0, $0.1) }
            }
            let log = RhythmLog(
                records.numbered, baby: RhythmLog.Baby(born: try LoggedTime(parsing: "2025-04-01").reading))
            for (moment, forecast) in zip(asked, try log.forecasts(.nap, at: asked.map(\.now))) {
                let forecast = try #require(forecast)
                covered += forecast.lower <= moment.nap && moment.nap <= forecast.upper ? 1 : 0
                hits += abs(forecast.point.minutes(since: moment.nap)) <= 30 ? 1 : 0
                confidence += forecast.confidence
                count += 1
            }
        }
        return (covered / count, hits / count, confidence / count)
    }

    @Test(
        "naps on days with and without day care are forecast as their own",
        arguments: [Set(0...4), [0, 1, 2], [1, 3], [6, 0, 1, 2, 3]])
    func dayCare(care: Set<Int>) throws {
        var random = TestSeed().generator
        for atCare in [true, false] {
            let measures = try Self.measures(days: care, atCare: atCare, &random)
            #expect(measures.coverage > 0.45 && measures.hits > 0.55, "\(care), care \(atCare): \(measures)")
            #expect(abs(measures.confidence - measures.hits) < 0.3, "\(care), care \(atCare): \(measures)")
        }
    }
}
