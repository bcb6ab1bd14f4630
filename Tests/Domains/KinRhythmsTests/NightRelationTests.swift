import KinTestSupport
import Testing

@testable import KinRhythms

/// Findings about the longest sleep of each night, in logs with known lengths.
@Suite struct NightRelationTests {
    /// A day of a log: its meals, the millilitres of each, and the longest sleep of the night after it, in minutes.
    private struct Day {
        var meals = 6
        var millilitres = 100.0
        var stretch = 420.0
    }

    /// Nights from 20:00 to 07:00 with one waking of 25 minutes after the longest sleep, and a nap at noon.
    private static func log(_ days: [Day]) -> RhythmLog {
        var records: [RhythmRecord] = []
        for (number, day) in days.enumerated() {
            let midnight = Double(number) * 1440
            for meal in 0..<day.meals {
                let time = midnight + 435 + Double(meal) * 90
                records.append(
                    RhythmRecord(
                        start: SampleLog.at(time),
                        event: .feed(RhythmRecord.Feed(end: SampleLog.at(time + 10), millilitres: day.millilitres))))
            }
            records.append(SampleLog.sleep(midnight + 720, 60))
            records.append(SampleLog.sleep(midnight + 1200, day.stretch))
            let waking = 1200 + day.stretch + 25
            records.append(SampleLog.sleep(midnight + waking, 1440 + 420 - waking))
        }
        return RhythmLog(records)
    }

    /// Days with independent numbers of meals and amounts, and noise in the nights.
    private static func days(_ random: inout SeededGenerator) -> [Day] {
        (0..<90).map { _ in
            let meals = 4 + random.below(5)
            return Day(
                meals: meals, millilitres: (500 + 200 * random.uniform()) / Double(meals),
                stretch: 420 + 20 * (random.uniform() - 0.5))
        }
    }

    @Test func mealsCorrelateWithTheNightAfterThem() throws {
        var random = TestSeed().generator
        let plain = Self.days(&random)
        var after = plain
        for day in plain.indices { after[day].stretch += 12 * Double(plain[day].meals - 6) }
        let found = RhythmAnalysis(Self.log(after))
        let relation = try #require(found.feedsAndSleep)
        #expect(relation.r > 0.85 && relation.p < 1e-12, "\(relation)")
        #expect(found.insights.contains { $0.title == "Feeds and the night" && $0.text.contains("longer") })
        // The night before a day is not its night.
        var before = plain
        for day in plain.indices.dropLast() { before[day].stretch += 12 * Double(plain[day + 1].meals - 6) }
        for days in [plain, before] {
            let none = try #require(RhythmAnalysis(Self.log(days)).feedsAndSleep)
            #expect(abs(none.r) < 0.45 && none.p > 1e-6, "\(none)")
        }
    }

    @Test func drinkingCorrelatesWithTheNightAfterIt() throws {
        var random = TestSeed().generator
        let plain = Self.days(&random)
        func total(_ day: Day) -> Double { Double(day.meals) * day.millilitres }
        var after = plain
        for day in plain.indices { after[day].stretch -= (total(plain[day]) - 600) / 3 }
        let found = RhythmAnalysis(Self.log(after))
        let relation = try #require(found.drinkingAndSleep)
        #expect(relation.r < -0.85 && relation.p < 1e-12, "\(relation)")
        #expect(found.insights.contains { $0.title == "Milk and the night" && $0.text.contains("shorter") })
        let none = try #require(RhythmAnalysis(Self.log(plain)).drinkingAndSleep)
        #expect(abs(none.r) < 0.45 && none.p > 1e-6, "\(none)")
        // Feeds at the breast have no amount.
        let unmeasured = RhythmAnalysis(Self.log(plain.map { Day(meals: $0.meals, millilitres: 0) }))
        #expect(unmeasured.drinkingAndSleep == nil && unmeasured.days.allSatisfy { $0.millilitres == 0 })
    }

    @Test("solids change no statistic of milk, whatever their amounts")
    func solidsAreNoMilk() throws {
        var random = TestSeed().generator
        let plain = Self.log(Self.days(&random))
        // Solids after each feed, within its meal.
        let solids = plain.records.compactMap { row -> RhythmRecord? in
            guard case .feed = row.event else { return nil }
            let amount = Double(random.below(200))
            return RhythmRecord(
                start: row.start.later(by: 5), event: .feed(.init(method: .solids, millilitres: amount)))
        }
        let sleeps = plain.records.filter { $0.type == .sleep }
        let (milk, both) = (RhythmAnalysis(plain), RhythmAnalysis(RhythmLog(plain.records + solids)))
        let alone = RhythmAnalysis(RhythmLog(sleeps + solids))
        #expect(milk.days.contains { $0.millilitres > 0 } && milk.drinkingAndSleep != nil)
        #expect(both.days.map(\.millilitres) == milk.days.map(\.millilitres))
        #expect(both.drinkingAndSleep == milk.drinkingAndSleep)
        #expect(milk.relations.amountAndLength != nil)
        #expect(both.relations.amountAndLength == milk.relations.amountAndLength)
        #expect(alone.days.allSatisfy { $0.millilitres == 0 } && alone.days.contains { $0.meals > 0 })
        #expect(alone.drinkingAndSleep == nil && alone.relations.amountAndLength == nil)
        for method in [nil] + RhythmRecord.Feed.Method.allCases {
            let feed = RhythmRecord.Feed(method: method, millilitres: 60)
            #expect(feed.milk == (method == .solids ? nil : 60), "\(String(describing: method))")
        }
    }

