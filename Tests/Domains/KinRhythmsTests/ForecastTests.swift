import KinSamples
import Testing

@Suite("Forecasts of a baby's day")
struct ForecastTests {
    @Test("a forecast inside a log equals the forecast of the log cut there", arguments: RhythmKind.allCases)
    func prefix(kind: RhythmKind) throws {
        let records = Self.faulty(SampleLog.records(days: 12, seed: 5), seed: 6)
        let log = RhythmLog(records)
        let instants = (0..<60).map { SampleLog.at(Double($0) * 283 + 7) }
        for (now, told) in zip(instants, try log.forecasts(kind, at: instants)) {
            let cut = try RhythmLog(SampleLog.cut(records, at: now)).forecast(kind, at: now)
            #expect(cut == told, "at \(now)")
        }
    }

    @Test("forecasts are calibrated and about as accurate as the baselines", arguments: RhythmKind.allCases)
    func accuracy(kind: RhythmKind) throws {
        let test = try RhythmBacktest(RhythmLog(SampleLog.records(days: 60, seed: 1)), kind: kind)
        let report = test.report(seed: 1)
        // Each night is in one piece. Bedtimes follow the last nap and not the clock, and come once a day.
        #expect(report.count > (kind == .nightWaking ? 45 : 150))
        #expect((0.75...0.85).contains(report.coverage), "\(report.coverage)")
        let isDaily = kind == .nightWaking || kind == .bedtime
        #expect(report.calibrationError < (isDaily ? 0.13 : 0.06), "\(report.calibrationError)")
        let sameHour = try #require(report.baselines.first { $0.baseline == .sameHourMedian })
        #expect(sameHour.ratio < (kind == .bedtime ? 1.08 : 1.02), "\(sameHour)")
    }

    @Test("waiting without the event moves the forecast later, never before now")
    func stillAwake() throws {
        let records = SampleLog.records(days: 14, seed: 2)
        let log = RhythmLog(records)
        let waking = try #require(records.last?.end)
        var last: RhythmForecast?
        for minutes in stride(from: 0.0, through: 300, by: 20) {
            let now = try LoggedTime(LocalDateTime(microseconds: waking.microseconds + Int64(minutes) * 60_000_000))
            let told = try #require(try log.forecast(.nap, at: now))
            #expect(told.lower >= now && told.point >= told.lower && told.upper >= told.point)
            if let last { #expect(told.point >= last.point) }
            last = told
        }
    }

    @Test("faults in the log degrade accuracy gradually", arguments: UInt64(1)...6)
    func faults(seed: UInt64) throws {
        let clean = SampleLog.records(days: 40, seed: seed)
        let dirty = Self.faulty(clean, seed: seed)
        let moments = clean.dropFirst(120).compactMap { record -> LoggedTime? in
            guard case .sleep(let sleep) = record.event else { return nil }
            return sleep.end
        }
        func error(_ records: [RhythmRecord]) throws -> Double {
            let told = try RhythmLog(records).forecasts(.nap, at: moments)
            let errors = zip(told, zip(moments, moments.dropFirst())).map { told, span in
                let actual =
                    clean.first { if case .sleep = $0.event { $0.start > span.0 } else { false } }?.start ?? span.1
                return abs(Double((told?.point ?? span.0).microseconds - actual.microseconds)) / 60e6
            }
            return errors.reduce(0, +) / Double(errors.count)
        }
        let (a, b) = (try error(clean), try error(dirty))
        #expect(b < 2.5 * a + 10, "seed \(seed): \(a) min clean, \(b) min with faults")
    }

    @Test("every fault is listed with its row")
    func repairs() {
        let records = [
            SampleLog.sleep(0, 60), SampleLog.sleep(0, 60), SampleLog.sleep(70, 30), SampleLog.sleep(200, 0),
            SampleLog.sleep(300, 5),
            SampleLog.sleep(400, 17 * 60), SampleLog.sleep(1500, -20), SampleLog.feed(1600), SampleLog.feed(1620),
            RhythmRecord(start: SampleLog.at(1700), event: .sleep(RhythmRecord.Sleep())), SampleLog.feed(6000),
        ].numbered
        let found = RhythmLog(records).repairs.map { "\($0.row) \($0.problem.rawValue)" }
        #expect(
            found == [
                "2 duplicate", "3 in_pieces", "4 no_length", "5 too_short", "6 forgotten_timer",
                "7 ends_before_it_begins",
                "9 same_meal", "10 no_end", "11 hole",
            ])
    }

