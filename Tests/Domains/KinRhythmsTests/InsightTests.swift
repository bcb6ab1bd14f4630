import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms

@Suite("Insights from a log")
struct InsightTests {
    private static func number(_ name: String, of insight: RhythmInsight) -> Double {
        insight.numbers.first { $0.name == name }?.value ?? .nan
    }

    @Test("a few days give no insights")
    func silence() {
        #expect(RhythmAnalysis(RhythmLog([])).insights.isEmpty)
        #expect(RhythmAnalysis(BabyGenerator(seed: 1).log(0, days: 6, age: 40)).insights.isEmpty)
    }

    @Test("every insight has numbers, a confidence and an end", arguments: UInt64(1)...3)
    func numbers(seed: UInt64) throws {
        let analysis = RhythmAnalysis(BabyGenerator(seed: seed).log(0, days: 90, age: 40))
        #expect(analysis.insights.contains { $0.kind == .pattern })
        for insight in analysis.insights {
            #expect(!insight.numbers.isEmpty && !insight.title.isEmpty && insight.text.hasSuffix("."))
            #expect((0...1).contains(insight.confidence) && insight.expires > insight.created, "\(insight)")
        }
    }

    @Test("wake windows match the generated days and their growth")
    func wakeWindows() throws {
        let analysis = RhythmAnalysis(RhythmLog(SampleLog.records(days: 40, seed: 8)))
        for number in 1...4 {
            let window = try #require(analysis.wakeWindows.first { $0.napNumber == number })
            #expect(abs(window.quartiles.middle - (95 + Double(number) * 15)) < 6, "\(window)")
            #expect(abs(window.weeklyTrend ?? 99) < 8)
        }
        #expect(analysis.wakeWindows.allSatisfy { $0.count <= 28 })
    }

    /// A log of 60 days whose nights end an hour earlier from one day on.
    private func log(leapingOn day: Double?) -> RhythmLog {
        RhythmLog(
            SampleLog.records(days: 60, seed: 4).map { record in
                guard let day, case .sleep(var sleep) = record.event, let end = sleep.end,
                    record.start >= SampleLog.at(day * 1440),
                    end.microseconds - record.start.microseconds > 6 * 3_600_000_000
                else { return record }
                sleep.end = try? LoggedTime(LocalDateTime(microseconds: end.microseconds - 3_600_000_000))
                var record = record
                record.event = .sleep(sleep)
                return record
            })
    }

    @Test("a step in night sleep is found on its day, without false alarms")
    func leap() throws {
        let found = RhythmAnalysis(log(leapingOn: 40)).leaps.filter { $0.quantity == .sleep }
        #expect(found.count == 1, "\(found)")
        let leap = try #require(found.first)
        #expect(abs(leap.date.microseconds - SampleLog.at(40 * 1440).microseconds) <= 3 * 86_400_000_000)
        #expect(abs(leap.change.size + 60) < 20 && leap.change.confidence > 0.99)
        #expect(RhythmAnalysis(log(leapingOn: nil)).leaps.isEmpty)
    }

    @Test("a recent step is reported with both levels and an expiry")
    func leapInsight() throws {
        let analysis = RhythmAnalysis(log(leapingOn: 44))
        let told = try #require(analysis.insights.first { $0.title == "Fewer minutes asleep a day" })
        let change = try #require(analysis.shifts.first { $0.quantity == .sleep }).change
        #expect(told.kind == .pattern && told.text.hasPrefix("Since ") && told.text.contains(" instead of "))
        #expect(Self.number("before", of: told) == change.before && Self.number("size", of: told) == change.size)
        #expect(told.confidence == change.confidence && told.expires > told.created)
    }

    @Test("unstopped timers are reported once there are three")
    func timers() throws {
        func insight(unstopped: Int) -> RhythmInsight? {
            var left = unstopped
            let records = SampleLog.records(days: 20, seed: 2).reversed().map { record in
                // Sleeps of the last hours may still be running.
                guard left > 0, record.start < SampleLog.at(18 * 1440), case .sleep(var sleep) = record.event else {
                    return record
                }
                left -= 1
                sleep.end = nil
                var record = record
                record.event = .sleep(sleep)
                return record
            }
            return RhythmAnalysis(RhythmLog(Array(records.reversed()))).insights.first {
                $0.title == "Timers left running"
            }
        }
        #expect(insight(unstopped: 2) == nil)
        let told = try #require(insight(unstopped: 4))
        let (count, sleeps) = (Self.number("without_end", of: told), Self.number("sleeps", of: told))
        #expect(count == 4 && told.kind == .recommendation)
        #expect(Self.number("share", of: told) == count / sleeps)
    }

