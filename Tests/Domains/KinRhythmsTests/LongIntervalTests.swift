import KinCore
import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms

/// Intervals of more than 10 hours awake or 12 hours between feeds, and pauses of a log.
@Suite("Long intervals")
struct LongIntervalTests {
    /// The coverage, mean confidence and hits of the forecasts at events that begin at an hour of the day, on days
    /// 20 to 59 of generated logs.
    private static func measures(
        _ kind: RhythmKind, _ random: inout SeededGenerator, logs: Int, from hour: Double,
        events: [(hour: Double, probability: Double)]
    ) throws -> (coverage: Double, confidence: Double, hits: Double) {
        var (covered, confidence, hits, count) = (0.0, 0.0, 0.0, 0.0)
        for _ in 0..<logs {
            var times: [(minute: Double, hour: Double)] = []
            for day in 0..<60 {
                for event in events where random.uniform() < event.probability {
                    times.append(
                        (Double(day) * 1440 + event.hour * 60 + (random.normalDeviate() * 18).rounded(), event.hour))
                }
            }
            let log = RhythmLog(
                times.map { kind == .feed ? SampleLog.feed($0.minute) : SampleLog.sleep($0.minute - 60, 60) },
                baby: RhythmLog.Baby(born: try LoggedTime(parsing: "2024-06-01").reading))
            let asked = zip(times, times.dropFirst()).filter { $0.0.hour == hour && $0.0.minute > 20 * 1440 }
            let forecasts = try log.forecasts(kind, at: asked.map { SampleLog.at($0.0.minute) })
            for (moment, forecast) in zip(asked, forecasts) {
                let forecast = try #require(forecast)
                let actual = SampleLog.at(moment.1.minute - (kind == .feed ? 0 : 60))
                covered += forecast.lower <= actual && actual <= forecast.upper ? 1 : 0
                confidence += forecast.confidence
                hits += abs(forecast.point.minutes(since: actual)) <= 30 ? 1 : 0
                count += 1
            }
        }
        return (covered / count, confidence / count, hits / count)
    }

    @Test("after an event that is sometimes the day's last, intervals and confidence hold")
    func lastOfTheDay() throws {
        var random = TestSeed().generator
        func check(_ kind: RhythmKind, from hour: Double, _ events: [(hour: Double, probability: Double)]) throws {
            let measures = try Self.measures(kind, &random, logs: 4, from: hour, events: events)
            #expect(measures.coverage > 0.66, "\(kind), \(events): \(measures)")
            #expect(abs(measures.confidence - measures.hits) < 0.2, "\(kind), \(events): \(measures)")
        }
        // A bottle after dinner on some evenings; breakfast is 13 hours later.
        for probability in [0, 0.1, 0.3, 0.6, 0.9] {
            try check(.feed, from: 18, [(7.2, 1), (12.2, 1), (15.5, 1), (18, 1), (19.7, probability)])
        }
        for hours in [[7.0, 19], [9, 17], [12, 17.5], [12, 14.5, 17.5]] {
            try check(.feed, from: hours[hours.count - 1], hours.map { ($0, 1) })
        }
        // A log of naps only.
        try check(.nap, from: 15.5, [(10.5, 1), (15.5, 1)])
    }

    @Test("a backtest contains the long intervals", arguments: [RhythmKind.nap, .feed])
    func backtest(kind: RhythmKind) throws {
        let records = (0..<30).flatMap { day -> [RhythmRecord] in
            [600.0, 750, 960].map { minute -> RhythmRecord in
                let start = Double(day) * 1440 + minute + Double(day * 7 % 11)
                return kind == .feed ? SampleLog.feed(start) : SampleLog.sleep(start, 40)
            }
        }
        let test = try RhythmBacktest(RhythmLog(records), kind: kind)
        #expect(test.trials.count { $0.interval > 900 } > 15 && test.report(seed: 1).coverage > 0.7)
    }

    @Test("after a pause of months, forecasts are those of a young log", arguments: [RhythmKind.nap, .feed, .wakeUp])
    func pause(kind: RhythmKind) throws {
        var (later, surer, count) = (0.0, 0.0, 0.0)
        for (number, days) in [60, 90, 150].enumerated() {
            let all = BabyGenerator(seed: TestSeed.value).log(number, days: 26 + days, age: 60)
            let end = LoggedTime(localMinutes: BabyGenerator.firstDay.localMinutes + 20 * 1440)
            let start = end.later(by: Double(days) * 1440)
            let young = RhythmLog(all.records.filter { $0.start >= start }, baby: all.baby)
            let resumed = RhythmLog(all.records.filter { $0.start < end || $0.start >= start }, baby: all.baby)
            let moments = RhythmBacktest.intervals(of: young, kind: kind).map(\.now).filter {
                $0.minutes(since: start) > 720
            }
            let pairs = zip(try young.forecasts(kind, at: moments), try resumed.forecasts(kind, at: moments))
            for (young, resumed) in pairs {
                guard let young, let resumed else { continue }
                later += abs(resumed.point.minutes(since: young.point))
                surer += resumed.confidence - young.confidence
                count += 1
            }
        }
        #expect(count > 45 && later / count < 15 && surer / count < 0.1, "\(later), \(surer), \(count)")
    }

    @Test("a sleep without a known end divides the time awake around it")
    func unfinished() throws {
        var records = (0..<20).flatMap { day -> [RhythmRecord] in
            [(540.0, 60.0), (840, 60), (1170, 630)].map { SampleLog.sleep(Double(day) * 1440 + $0, $1) }
        }
        let whole = RhythmLog(records).state(at: SampleLog.at(20 * 1440 + 600))
        records[11 * 3 + 2].event = .sleep(RhythmRecord.Sleep())
        let state = RhythmLog(records).state(at: SampleLog.at(20 * 1440 + 600))
        #expect(whole.nap.count - state.nap.count == 1)
        let afternoon = SampleLog.at(12 * 1440 + 901)
        let forecast = try #require(try RhythmLog(records).forecast(.nap, at: afternoon))
        #expect(forecast.upper.minutes(since: afternoon) < 400 && forecast.confidence > 0.8, "\(forecast)")
    }
}