    @Test("an empty log has no forecast, and wider coverage gives wider intervals")
    func edges() throws {
        #expect(try RhythmLog([]).forecast(.nap, at: SampleLog.start) == nil)
        let log = RhythmLog(SampleLog.records(days: 10, seed: 9))
        let now = SampleLog.at(14_000)
        var last: RhythmForecast?
        for coverage in [0.2, 0.5, 0.8, 0.95] {
            let told = try #require(try log.forecast(.feed, at: now, coverage: coverage))
            if let last { #expect(told.lower <= last.lower && told.upper >= last.upper) }
            last = told
        }
        #expect(throws: KinError.self) { try log.forecast(.nap, at: now, coverage: 1) }
    }

    @Test("a state survives a round trip as bytes, and damaged bytes are refused")
    func bytes() throws {
        let log = RhythmLog(SampleLog.records(days: 60, seed: 3), baby: RhythmLog.Baby(born: SampleLog.start.reading))
        let now = SampleLog.at(60 * 1440)
        let state = log.state(at: now)
        let bytes = state.bytes
        #expect(bytes.count <= 14_336, "\(bytes.count)")
        let again = try RhythmState(bytes: bytes)
        #expect(again.bytes == bytes)
        for kind in RhythmKind.allCases {
            #expect(try again.forecast(kind, at: now) == state.forecast(kind, at: now))
        }
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0...generator.below(4) { damaged[generator.below(damaged.count)] = UInt8(generator.below(256)) }
            if generator.below(3) == 0 { damaged.removeLast(generator.below(damaged.count)) }
            guard let state = try? RhythmState(bytes: damaged) else { continue }
            for kind in RhythmKind.allCases { _ = try? state.forecast(kind, at: now) }
        }
    }

    /// Rows lost, doubled, left open, shortened to nothing, timers forgotten.
    static func faulty(_ records: [RhythmRecord], seed: UInt64) -> [RhythmRecord] {
        var generator = SeededGenerator(seed: seed)
        return records.flatMap { record -> [RhythmRecord] in
            var changed = record
            switch generator.below(40) {
            case 0, 1: return []
            case 2: return [record, record]
            case 3:
                if case .sleep = record.event { changed.event = .sleep(RhythmRecord.Sleep()) }
                return [changed]
            case 4:
                if case .sleep = record.event { changed.event = .sleep(RhythmRecord.Sleep(end: record.start)) }
                return [changed]
            case 5:
                if case .sleep = record.event {
                    let end = try? LoggedTime(
                        LocalDateTime(microseconds: record.start.microseconds + 17 * 3_600_000_000))
                    changed.event = .sleep(RhythmRecord.Sleep(end: end))
                }
                return [changed]
            default: return [record]
            }
        }
    }

    @Test("naps, bedtimes and night sleeps are distinguished, each with its own length", arguments: UInt64(1)...3)
    func sleepKinds(seed: UInt64) throws {
        let log = RhythmLog(SampleLog.records(days: 30, seed: seed))
        for (day, hour) in [(10, 12.0), (20, 9.5), (29, 15)] {
            let told = try #require(try log.forecast(.nap, at: SampleLog.at(Double(day) * 1440 + hour * 60)))
            #expect(told.sleep == .nap && (40...80).contains(told.durationMinutes ?? 0), "\(told)")
            #expect(told.json.hasSuffix(#""kind":"nap"}"#))
        }
        // In the generated days, each night is in one piece.
        let sleeps = log.records.filter(\.isSleep)
        for (before, next) in zip(sleeps, sleeps.dropFirst()).dropFirst(20) where next.sleptMinutes > 300 {
            let end = try #require(before.end)
            let told = try #require(try log.forecast(.nap, at: end))
            #expect(told.sleep == .bedtime && (440...580).contains(told.durationMinutes ?? 0), "\(told)")
        }
        #expect(try #require(try log.forecast(.feed, at: SampleLog.at(14_400))).json.hasSuffix(#""kind":"feed"}"#))
    }

