import Foundation
import KinCore
import KinForecasting
import Testing

@Suite("Steps, trends and correlations")
struct AnalysisTests {
    /// The sum of twelve uniforms: normal enough, variance 1.
    static func noise(_ generator: inout SeededGenerator) -> Double {
        (0..<12).reduce(-6) { sum, _ in sum + generator.uniform() }
    }

    @Test("a planted one-hour step is found within three days in 90 % of series")
    func steps() {
        var found = 0
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let leap = 60 + generator.below(240)
            let series: [Double?] = (0..<365).map { day in
                840 - Double(day) * 0.1 + (day >= leap ? 60 : 0) + 25 * Self.noise(&generator)
            }
            let changes = ChangePointDetection(smallestStep: 30).changes(in: series)
            found += changes.contains { abs($0.index - leap) <= 3 && $0.size > 0 } ? 1 : 0
        }
        #expect(found >= 90, "\(found) of 100")
    }

    @Test("years without steps have at most one false alarm on average")
    func falseAlarms() {
        var alarms: [Int] = []
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(1000 + seed))
            let series: [Double?] = (0..<365).map { 840 - Double($0) * 0.2 + 45 * Self.noise(&generator) }
            alarms.append(ChangePointDetection(smallestStep: 30).changes(in: series).count)
        }
        #expect(alarms.reduce(0, +) <= 100, "\(alarms)")
    }

    @Test("partial correlation finds a planted relation and ignores one caused by age")
    func partialCorrelation() throws {
        var generator = SeededGenerator(seed: 3)
        let age = (0..<200).map(Double.init)
        let x = age.map { 0.05 * $0 + Self.noise(&generator) }
        let related = zip(x, age).map { 0.8 * ($0 - 0.05 * $1) + 0.1 * $1 + Self.noise(&generator) }
        let unrelated = age.map { 0.1 * $0 + Self.noise(&generator) }
        let found = try #require(PartialCorrelation(x, related, without: age))
        #expect(found.r > 0.45 && found.r < 0.8 && found.p < 1e-6)
        let none = try #require(PartialCorrelation(x, unrelated, without: age))
        #expect(abs(none.r) < 0.2 && none.p > 0.01)
    }

    @Test("clear steps are found on the exact day")
    func clearSteps() {
        var generator = SeededGenerator(seed: 10)
        let series: [Double?] = (0..<90).map { day in
            day % 11 == 3 ? nil : (day < 30 ? 40 : day < 61 ? 60 : 45) + 0.5 * Self.noise(&generator)
        }
        let changes = ChangePointDetection(smallestStep: 5).changes(in: series)
        #expect(changes.map(\.index) == [30, 61])
        #expect(zip(changes, [20.0, -15]).allSatisfy { abs($0.size - $1) < 0.5 && $0.confidence > 0.99 })
    }

    @Test(
        "steps of mostly constant counts are found, with few false alarms",
        arguments: 0...3)
    func counts(tenths: Int) {
        // On this many days in ten, the count is one more or one less than usual.
        var search = ChangePointDetection(smallestStep: 0.5)
        search.lineAdvantage = 1.15
        search.shortestSegment = 10
        var (found, alarms) = (0, 0)
        for seed in 0..<60 {
            var generator = SeededGenerator(seed: UInt64(9000 + seed))
            let count = 60 + generator.below(60)
            let (leap, level) = (20 + generator.below(count - 40), 2 + generator.below(4))
            let odd = (0..<count).map { _ in generator.below(10) < tenths ? 2.0 * Double(generator.below(2)) - 1 : 0 }
            let steady = odd.map { Double(level) + $0 }
            let stepped = steady.enumerated().map { $0.offset < leap ? $0.element : $0.element - 1 }
            found += search.changes(in: stepped).contains { abs($0.index - leap) <= 4 && $0.size < -0.5 } ? 1 : 0
            alarms += search.changes(in: steady).count
        }
        #expect(found >= 50 && alarms <= 2, "\(found) of 60 found, \(alarms) alarms")
    }

    @Test("a staircase gives one step per stair, and a steady slope gives no step")
    func stairs() {
        var search = ChangePointDetection(smallestStep: 0.5)
        search.lineAdvantage = 1.15
        let stairs = (0..<200).map { Optional($0 < 60 ? 5.0 : $0 < 110 ? 4 : $0 < 160 ? 3 : 2) }
        #expect(search.changes(in: stairs).map(\.index) == [60, 110, 160])
        var generator = SeededGenerator(seed: 12)
        let slope: [Double?] = (0..<200).map { 500 - Double($0) + 10 * Self.noise(&generator) }
        #expect(search.changes(in: slope).isEmpty)
    }

    @Test("the p-value of few points is Fisher's z with two fewer degrees of freedom")
    func fewPoints() throws {
        var generator = SeededGenerator(seed: 9)
        let age = (0..<12).map(Double.init)
        let x = age.map { _ in Self.noise(&generator) }
        let y = x.map { 0.5 * $0 + Self.noise(&generator) }
        let found = try #require(PartialCorrelation(x, y, without: age))
        // z √(n − 3 − 2), in standard deviations.
        let deviations = abs(0.5 * log((1 + found.r) / (1 - found.r))) * 7.0.squareRoot()
        #expect(abs(found.p - erfc(deviations / 2.0.squareRoot())) < 1e-12)
    }

    @Test("shuffled series are called related as often as the p-value predicts")
    func shuffled() throws {
        var generator = SeededGenerator(seed: 8)
        let age = (0..<120).map(Double.init)
        var small = 0
        for _ in 0..<400 {
            let x = age.map { _ in Self.noise(&generator) }
            let y = age.map { _ in Self.noise(&generator) }
            small += try #require(PartialCorrelation(x, y, without: age)).p < 0.05 ? 1 : 0
        }
        #expect((6...36).contains(small), "\(small) of 400, 20 expected")
    }

    @Test("the Theil–Sen slope ignores one outlier")
    func trend() throws {
        var points = (0..<20).map { (x: Double($0), y: 2 * Double($0)) }
        points[7].y = 1000
        #expect(abs(try #require(TheilSen.slope(points)) - 2) < 1e-12)
        #expect(TheilSen.slope(Array(points.prefix(2))) == nil)
    }

    @Test("a one-hour step raises an alarm within three days in 90 % of series")
    func alarms() {
        var noticed = 0
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(5000 + seed))
            let leap = 40 + generator.below(100)
            let series: [Double?] = (0..<(leap + 3)).map { day in
                840 + (day >= leap ? 60 : 0) + 18 * Self.noise(&generator)
            }
            let alarm = ChangePointDetection(smallestStep: 30).alarm(atEndOf: series)
            noticed += alarm.map { abs($0.index - leap) <= 3 && $0.size > 30 } == true ? 1 : 0
        }
        #expect(noticed >= 90, "\(noticed) of 100")
    }

    @Test("daily checks of years without steps raise at most one alarm a year")
    func alarmsOfAYear() {
        var alarms = 0
        for seed in 0..<30 {
            var generator = SeededGenerator(seed: UInt64(7000 + seed))
            let series: [Double?] = (0..<365).map { 840 - Double($0) * 0.1 + 40 * Self.noise(&generator) }
            var silentUntil = 0
            for day in 21..<365 where day >= silentUntil {
                guard ChangePointDetection(smallestStep: 30).alarm(atEndOf: Array(series[..<day])) != nil else {
                    continue
                }
                alarms += 1
                silentUntil = day + 7
            }
        }
        #expect(alarms <= 30, "\(alarms) in 30 years")
    }

    @Test("Mann's p-value is small for a trend and calibrated without one")
    func mann() {
        let rising = (0..<20).map { (x: Double($0), y: Double($0 * $0)) }
        #expect(TheilSen.p(rising) < 1e-6)
        #expect(TheilSen.p(Array(rising.prefix(7))) == 1)
        var small = 0
        for seed in 0..<400 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let points = (0..<25).map { (x: Double($0), y: Self.noise(&generator)) }
            small += TheilSen.p(points) < 0.1 ? 1 : 0
        }
        #expect((20...64).contains(small), "\(small) of 400, 40 expected")
    }
}
