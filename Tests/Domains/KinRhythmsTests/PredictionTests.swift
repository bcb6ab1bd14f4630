import KinTestSupport
import Testing

@testable import KinRhythms

/// The combined predictions, the intervals of durations, and the relations between feeds and the sleep after them.
@Suite struct PredictionTests {
    @Test func predictionsEqualTheForecasts() throws {
        let log = RhythmLog(SampleLog.records(days: 14, seed: 5))
        let events = try CareEvent.events(of: log, userID: "u", babyID: "b")
        let forecaster = RhythmForecaster(events)
        for minute in stride(from: 12.0 * 1440, to: 13.9 * 1440, by: 31) {
            let now = SampleLog.at(minute)
            let told = try forecaster.predictions(at: now, coverage: 0.7)
            let outlooks = [told.nap, told.feed, told.wakeUp, told.bedtime, told.nightWaking]
            for (kind, outlook) in zip([RhythmKind.nap, .feed, .wakeUp, .bedtime, .nightWaking], outlooks) {
                #expect(try outlook == log.outlook(kind, at: now, coverage: 0.7))
                #expect(told.json.contains("\"\(kind.rawValue)\":{"))
            }
            #expect((told.waking != nil) == (told.isAsleep == true))
            #expect((told.wakeUp.forecast != nil) == (told.isAsleep == true))
            if let waking = told.waking, let wakeUp = told.wakeUp.forecast {
                #expect(waking >= now && abs(waking.localMinutes - wakeUp.point.localMinutes) < 1e-3)
            }
            #expect(told.json.contains("\"probability_within\":{\"15\":"))
            let shares = RhythmPredictions.horizons.map { told.feed.forecast!.probability(within: Double($0)) }
            #expect(shares == shares.sorted() && shares.allSatisfy { (0...1).contains($0) })
        }
        let nothing = try RhythmForecaster([]).predictions(at: SampleLog.start)
        #expect(nothing.isAsleep == nil && nothing.waking == nil)
        #expect(nothing.json.contains(#""nap":{"now":"2026-01-01T00:00:00","kind":"nap","reason":"#))
    }

    /// Half of the probability is before the median, whether the baby is awake or asleep.
    @Test func halfOfTheProbabilityIsBeforeThePoint() throws {
        let log = RhythmLog(SampleLog.records(days: 30, seed: 6))
        var counts = [true: 0, false: 0]
        for minute in stride(from: 20.0 * 1440, to: 30 * 1440, by: 97) {
            let told = try log.state(at: SampleLog.at(minute)).predictions(at: SampleLog.at(minute))
            let nap = try #require(told.nap.forecast)
            let wait = nap.point.localMinutes - nap.now.localMinutes
            guard wait > 20 else { continue }
            counts[nap.basis.isAsleep, default: 0] += 1
            #expect(
                (0.25...0.75).contains(nap.probability(within: wait)), "\(nap.now), \(nap.probability(within: wait))")
            #expect(nap.probability(within: 0) == 0 && nap.probability(within: 10 * wait) > 0.9)
        }
        #expect(counts.values.allSatisfy { $0 > 30 }, "\(counts)")
    }

    @Test func durationsHaveIntervalsThatCoverAndNest() throws {
        let log = RhythmLog(SampleLog.records(days: 40, seed: 8))
        var (within, count) = (0, 0)
        for sleep in log.sleeps where sleep.start > SampleLog.at(20 * 1440).localMinutes {
            let now = LoggedTime(localMinutes: sleep.start - 1)
            let state = log.state(at: now)
            var last: ClosedRange<Double>?
            for coverage in [0.3, 0.5, 0.8, 0.95] {
                let forecast = try #require(try state.forecast(.nap, at: now, coverage: coverage))
                let range = try #require(forecast.durationRange)
                #expect(range.contains(try #require(forecast.durationMinutes)))
                if let last { #expect(range.lowerBound <= last.lowerBound && last.upperBound <= range.upperBound) }
                last = range
                guard coverage == 0.8 else { continue }
                count += 1
                within += range.contains(sleep.end - sleep.start) ? 1 : 0
            }
        }
        let share = Double(within) / Double(count)
        #expect(count > 80 && (0.65...0.95).contains(share), "\(within) of \(count)")
        let feed = try #require(try log.forecast(.feed, at: SampleLog.at(30 * 1440 + 700)))
        #expect(feed.durationRange == 12...12 && feed.durationMinutes == 12)
    }

    /// Six sleeps a day, each after a bottle. With an effect, larger bottles give longer and better sleep.
    private func log(_ random: inout SeededGenerator, effect: Double) -> RhythmLog {
        var records: [RhythmRecord] = []
        for day in 0..<40 {
            for number in 0..<6 {
                let start = Double(day) * 1440 + Double(number) * 220 + Double(random.below(20))
                let amount = Double(60 + random.below(120))
                let wait = Double(15 + random.below(25))
                let noise = (random.uniform() - 0.5) * 20
                let length = 40 + effect * (amount - 120) / 4 + noise + (number == 5 ? 60 : 0)
                let quality: RhythmRecord.Sleep.Quality =
                    effect * (amount - 120) / 4 + noise > 5 ? .good : noise < -5 ? .poor : .fair
                // A meal of two bottles.
                for part in 0..<2 {
                    records.append(
                        RhythmRecord(
                            start: SampleLog.at(start - wait - Double(10 - 10 * part)),
                            event: .feed(RhythmRecord.Feed(millilitres: amount / 2))))
                }
                records.append(
                    RhythmRecord(
                        start: SampleLog.at(start),
                        event: .sleep(RhythmRecord.Sleep(end: SampleLog.at(start + length), quality: quality))))
            }
        }
        return RhythmLog(records)
    }

    @Test func amountsCorrelateWithTheFollowingSleep() throws {
        var random = TestSeed().generator
        let found = RhythmAnalysis(log(&random, effect: 1)).relations
        let length = try #require(found.amountAndLength)
        #expect(length.r > 0.5 && length.p < 1e-6 && length.count == 240, "\(length)")
        let quality = try #require(found.amountAndQuality)
        #expect(quality.r > 0.3 && quality.p < 1e-6 && quality.count == 240, "\(quality)")
        let none = RhythmAnalysis(log(&random, effect: 0)).relations
        for relation in [none.amountAndLength, none.amountAndQuality, none.waitAndLength, none.waitAndQuality] {
            let relation = try #require(relation)
            #expect(abs(relation.r) < 0.3, "\(relation)")
        }
        let plain = RhythmAnalysis(RhythmLog(SampleLog.records(days: 20, seed: 1))).relations
        #expect(plain.amountAndLength == nil && plain.amountAndQuality == nil && plain.waitAndLength != nil)
    }

    @Test func otherQuantitiesAreRemoved() throws {
        var random = TestSeed().generator
        let count = 400
        let common = (0..<count).map { _ in random.uniform() }
        let x = common.map { $0 + 0.2 * random.uniform() }
        let y = common.map { 2 * $0 + 0.2 * random.uniform() }
        let t = (0..<count).map(Double.init)
        let raw = try #require(PartialCorrelation(x, y, without: t))
        #expect(raw.r > 0.9)
        let clean = try #require(PartialCorrelation(x, y, without: t, and: [common]))
        #expect(abs(clean.r) < 0.25 && clean.p > 1e-6, "\(clean)")
        #expect(PartialCorrelation(x, y, without: t, and: []) == raw)
        #expect(PartialCorrelation(x, y, without: t, and: [[1]]) == nil)
    }
}
