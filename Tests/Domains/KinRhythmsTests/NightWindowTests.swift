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

    /// The same night every day: to bed at 19:30, awake from about 02:00 to 02:50, up at 06:40, with three naps.
    @Test("a regular waking of 50 minutes does not divide the night")
    func isOneInTwoParts() throws {
        var random = TestSeed().generator
        func jitter(_ range: Double) -> Double { ((random.uniform() * 2 - 1) * range).rounded() }
        let log = RhythmLog(
            (0..<200).flatMap { day -> [RhythmRecord] in
                [(540, 75), (760, 90), (970, 40), (1170, 390), (1605, 235)].map { start, length -> RhythmRecord in
                    let start = Double(day) * 1440 + start + jitter(5)
                    return SampleLog.sleep(start, length + jitter(5))
                }
            })
        for day in log.days where day.isWhole {
            #expect(day.naps == 3 && day.nightWakings == 1, "\(day)")
        }
        for day in stride(from: 5, to: 200, by: 9) {
            let waking = try #require(log.sleeps.last { $0.end <= SampleLog.at(Double(day) * 1440 + 165).localMinutes })
            let nap = try #require(try log.forecast(.nap, at: LoggedTime(localMinutes: waking.end + 5)))
            #expect(nap.sleep == .night, "day \(day): \(nap.json)")
        }
    }

    @Test("a bedtime after midnight belongs to the evening before")
    func afterMidnight() throws {
        let log = RhythmLog(
            (0..<80).flatMap { day -> [RhythmRecord] in
                let bedtime = (day < 40 ? 1465.0 : 1205) + Double(day * 7 % 11)
                return [
                    SampleLog.sleep(Double(day) * 1440 + 800, 90),
                    SampleLog.sleep(Double(day) * 1440 + bedtime, 480 + Double(day * 5 % 13)),
                ]
            })
        for day in log.days where day.isWhole {
            #expect(try (1200...1480).contains(#require(day.bedtimeMinute)), "\(day)")
        }
        let leap = try #require(RhythmAnalysis(log).leaps.first { $0.quantity == .bedtime })
        #expect(abs(leap.change.before - 1470) < 10 && abs(leap.change.after - 1210) < 10, "\(leap)")
        #expect(leap.quantity.name(isMore: leap.change.size > 0).id == "earlier_bedtime")
    }

    @Test("the night is found from one to eight naps a day", arguments: [1, 2, 3, 4, 5, 6, 7, 8], [0.0, 10, 30])
    func isToldFromNaps(naps: Int, jitter: Double) throws {
        var random = TestSeed().generator
        let length = naps == 1 ? 180 : naps < 4 ? 90 : 660 / Double(naps) - 50
        for wakings in [0, 1, 3] {
            let blocks = Self.blocks(naps: naps, of: length, wakings: wakings, jitter: jitter, &random)
            let night = try #require(NightWindow(blocks[...]))
            #expect(abs(night.start - 1200) <= 30, "\(wakings) wakings: \(night)")
            #expect(abs(night.end - 360) <= 30, "\(wakings) wakings: \(night)")
            let inside = blocks.count { night.contains($0) }
            #expect(inside == 30 * (wakings + 1), "\(wakings) wakings: \(inside) sleeps in \(night)")
        }
    }

    @Test("a log that cannot divide its sleeps uses their marks, if any is a night's")
    func marks() {
        func sleep(_ start: Double, _ minutes: Double, isNight: Bool?, nap: Int? = nil) -> RhythmRecord {
            RhythmRecord(
                start: SampleLog.at(start),
                event: .sleep(
                    RhythmRecord.Sleep(end: SampleLog.at(start + minutes), napNumber: nap, isNight: isNight)))
        }
        func days(isNight: Bool?) -> [DaySummary] {
            RhythmLog([
                sleep(540, 60, isNight: false), sleep(780, 60, isNight: nil, nap: 2),
                sleep(1170, 240, isNight: isNight), sleep(1440, 390, isNight: isNight),
                sleep(1440 + 540, 45, isNight: false),
            ]).days
        }
        let marked = days(isNight: true)
        #expect(marked.map(\.naps) == [2, 1] && marked.map(\.napMinutes) == [120, 45])
        #expect(marked.map(\.nightWakings) == [1, nil] && marked.map(\.longestNightStretch) == [390, nil])
        #expect(marked[0].bedtimeMinute == 1170)
        for unmarked in [days(isNight: nil), days(isNight: false)] {
            #expect(unmarked.allSatisfy { $0.naps == nil && $0.napMinutes == nil && $0.nightWakings == nil })
        }
    }

    @Test("a log without sleeps has no number of naps")
    func withoutSleeps() {
        let feeds = RhythmLog((0..<40).map { SampleLog.feed(Double($0) * 180) })
        let open = RhythmLog([RhythmRecord(start: SampleLog.at(600), event: .sleep(RhythmRecord.Sleep(end: nil)))])
        #expect(feeds.days.count == 5 && open.days.count == 1)
        #expect((feeds.days + open.days).allSatisfy { $0.naps == nil && $0.napMinutes == nil })
    }
}
