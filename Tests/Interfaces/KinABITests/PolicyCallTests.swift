import CKin
import KinEvaluation
import KinTestSupport
import Testing

@testable import KinABI

/// Policies through the C interface match the Swift interface.
struct PolicyCallTests {
    private let ok = kin_status(KIN_OK)

    private func make(_ kind: Int, _ dimension: Int, _ change: (inout kin_policy_options) -> Void = { _ in }) throws
        -> Owned
    {
        var options = unsafe policyOptions()
        unsafe change(&options)
        return try unsafe Owned(kin_policy_free) {
            unsafe kin_policy_create(kin_policy_kind(kind), dimension, &options, $0)
        }
    }

    @Test func armsAreChosenAndLearnedAsInSwift() throws {
        var random = TestSeed().generator
        let c = unsafe try make(KIN_POLICY_LINUCB, 3) {
            unsafe $0.arms = 4
            unsafe $0.pairs = 1
            unsafe $0.effective_window = 50
        }
        var swift = try BanditPolicy(
            PolicySettings(.linUCB(features: 10), dimension: 3, arms: 4, hasPairs: true, effectiveWindow: 50, seed: 3))
        for _ in 0..<40 {
            let context = (0..<3).map { _ in random.uniform() }
            var (arm, propensity) = (Int64(-1), -1.0)
            unsafe #expect(kin_policy_choose(c.handle, context, 1, 0, &arm, &propensity) == ok)
            let choice = try swift.choose(in: context)
            #expect(arm == Int64(choice.action) && propensity == choice.propensity)
            var reward = random.uniform()
            unsafe #expect(kin_policy_learn(c.handle, context, 1, 0, &arm, &reward, nil) == ok)
            try swift.learn(reward: reward, for: choice.event)
        }
        #expect(unsafe kin_policy_observations(c.handle) == 40 && kin_policy_arms(c.handle) == 4)
        #expect(unsafe kin_policy_dimension(c.handle) == 3)
        #expect(try state(c) == swift.encoded())
        let rows = (0..<6).map { _ in random.uniform() }
        var (expected, likely) = ([Double](repeating: 0, count: 8), [Double](repeating: 0, count: 8))
        unsafe #expect(kin_policy_expected_rewards(c.handle, rows, 2, 0, &expected) == ok)
        unsafe #expect(kin_policy_probabilities(c.handle, rows, 2, 0, 64, 5, &likely) == ok)
        let contexts = [Array(rows[..<3]), Array(rows[3...])]
        #expect(try expected == contexts.flatMap { try swift.expectedRewards(in: $0) })
        #expect(try likely == contexts.flatMap { try swift.probabilities(in: $0) })
        var (arms, propensities) = ([Int64](repeating: 0, count: 2), [Double](repeating: 0, count: 2))
        unsafe #expect(kin_policy_choose(c.handle, rows, 2, 0, &arms, &propensities) == ok)
        #expect(try arms == contexts.map { Int64(try swift.choose(in: $0).action) })
        unsafe #expect(kin_policy_choose_among(c.handle, rows, [2, 1], 2, &arms, &propensities) == ok)
        #expect(try arms[0] == Int64(swift.choose(in: contexts[0], among: [2, 1]).action))
    }

    @Test func actionsAreChosenAndLearnedAsInSwift() throws {
        var random = SeededGenerator(seed: 4)
        let c = unsafe try make(KIN_POLICY_LOGISTIC_THOMPSON, 4) { unsafe $0.epsilon = 0.1 }
        var swift = try BanditPolicy(
            PolicySettings(
                PolicyAlgorithm(.logistic, PolicyAlgorithm.logisticThompson().exploration, epsilon: 0.1),
                dimension: 4, seed: 3))
        for _ in 0..<20 {
            let table = (0..<20).map { _ in random.uniform() }
            var (row, propensity) = (Int64(-1), -1.0)
            unsafe #expect(kin_policy_choose(c.handle, table, 5, 0, &row, &propensity) == ok)
            let choice = try swift.choose(from: Matrix(rows: 5, columns: 4, elements: table))
            #expect(row == Int64(choice.action) && propensity == choice.propensity)
            let (reward, weight) = ([random.uniform()], [2.0])
            unsafe #expect(kin_policy_learn(c.handle, choice.event.features, 1, 0, nil, reward, weight) == ok)
            try swift.learn(reward: reward[0], for: choice.event, weight: 2)
        }
        unsafe #expect(kin_policy_discount(c.handle, 0.5) == ok)
        try swift.discount(by: 0.5)
        #expect(try state(c) == swift.encoded())
    }

