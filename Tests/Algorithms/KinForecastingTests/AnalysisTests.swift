import Foundation
import KinCore
import KinForecasting
import KinTestSupport
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
        var detection = ChangePointDetection(smallestStep: 1)
        for shortest in [Int.min, 0, .max] {
            detection.shortestSegment = shortest
            #expect(detection.changes(in: (0..<40).map { $0 < 20 ? 0 : 9 }).isEmpty)
        }
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

    @Test(
        "steady series of any distribution have steps in at most one of a hundred",
        arguments: ["far values, 1 in 20", "far values, 1 in 3", "one-sided", "days like their neighbours"])
    func steadyValues(kind: String) {
        var alarms = 0
        for seed in 0..<100 {
            var generator = SeededGenerator(seed: UInt64(2000 + seed))
            var last = 0.0
            let series: [Double?] = (0..<90).map { _ in
                switch kind {
                case "far values, 1 in 20":
                    return 400 + 15 * Self.noise(&generator) + (generator.below(20) == 0 ? 270 : 0)
                case "far values, 1 in 3":
                    return 400 + 15 * Self.noise(&generator) + (generator.below(3) == 0 ? 270 : 0)
                case "one-sided": return 400 - 40 * log(1 - generator.uniform())
                default:
                    last = 0.5 * last + 30 * Self.noise(&generator)
                    return 400 + last
                }
            }
            alarms += ChangePointDetection(smallestStep: 30).changes(in: series).isEmpty ? 0 : 1
        }
        #expect(alarms <= 1, "\(alarms) of 100")
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

    @Test("the p-value of few points is Fisher's z with two fewer degrees of freedom, for their independent share")
    func fewPoints() throws {
        var generator = SeededGenerator(seed: 9)
        let age = (0..<12).map(Double.init)
        // Neighbours differ, so the share is that of one standard error.
        let x = age.map { (Int($0) % 2 == 0 ? 1 : -1) + 0.1 * Self.noise(&generator) }
        let y = x.map { 0.5 * $0 + Self.noise(&generator) }
        let found = try #require(PartialCorrelation(x, y, without: age))
        // z √(n − 3 − 2), in standard deviations.
        let deviations = abs(0.5 * log((1 + found.r) / (1 - found.r))) * 7.0.squareRoot()
        let error = 1 / 12.0.squareRoot()
        let expected = pow(erfc(deviations / 2.0.squareRoot()), (1 - error) / (1 + error))
        #expect(abs(found.p - expected) < 1e-12)
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

    /// Two quantities of a log, each about the same for days, without a relation: 22 to 52 % had p < 0.05 when the test
    /// took points for independent. The first month is the hardest, with 15 % now.
    @Test("unrelated quantities that last for days are rarely called related", arguments: [30, 91, 365])
    func lasting(days: Int) throws {
        var generator = SeededGenerator(seed: 21)
        var small = 0
        for _ in 0..<200 {
            let (x, y) = (Self.lasting(days, &generator), Self.lasting(days, &generator))
            small += try #require(PartialCorrelation(x, y, without: x.indices.map(Double.init))).p < 0.05 ? 1 : 0
        }
        #expect(small <= (days == 30 ? 40 : 26), "\(small) of 200, 10 expected")
    }

    /// Four values for each day, about a mean with a correlation of 0.8 from day to day.
    private static func lasting(_ days: Int, _ generator: inout SeededGenerator) -> [Double] {
        var mean = 0.0
        return (0..<days).flatMap { _ in
            mean = 0.8 * mean + 0.6 * generator.normalDeviate()
            return (0..<4).map { _ in mean + 0.6 * generator.normalDeviate() }
        }
    }

    @Test("the Theil–Sen slope ignores one outlier")
    func trend() throws {
        var points = (0..<20).map { (x: Double($0), y: 2 * Double($0)) }
        points[7].y = 1000
        #expect(abs(try #require(TheilSen.slope(points)) - 2) < 1e-12)
        #expect(TheilSen.slope(Array(points.prefix(2))) == nil)
    }

    @Test("a step of three standard deviations is noticed within two weeks in four of five series")
    func shifts() {
        var generator = TestSeed().generator
        var noticed = 0
        for _ in 0..<100 {
            let series: [Double?] = (0..<84).map { day in 840 + (day >= 70 ? 60 : 0) + 20 * Self.noise(&generator) }
            let shift = ChangePointDetection(smallestStep: 30).shift(atEndOf: series, largestP: 5.7e-6)
            noticed += shift.map { abs($0.index - 70) <= 3 && $0.size > 30 } == true ? 1 : 0
        }
        #expect(noticed >= 80, "\(noticed) of 100")
    }

    @Test("the p-value of the sum of ranks bounds the share of all orders, closely")
    func orders() {
        var generator = TestSeed().generator
        for trial in 0..<60 {
            let (count, after) = (12, 3 + trial % 3)
            // Many equal values in every second trial.
            let ranks = RankSum.ranks((0..<count).map { _ in Double(generator.below(trial % 2 == 0 ? 3 : 1000)) })
            let sum = abs(ranks.suffix(after).reduce(0, +))
            var (all, larger, smaller) = (0, 0, 0)
            for subset in 0..<(1 << count) where subset.nonzeroBitCount == after {
                let other = ranks.indices.reduce(0.0) { $0 + (subset >> $1 & 1 == 1 ? ranks[$1] : 0) }
                all += 1
                larger += other >= sum - 1e-9 ? 1 : 0
                smaller += other <= 1e-9 - sum ? 1 : 0
            }
            let exact = 2 * Double(ranks.suffix(after).reduce(0, +) < 0 ? smaller : larger) / Double(all)
            let p = RankSum.p(ranks, after: after, share: 1)
            #expect(p >= min(1, exact) * (1 - 1e-4) && p <= 16 * exact, "\(p), exactly \(exact)")
        }
        // The last are the largest: 1 of (40 over 7) orders, on either side.
        let orders = 18_643_560.0
        let ranks = RankSum.ranks((0..<40).map(Double.init))
        for share in [1, 0.5] {
            let ratio = RankSum.p(ranks, after: 7, share: share) / (2 * pow(1 / orders, share))
            #expect((1...1.2).contains(ratio))
        }
        #expect(RankSum.p([Double](repeating: 0, count: 40), after: 7, share: 1) == 1)
    }

    @Test("days that resemble their neighbours count as fewer")
    func independentShare() {
        var generator = TestSeed().generator
        func share(_ correlation: Double) -> Double {
            var values = [0.0]
            for _ in 0..<4000 { values.append(correlation * values[values.count - 1] + Self.noise(&generator)) }
            return IndependentShare.of(values)
        }
        for correlation in [0, 0.3, 0.6] {
            #expect(abs(share(correlation) - (1 - correlation) / (1 + correlation)) < 0.08)
        }
        // One standard error for 49 days, whether they are constant or alternate.
        #expect(abs(IndependentShare.of([Double](repeating: 3, count: 49)) - 0.75) < 1e-12)
        #expect(IndependentShare.of((0..<49).map { Double($0 % 2) }) == 1)
    }

    @Test("a year of daily looks at dependent days and rare counts finds no shift", arguments: ["days", "counts"])
    func shiftsOfAYear(kind: String) {
        var generator = TestSeed().generator
        var found = 0
        for _ in 0..<40 {
            var last = 0.0
            let series: [Double?] = (0..<365).map { _ in
                guard kind == "days" else { return 3 - (generator.below(20) == 0 ? 1 : 0) }
                last = 0.5 * last + Self.noise(&generator)
                return last
            }
            found +=
                (21...365).contains { day in
                    let search = ChangePointDetection(smallestStep: 0)
                    return search.shift(atEndOf: Array(series[..<day]), largestP: 5.7e-6) != nil
                } ? 1 : 0
        }
        // At most 3 · 365 · 5.7e-6 = 0.6 % of years are expected.
        #expect(found <= 2, "\(found) of 40")
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
