import KinJSON
import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms

/// The rest of the day, with and without assumed sleeps.
@Suite struct DayPlanTests {
    /// Days with naps of 60 minutes at 9:00, 12:00 and 15:00, and bed at 19:30.
    private static let days = 30
    private static func regular() -> RhythmLog {
        RhythmLog(
            (0..<days).flatMap { day in
                let midnight = Double(day) * 1440
                return [540.0, 720, 900].map { SampleLog.sleep(midnight + $0, 60) }
                    + [SampleLog.sleep(midnight + 1170, 660)]
            })
    }

    /// A time of the last day but one.
    private static func at(_ minute: Double) -> LoggedTime { SampleLog.at(Double(days - 2) * 1440 + minute) }

    private static func isNear(_ span: DayPlan.Span, _ minute: Double, within tolerance: Double = 10) -> Bool {
        abs(span.median.minutes(since: at(minute))) < tolerance && span.lower <= span.median
            && span.median <= span.upper
    }

    @Test("regular days have a regular plan", arguments: [430.0, 480, 570, 660, 780, 840, 930, 1000, 1160])
    func regularDays(minute: Double) throws {
        let plan = try #require(try Self.regular().dayPlan(at: Self.at(minute)).plan)
        #expect(plan.now == Self.at(minute) && plan.paths >= 500 && plan.changes == nil)
        #expect(Self.isNear(plan.bedtime, 1170), "\(plan.bedtime)")
        #expect(Self.isNear(plan.lastSleepEnd, 960), "\(plan.lastSleepEnd)")
        let expected = [540.0, 720, 900].enumerated().filter { $0.element + 60 > minute }
        let likely = plan.naps.filter { $0.probability > 0.5 }
        #expect(likely.map(\.number) == expected.map { $0.offset + 1 })
        for (nap, (_, start)) in zip(likely, expected) {
            #expect(Self.isNear(nap.start, start) && Self.isNear(nap.end, start + 60), "\(nap)")
            if start <= minute { #expect(nap.probability > 0.95 && nap.start.lower == Self.at(start)) }
        }
        #expect(expected.contains { $0.element > minute } ? plan.oneMoreNap > 0.9 : plan.oneMoreNap < 0.1)
    }

    @Test("a nap that begins at the instant of the plan is one more nap, and a running one is not")
    func napAtNow() throws {
        for minute in [755.0, 760, 765, 770, 780] {
            let records = Self.regular().records.filter { $0.end.map { $0 <= Self.at(minute) } ?? false }
            let late = RhythmLog(records.filter { !($0.start > Self.at(700) && $0.start < Self.at(800)) })
            let plan = try #require(try late.dayPlan(at: Self.at(minute)).plan)
            #expect(plan.oneMoreNap >= (plan.naps.first?.probability ?? 0) - 1e-9, "\(minute): \(plan)")
        }
        let running = RhythmRecord(start: Self.at(905), event: .sleep(RhythmRecord.Sleep(end: nil)))
        let log = RhythmLog(Self.regular().records.filter { $0.start < Self.at(890) } + [running])
        #expect(try #require(try log.dayPlan(at: Self.at(905)).plan).oneMoreNap < 0.1)
    }

    @Test("a child who naps on some days has no promise of a nap, and a bedtime in the evening", arguments: [2, 3])
    func someNaps(every: Int) throws {
        let days = 40
        let log = RhythmLog(
            (0..<days).flatMap { day -> [RhythmRecord] in
                let (midnight, naps) = (Double(day) * 1440, day * 7 % 5 % every != 0)
                let bed = (naps ? 1230.0 : 1150) + Double(day * 3 % 7)
                return (naps ? [SampleLog.sleep(midnight + 760 + Double(day * 5 % 11), 90)] : [])
                    + [SampleLog.sleep(midnight + bed, 1440 + 410 - bed)]
            })
        let day = (20..<days - 1).last { $0 * 7 % 5 % every == 0 } ?? 0
        let now = SampleLog.at(Double(day) * 1440 + 860)
        let nap = try #require(try log.forecast(.nap, at: now))
        #expect(abs(nap.point.minutes(since: now) - 290) < 60 && nap.sleep == .bedtime, "\(nap)")
        let plan = try #require(try log.dayPlan(at: now).plan)
        #expect(plan.oneMoreNap < 0.35, "\(plan)")
        #expect(plan.bedtime.upper <= SampleLog.at(Double(day + 1) * 1440 + 179))
    }

    @Test("the same question has the same plan, from a log, a forecaster and a restored state")
    func determinism() throws {
        let log = RhythmLog(SampleLog.records(days: 20, seed: 3))
        let now = SampleLog.at(18 * 1440 + 700)
        let given = [try SleepAssumption(end: SampleLog.at(18 * 1440 + 900))]
        let outlook = try log.dayPlan(at: now, given: given)
        #expect(try outlook == log.dayPlan(at: now, given: given) && outlook.plan?.changes != nil)
        let state = try RhythmState(bytes: log.state(at: now).bytes)
        #expect(try state.dayPlan(at: now, given: given) == outlook)
        #expect(try log.dayPlan(at: now).plan?.bedtime != outlook.plan?.bedtime)
        let events = try CareEvent.events(of: log, userID: "u1", babyID: "b1")
        #expect(try RhythmForecaster(events).dayPlan(at: now, given: given) == outlook)
    }

    @Test("an assumed sleep is in the plan as it is, and moves the rest of the day")
    func assumptions() throws {
        let log = RhythmLog(SampleLog.records(days: 40, seed: 11))
        let day = 38 * 1440.0
        func at(_ minute: Double) -> LoggedTime { SampleLog.at(day + minute) }
        func plan(_ now: Double, _ given: SleepAssumption...) throws -> DayPlan {
            try #require(try log.dayPlan(at: at(now), given: given).plan)
        }
        let now = 860.0
        let plain = try plan(now)
        let late = try plan(now, SleepAssumption(start: at(880), end: at(1080)))
        #expect(late.naps[0].start.lower == at(880) && late.naps[0].end.upper == at(1080))
        #expect(late.naps[0].start.upper == at(880) && late.naps[0].end.lower == at(1080))
        let changes = try #require(late.changes)
        #expect(changes.lastSleepEndMinutes > 10 && changes.bedtimeMinutes > 0, "\(changes)")
        #expect(abs(changes.bedtimeMinutes - late.bedtime.median.minutes(since: plain.bedtime.median)) < 0.1)
        let short = try plan(now, SleepAssumption(start: at(880), end: at(900)))
        #expect(try #require(short.changes).naps > changes.naps && short.bedtime.median < late.bedtime.median)
        // Without a start, the next sleep; without an end, a sleep of the usual length.
        let ended = try plan(now, SleepAssumption(end: at(960)))
        #expect(ended.naps[0].end.lower == at(960) && ended.naps[0].start.upper <= at(950))
        let begun = try plan(now, SleepAssumption(start: at(880)))
        #expect(begun.naps[0].start.upper == at(880) && begun.naps[0].end.median > at(890))
        // A long sleep from the evening on is the night.
        let early = try plan(now, SleepAssumption(start: at(1100), end: at(1400)))
        #expect(early.bedtime.lower == at(1100) && early.bedtime.upper == at(1100))
    }

    @Test("a running sleep can be assumed to end")
    func runningSleep() throws {
        let log = Self.regular()
        func plan(_ given: SleepAssumption...) throws -> DayPlan {
            try #require(try log.dayPlan(at: Self.at(930), given: given).plan)
        }
        for start in [nil, Self.at(900)] {
            let nap = try #require(try plan(SleepAssumption(start: start, end: Self.at(940))).naps.first)
            #expect(nap.number == 3 && nap.probability > 0.95 && nap.start.upper == Self.at(900))
            #expect(nap.end.lower == Self.at(940) && nap.end.upper == Self.at(940))
        }
        // The sleep before an assumed one ends 15 minutes before it.
        let cut = try plan(SleepAssumption(start: Self.at(950), end: Self.at(970)))
        #expect(cut.naps[0].end.upper <= Self.at(935) && cut.naps[1].start.lower == Self.at(950))
        let second = try plan(
            SleepAssumption(end: Self.at(940)), SleepAssumption(start: Self.at(1020), end: Self.at(1050)))
        #expect(second.lastSleepEnd.median == Self.at(1050) && second.oneMoreNap == 1)
        #expect(try #require(second.changes).naps > 0.8)
    }

    @Test("assumptions that contradict the log or each other are refused")
    func badAssumptions() throws {
        let log = Self.regular()
        func refuses(_ now: Double, _ words: String, _ given: (start: Double?, end: Double?)...) throws {
            let sleeps = try given.map { try SleepAssumption(start: $0.start.map(Self.at), end: $0.end.map(Self.at)) }
            let error = #expect(throws: KinError.self, "\(words)") {
                try log.dayPlan(at: Self.at(now), given: sleeps)
            }
            #expect(error?.code == .invalidArgument && error?.message.contains(words) == true, "\(words): \(error!)")
        }
        try refuses(660, "must start after now", (650, 700))
        try refuses(930, "a sleep that is running", (910, 960))
        try refuses(930, "15 minutes after the running sleep", (935, 960))
        try refuses(660, "must end after now", (nil, 650))
        try refuses(930, "must end after now", (900, 920))
        try refuses(660, "too short", (nil, 665))
        try refuses(660, "too short", (700, 700))
        try refuses(660, "too short", (700, 690))
        try refuses(660, "too long", (700, 1700))
        try refuses(660, "assumed sleep 2 must start after", (700, 760), (770, 800))
        try refuses(660, "assumed sleep 2 must start after", (700, 760), (680, 690))
        try refuses(660, "assumed sleep 2 needs a \"start\"", (700, 760), (nil, 800))
        try refuses(660, "before 03:00", (1640, 1700))
        #expect(throws: KinError.self) { try SleepAssumption() }
        #expect(throws: KinError.self) { try log.dayPlan(at: Self.at(660), coverage: 1) }
        for (json, words) in [
            (#"{"type":"feed","start":"2026-01-05T14:30"}"#, "not \"feed\""),
            (#"{"type":"sleep"}"#, "needs a \"start\""), (#"{"start":"2026-01-05T14:30"}"#, "type"),
            (#"{"type":"sleep","end":"14:30"}"#, "14:30"), (#"{"type":"sleep","until":1}"#, "until"),
        ] {
            #expect(kinError { try SleepAssumption(parsing: json) }.says(words), "\(json)")
        }
    }

    @Test("a missing plan has a reason")
    func reasons() throws {
        let log = Self.regular()
        func reason(_ log: RhythmLog, _ now: LoggedTime) throws -> RhythmOutlook.Reason? {
            if case .unavailable(let reason, _) = try log.dayPlan(at: now) { reason } else { nil }
        }
        #expect(try reason(RhythmLog([]), Self.at(0)) == .noBedtime)
        #expect(try reason(RhythmLog([SampleLog.sleep(600, 60)]), SampleLog.at(700)) == .noBedtime)
        #expect(try reason(log, Self.at(1270)) == .nightBegun && reason(log, Self.at(1190)) == nil)
        #expect(try reason(log, Self.at(1440 + 200)) == nil)
        let text = try log.dayPlan(at: Self.at(1270)).json
        #expect(text.contains("\"reason\":\"the night has begun") && !text.contains("bedtime\":"))
        if case .ended = try reason(log, SampleLog.at(60 * 1440)) {} else { Issue.record("the log has ended") }
    }

    @Test("both intervals hold together with the nominal coverage, on generated logs", arguments: [0.5, 0.8])
    func coverage(nominal: Double) throws {
        var random = TestSeed().generator
        var (count, hits) = (0.0, 0.0)
        for baby in 0..<4 {
            let log = BabyGenerator(seed: random.next()).log(baby, days: 45, age: 60 + 60 * baby)
            for trial in try Self.trials(of: log, hours: [10, 12, 14], coverage: nominal) {
                count += 1
                hits += trial.isCovered ? 1 : 0
            }
        }
        #expect(count > 300)
        #expect(abs(hits / count - nominal) < 0.1, "\(hits / count) of \(count)")
    }

    @Test(
        "on real logs both intervals hold together with the nominal coverage, and bedtime is as near as its forecast",
        .enabled(if: RealData.has("baby-logs/baby-a.csv"), "skipped: no data"))
    func realLogs() throws {
        var (coverages, errors, forecasts) = ([Double](), [Double](), [Double]())
        for name in ["a", "b", "c", "d", "e", "f", "g"] {
            let records = try RealData.rows(of: "baby-logs/baby-\(name).csv").enumerated().compactMap {
                row, fields -> RhythmRecord? in
                fields[0] != "sleep"
                    ? nil
                    : RhythmRecord(
                        start: try LoggedTime(parsing: String(fields[1])),
                        event: .sleep(
                            RhythmRecord.Sleep(
                                end: fields[2].isEmpty ? nil : try LoggedTime(parsing: String(fields[2])))),
                        row: row + 1)
            }
            let log = RhythmLog(records)
            let noon = try Self.trials(of: log, hours: [12])
            let trials = try Self.trials(of: log, hours: [10, 12, 14])
            let n = Double(noon.count)
            coverages.append(Double(trials.count(where: \.isCovered)) / Double(trials.count))
            errors.append(noon.reduce(0) { $0 + $1.error } / n)
            forecasts.append(noon.reduce(0) { $0 + $1.forecastError } / n)
            let last = trials.reduce(0) { $0 + $1.lastSleepError } / Double(trials.count)
            print(
                "baby-\(name): \(trials.count) plans, coverage \(coverages[coverages.count - 1]), last sleep \(last); "
                    + "bedtime at noon \(errors[errors.count - 1]), forecast \(forecasts[forecasts.count - 1])")
        }
        #expect(coverages.allSatisfy { (0.72...0.88).contains($0) }, "\(coverages)")
        #expect((0.75...0.85).contains(coverages.reduce(0, +) / 7))
        #expect(errors.reduce(0, +) < forecasts.reduce(0, +))
    }

    /// A plan with the day's actual course.
    private struct Trial {
        var isCovered: Bool
        /// The errors of the plan's median bedtime, of the bedtime forecast and of the end of the last sleep, in minutes.
        var error: Double
        var forecastError: Double
        var lastSleepError: Double
    }

    /// The plans of a log at some hours of each day after a week, on days with a bedtime and without a gap.
    private static func trials(of log: RhythmLog, hours: [Double], coverage: Double = 0.8) throws -> [Trial] {
        let sleeps = log.sleeps
        let start = try #require(sleeps.first).start + 7 * 1440
        let observations = log.observations
        var state = RhythmState(baby: log.countedBaby)
        var (next, trials) = (0, [Trial]())
        let bedtimes = RhythmBacktest.bedtimes(of: sleeps)
        for day in bedtimes.keys.sorted() {
            for minute in hours.map({ day * 1440 + $0 * 60 }) where minute > start {
                while next < observations.count, observations[next].known <= minute {
                    state.observe(observations[next], after: nil)
                    next += 1
                }
                let (bedtime, now) = (bedtimes[day] ?? 0, LoggedTime(localMinutes: minute))
                guard let last = sleeps.last(where: { $0.start < bedtime && $0.end < bedtime }),
                    let before = sleeps.last(where: { $0.start <= minute }), minute - before.end < 600,
                    bedtime - last.end < 720, state.bedtimes.recurrence.count >= 5
                else { continue }
                let plan = try #require(try state.dayPlan(at: now, coverage: coverage).plan)
                let forecast = try #require(try state.outlook(.bedtime, at: now).forecast)
                func holds(_ span: DayPlan.Span, _ minute: Double) -> Bool {
                    // Times of plans are in whole seconds.
                    span.lower.minute - 0.02 <= minute && minute <= span.upper.minute + 0.02
                }
                trials.append(
                    Trial(
                        isCovered: holds(plan.bedtime, bedtime) && holds(plan.lastSleepEnd, last.end),
                        error: abs(plan.bedtime.median.minute - bedtime),
                        forecastError: abs(forecast.point.minute - bedtime),
                        lastSleepError: abs(plan.lastSleepEnd.median.minute - last.end)))
            }
        }
        return trials
    }
}
