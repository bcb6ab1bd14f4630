import KinEvaluation
import KinTestSupport
import Testing

@Suite("Off-policy evaluation of slates and of action features")
struct SlateEvaluationTests {
    typealias Estimator = SlateEvaluation.Estimator

    /// 60 slates of three slots and two actions from whole numbers, so that a different program can make the same ones.
    private static var madeUp: [[LoggedRound]] {
        (0..<60).map { (i: Int) -> [LoggedRound] in
            (0..<3).map { (k: Int) -> LoggedRound in
                let action: Int = (i + k) % 2
                let p: Double = Double(1 + (2 * i + k) % 5) / 8
                let extra: Double = (7 * i + 3 * k) % 5 == 0 ? 1 : 0
                let reward: Double = extra + Double((i + k) % 11) / 10
                let phase: Int = 3 * i + 2 * k
                return LoggedRound(
                    reward: reward, propensity: Double(2 + (i + k) % 3) / 6, action: action,
                    probabilities: action == 0 ? [p, 1 - p] : [1 - p, p],
                    estimates: [Double(phase % 7) / 10, Double((phase + 1) % 7) / 10])
            }
        }
    }

    /// The results of obp 0.5.7 for these slates: Benchmarks/peers/off_policy.py --made-up.
    @Test(
        "estimates equal the Open Bandit Pipeline's",
        arguments: [
            (Estimator.standard, 0.878203125), (.independent, 1.5645833333333334),
            (.rewardInteraction, 1.1684114583333334), (.cascadeDoublyRobust, 1.3651269531249999),
        ])
    func equalsTheOpenBanditPipeline(_ estimator: Estimator, expected: Double) throws {
        #expect(abs(try SlateEvaluation(Self.madeUp).value(estimator) - expected) < 1e-12)
    }

    /// The same for 200 rounds with features of actions.
    @Test("rounds with features give the Open Bandit Pipeline's marginalized estimate")
    func featuresAreMarginalized() throws {
        func shares(_ weights: [Int]) -> [Double] { weights.map { Double($0) / Double(weights.reduce(0, +)) } }
        let rounds = (0..<200).map { (i: Int) -> LoggedRound in
            let extra: Double = (i * 7) % 5 == 0 ? 1 : 0
            let likelihoods: [Double] = (0..<4).map { (a: Int) -> Double in Double(1 + (a + i % 3) % 3) / 6 }
            let logged: [Int] = (0..<4).map { (a: Int) -> Int in (2 * i + a) % 3 + 1 }
            let judged: [Int] = (0..<4).map { (a: Int) -> Int in (i + a * a) % 5 + 1 }
            return LoggedRound(
                reward: extra + Double(i % 11) / 10, likelihoods: likelihoods, propensities: shares(logged),
                probabilities: shares(judged))
        }
        #expect(abs(try OffPolicyEvaluation(rounds).value(.inversePropensity) - 0.6792532794003382) < 1e-12)
    }

    @Test("one-slot slates equal rounds, and the logging policy is worth its mean reward")
    func agreesWithRounds() throws {
        let slots = Self.madeUp.flatMap { $0 }
        let (single, rounds) = try (SlateEvaluation(slots.map { [$0] }), OffPolicyEvaluation(slots))
        for estimator in Estimator.allCases {
            let other =
                estimator == .cascadeDoublyRobust ? OffPolicyEvaluation.Estimator.doublyRobust : .inversePropensity
            #expect(abs(single.value(estimator) - rounds.value(other)) < 1e-12)
            #expect(
                try abs(
                    #require(try single.estimate(estimator, resamples: 50, seed: 1).interval).lowerBound
                        - #require(try rounds.estimate(other, resamples: 50, seed: 1).interval).lowerBound) < 1e-12)
        }
        let own = Self.madeUp.map { $0.map { LoggedRound(reward: $0.reward, propensity: 0.5, probability: 0.5) } }
        let mean = slots.reduce(0) { $0 + $1.reward } / 60
        for estimator in Estimator.allCases {
            #expect(abs(try SlateEvaluation(own).value(estimator) - mean) < 1e-12)
        }
    }

    @Test("invalid slates are refused by slate and slot")
    func refusals() {
        let good = LoggedRound(reward: 1, propensity: 1, probability: 1)
        for slates in [[], [[good], []]] as [[[LoggedRound]]] {
            #expect(throws: KinError.self) { try SlateEvaluation(slates) }
        }
        let bad = LoggedRound(reward: 1, propensity: 0, probability: 1)
        #expect(kinError { try SlateEvaluation([[good], [good, bad]]) }.says("slate 1", "slot 1"))
    }
}