    @Test func aPlayedTableEqualsSwift() throws {
        var random = SeededGenerator(seed: 5)
        let rows = (0..<200).map { _ in random.uniform() }
        let labels = (0..<100).map { Int64(rows[2 * $0] > 0.5 ? 1 : 0) }
        let c = unsafe try make(KIN_POLICY_SQUARECB, 2) { unsafe $0.arms = 2 }
        var swift = try BanditPolicy(.squareCB(), dimension: 2, arms: 2, seed: 3)
        var (arms, propensities) = ([Int64](repeating: -1, count: 100), [Double](repeating: -1, count: 100))
        unsafe #expect(kin_policy_play(c.handle, rows, 100, 0, labels, &arms, &propensities) == ok)
        let run = try swift.play(Matrix(rows: 100, columns: 2, elements: rows), labels: labels.map { Int($0) })
        #expect(arms == run.arms.map { Int64($0) } && propensities == run.propensities)
    }

    @Test func decodedAndCopiedPoliciesContinueIdentically() throws {
        let first = unsafe try make(KIN_POLICY_STANDARD, 2)
        let bytes = try state(first)
        let restored = try unsafe Owned(kin_policy_free) { unsafe kin_policy_decode(bytes, bytes.count, $0) }
        let copy = try unsafe Owned(kin_policy_free) { unsafe kin_policy_copy(first.handle, $0) }
        #expect(try state(restored) == bytes && state(copy) == bytes)
        let rewards = [1.0]
        unsafe #expect(kin_policy_learn(copy.handle, [1, 2], 1, 0, nil, rewards, nil) == ok)
        #expect(try state(copy) != bytes && state(first) == bytes)
        var room = [UInt8](repeating: 9, count: 4)
        var count = 0
        unsafe #expect(kin_policy_encode(first.handle, &room, 4, &count) == ok)
        #expect(room == [9, 9, 9, 9] && count == bytes.count)
        var made: OpaquePointer?
        unsafe #expect(kin_policy_decode(bytes, 30, &made) == kin_status(KIN_CORRUPT_FILE))
        #expect(unsafe made == nil)
    }

