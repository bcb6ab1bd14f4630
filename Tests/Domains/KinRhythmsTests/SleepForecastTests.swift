import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms

/// The end of a running sleep, bedtime and night wakings.
@Suite struct SleepForecastTests {
    private static let kinds: [RhythmKind] = [.wakeUp, .bedtime, .nightWaking]

    /// Identical days: naps of 60 minutes at 10:00 and 14:00, bed at 19:30, a waking from 01:00 to 01:30, up at 06:30.
    private func regular(days: Int) -> RhythmLog {
        RhythmLog(
            (0..<days).flatMap { day -> [RhythmRecord] in
                let midnight = Double(day) * 1440
                return [
                    SampleLog.sleep(midnight + 600, 60), SampleLog.sleep(midnight + 840, 60),
                    SampleLog.sleep(midnight + 1170, 330), SampleLog.sleep(midnight + 1530, 300),
                ]
            })
    }

    @Test("a first sleep still in progress has a forecast end and next nap")
    func firstSleep() throws {
        let log = RhythmLog([
            RhythmRecord(start: SampleLog.at(600), event: .sleep(RhythmRecord.Sleep(end: nil)))
        ])
        let now = SampleLog.at(620)
        for kind in [RhythmKind.nap, .wakeUp] {
            let told = try #require(try log.forecast(kind, at: now), "\(kind)")
            #expect(told.basis.isAsleep && told.point >= now)
        }
    }

