import KinTestSupport
import Testing

@testable import KinRhythms

/// Wake windows compared with a simple computation over the list of sleeps.
@Suite("Wake windows") struct WakeWindowTests {
    /// Nights and three to five naps at random times, in minutes since the first midnight.
    private static func sleeps(_ random: inout SeededGenerator, days: Int) -> [(start: Double, end: Double)] {
        func minutes(_ range: ClosedRange<Double>) -> Double {
            (range.lowerBound + random.uniform() * (range.upperBound - range.lowerBound)).rounded()
        }
        var sleeps: [(start: Double, end: Double)] = []
        for day in 0..<days {
            let midnight = Double(day) * 1440
            var now = midnight + minutes(380...440)
            for _ in 0..<(3 + Int(random.uniform() * 3)) {
                now += minutes(60...120)
                let end = now + minutes(20...70)
                if end > midnight + 1140 { break }
                sleeps.append((now, end))
                now = end
            }
            sleeps.append((midnight + minutes(1170...1230), midnight + 1440 + minutes(300...360)))
        }
        return sleeps
    }

    @Test("wake windows are the times awake before each sleep of the last 28 days")
    func oracle() throws {
        var random = TestSeed().generator
        for days in [8, 20, 27, 28, 29, 30, 45] {
            let sleeps = Self.sleeps(&random, days: days)
            let log = RhythmLog(sleeps.map { SampleLog.sleep($0.start, $0.end - $0.start) })
            func day(_ sleep: (start: Double, end: Double)) -> Int { Int(((sleep.start - 240) / 1440).rounded(.down)) }
            let last = try #require(sleeps.last.map(day))
            let night = try #require(
                NightWindow(
                    log.sleeps.drop {
                        Int((($0.localStart - SampleLog.start.localMinutes - 240) / 1440).rounded(.down)) <= last - 28
                    }))
            let blocks = log.sleeps
            try #require(blocks.count == sleeps.count)
            var (awake, numbers): ([Int: [Double]], [Int: Int]) = ([:], [:])
            // The time awake before the first sleep of the log is unknown, so its day is not numbered.
            for place in sleeps.indices.dropFirst() where day(sleeps[place]) > max(0, last - 28) {
                if night.contains(blocks[place]), night.contains(blocks[place - 1]) { continue }
                // The parts of a night are not numbered.
                let number = numbers[day(sleeps[place]), default: 0] + 1
                numbers[day(sleeps[place])] = number
                let minutes = sleeps[place].start - sleeps[place - 1].end
                if minutes >= 15, minutes <= 600 { awake[number, default: []].append(minutes) }
            }
            let found = RhythmAnalysis(log).wakeWindows
            #expect(
                found.map(\.napNumber) == awake.filter { $0.value.count >= 7 }.keys.sorted(), "\(days) days")
            for window in found {
                let minutes = try #require(awake[window.napNumber]).sorted()
                /// The interpolated quantile.
                func quantile(_ share: Double) -> Double {
                    let place = share * Double(minutes.count - 1)
                    let (low, high) = (minutes[Int(place)], minutes[Int(place.rounded(.up))])
                    return low + (high - low) * (place - Double(Int(place)))
                }
                let middle = quantile(0.5)
                #expect(window.count == minutes.count, "\(days) days, \(window)")
                #expect(
                    [window.quartiles.lower, window.quartiles.middle, window.quartiles.upper]
                        == [quantile(0.25), middle, quantile(0.75)], "\(days) days, \(window)")
                let near = Double(minutes.count { abs($0 - middle) <= 30 }) / Double(minutes.count)
                #expect(window.nearShare == near, "\(window)")
            }
        }
    }

    @Test("days whose first time awake is unknown are not numbered")
    func unknownMornings() {
        func log(from first: Double, hole: Bool = false) -> RhythmLog {
            let starts = (0..<20).flatMap { day -> [(Double, Double)] in
                [(540.0, 60.0), (840, 60), (1200, 660)].map { (Double(day) * 1440 + $0, $1) }
            }
            return RhythmLog(
                starts.filter { start, _ in start >= first && !(hole && (7_000..<13_000).contains(start)) }
                    .map(SampleLog.sleep))
        }
        // The log begins with the first nap, with the second and with a night, and has days without rows.
        for log in [log(from: 0), log(from: 700), log(from: 1100), log(from: 0, hole: true)] {
            let windows = RhythmAnalysis(log).wakeWindows
            #expect(windows.map(\.quartiles.middle) == [120, 240, 300] && windows.allSatisfy { $0.nearShare == 1 })
        }
    }
}
