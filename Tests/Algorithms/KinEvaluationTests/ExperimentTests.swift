import KinEvaluation
import KinTestSupport
import Testing

@Suite("Assignment to experiment variants")
struct ExperimentTests {
    private static let key = (0..<32).map { UInt8($0) }

    private func experiment(
        _ variants: [(String, Double)], name: String = "evenings", key: [UInt8] = key
    ) throws -> Experiment {
        try Experiment(name, key: key, variants: variants.map { .init($0.0, weight: $0.1) })
    }

    /// Both spellings of an accent are the same id in a store.
    @Test func idsAreAssignedInTheirNormalForm() throws {
        let experiment = try experiment([("a", 1), ("b", 1)])
        for person in 0..<200 {
            #expect(experiment.assign("\u{E9}\(person)") == experiment.assign("e\u{301}\(person)"))
        }
    }

    private func names(_ experiment: Experiment, _ people: some Sequence<Int>) -> [String] {
        people.map { experiment.variants[experiment.assign("u\($0)")].name }
    }

    /// The variants of nine people, computed with Python's hmac and hashlib: no release may move a person to a
    /// different variant.
    @Test func assignmentsNeverChangeBetweenReleases() throws {
        let found = names(try experiment([("a", 1), ("b", 2), ("c", 1)]), 0..<9)
        #expect(found == ["a", "c", "c", "b", "b", "b", "c", "b", "a"])
    }

    @Test func sharesFollowTheWeights() throws {
        let weights = [("a", 5.0), ("b", 3.0), ("c", 2.0)]
        let found = names(try experiment(weights), 0..<6000)
        var statistic = 0.0
        for (name, weight) in weights {
            let expected = 6000 * weight / 10
            let count = Double(found.count { $0 == name })
            statistic += (count - expected) * (count - expected) / expected
        }
        // The 99.9 % quantile of χ² with 2 degrees of freedom. The key is fixed, so this result never changes.
        #expect(statistic < 13.8, "\(statistic)")
    }

    @Test func theOrderOfVariantsDoesNotMatter() throws {
        let (one, other) = try (experiment([("a", 1), ("b", 2)]), experiment([("b", 2), ("a", 1)]))
        #expect(names(one, 0..<500) == names(other, 0..<500))
        #expect(try experiment([("a", 3), ("b", 6)]).assign("u7") == one.assign("u7"), "weights are relative")
    }

    @Test func aNewVariantOnlyMovesPeopleToItself() throws {
        let before = names(try experiment([("a", 1), ("b", 1)]), 0..<2000)
        let after = names(try experiment([("c", 1), ("a", 1), ("b", 1)]), 0..<2000)
        let moved = zip(before, after).filter { $0 != $1 }
        #expect(moved.allSatisfy { $0.1 == "c" } && abs(moved.count - 667) < 100)
        let heavier = names(try experiment([("a", 2), ("b", 1)]), 0..<2000)
        #expect(zip(before, heavier).allSatisfy { $0 == $1 || $1 == "a" } && heavier != before)
    }

    @Test func experimentsAndKeysAreIndependent() throws {
        let variants = [("a", 1.0), ("b", 1.0)]
        let first = names(try experiment(variants), 0..<2000)
        for other in try [experiment(variants, name: "mornings"), experiment(variants, key: Self.key.reversed())] {
            let agreeing = zip(first, names(other, 0..<2000)).count { $0 == $1 }
            #expect(abs(agreeing - 1000) < 100, "\(agreeing) of 2000: four deviations are 90")
        }
        // The lengths distinguish texts that would be equal when joined.
        #expect(names(try experiment([("a", 1), ("b", 1)], name: "even"), 0..<64) != Array(first[..<64]))
    }

    @Test func invalidExperimentsAreRefused() throws {
        #expect(errorCode { try experiment([("a", 1)], name: "") } == .invalidArgument)
        #expect(errorCode { try experiment([]) } == .invalidArgument)
        #expect(errorCode { try experiment([("", 1)]) } == .invalidArgument)
        #expect(errorCode { try experiment([("a", 1)], key: [1, 2]) } == .invalidArgument)
        #expect(errorCode { try experiment([("a", 1), ("a", 2)]) } == .duplicateID)
        for weight in [0, -1, .nan, .infinity] {
            #expect(errorCode { try experiment([("a", weight)]) } == .invalidArgument)
        }
        #expect(try experiment([("a", 1)]).assign("") == 0)
    }
}
