import KinSamples
import Testing

@testable import KinRhythms

/// Forecasts of the first days of a log, from the published intervals and few observations.
@Suite("Young logs")
struct YoungLogTests {
    private static let days = [1, 2, 3, 7, 14]

    /// Forecasts of generated babies by day of the log, with the actual minutes after each.
    private static func trials(_ kind: RhythmKind, seed: UInt64, babies: Int, isBorn: Bool = true) throws
        -> [Int: [(forecast: RhythmForecast, actual: Double)]]
    {
        var trials: [Int: [(forecast: RhythmForecast, actual: Double)]] = [:]
        for number in 0..<babies {
            let born = BabyGenerator(seed: seed).log(number, days: 16, age: 10 + number * 37 % 330)
            let log = isBorn ? born : RhythmLog(born.records)
            let moments = RhythmBacktest.intervals(of: log, kind: kind).filter { now, _ in
                let isByDay = RhythmModels.isByDay(now.localMinutes)
                return kind == .feed || isByDay == (kind != .nightWaking)
            }
            for (moment, told) in zip(moments, try log.forecasts(kind, at: moments.map(\.now))) {
                guard let told else { continue }
                let age = moment.now.localMinutes - BabyGenerator.firstDay.localMinutes
                trials[Int(age / 1440) + 1, default: []].append((told, moment.length))
            }
        }
        return trials
    }

    /// A hundred babies have some hundred forecasts of a kind a day, with correlated misses.
    @Test(
        "intervals of 80 % hold about 80 % from the first day on",
        arguments: [RhythmKind.nap, .feed, .wakeUp, .bedtime, .nightWaking], [UInt64(11)])
    func coverage(kind: RhythmKind, seed: UInt64) throws {
        let trials = try Self.trials(kind, seed: seed, babies: 100)
        for day in Self.days where kind != .bedtime || day > 1 {
            let told = try #require(trials[day])
            let covered = told.count { forecast, actual in
                let now = forecast.now.localMinutes
                return (forecast.lower.localMinutes - now...forecast.upper.localMinutes - now).contains(actual)
            }
            let share = Double(covered) / Double(told.count)
            #expect(told.count > 60 && share > 0.72, "seed \(seed), day \(day): \(share) of \(told.count)")
            // Generated evenings and nights are alike from the first one on, which real ones are not.
            let isRegular = day <= 3 && (kind == .nightWaking || kind == .bedtime)
            #expect(isRegular || share < 0.89, "seed \(seed), day \(day): \(share)")
        }
    }

    @Test("without a day of birth, intervals hold nearly as often", arguments: [RhythmKind.nap, .wakeUp], [UInt64(15)])
    func unknownAge(kind: RhythmKind, seed: UInt64) throws {
        let trials = try Self.trials(kind, seed: seed, babies: 60, isBorn: false)
        for day in 1...3 {
            let told = try #require(trials[day])
            let covered = told.count { forecast, actual in
                let end = forecast.now.later(by: actual)
                return forecast.lower <= end && end <= forecast.upper
            }
            let share = Double(covered) / Double(told.count)
            #expect(share > 0.68 && share < 0.95, "day \(day): \(share) of \(told.count)")
        }
    }

    @Test("confidence is the share within half an hour", arguments: [RhythmKind.nap, .feed, .wakeUp], [UInt64(12)])
    func confidence(kind: RhythmKind, seed: UInt64) throws {
        for (day, told) in try Self.trials(kind, seed: seed, babies: 100) where Self.days.contains(day) {
            let stated = told.reduce(0) { $0 + $1.forecast.confidence } / Double(told.count)
            let hits = told.count { abs($0.forecast.point.minutes(since: $0.forecast.now) - $0.actual) <= 30 }
            let share = Double(hits) / Double(told.count)
            // Generated meals are more regular than those of the logs behind the prior.
            #expect(abs(stated - share) < (day == 1 && kind == .feed ? 0.2 : 0.12), "day \(day): \(stated), \(share)")
        }
    }

    @Test("the lengths of sleeps are stated from the first day on, and hold", arguments: [UInt64(13)])
    func lengths(seed: UInt64) throws {
        var (held, count) = (0, 0)
        for number in 0..<60 {
            let log = BabyGenerator(seed: seed).log(number, days: 4, age: 10 + number * 37 % 330)
            let sleeps = log.sleeps
            let pairs = Array(zip(sleeps, sleeps.dropFirst()))
            let told = try log.forecasts(.nap, at: pairs.map { log.time($0.0.end, $0.0.endShift) })
            for (pair, told) in zip(pairs, told) where RhythmModels.isByDay(pair.0.localEnd) {
                let range = try #require(told?.durationRange)
                held += range.contains(pair.1.end - pair.1.start) ? 1 : 0
                count += 1
            }
        }
        let share = Double(held) / Double(count)
        #expect((0.72...0.88).contains(share), "seed \(seed): \(share) of \(count)")
    }

    @Test("the published intervals grow smoothly with age")
    func curves() throws {
        #expect(AgeTable.wakeWindow(ageInDays: 45) == 75 && AgeTable.wakeWindow(ageInDays: 60) == 86.25)
        #expect(AgeTable.feedInterval(ageInDays: 0) == 150 && AgeTable.feedInterval(ageInDays: 900) == 270)
        #expect(AgeTable.nightSleep(ageInDays: 90) == 360 && AgeTable.nap(ageInDays: 135) == 67.5)
        for kind in [RhythmKind.nap, .feed] {
            let minutes = (0...600).compactMap { AgeTable.interval(of: kind, ageInDays: Double($0)) }
            #expect(minutes.count == 601 && zip(minutes, minutes.dropFirst()).allSatisfy { $0 <= $1 && $1 < $0 + 2 })
        }
    }
}
