import KinSamples
import KinTestSupport
import Testing

@testable import KinRhythms

@Suite("The ledger of shown forecasts") struct ForecastLedgerTests {
    private static let baby = RhythmLog.Baby(name: "B", born: SampleLog.at(-1440 * 100).reading)

    /// The forecasts at some moments, as the ledger records them.
    private static func shown(_ log: RhythmLog, at moments: [LoggedTime]) throws -> [ShownForecasts] {
        let forecaster = try forecaster(log)
        return try moments.map { try #require(ShownForecasts(forecaster.predictions(at: $0))) }
    }

    private static func forecaster(_ log: RhythmLog) throws -> RhythmForecaster {
        try RhythmForecaster(
            CareEvent.events(of: log, userID: "u", babyID: "b"), of: log.baby, zone: log.clock.zone)
    }

    @Test(
        "has the error, the coverage and the calibration of a backtest of the same moments",
        arguments: RhythmKind.allCases)
    func equalsTheBacktest(kind: RhythmKind) throws {
        for (log, zone) in [
            (RhythmLog(SampleLog.records(days: 40, seed: 5), baby: Self.baby), nil),
            (BabyGenerator(seed: 3).log(1, days: 60, age: 100), try LocalZone(named: "Europe/Berlin")),
        ] {
            // In a zone, the times are instants, on both sides of the clock change of 29 March.
            let records = log.records.map { row in
                zone.map { row.spanning(row.start.shown(in: $0), row.end?.shown(in: $0)) } ?? row
            }
            let log = RhythmLog(records, baby: log.baby, zone: zone)
            let backtest = try RhythmBacktest(log, kind: kind)
            #expect(backtest.trials.count > 50)
            let moments = backtest.trials.map(\.forecast.now)
            let scores = try Self.forecaster(log).scores(of: Self.shown(log, at: moments))
            let score = try #require(scores.first { $0.kind == kind })
            #expect(score.count == backtest.trials.count && score.pending == 0 && score.gaps == 0)
            let accuracy = try #require(score.accuracy)
            // The same forecasts in whole minutes, exactly.
            let errors = backtest.trials.map { $0.forecast.point.minute.rounded() - $0.actual.minute }
            let n = Double(errors.count)
            #expect(abs(accuracy.meanAbsoluteError - errors.reduce(0) { $0 + abs($1) } / n) < 1e-9)
            #expect(abs(accuracy.meanError - errors.reduce(0, +) / n) < 1e-9)
            // The backtest's own measures, within the rounding.
            let report = backtest.report(seed: 1)
            #expect(abs(accuracy.meanAbsoluteError - report.meanAbsoluteError) <= 0.5)
            #expect(abs(accuracy.coverage - report.coverage) < 0.05 && accuracy.nominalCoverage == 0.8)
            #expect(abs(accuracy.within30 - report.within30) < 0.05)
            #expect(accuracy.calibration.reduce(0) { $0 + $1.count } == score.count)
            #expect(abs(accuracy.calibrationError - report.calibrationError) < 0.05)
            #expect(score.misses.allSatisfy { !$0.reasons.contains(.enteredLate) })
        }
    }

    @Test("accounts for every shown forecast, whatever is changed in the log afterwards")
    func everyForecastCounts() throws {
        var random = TestSeed().generator
        for _ in 0..<4 {
            let log = RhythmLog(SampleLog.records(days: 12, seed: random.next()), baby: Self.baby)
            let moments = (0..<200).map { SampleLog.at(2880 + 60 * Double($0) + Double(random.below(60))) }
            let shown = try Self.shown(log, at: moments)
            var forecaster = try Self.forecaster(log)
            for event in try CareEvent.events(of: log, userID: "u", babyID: "b") where random.below(4) == 0 {
                if random.below(2) == 0 {
                    forecaster.remove(event.id)
                } else {
                    let moved = SampleLog.moved(event.record, by: Double(random.below(240)) - 120)
                    forecaster.upsert(try CareEvent(userID: "u", babyID: "b", record: moved))
                }
            }
            let scores = forecaster.scores(of: shown)
            let counted = scores.reduce(0) { $0 + $1.count + $1.pending + $1.gaps }
            #expect(counted == shown.reduce(0) { $0 + $1.spans.count { $0 != nil } })
            for score in scores {
                #expect(score.misses.count <= min(10, score.missCount))
                #expect(score.misses.allSatisfy { abs($0.error) >= 60 })
                #expect((score.accuracy == nil) == (score.count == 0))
            }
        }
    }

    @Test("counts the last forecasts as pending until their events arrive")
    func pending() throws {
        let records = SampleLog.records(days: 10, seed: 2)
        let now = SampleLog.at(9 * 1440 + 700)
        let log = RhythmLog(SampleLog.cut(records, at: now), baby: Self.baby)
        let shown = try Self.shown(log, at: [now])
        let before = try Self.forecaster(log).scores(of: shown)
        #expect(before.allSatisfy { $0.count == 0 && $0.gaps == 0 && $0.accuracy == nil })
        #expect(before.reduce(0) { $0 + $1.pending } == shown[0].spans.count { $0 != nil })
        let after = try Self.forecaster(RhythmLog(records, baby: Self.baby)).scores(of: shown)
        #expect(after.reduce(0) { $0 + $1.count } == shown[0].spans.count { $0 != nil })
    }

    @Test("measures an event that was entered late by its own time, and says so")
    func lateEntry() throws {
        let records = SampleLog.records(days: 20, seed: 3)
        let full = RhythmLog(records, baby: Self.baby)
        let meals = full.meals.filter { $0.minute > SampleLog.at(15 * 1440).minute }
        let late = try #require(meals.first)
        // The forecast is made 100 minutes after a meal that the log does not have yet.
        let now = late.later(by: 100)
        let known = RhythmLog(SampleLog.cut(records.filter { $0.start != late }, at: now), baby: Self.baby)
        let shown = try Self.shown(known, at: [now])
        let point = Double(try #require(shown[0].spans[1]).point + shown[0].minute)
        let score = try #require(try Self.forecaster(full).scores(of: shown).first { $0.kind == .feed })
        #expect(score.count == 1 && score.accuracy?.meanError == point - late.minute)
        #expect(score.missCount == 1 && score.misses.first?.event == late)
        #expect(score.misses.first?.reasons.contains(.enteredLate) == true)
    }

    @Test("names a waking that was entered late if the forecast with it would have had half the error")
    func lateWaking() throws {
        var random = TestSeed().generator
        var (late, others) = (0, 0)
        for _ in 0..<2 {
            let records = SampleLog.records(days: 25, seed: random.next())
            let forecaster = try Self.forecaster(RhythmLog(records, baby: Self.baby))
            for (place, row) in records.enumerated() where row.start > SampleLog.at(12 * 1440) {
                guard row.type == .sleep, let end = row.end else { continue }
                // The timer still runs when the forecast is made, some time after the waking.
                let now = end.later(by: Double(20 + random.below(70)))
                var known = records
                known[place].event = .sleep(.init())
                let shown = try Self.shown(RhythmLog(SampleLog.cut(known, at: now), baby: Self.baby), at: [now])
                let score = try #require(forecaster.scores(of: shown).first { $0.kind == .nap })
                guard let miss = score.misses.first, miss.event > now else { continue }
                let point = try #require(try forecaster.outlook(.nap, at: now).forecast?.point)
                let isLate = 2 * abs(point.minutes(since: miss.event)) <= abs(miss.error)
                #expect(miss.reasons.contains(.enteredLate) == isLate)
                if isLate { late += 1 } else { others += 1 }
            }
        }
        #expect(late > 3, "\(late) \(others)")
    }

    @Test("names a short nap and a journey as reasons")
    func reasons() throws {
        var records = SampleLog.records(days: 20, seed: 4)
        // A nap of 20 minutes, then no sleep for five hours.
        let nap = try #require(
            records.firstIndex { $0.type == .sleep && $0.start > SampleLog.at(15 * 1440 + 600) })
        let start = records[nap].start
        let waking = start.later(by: 20)
        records.removeAll { $0.type == .sleep && $0.start >= start && $0.start < start.later(by: 320) }
        records.append(RhythmRecord(start: start, event: .sleep(.init(end: waking))))
        records.append(RhythmRecord(start: start.later(by: 320), event: .sleep(.init(end: start.later(by: 380)))))
        let log = RhythmLog(records, baby: Self.baby)
        let shown = try Self.shown(log, at: [waking])
        let score = try #require(try Self.forecaster(log).scores(of: shown).first { $0.kind == .nap })
        #expect(score.misses.first?.reasons == [.shortNap])

        let (berlin, york) = (try LocalZone(named: "Europe/Berlin"), try LocalZone(named: "America/New_York"))
        let abroad = records.map { row in
            let own = row.start < waking ? berlin : york
            return row.spanning(row.start.shown(in: berlin), row.end?.shown(in: berlin)).byClock(of: own)
        }
        let journey = RhythmLog(abroad, baby: Self.baby, zone: berlin)
        let away = try Self.shown(journey, at: [waking.shown(in: berlin)])
        let miss = try Self.forecaster(journey).scores(of: away).first { $0.kind == .nap }?.misses.first
        #expect(miss?.reasons == [.shortNap, .otherZone])
    }

    @Test("a ledger of wall-clock times has the same scores after the log has learned its zone")
    func zoneLearnedLater() throws {
        let log = BabyGenerator(seed: 6).log(0, days: 20, age: 150)
        let shown = try Self.shown(log, at: (0..<150).map { SampleLog.at(10 * 1440 + 60 * Double($0)) })
        let zone = try LocalZone(named: "Asia/Tokyo")
        let instants = RhythmLog(
            log.records.map { $0.spanning($0.start.shown(in: zone), $0.end?.shown(in: zone)) }, baby: log.baby,
            zone: zone)
        let (before, after) = try (Self.forecaster(log).scores(of: shown), Self.forecaster(instants).scores(of: shown))
        #expect(before.map(\.accuracy) == after.map(\.accuracy) && before.map(\.count) == after.map(\.count))
    }

    @Test("packed moments are read as they were, and damaged ones are refused")
    func packing() throws {
        var random = TestSeed().generator
        func moment(after minute: Int) -> ShownForecasts {
            var moment = ShownForecasts()
            moment.minute = minute + 1 + random.below(random.below(2) == 0 ? 3 : 90)
            moment.offset = [nil, 0, 3600, -34_200, 26 * 3600][random.below(5)]
            moment.coverage = random.below(3) == 0 ? 1 + random.below(999) : 800
            for kind in moment.spans.indices where random.below(3) != 0 {
                let point = random.below(random.below(9) == 0 ? 140_000 : 300)
                moment.spans[kind] = .init(
                    anchor: -random.below(3000), point: point, lower: point - random.below(90),
                    upper: point + random.below(90), confidence: random.below(101))
            }
            if moment.spans.allSatisfy({ $0 == nil }) { moment.spans[1] = .init() }
            return moment
        }
        var (refused, read) = (0, 0)
        for first in [29_462_400, 0, -1_036_800, 4_000_320_000 / 43_200 * 43_200] {
            var moments: [ShownForecasts] = []
            while moments.count < 300 {
                let next = moment(after: moments.last?.minute ?? first)
                guard next.minute < first + ForecastLedger.periodLength else { break }
                moments.append(next)
            }
            #expect(try ForecastLedger(userID: "u", babyID: "b", moments: moments).moments == moments)
            let bytes = ForecastLedger.packed(moments)
            #expect(try ForecastLedger.moments(packed: bytes) == moments)
            for _ in 0..<200 {
                var damaged = bytes
                damaged[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
                if random.below(4) == 0 { damaged.removeLast(random.below(bytes.count)) }
                do {
                    let other = try ForecastLedger.moments(packed: damaged)
                    #expect(ForecastLedger.packed(other) == damaged && other.allSatisfy(\.isPossible))
                    read += 1
                } catch { refused += 1 }
            }
        }
        #expect(refused > 500 && read < 300, "\(refused) \(read)")
        #expect(throws: KinError.self) { try ForecastLedger(userID: "u", babyID: "b", moments: []) }
        let (a, b) = (moment(after: 0), moment(after: 100_000))
        #expect(throws: KinError.self) { try ForecastLedger(userID: "u", babyID: "b", moments: [a, b]) }
        #expect(throws: KinError.self) { try ForecastLedger(userID: "u", babyID: "b", moments: [a, a]) }
    }
}