    @Test func anInvalidObservationUndoesTheBatch() throws {
        let policy = unsafe try make(KIN_POLICY_LOGISTIC_UCB, 2) { unsafe $0.arms = 2 }
        let before = try state(policy)
        let rows = [1.0, 2, 3, 4]
        unsafe #expect(
            kin_policy_learn(policy.handle, rows, 2, 0, [0, 5], [1, 1], nil) == kin_status(KIN_INVALID_ARGUMENT))
        #expect(lastError().contains("row 1") && lastError().contains("arm"))
        #expect(try state(policy) == before)
    }

    private static func rounds(_ count: Int) -> [LoggedRound] {
        (0..<count).map { (i: Int) -> LoggedRound in
            let (propensity, probability) = (Double(1 + i % 4) / 4, Double(i % 5) / 5)
            let (estimate, value) = (Double(i % 7) / 7, Double(i % 2))
            return LoggedRound(
                reward: Double(i % 3), propensity: propensity, probability: probability, estimate: estimate,
                value: value)
        }
    }

    @Test func estimatesEqualSwift() throws {
        let rounds = Self.rounds(50)
        let evaluation = try OffPolicyEvaluation(rounds)
        for (number, estimator) in OffPolicyEvaluation.Estimator.allCases.enumerated() {
            var result = [0.0, 0, 0]
            unsafe #expect(
                kin_off_policy_estimate(
                    kin_estimator(number), rounds.map(\.reward), rounds.map(\.propensity), rounds.map(\.probability),
                    rounds.map(\.estimate), rounds.map(\.value), 50, 0.9, 100, 4, &result) == ok)
            let found = try evaluation.estimate(estimator, confidence: 0.9, resamples: 100, seed: 4)
            #expect(result.map(\.bitPattern) == Self.numbers(found).map(\.bitPattern))
        }
    }

    /// The numbers of an estimate in the C interface.
    private static func numbers(_ estimate: OffPolicyEvaluation.Estimate) -> [Double] {
        [estimate.value, estimate.interval?.lowerBound ?? .nan, estimate.interval?.upperBound ?? .nan]
    }

    @Test func scoreIntervalsAndEstimatedPropensitiesEqualSwift() throws {
        let actions = (0..<60).map { Int64($0 * 7 % 3) }
        let features = (0..<120).map { Double($0 * 11 % 17) }
        let groups = (0..<60).map { Int64($0 / 2) }
        let table = try Matrix(rows: 60, columns: 2, elements: features)
        for (people, floor) in [(groups, 0.3), (nil, nil)] as [([Int64]?, Double?)] {
            var (propensities, result) = ([Double](repeating: 0, count: 60), [0.0, 0, 0])
            unsafe #expect(
                kin_off_policy_propensities(
                    actions, features, 60, 2, 0, people, people == nil ? 0 : 4, floor ?? 0, 3, &propensities, &result)
                    == ok)
            let found = try EstimatedPropensities(
                of: actions.map { Int($0) }, in: table, groups: people?.map { Int($0) },
                settings: .init(folds: people == nil ? 5 : 4, floor: floor, seed: 3))
            #expect(propensities == found.values)
            #expect(result == [found.floor, Double(found.clippedCount), found.calibration.error])
            let rewards = (0..<60).map { Double($0 % 4) }
            let rounds = zip(rewards, propensities).map { LoggedRound(reward: $0, propensity: $1, probability: 0.4) }
            let estimate = try OffPolicyEvaluation(rounds).estimate(.selfNormalized)
            unsafe #expect(
                kin_off_policy_estimate(
                    1, rewards, propensities, rounds.map(\.probability), nil, nil, 60, 0.95, 0, 0, &result) == ok)
            #expect(result.map(\.bitPattern) == Self.numbers(estimate).map(\.bitPattern))
        }
    }

    /// Without features the model is the share of each action, and `features` may be NULL.
    @Test func propensitiesWithoutFeaturesAreShares() throws {
        let actions = (0..<60).map { Int64($0 * 7 % 3) }
        var (propensities, result) = ([Double](repeating: 0, count: 60), [0.0, 0, 0])
        unsafe #expect(
            kin_off_policy_propensities(actions, nil, 60, 0, 0, nil, 0, 0, 3, &propensities, &result) == ok)
        let found = try EstimatedPropensities(
            of: actions.map { Int($0) }, in: Matrix(rows: 60, columns: 0), settings: .init(seed: 3))
        #expect(propensities == found.values)
        #expect(propensities.allSatisfy { abs($0 - 1.0 / 3) < 0.1 })
    }

    @Test func selectedFeaturesEqualSwift() throws {
        let actions = (0..<30).map { Int64($0 * 7 % 4) }
        let rewards = (0..<30).map { Double($0 % 3) }
        let table: [Int64] = [0, 0, 0, 1, 1, 2, 1, 3]
        func shares(_ weight: (Int) -> Int) -> [Double] {
            (0..<30).flatMap { row -> [Double] in
                let weights = (0..<4).map { Double(weight(4 * row + $0)) }
                return weights.map { $0 / weights.reduce(0, +) }
            }
        }
        let (p, q) = (shares { 1 + $0 * 5 % 7 }, shares { $0 * 3 % 5 })
        let swift = try FeatureSelection(
            rewards: rewards, actions: actions.map { Int($0) }, features: [[0, 0], [0, 1], [1, 2], [1, 3]],
            propensities: Matrix(rows: 30, columns: 4, elements: p),
            probabilities: Matrix(rows: 30, columns: 4, elements: q))
        var (kept, logged, judged) = (
            [UInt8](repeating: 7, count: 2), [Double](repeating: 0, count: 30), [Double](repeating: 0, count: 30)
        )
        unsafe #expect(
            kin_off_policy_select_features(rewards, actions, 30, table, 4, 2, p, q, &kept, &logged, &judged) == ok)
        let dimensions = try swift.dimensions()
        let rounds = swift.rounds(keeping: dimensions)
        #expect(kept == [0, 1].map { dimensions.contains($0) ? 1 : 0 })
        #expect(logged == rounds.map(\.propensity) && judged == rounds.map(\.probability))
        unsafe #expect(
            kin_off_policy_select_features(rewards, actions, 30, table, 0, 2, p, q, &kept, &logged, &judged)
                == kin_status(KIN_INVALID_ARGUMENT))
        for n in [Int.max, Int.min, -1] {
            for (rounds, features, dimensions) in [(n, 4, 2), (30, n, 2), (30, 4, n)] {
                let status = unsafe kin_off_policy_select_features(
                    rewards, actions, rounds, table, features, dimensions, p, q, &kept, &logged, &judged)
                #expect(status != ok, "\(rounds) rounds, \(features) features, \(dimensions) dimensions")
            }
        }
    }

    @Test func slatesEqualSwift() throws {
        let slots = Self.rounds(60)
        let slates = stride(from: 0, to: 60, by: 3).map { first in Array(slots[first..<first + 3]) }
        let evaluation = try SlateEvaluation(slates)
        for (number, estimator) in SlateEvaluation.Estimator.allCases.enumerated() {
            var result = [0.0, 0, 0]
            unsafe #expect(
                kin_slate_estimate(
                    kin_slate_estimator(number), 3, slots.map(\.reward), slots.map(\.propensity),
                    slots.map(\.probability), slots.map(\.estimate), slots.map(\.value), 20, 0.9, 100, 4, &result)
                    == ok)
            let found = try evaluation.estimate(estimator, confidence: 0.9, resamples: 100, seed: 4)
            #expect(result.map(\.bitPattern) == Self.numbers(found).map(\.bitPattern))
        }
    }

    @Test func invalidCallsAreRefused() throws {
        let policy = unsafe try make(KIN_POLICY_STANDARD, 2)
        var made: OpaquePointer?
        var wrong = unsafe policyOptions()
        var (arm, number) = (Int64(0), 0.0)
        unsafe refused(kin_policy_create(99, 2, nil, &made), "99")
        unsafe refused(kin_policy_create(0, 0, nil, &made), "dimension must be 1 to 4,095, not 0")
        unsafe refused(kin_policy_create(0, -1, nil, &made), "dimension")
        unsafe wrong.size = 3
        unsafe refused(kin_policy_create(0, 2, &wrong, &made), "size")
        unsafe wrong = policyOptions()
        unsafe wrong.arms = -1
        unsafe refused(kin_policy_create(0, 2, &wrong, &made), "arms")
        unsafe refused(kin_policy_choose(policy.handle, [1, 2], 0, 0, &arm, &number), "at least 1")
        unsafe refused(kin_policy_choose(policy.handle, [1, 2], 1, 7, &arm, &number), "stride")
        unsafe refused(kin_policy_choose_among(policy.handle, [1, 2], [0], 1, &arm, &number), "no arms")
        unsafe refused(kin_policy_learn(policy.handle, [1, 2], 1, 0, [1], [1], nil), "arm")
        unsafe refused(kin_policy_play(policy.handle, [1, 2], 1, 0, [1], &arm, &number), "no arms")
        unsafe refused(kin_policy_discount(policy.handle, 2), "factor")
        unsafe refused(
            kin_policy_probabilities(policy.handle, [1, 2], 1, 0, 0, 1, &number), "draws must be 1 to 16,777,216, not 0"
        )
        var result = [0.0, 0, 0]
        unsafe refused(
            kin_off_policy_estimate(7, [1], [1], [1], nil, nil, 1, 0.9, 10, 1, &result), "estimator 7")
        unsafe refused(
            kin_off_policy_estimate(3, [1], [1], [1], nil, nil, 1, 0.9, 10, 1, &result), "estimates must not be NULL")
        unsafe refused(
            kin_slate_estimate(4, 1, [1], [1], [1], nil, nil, 1, 0.9, 10, 1, &result), "estimator 4")
        unsafe refused(
            kin_slate_estimate(3, 1, [1], [1], [1], nil, nil, 1, 0.9, 10, 1, &result), "estimates must not be NULL")
        unsafe refused(
            kin_slate_estimate(0, 0, [1], [1], [1], nil, nil, 1, 0.9, 10, 1, &result), "0 slots")
        unsafe refused(
            kin_off_policy_propensities([0, 1, 0], [1, 2, 3], 3, 1, 0, nil, 2, 0, 1, &number, &result), "3 folds")
        unsafe refused(
            kin_off_policy_propensities([0, 1, 0], [1, 2, 3], 3, 1, 0, nil, 0, 2, 1, &number, &result),
            "floor must be above 0 and at most 0.5, the even share of 2 actions, not 2")
        #expect(kin_policy_dimension(nil) == 0 && kin_policy_arms(nil) == 0 && kin_policy_observations(nil) == 0)
        kin_policy_free(nil)
        #expect(unsafe made == nil)
    }
}
