import KinCore
import KinForecasting
import KinTestSupport
import Testing

/// A change of units: a factor and an offset in multiples of the factor.
struct Unit: Sendable, CustomTestStringConvertible {
    let factor: Double
    let offset: Double

    func callAsFunction(_ x: Double) -> Double { factor * (x + offset) }

    var testDescription: String { "\(factor) (x + \(offset))" }

    static let all = [-1e-30, 1e-30, 1e-6, 0.1, 1, 3, -1e9, 1e30].flatMap { factor in
        [0, 1, -1e4, 1e7].map { Unit(factor: factor, offset: $0) }
    }
}

@Suite("Statistics do not depend on the unit of their numbers")
struct UnitTests {
    /// A day depends on the day before.
    private func dependent(_ generator: inout SeededGenerator, count: Int) -> [Double] {
        var last = 0.0
        return (0..<count).map { _ in
            last = 0.7 * last + AnalysisTests.noise(&generator)
            return last
        }
    }

    private func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-4 * max(abs(a), abs(b)) + 1e-12 }

    @Test("steps of noisy days, of dependent days and of counts", arguments: Unit.all)
    func steps(unit: Unit) {
        var generator = SeededGenerator(seed: 4)
        let noisy = (0..<120).map { ($0 < 50 ? 40 : 43) + AnalysisTests.noise(&generator) }
        let related = dependent(&generator, count: 120).enumerated().map { $1 + ($0 < 60 ? 0 : 6) }
        let counts = (0..<120).map { ($0 < 70 ? 4.0 : 3) + (generator.below(10) == 0 ? 1 : 0) }
        for (name, series) in [("noisy", noisy), ("related", related), ("counts", counts)] {
            let expected = ChangePointDetection(smallestStep: 0.5).changes(in: series)
            let found = ChangePointDetection(smallestStep: 0.5 * abs(unit.factor)).changes(in: series.map { unit($0) })
            #expect(!expected.isEmpty && found.map(\.index) == expected.map(\.index), "\(name)")
            for (a, b) in zip(found, expected) {
                #expect(isNear(a.size, unit.factor * b.size), "\(name)")
                #expect(isNear(a.confidence, b.confidence), "\(name)")
            }
            let shift = ChangePointDetection(smallestStep: 0).shift(atEndOf: series, largestP: 1)
            let moved = ChangePointDetection(smallestStep: 0).shift(atEndOf: series.map { unit($0) }, largestP: 1)
            #expect(moved?.index == shift?.index && isNear(moved!.confidence, shift!.confidence), "\(name)")
        }
    }

    @Test("the p-value of a trend of dependent days, and of a line", arguments: Unit.all)
    func trends(unit: Unit) {
        var generator = SeededGenerator(seed: 5)
        let related = dependent(&generator, count: 60).enumerated().map { $1 + 0.05 * Double($0) }
        for series in [related, (0..<60).map { 0.1 * Double($0) }] {
            let expected = TheilSen.dependentP(series.enumerated().map { (Double($0), $1) })
            for start in [0, 1e7] {
                let p = TheilSen.dependentP(series.enumerated().map { (start + Double($0), unit($1)) })
                #expect(isNear(p, expected), "\(p) and \(expected) from \(start)")
            }
        }
    }

    @Test("a correlation, and the quantities that it is freed from", arguments: Unit.all)
    func correlations(unit: Unit) throws {
        var generator = SeededGenerator(seed: 6)
        let common = dependent(&generator, count: 50)
        let x = common.map { $0 + 0.3 * AnalysisTests.noise(&generator) }
        let y = common.map { $0 + 0.3 * AnalysisTests.noise(&generator) }
        let t = (0..<50).map(Double.init)
        let (raw, free) = (PartialCorrelation(x, y, without: t), PartialCorrelation(x, y, without: t, and: [common]))
        #expect(try #require(raw).r > 0.7 && abs(#require(free).r) < 0.5)
        for (expected, others) in [(raw, []), (free, [common]), (free, [common, common.map { 3 * $0 }])] {
            let moved = [x, y, t].map { $0.map { unit($0) } }
            let found = try #require(
                PartialCorrelation(moved[0], moved[1], without: moved[2], and: others.map { $0.map { unit($0) } }))
            #expect(isNear(found.r, expected!.r), "\(found.r) and \(expected!.r)")
            if others.count < 2 { #expect(isNear(found.p, expected!.p), "\(found.p) and \(expected!.p)") }
        }
        // Nothing but rounding errors varies.
        let constant = t.map { _ in unit(0.1) }
        let curve = t.map { unit(0.3 * $0 * $0) }
        #expect(PartialCorrelation(constant, y, without: t) == nil && PartialCorrelation(x, curve, without: t) == nil)
    }

    @Test("values that differ by rounding errors are equal", arguments: 1...20)
    func rounding(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // Sums of thirds in any order: whole numbers except for rounding.
        let level = 10 * Double(seed) + 0.1
        let whole = (0..<60).map { $0 % 9 == 4 ? level + 1 : level }
        let rounded = whole.map { $0 * (1 + Double(generator.below(5)) * .ulpOfOne) }
        let search = ChangePointDetection(smallestStep: 0)
        #expect(search.changes(in: rounded).map(\.index) == search.changes(in: whole).map(\.index))
        let flat = whole.map { _ in level * (1 + Double(generator.below(5)) * .ulpOfOne) }
        #expect(search.changes(in: flat).isEmpty)
    }
}