    @Test("a dropped nap is found within three days, with few false alarms")
    func napSteps() throws {
        var (told, alarms) = (0, 0)
        for seed in 0..<12 {
            let usual = [3, 4, 5, 2][seed % 4]
            let day = 24 + 3 * seed
            let leaps = napLeaps(seed: UInt64(seed)) { $0 < day ? usual : usual - 1 }
            let step = leaps.first {
                abs($0.date.localMinutes - SampleLog.at(Double(day) * 1440).localMinutes) <= 3 * 1440
            }
            if let step, abs(step.change.before - Double(usual)) < 0.4, abs(step.change.size + 1) < 0.4 { told += 1 }
        }
        for seed in 100..<130 { alarms += napLeaps(seed: UInt64(seed)) { _ in 2 + seed % 4 }.count }
        #expect(told >= 10 && alarms <= 1, "\(told) of 12 steps, \(alarms) alarms in 30 logs without")
    }

    /// The leaps in the number of naps over ninety days. On one day in five there is one nap more or one less.
    private func napLeaps(seed: UInt64, naps: (Int) -> Int) -> [RhythmAnalysis.Leap] {
        var generator = SeededGenerator(seed: seed)
        func jitter(_ range: Double) -> Double { ((generator.uniform() - 0.5) * 2 * range).rounded() }
        var records: [RhythmRecord] = []
        var woken = 420.0
        for day in 0..<90 {
            let draw = generator.uniform()
            let count = max(1, naps(day) + (draw < 0.1 ? -1 : draw < 0.2 ? 1 : 0))
            let bedtime = Double(day) * 1440 + 1170 + jitter(20)
            let gap = (bedtime - woken - 45 * Double(count)) / Double(count + 1)
            for nap in 0..<count {
                records.append(
                    SampleLog.sleep(woken + gap * Double(nap + 1) + 45 * Double(nap) + jitter(8), 45 + jitter(10)))
            }
            woken = Double(day + 1) * 1440 + 420 + jitter(20)
            records.append(SampleLog.sleep(bedtime, woken - bedtime))
        }
        return RhythmAnalysis(RhythmLog(records)).leaps.filter { $0.quantity == .naps }
    }

    @Test("a day's sleep is the sleep between its midnights, even on the last day")
    func lastDay() throws {
        let records = SampleLog.records(days: 20, seed: 6)
        let log = RhythmLog(records)
        // The last sleep ends on a further day.
        #expect(log.days.count == 21)
        for (day, summary) in log.days.enumerated() {
            let (from, to) = (SampleLog.at(Double(day) * 1440), SampleLog.at(Double(day + 1) * 1440))
            let minutes = records.reduce(0.0) { sum, record in
                guard case .sleep(let sleep) = record.event, let end = sleep.end else { return sum }
                return sum + max(0, min(end, to).localMinutes - max(record.start, from).localMinutes)
            }
            #expect(abs(summary.asleepMinutes - minutes) < 1e-6, "day \(day)")
        }
    }