    @Test("identical days are forecast to within six minutes")
    func regularDays() throws {
        let log = regular(days: 20)
        let cases: [(RhythmKind, Double, Double)] = [
            (.wakeUp, 600, 660), (.wakeUp, 630, 660), (.wakeUp, 1170, 1500), (.nightWaking, 1200, 1500),
            (.nightWaking, 1560, 1830), (.bedtime, 480, 1170), (.bedtime, 660, 1170), (.bedtime, 1160, 1170),
            // By night, from a running sleep and from a waking before the day begins.
            (.bedtime, 1650, 2610), (.bedtime, 1740, 2610), (.bedtime, 1515, 2610),
        ]
        for (kind, now, event) in cases {
            let day = 18 * 1440.0
            let told = try #require(try log.forecast(kind, at: SampleLog.at(day + now)), "\(kind) at \(now)")
            #expect(
                abs(told.point.localMinutes - SampleLog.at(day + event).localMinutes) < 6, "\(kind) at \(now): \(told)")
            #expect(told.lower <= told.point && told.point <= told.upper && told.confidence > 0.7)
            #expect(told.json.hasSuffix("\"kind\":\"\(kind.rawValue)\"}"))
        }
        let asleep = try #require(try log.forecast(.wakeUp, at: SampleLog.at(18 * 1440 + 630)))
        #expect(abs(try #require(asleep.durationMinutes) - 60) < 6 && asleep.basis.isAsleep)
    }

    @Test("the next nap of a sleeping baby is as uncertain as the waking and the time awake", arguments: [UInt64(21)])
    func nextNapWhileAsleep(seed: UInt64) throws {
        var (held, hits, stated, count) = ([0, 0], [0, 0], [0.0, 0], [0, 0])
        for number in 0..<12 {
            let log = BabyGenerator(seed: seed).log(number, days: 40, age: 10 + number * 37 % 330)
            let pairs = zip(log.sleeps, log.sleeps.dropFirst()).dropFirst(60).filter { $0.0.end - $0.0.start > 10 }
            let asked = pairs.map { log.time($0.0.start + 10, $0.0.startShift) }
            for (pair, told) in zip(pairs, try log.forecasts(.nap, at: asked)) {
                let (told, part) = (try #require(told), RhythmModels.isByDay(pair.0.localStart) ? 0 : 1)
                let late = pair.1.localStart - told.point.localMinutes
                count[part] += 1
                stated[part] += told.confidence
                hits[part] += abs(late) <= 30 ? 1 : 0
                held[part] +=
                    told.lower.localMinutes <= pair.1.localStart && pair.1.localStart <= told.upper.localMinutes ? 1 : 0
            }
        }
        for part in 0...1 {
            let (share, hit) = (Double(held[part]) / Double(count[part]), Double(hits[part]) / Double(count[part]))
            #expect(count[part] > 500 && (0.72...0.92).contains(share), "\(part): \(share) of \(count)")
            #expect(abs(stated[part] / Double(count[part]) - hit) < 0.1, "\(part): \(stated), \(hits) of \(count)")
        }
    }

    @Test("the minutes asleep in the last day include the running sleep")
    func asleepLastDay() throws {
        let log = RhythmLog([
            SampleLog.sleep(480, 60),
            RhythmRecord(start: SampleLog.at(720), event: .sleep(RhythmRecord.Sleep())),
        ])
        for (now, minutes) in [(660.0, 60.0), (770, 110), (720 + 900, 960)] {
            for kind in [RhythmKind.nap, .wakeUp] where kind == .nap || now > 700 {
                let told = try #require(try log.forecast(kind, at: SampleLog.at(now)))
                #expect(told.basis.asleepLastDay == minutes, "\(kind) at \(now)")
            }
        }
    }

    @Test("bedtime forecasts stay between 18:00 and 02:59", arguments: [UInt64(22)])
    func bedtimeWindow(seed: UInt64) throws {
        for number in 0..<6 {
            let log = BabyGenerator(seed: seed).log(number, days: 30, age: 10 + number * 61)
            let first = BabyGenerator.firstDay.localMinutes
            let asked = stride(from: first + 4 * 1440, to: first + 30 * 1440, by: 173).map {
                LoggedTime(localMinutes: $0)
            }
            for told in try log.forecasts(.bedtime, at: asked).compactMap(\.self) {
                for time in [told.lower, told.point, told.upper] {
                    #expect(RhythmModels.isEvening(time.localMinutes), "\(told)")
                }
                #expect(told.now <= told.upper && told.lower <= told.point && told.point <= told.upper, "\(told)")
                let evening = DayCycle.minuteOfDay(1080 - told.now.localMinutes)
                if evening < 900 { #expect(told.probability(within: evening - 5) == 0, "\(told.json)") }
            }
        }
    }

    @Test("sleeps logged twice, minutes apart, have the lengths of sleeps logged once")
    func loggedTwice() throws {
        let once = SampleLog.records(days: 14, seed: 9)
        let twice = once.flatMap { row -> [RhythmRecord] in
            guard case .sleep(let sleep) = row.event, let end = sleep.end else { return [row] }
            return [
                row, SampleLog.sleep(row.start.minutes(since: SampleLog.start) + 2, end.minutes(since: row.start) - 1),
            ]
        }
        for minute in [800.0, 1040, 1250] {
            let now = SampleLog.at(13 * 1440 + minute)
            let (one, two) = (try RhythmLog(once).forecast(.nap, at: now), try RhythmLog(twice).forecast(.nap, at: now))
            let lengths = (try #require(one?.durationMinutes), try #require(two?.durationMinutes))
            #expect(abs(lengths.0 - lengths.1) < 5, "\(lengths)")
            #expect(two?.basis.intervals == one?.basis.intervals)
        }
    }

    @Test("a sleep that outlasts nearly all others has a low confidence and a note", arguments: [600.0, 1170])
    func forgottenTimer(begin: Double) throws {
        let start = 19 * 1440 + begin
        let running = RhythmRecord(start: SampleLog.at(start), event: .sleep(RhythmRecord.Sleep(end: nil)))
        let log = RhythmLog(regular(days: 20).records.filter { $0.start < running.start } + [running])
        for (minutes, isOverlong) in [(15.0, false), (45, false), (600, true), (840, true), (950, true)] {
            let now = SampleLog.at(start + minutes)
            for kind in [RhythmKind.wakeUp, .nap] {
                let told = try #require(try log.forecast(kind, at: now), "\(kind) after \(minutes)")
                #expect((told.doubt != nil) == isOverlong && (told.confidence < 0.25) == isOverlong, "\(told)")
                #expect(told.json.contains("\"note\":\"the running sleep is longer") == isOverlong)
            }
            #expect(try log.predictions(at: now).json.contains("\"note\":") == isOverlong)
            #expect(try log.forecast(.feed, at: now)?.doubt == nil)
        }
    }

    @Test("a nap that outlasts nearly all others ends soon, with an honest confidence")
    func longNap() throws {
        var (errors, confidence) = ([Double](), 0.0)
        var hits = 0.0
        for number in 0..<12 {
            let log = BabyGenerator(seed: 5).log(number, days: 30, age: 150 + number * 20)
            let naps = log.sleeps.filter { RhythmModels.isByDay($0.localStart) }
            let usual = naps.map { $0.end - $0.start }.sorted()[naps.count * 19 / 20]
            for nap in naps.dropFirst(20) where nap.end - nap.start > usual + 3 {
                let now = log.time(nap.start + usual + 2, nap.startShift)
                // A sleep in two parts may be between them.
                guard let told = try log.forecast(.wakeUp, at: now) else { continue }
                let error = told.point.minutes(since: log.time(nap.end, nap.endShift))
                errors.append(abs(error))
                hits += abs(error) <= 30 ? 1 : 0
                confidence += told.confidence
            }
        }
        let count = Double(errors.count)
        #expect(count >= 8 && errors.reduce(0, +) / count < 45, "\(errors)")
        #expect(abs(confidence - hits) < 0.3 * count, "\(confidence), \(hits) of \(count)")
    }

    @Test("the point of an overdue nap is no earlier than the median, and its confidence is that of the distribution")
    func overdueNap() throws {
        let log = RhythmLog(SampleLog.records(days: 20, seed: 4))
        let waking = try #require(log.sleeps.last { RhythmModels.isByDay($0.localEnd) })
        for minutes in [240.0, 300, 360] {
            let now = log.time(waking.end + minutes, waking.endShift)
            let told = try #require(try log.forecast(.nap, at: now))
            let point = told.point.minutes(since: now)
            #expect(told.doubt != nil || told.probability(within: point) > 0.49, "\(told)")
            let about = told.probability(within: point + 30) - told.probability(within: point - 30)
            #expect(told.confidence < about + 0.15, "\(told.confidence), \(about)")
        }
    }

    @Test("a log that stopped has a note, and a confidence like its hits", arguments: [RhythmKind.nap, .feed])
    func stoppedLog(kind: RhythmKind) throws {
        let last = 19 * 1440 + 480.0
        let all = SampleLog.records(days: 23, seed: 8)
        let log = RhythmLog(all.filter { $0.end.map { $0 <= SampleLog.at(last) } ?? false })
        let events = all.filter { (kind == .feed) == ($0.type == .feed) }.map(\.start)
        var (hits, inside, confidence, count) = (0.0, 0.0, 0.0, 0.0)
        for hours in stride(from: 16.0, through: 34, by: 0.5) {
            let now = SampleLog.at(last + 60 * hours)
            let told = try #require(try log.forecast(kind, at: now), "\(hours) h")
            #expect(told.note?.contains("the log has probably stopped") == true)
            #expect(told.lower >= now && told.point <= told.upper)
            if kind == .nap, let plan = try log.dayPlan(at: now).plan { #expect(plan.note == told.note) }
            let event = try #require(events.first { $0 > now })
            hits += abs(event.minutes(since: told.point)) <= 30 ? 1 : 0
            inside += told.lower <= event && event <= told.upper ? 1 : 0
            confidence += told.confidence
            count += 1
        }
        #expect(confidence <= hits + 0.25 * count && inside >= 0.5 * count, "\(confidence) \(hits) \(inside) \(count)")
    }

    @Test("a sleep without an end has its note after sixteen hours, too")
    func forgottenEnd() throws {
        let start = 19 * 1440 + 1170.0
        let running = RhythmRecord(start: SampleLog.at(start), event: .sleep(RhythmRecord.Sleep(end: nil)))
        let log = RhythmLog(regular(days: 20).records.filter { $0.start < running.start } + [running])
        for (minutes, next) in [(900.0, nil), (959, nil), (960, 1110.0), (1200, 1440), (1700, 1800)] {
            let told = try #require(try log.forecast(.nap, at: SampleLog.at(start + minutes)))
            #expect(told.note == RhythmForecast.overlong, "after \(minutes): \(told)")
            if let next { #expect(abs(told.point.minutes(since: SampleLog.at(start + next))) < 30, "\(told)") }
        }
    }

    @Test("an unavailable forecast gives its reason")
    func reasons() throws {
        let log = regular(days: 20)
        func reason(_ kind: RhythmKind, _ minute: Double, of log: RhythmLog) throws -> RhythmOutlook.Reason? {
            if case .unavailable(kind, let reason, _) = try log.outlook(kind, at: SampleLog.at(minute)) {
                reason
            } else {
                nil
            }
        }
        let day = 18 * 1440.0
        #expect(try reason(.wakeUp, day + 720, of: log) == .awake && reason(.nightWaking, day + 720, of: log) == .awake)
        #expect(try reason(.nightWaking, day + 630, of: log) == .noNightSleep)
        #expect(try reason(.bedtime, 720, of: regular(days: 1)) == .noBedtime)
        #expect(try reason(.bedtime, 1440 + 720, of: regular(days: 2)) == nil)
        #expect(
            try reason(.bedtime, 40 * 1440, of: log) == .ended(.bedtime, last: SampleLog.at(19 * 1440 + 1830)))
        let text = try log.outlook(.bedtime, at: SampleLog.at(40 * 1440)).json
        #expect(text.contains("the last sleep of the log ended"))
    }

    @Test("the next bedtime is today's until it has passed, then tomorrow's")
    func tomorrow() throws {
        let log = regular(days: 20)
        for (now, evening) in [(240.0, 18.0), (400, 18), (1100, 18), (1180, 19), (1400, 19), (1510, 19), (1600, 19)] {
            let told = try #require(try log.forecast(.bedtime, at: SampleLog.at(18 * 1440 + now)))
            let bedtime = SampleLog.at(evening * 1440 + 1170).localMinutes
            #expect(abs(told.point.localMinutes - bedtime) < 40, "at \(now): \(told)")
            #expect(told.lower >= told.now)
        }
    }

    @Test("an evening sleep that will be short is no bedtime, and a long one is", arguments: [1080.0, 1110, 1140])
    func eveningNap(start: Double) throws {
        // Evening naps of 30 minutes, and bed at 21:00; on every fifth day bed at the time of the nap.
        let log = RhythmLog(
            (0..<30).flatMap { day -> [RhythmRecord] in
                let midnight = Double(day) * 1440
                let nap = SampleLog.sleep(midnight + start + Double(day % 3), day % 5 == 4 ? 700 : 30)
                let night = SampleLog.sleep(midnight + 1260 + Double(day % 4), 500)
                return [SampleLog.sleep(midnight + 780, 90), nap] + (day % 5 == 4 ? [] : [night])
            })
        for minute in [1.0, 10, 25, 95] {
            // Day 24 has the long sleep, and day 25 the nap.
            for day in [24.0, 25] where minute < 30 || day == 24 {
                let now = SampleLog.at(day * 1440 + start + day.truncatingRemainder(dividingBy: 3) + minute)
                let told = try log.outlook(.bedtime, at: now)
                let wait = try #require(told.forecast).point.minutes(since: now)
                #expect((wait > 600) == (minute > 90), "\(minute) minutes into day \(day): \(told)")
            }
        }
    }

    @Test("no interval begins before the instant of the forecast", arguments: [UInt64(23)])
    func lowerEnds(seed: UInt64) throws {
        for number in 0..<4 {
            let log = BabyGenerator(seed: seed).log(number, days: 20, age: 10 + number * 61)
            let first = BabyGenerator.firstDay.localMinutes
            let moments = stride(from: first + 4 * 1440, to: first + 20 * 1440, by: 97).map(
                LoggedTime.init(localMinutes:))
            for kind in [RhythmKind.nap, .feed, .wakeUp, .bedtime] {
                for (now, told) in zip(moments, try log.forecasts(kind, at: moments, coverage: 0.999)) {
                    guard let told else { continue }
                    #expect(told.lower >= now && told.point >= told.lower, "\(told)")
                }
            }
        }
    }

    @Test("the length of the last sleep is unknown after a forgotten timer")
    func lengthOfAForgottenTimer() throws {
        let log = RhythmLog([SampleLog.sleep(600, 60), SampleLog.sleep(1200, 1320)])
        #expect(try #require(try log.forecast(.nap, at: SampleLog.at(2550))).basis.lastSleep == nil)
        #expect(try #require(try log.forecast(.nap, at: SampleLog.at(700))).basis.lastSleep == 60)
    }

    /// The moments and events of backtests, by definition, on the log's joined sleeps.
    @Test func backtestsCoverTheEventsOfTheLog() throws {
        let log = BabyGenerator(seed: 11).log(2, days: 50, age: 60)
        let sleeps = log.sleeps
        var judged = Set<Double>()
        for kind in Self.kinds {
            let test = try RhythmBacktest(log, kind: kind)
            #expect(test.trials.count > 100, "\(kind)")
            for trial in test.trials {
                let (now, actual) = (trial.forecast.now.localMinutes, trial.actual.localMinutes)
                let hour = DayCycle.minuteOfDay(now) / 60
                #expect((6..<19).contains(hour) == (kind != .nightWaking))
                if kind == .bedtime {
                    let evening = now - DayCycle.minuteOfDay(now) + 1080
                    let first = sleeps.first {
                        $0.start >= max(now, evening) && $0.start < evening + 540 && $0.end - $0.start >= 90
                    }
                    #expect(first?.start == actual && sleeps.contains { $0.end == now })
                } else {
                    #expect(sleeps.contains { $0.start == now && $0.end == actual })
                    #expect(judged.insert(now).inserted)
                }
                #expect(trial.baselines.keys.contains(.sameHourMedian) && trial.baselines[.ageTable] == nil)
            }
            let report = test.report(seed: 1)
            #expect(report.baselines.map(\.baseline) == [.meanOfSeven, .sevenDayMedian, .sameHourMedian])
            #expect((0.72...0.88).contains(report.coverage), "\(kind): \(report.coverage)")
            #expect(try RhythmBacktest.firstDays(log, kind: kind) == nil)
        }
    }

    @Test("bedtime baselines are clock times, even past midnight and after 18:00")
    func bedtimeBaselines() throws {
        var records: [RhythmRecord] = []
        for day in 0..<12 {
            let midnight = Double(day) * 1440
            records.append(SampleLog.sleep(midnight + 1060, 40))
            records.append(SampleLog.sleep(midnight + 1440 + Double(day % 3) * 20 - 20, 480))
            records.append(SampleLog.sleep(midnight + 720, 60))
        }
        let test = try RhythmBacktest(RhythmLog(records), kind: .bedtime)
        #expect(test.trials.count > 10)
        for trial in test.trials {
            let midnight =
                trial.forecast.now.localMinutes - DayCycle.minuteOfDay(trial.forecast.now.localMinutes) + 1440
            let told = trial.forecast.now.localMinutes + (trial.baselines[.sevenDayMedian] ?? 0)
            #expect(abs(told - midnight) <= 20)
            let mean = trial.forecast.now.localMinutes + (trial.baselines[.meanOfSeven] ?? 0)
            #expect(abs(mean - midnight) <= 20)
        }
        #expect(test.trials.contains { DayCycle.minuteOfDay($0.forecast.now.localMinutes) >= 1080 })
    }

    @Test("a sleep in parts equals the whole, and pauses start no new sleep")
    func parts() throws {
        let whole = regular(days: 20)
        let parts = RhythmLog(
            whole.records.flatMap { record -> [RhythmRecord] in
                let (start, end) = (record.start.localMinutes, record.end!.localMinutes)
                func part(_ a: Double, _ b: Double) -> RhythmRecord {
                    RhythmRecord(
                        start: LoggedTime(localMinutes: a),
                        event: .sleep(RhythmRecord.Sleep(end: LoggedTime(localMinutes: b))))
                }
                return [part(start, start + 20), part(start + 30, end)]
            })
        let now = SampleLog.at(18 * 1440 + 635)
        let (a, b) = (
            try #require(try whole.forecast(.wakeUp, at: now)), try #require(try parts.forecast(.wakeUp, at: now))
        )
        #expect(a.point == b.point && a.anchor == b.anchor, "\(a), \(b)")
        #expect(abs(try #require(a.durationMinutes) - (try #require(b.durationMinutes))) < 0.2, "\(a), \(b)")
    }
}