    @Test("a date that the clock skips has no minutes asleep, and the dates around it have their own")
    func aSkippedDate() throws {
        let zone = try LocalZone(named: "Pacific/Apia")
        let first = try Timestamp(parsing: "2011-12-24T06:00:00Z").microseconds
        let rows = try (0..<14).map { night -> RhythmRecord in
            let start = first + Int64(night) * 86_400_000_000
            return RhythmRecord(
                start: LoggedTime(try Timestamp(microseconds: start), in: zone),
                event: .sleep(.init(end: LoggedTime(try Timestamp(microseconds: start + 39_600_000_000), in: zone))))
        }
        let days = RhythmLog(rows, zone: zone).days
        #expect(days.map(\.asleepMinutes).reduce(0, +) == 14 * 660)
        for day in days.dropFirst().dropLast() {
            #expect(day.asleepMinutes == (day.date.date == "2011-12-30" ? 0 : 660), "\(day.date)")
        }
    }

    @Test func growthIsTheMedianSlopeOfTheLastEightWeeks() throws {
        var random = TestSeed().generator
        let days = (0..<70).map { Day(stretch: (350 + 2 * Double($0) + 40 * random.uniform()).rounded()) }
        let analysis = RhythmAnalysis(Self.log(days))
        // The first day has no day before it, so its night does not count. The last night ends on a further day.
        let nights = Array(days.enumerated().dropFirst().suffix(56))
        #expect(analysis.days.dropLast().map(\.longestNightStretch) == days.map(\.stretch))
        var slopes: [Double] = []
        for (number, later) in nights.enumerated() {
            for earlier in nights.prefix(number) {
                slopes.append(
                    (later.element.stretch - earlier.element.stretch) / Double(later.offset - earlier.offset))
            }
        }
        slopes.sort()
        let median = (slopes[slopes.count / 2] + slopes[(slopes.count - 1) / 2]) / 2
        let growth = try #require(analysis.consolidation)
        #expect(abs(growth.weeklyMinutes - 7 * median) < 1e-9 && growth.count == 56, "\(growth)")
        #expect(RhythmAnalysis(Self.log(Array(days.prefix(14)))).consolidation == nil)
        #expect(RhythmAnalysis(Self.log(Array(days.prefix(15)))).consolidation?.count == 14)
    }

    @Test("nights before the last eight weeks do not count, even if the log has a hole")
    func growthIgnoresOldNights() throws {
        func log(old: Int, hole: Int, new: Int) -> RhythmLog {
            RhythmLog(
                (0..<old + hole + new).filter { !(old..<old + hole).contains($0) }.flatMap { day -> [RhythmRecord] in
                    let midnight = Double(day) * 1440
                    return [
                        SampleLog.sleep(midnight + 780, 60),
                        SampleLog.sleep(midnight + 1200, (day < old ? 300 : 500) + Double(day % 7)),
                    ]
                })
        }
        #expect(RhythmAnalysis(log(old: 40, hole: 70, new: 8)).consolidation == nil)
        let growth = try #require(RhythmAnalysis(log(old: 28, hole: 40, new: 28)).consolidation)
        #expect(growth.count == 40 - 1 - 15 || growth.count < 30, "\(growth)")
        #expect(abs(growth.weeklyMinutes) < 2, "\(growth)")
    }

    @Test func recordsAndGrowingNightsAreAchievements() throws {
        var random = TestSeed().generator
        func numbers(_ insight: RhythmInsight) -> [String: Double] {
            Dictionary(uniqueKeysWithValues: insight.numbers.map { ($0.name, $0.value) })
        }
        var days = (0..<40).map { _ in Day(stretch: (400 + 20 * random.uniform()).rounded()) }
        func record() -> RhythmInsight? {
            RhythmAnalysis(Self.log(days)).insights.first { $0.title == "The longest sleep yet" }
        }
        let longest = try #require(days.map(\.stretch).max())
        days[37].stretch = longest + 9
        #expect(record() == nil)
        days[37].stretch = longest + 90
        let found = try #require(record())
        #expect(found.kind == .achievement && found.confidence == 1)
        let expected = ["minutes": longest + 90, "longest_before_minutes": longest, "nights": 39]
        #expect(numbers(found) == expected)
        // A record of two weeks ago is not new.
        (days[25], days[37]) = (days[37], days[25])
        #expect(record() == nil)
        for day in days.indices {
            let noise = (20 * random.uniform()).rounded()
            days[day].stretch = 380 + 3 * Double(day) + noise
        }
        let analysis = RhythmAnalysis(Self.log(days))
        let growth = try #require(analysis.consolidation)
        let growing = try #require(analysis.insights.first { $0.title == "Nights grow together" })
        #expect(growing.kind == .achievement)
        #expect(numbers(growing) == ["weekly_minutes": growth.weeklyMinutes, "nights": 39, "p": growth.p])
        #expect(abs(growth.weeklyMinutes - 21) < 4)
    }

    @Test func theMeanOfSevenIntervalsIsABaselineOfNaps() throws {
        let log = RhythmLog(SampleLog.records(days: 20, seed: 3))
        let sleeps = log.sleeps
        let gaps = zip(sleeps, sleeps.dropFirst()).map { (from: $0.end, to: $1.start) }
        let trials = try RhythmBacktest(log, kind: .nap).trials
        #expect(trials.count > 30)
        for trial in trials {
            let now = trial.forecast.now.localMinutes
            let before = gaps.filter {
                $0.to <= now && $0.from >= now - 7 * 1440 && (15...600).contains($0.to - $0.from)
            }
            let mean = before.suffix(7).reduce(0) { $0 + $1.to - $1.from } / 7
            #expect(abs(try #require(trial.baselines[.meanOfSeven]) - mean) < 1e-9)
        }
    }
}