    /// Logs that end with any row of a generated log, and then with any kind of row of any length.
    @Test("the days reach to the last start or end of any row, and have all logged sleep")
    func lastEnd() throws {
        var random = TestSeed().generator
        let records = SampleLog.records(days: 5, seed: random.next())
        for count in 1...records.count {
            let last = records[count - 1]
            let begin = (last.end ?? last.start).localMinutes - SampleLog.start.localMinutes + 1
            let length = Double(1 + random.below(110))
            let rows: [RhythmRecord?] = [
                nil, SampleLog.sleep(begin, 8 * length), SampleLog.feed(begin + 1000),
                RhythmRecord(
                    start: SampleLog.at(begin), event: .feed(RhythmRecord.Feed(end: SampleLog.at(begin + length)))),
                RhythmRecord(start: SampleLog.at(begin + length), event: .diaper(.wet)),
                RhythmRecord(start: SampleLog.at(begin), event: .sleep(RhythmRecord.Sleep())),
            ]
            for row in rows {
                let all = (records.prefix(count) + [row].compactMap(\.self)).numbered
                let log = RhythmLog(all)
                let end = try #require(all.flatMap { [$0.start, $0.end].compactMap(\.self) }.max())
                #expect(log.days.first?.date.date == all[0].start.reading.date)
                #expect(log.days.last?.date.date == end.reading.date, "\(count) rows, then \(String(describing: row))")
                let lengths = log.sleeps.map { $0.end - $0.start }.filter { $0 <= RhythmModels.longestSleep }
                let asleep = lengths.reduce(0, +)
                #expect(abs(log.days.reduce(0) { $0 + $1.asleepMinutes } - asleep) < 1e-6)
                // As on the next look, when something else was logged.
                let next = RhythmLog((all + [RhythmRecord(start: end, event: .diaper(.wet))]).numbered)
                #expect(next.days.map(\.asleepMinutes) == log.days.map(\.asleepMinutes))
                #expect(next.days.map(\.naps) == log.days.map(\.naps))
                #expect(RhythmAnalysis(next).insights == RhythmAnalysis(log).insights)
            }
        }
    }

    @Test("a day's naps, night wakings and longest stretch of the night are those of its sleeps")
    func napsAndNights() throws {
        let minutes = { (time: LoggedTime) in time.localMinutes - SampleLog.at(0).localMinutes }
        var naps = [[Double]](repeating: [], count: 20)
        var nights = [[Double]](repeating: [], count: 20)
        // Each night is cut by two wakings of 20 minutes.
        let records = SampleLog.records(days: 20, seed: 7).flatMap { record -> [RhythmRecord] in
            guard case .sleep(let sleep) = record.event, let end = sleep.end else { return [record] }
            let start = minutes(record.start)
            let (day, length) = (Int(start / 1440), minutes(end) - start)
            guard length > 300 else {
                naps[day].append(length)
                return [record]
            }
            nights[day] = [180, 120, length - 340]
            return zip([0, 200, 340], nights[day]).map { SampleLog.sleep(start + $0, $1) }
        }
        let days = RhythmLog(records.numbered).days
        // Two sleeps of the last night begin on a further day.
        #expect(days.count == 21)
        for (day, summary) in days.prefix(20).enumerated() {
            #expect(summary.naps == naps[day].count && summary.napMinutes == naps[day].reduce(0, +), "day \(day)")
            #expect(summary.nightWakings == 2 && summary.longestNightStretch == nights[day].max(), "day \(day)")
        }
    }

    @Test("updates while waiting lower the error, and early forecasts beat the baselines")
    func waiting() throws {
        let logs = (0..<3).map { BabyGenerator(seed: 21).log($0, days: 60, age: 120) }
        let errors = try logs.flatMap { try RhythmBacktest($0, kind: .nap).elapsedErrors($0) }
        // One log of two months decides no per cent.
        let waiting = Dictionary(grouping: errors, by: \.elapsed).mapValues { rows in
            rows.reduce((first: 0.0, updated: 0.0)) { sum, row in
                (sum.first + Double(row.count) * row.firstError, sum.updated + Double(row.count) * row.updatedError)
            }
        }
        #expect(waiting.count >= 5)
        for (elapsed, sum) in waiting { #expect(sum.updated <= sum.first * 1.015, "\(elapsed): \(sum)") }
        let last = try #require(waiting.max { $0.key < $1.key }).value
        #expect(last.updated < last.first * 0.7)
        let log = logs[0]
        let early = try #require(try RhythmBacktest.firstDays(log, kind: .nap))
        #expect(early.forecastError < early.ownMeanError)
        #expect(early.forecastError < early.ageTableError)
        #expect(try RhythmBacktest.firstDays(RhythmLog([]), kind: .feed) == nil)
    }

    @Test func daysBefore1970AreOrdinaryDays() {
        let records = SampleLog.records(days: 40, seed: 5)
        let earlier = records.map { SampleLog.moved($0, by: -20_000 * 1440) }
        let (now, then) = (RhythmAnalysis(RhythmLog(records)), RhythmAnalysis(RhythmLog(earlier)))
        #expect(then.wakeWindows.map(\.count) == now.wakeWindows.map(\.count) && !now.wakeWindows.isEmpty)
        #expect(then.days.map(\.nightWakings) == now.days.map(\.nightWakings))
        #expect(then.insights.count == now.insights.count)
    }
}
