import Foundation
import KinEvaluation
import KinTestSupport
import Testing

@Suite("Anytime-valid sequential tests")
struct SequentialTestTests {
    /// Outcomes of people, until the limit is reached or an effect is found.
    private static func run(
        _ means: (control: Double, treated: Double), people: Int, share: Double = 0.5, _ random: inout SeededGenerator
    ) throws -> (test: SequentialTest, found: Int?) {
        var test = try SequentialTest(share: share)
        for person in 1...people {
            let isTreated = random.uniform() < share
            let isDone = random.uniform() < (isTreated ? means.treated : means.control)
            try test.add(isDone ? 1 : 0, isTreated: isTreated)
            if test.pValue < 0.05 { return (test, person) }
        }
        return (test, nil)
    }

    /// Stopping as soon as p < 0.05 finds an effect in fewer than one of twenty experiments without one, and finds most
    /// real effects.
    @Test func stoppingAtAnyTimeIsValid() throws {
        var random = TestSeed().generator
        var (wrong, found) = (0, 0)
        for _ in 0..<120 {
            if try Self.run((0.3, 0.3), people: 400, &random).found != nil { wrong += 1 }
            if try Self.run((0.3, 0.6), people: 400, &random).found != nil { found += 1 }
        }
        // Of 120 at 5 %, at most 6 are expected; 15 is four standard deviations more.
        #expect(wrong <= 15, "\(wrong) of 120")
        #expect(found >= 110, "\(found) of 120")
    }

    /// The interval contains the effect at every look. The p-value falls below α when the interval first excludes 0.
    @Test(arguments: [0.5, 0.2])
    func intervalsAreValidAtAllTimes(share: Double) throws {
        var random = TestSeed().generator
        for _ in 0..<3 {
            var test = try SequentialTest(share: share, range: -2...6)
            var wasExcluded = false
            for _ in 0..<800 {
                let isTreated = random.uniform() < share
                try test.add((isTreated ? 3 : 1) + 2 * random.uniform() - 1, isTreated: isTreated)
                let interval = try test.interval(confidence: 0.999)
                #expect(interval.contains(2), "\(interval) after \(test.count)")
                wasExcluded = wasExcluded || interval.lowerBound > 0
                #expect((test.pValue < 0.001) == wasExcluded, "p \(test.pValue), \(interval)")
            }
            #expect(wasExcluded && abs(test.effect - 2) < 0.7, "\(test.effect)")
        }
    }

    /// The p-value after each of 200 outcomes; the second half cancels the effect of the first.
    @Test func thePValueNeverRises() throws {
        var test = try SequentialTest()
        var values: [Double] = []
        for person in 0..<200 {
            let isTreated = person % 2 == 0
            try test.add(isTreated == (person < 100) ? 1 : 0, isTreated: isTreated)
            values.append(test.pValue)
        }
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(values[99] < 1e-3 && values[199] <= values[99])
        #expect(try abs(test.effect) < 0.1 && test.interval().contains(0))
    }

    /// The definition, computed in the widest numbers.
    @Test func thePValueEqualsItsFormula() throws {
        var random = TestSeed().generator
        var test = try SequentialTest(share: 0.25)
        let c = 1 + 1 / 0.25
        var (sum, variation, outcomes, least): (Wide, Wide, Wide, Double) = (0, 0, 0, 1)
        for t in 0..<60 {
            let (isTreated, outcome) = (random.uniform() < 0.25, random.uniform())
            let (mean, expected): (Wide, Wide) =
                t == 0 ? (0.5, 0) : (outcomes / Wide(t), min(1, max(-1, sum / Wide(t))))
            let h = (isTreated ? 4 : -1 / Wide(0.75)) * (Wide(outcome) - mean)
            outcomes += Wide(outcome)
            sum += h
            variation += (h - expected) * (h - expected)
            try test.add(outcome, isTreated: isTreated)
            var evidence = 0.0
            for k in 1...12 {
                let part = pow(2, -Double(k))
                let psi = (-log(1 - part) - part) / (c * c)
                for sign in [1.0, -1] {
                    evidence += exp(sign * part / c * Double(sum) - psi * Double(variation)) / 24
                }
            }
            least = min(least, 1 / evidence)
            #expect(abs(test.pValue - least) < 1e-9, "\(t)")
        }
        #expect(abs(test.effect - Double(sum) / 60) < 1e-12)
    }

    @Test func invalidNumbersAreRefused() throws {
        for share in [0, 1, -1, .nan, 1e-155, 1e-10, 1 - 1e-12] {
            #expect(errorCode { try SequentialTest(share: share) } == .invalidArgument)
        }
        #expect(errorCode { try SequentialTest(range: 1...1) } == .invalidArgument)
        #expect(errorCode { try SequentialTest(range: 0...(.infinity)) } == .invalidArgument)
        var test = try SequentialTest(range: 0...10)
        #expect(try test.interval() == -10...10 && test.pValue == 1 && test.effect == 0)
        try test.add(4, isTreated: true)
        let before = test
        for outcome in [-1, 11, .nan, .infinity] {
            #expect(errorCode { try test.add(outcome, isTreated: false) } == .invalidArgument)
        }
        #expect(test == before)
        #expect(errorCode { try test.interval(confidence: 1) } == .invalidArgument)
    }

    // MARK: Sizes

    /// Fleiss, Levin and Paik's formula: 3,839 of each variant for 0.1 and 0.12, as any calculator without continuity
    /// correction gives.
    @Test func fixedSizesEqualTheFormula() throws {
        let sizes = try ExperimentDesign(baseline: 0.1).sizes(for: 0.02)
        #expect(abs(sizes.fixed - 2 * 3839) < 20, "\(sizes.fixed)")
        #expect(sizes.sequential > sizes.fixed && sizes.sequential < 3 * sizes.fixed, "\(sizes.sequential)")
    }

    /// Sizes and effects are inverse to each other, and the sequential test finds the effect at its size.
    @Test func theComputedSizeFindsTheEffect() throws {
        var random = TestSeed().generator
        let design = try ExperimentDesign(baseline: 0.3, share: 0.4, power: 0.8)
        let sizes = try design.sizes(for: 0.3)
        #expect(abs(try design.effects(of: sizes.fixed).fixed - 0.3) < 0.005)
        #expect(abs(try design.effects(of: sizes.sequential).sequential - 0.3) < 0.005)
        var found = 0
        for _ in 0..<100 {
            if try Self.run((0.3, 0.6), people: sizes.sequential, share: 0.4, &random).found != nil { found += 1 }
        }
        #expect(found >= 68, "\(found) of 100 within \(sizes.sequential) people")
        #expect(try design.sizes(for: -0.3).fixed > 0)
    }

    @Test func invalidDesignsAreRefused() throws {
        let design = try ExperimentDesign(baseline: 0.1)
        for effect in [0, 0.95, -0.2, .nan, 1e-9] {
            #expect(errorCode { try design.sizes(for: effect) } == .invalidArgument, "\(effect)")
        }
        for size in [0, -3, 1] { #expect(errorCode { try design.effects(of: size) } == .invalidArgument) }
        #expect(errorCode { try ExperimentDesign(baseline: 1.1) } == .invalidArgument)
        for part in [0, 1, .nan] {
            #expect(errorCode { try ExperimentDesign(baseline: 0.1, share: part) } == .invalidArgument)
            #expect(errorCode { try ExperimentDesign(baseline: 0.1, significance: part) } == .invalidArgument)
            #expect(errorCode { try ExperimentDesign(baseline: 0.1, power: part) } == .invalidArgument)
        }
    }
}