    @Test("the forecast kind of sleep is right nine times in ten for generated babies")
    func sleepKindsOfMadeBabies() throws {
        var (right, all) = (0, 0)
        var counts: [RhythmForecast.Sleep: Int] = [:]
        for number in 0..<3 {
            let log = BabyGenerator(seed: 5).log(number, days: 40, age: 90 + 60 * number)
            let sleeps = log.records.filter(\.isSleep)
            let pairs = zip(sleeps, sleeps.dropFirst()).dropFirst(40)
            let told = try log.forecasts(.nap, at: pairs.map { try #require($0.0.end) })
            for ((before, next), told) in zip(pairs, told) {
                guard let now = before.end, case .sleep(let sleep) = next.event, case .sleep(let last) = before.event,
                    let told
                else { continue }
                let truth: RhythmForecast.Sleep =
                    sleep.isNight != true
                    ? .nap
                    : last.isNight == true && next.start.localMinutes - now.localMinutes < 120 ? .night : .bedtime
                counts[truth, default: 0] += 1
                right += told.sleep == truth ? 1 : 0
                all += 1
            }
        }
        #expect(Double(right) >= 0.9 * Double(all), "\(right) of \(all)")
        #expect(RhythmForecast.Sleep.allCases.allSatisfy { counts[$0, default: 0] > 50 }, "\(counts)")
    }

    @Test("intervals beyond twelve hours are learned, and a gap in the log is not")
    func longIntervals() throws {
        func meals(_ days: Range<Int>, at hours: [Double]) -> [RhythmRecord] {
            days.flatMap { day -> [RhythmRecord] in
                let late = Double(day * 7 % 5)
                return hours.map { SampleLog.feed(Double(day) * 1440 + $0 * 60 + late) }
            }
        }
        func next(_ records: [RhythmRecord], at hours: Double) throws -> Double {
            let forecast = try #require(try RhythmLog(records).forecast(.feed, at: SampleLog.at(hours * 60)))
            return (forecast.point.localMinutes - SampleLog.start.localMinutes) / 60
        }
        // Four meals a day: from the last to the first are 13 hours.
        let solids = meals(0..<30, at: [7, 11, 14.5, 18])
        #expect(abs(try next(solids, at: 29 * 24 + 19) - (30 * 24 + 7)) < 0.3)
        // A night and a day without rows in a log with feeds by night, and the evening after each.
        let milk = meals(0..<14, at: [1, 5, 8, 11, 14, 17, 20]) + meals(14..<15, at: [1, 5, 8, 11, 14, 17])
        for (day, gaps) in [(15, 0), (16, 1)] {
            let log = milk + meals(day..<(day + 1), at: [8, 11, 14, 17, 20])
            let evening = Double(day) * 24 + 20.5
            #expect(abs(try next(log, at: evening) - Double((day + 1) * 24 + 1)) < 0.5)
            let told = try #require(try RhythmLog(log).forecast(.feed, at: SampleLog.at(evening * 60)))
            #expect(told.basis.intervals == log.count - 1 - gaps, "all but \(gaps), of \(log.count) feeds")
        }
        // A child without naps: the next sleep is the night's.
        let nights = (0..<30).map { (day: Int) -> RhythmRecord in
            let late = day * 7 % 5
            return SampleLog.sleep(Double(day * 1440 + 1170 + late), 660)
        }
        let sleep = try #require(try RhythmLog(nights).forecast(.nap, at: SampleLog.at(30 * 1440 + 720)))
        #expect(abs(sleep.point.localMinutes - SampleLog.at(30 * 1440 + 1172).localMinutes) < 20, "\(sleep)")
        #expect(sleep.sleep == .bedtime)
    }
}

extension RhythmRecord {
    fileprivate var isSleep: Bool { if case .sleep = event { true } else { false } }

    fileprivate var sleptMinutes: Double { (end?.localMinutes ?? start.localMinutes) - start.localMinutes }
}
