import CKin
import KinEvaluation
import Testing

@testable import KinABI

/// Experiments through the C interface match the Swift interface.
struct ExperimentCallTests {
    private let ok = kin_status(KIN_OK)
    private let key = [UInt8](1...20)

    @Test func assignmentsEqualSwift() throws {
        let people = (0..<40).map { "ü\($0)" }
        let weights = [1.0, 3]
        let swift = try Experiment("e", key: key, variants: [.init("a"), .init("b", weight: 3)])
        var assigned = [Int64](repeating: -1, count: 40)
        unsafe with(["a", "b"]) { variants in
            unsafe with(people) { people in
                let status = unsafe kin_experiment_assign("e", key, 20, variants, weights, 2, people, 40, &assigned)
                #expect(status == ok)
            }
        }
        #expect(assigned == people.map { Int64(swift.assign($0)) })
    }

    @Test func testsAndSizesEqualSwift() throws {
        let outcomes = (0..<50).map { Double($0 * 7 % 11) }
        let treated = (0..<50).map { UInt8($0 * 5 % 3 == 0 ? 2 : 0) }
        var swift = try SequentialTest(share: 0.3, range: 0...10)
        var expected: [Double] = []
        for (outcome, mark) in zip(outcomes, treated) {
            try swift.add(outcome, isTreated: mark != 0)
            expected.append(swift.pValue)
        }
        var (series, result) = ([Double](repeating: 77, count: 50), [0.0, 0, 0, 0])
        unsafe #expect(
            kin_experiment_test(outcomes, treated, 50, 0.3, 0, 10, 0.9, &series, &result) == ok)
        let interval = try swift.interval(confidence: 0.9)
        #expect(series == expected)
        #expect(result == [swift.effect, interval.lowerBound, interval.upperBound, swift.pValue])
        unsafe #expect(kin_experiment_test(outcomes, treated, 50, 0.3, 0, 10, 0.9, nil, &result) == ok)
        let design = try ExperimentDesign(baseline: 0.2, share: 0.4, significance: 0.01, power: 0.9)
        let sizes = try design.sizes(for: 0.05)
        var numbers = [0.0, 0]
        unsafe #expect(kin_experiment_size(0.2, 0.05, 0.4, 0.01, 0.9, &numbers) == ok)
        #expect(numbers == [Double(sizes.fixed), Double(sizes.sequential)])
        let effects = try design.effects(of: 5000)
        unsafe #expect(kin_experiment_effect(0.2, 5000, 0.4, 0.01, 0.9, &numbers) == ok)
        #expect(numbers == [effects.fixed, effects.sequential])
    }

    @Test func invalidCallsAreRefused() throws {
        var (assigned, series, result) = ([Int64(77)], [77.0], [77.0, 77, 77, 77])
        unsafe with(["a"]) { a in
            unsafe refused(kin_experiment_assign("e", key, 3, a, nil, 1, a, 1, &assigned), "3 bytes")
            unsafe refused(kin_experiment_assign("e", key, 20, a, nil, 0, a, 1, &assigned), "no variants")
            unsafe refused(kin_experiment_assign("e", key, 20, a, [0], 1, a, 1, &assigned), "weight")
            unsafe refused(
                kin_experiment_assign("e", key, 20, a, nil, 1, a + 1, 1, &assigned), "people must not be NULL")
            let bounds = [-1, Int.max, Int.min]
            for n in bounds {
                for status in unsafe [
                    kin_experiment_assign("e", key, n, a, nil, 1, a, 1, &assigned),
                    kin_experiment_assign("e", key, 20, a, nil, n, a, 1, &assigned),
                    kin_experiment_assign("e", key, 20, a, nil, 1, a, n, &assigned),
                ] { #expect(status != ok, "\(n)") }
            }
        }
        unsafe refused(kin_experiment_test([2], [1], 1, 0.5, 0, 1, 0.9, &series, &result), "row 0")
        unsafe refused(kin_experiment_test([1], [1], 1, 1, 0, 1, 0.9, &series, &result), "share")
        unsafe refused(kin_experiment_test([1], [1], 1, 0.5, 1, 0, 0.9, &series, &result), "cannot differ")
        unsafe refused(kin_experiment_test([1], [1], 1, 0.5, .nan, 1, 0.9, &series, &result), "cannot differ")
        unsafe refused(kin_experiment_test([1], [1], 1, 0.5, 0, 1, 2, &series, &result), "confidence")
        unsafe refused(kin_experiment_size(0.1, 0, 0.5, 0.05, 0.8, &result), "effect must not be 0")
        unsafe refused(kin_experiment_effect(0.1, -5, 0.5, 0.05, 0.8, &result), "size must be 1 or more, not -5")
        #expect(assigned == [77] && series == [77] && result == [77, 77, 77, 77])
    }
}
