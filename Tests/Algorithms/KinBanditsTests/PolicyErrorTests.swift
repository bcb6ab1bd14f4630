import KinBandits
import KinTestSupport
import Testing

@Suite("Policy errors")
struct PolicyErrorTests {
    @Test func settingsOutsideTheirRangesAreRefused() {
        func code(_ change: (inout PolicySettings) -> Void) -> KinError.Code? {
            var settings = PolicySettings(.standard, dimension: 3, seed: 0)
            change(&settings)
            return errorCode { try BanditPolicy(settings) }
        }
        #expect(code { _ in } == nil)
        #expect(code { $0.dimension = 0 } == .invalidArgument)
        #expect(code { $0.dimension = .max } == .invalidArgument)
        #expect(code { $0.dimension = 4096 } == .invalidArgument)
        #expect(code { $0.arms = 0 } == .invalidArgument)
        #expect(code { $0.arms = 100_000 } == .invalidArgument)
        #expect(
            code {
                $0.arms = 60_000
                $0.dimension = 2000
            } == .capacityExceeded)
        #expect(code { $0.priorPrecision = 0 } == .invalidArgument)
        #expect(code { $0.priorPrecision = .nan } == .invalidArgument)
        #expect(code { $0.priorWeights = [1] } == .dimensionMismatch)
        #expect(code { $0.priorWeights = [1, 2, .infinity] } == .notFinite)
        #expect(code { $0.priorIntercept = .nan } == .notFinite)
        #expect(code { $0.effectiveWindow = 1 } == .invalidArgument)
        #expect(code { $0.effectiveWindow = .nan } == .invalidArgument)
        #expect(code { $0.scaling = .standardized } == .invalidArgument)
        #expect(code { $0.algorithm = .adaptive() } == .invalidArgument)
        #expect(errorCode { try BanditPolicy(.adaptive(), dimension: 2, seed: 0) } == .invalidArgument)
        for settings in [
            PolicySettings(dimension: 2, arms: 2, scaling: .observed, seed: 0),
            PolicySettings(.adaptive(), dimension: 2, scaling: .standardized, seed: 0),
            PolicySettings(dimension: 2, arms: 2, priorWeights: [1, 2], seed: 0),
            PolicySettings(dimension: 2, arms: 2, priorIntercept: 1, seed: 0),
        ] { #expect(errorCode { try BanditPolicy(settings) } == .invalidArgument) }
        #expect(
            errorCode { try BanditPolicy(PolicySettings(dimension: 500, arms: 2, hasPairs: true, seed: 0)) }
                == .invalidArgument)
        #expect(code { $0.algorithm.exploration = .elimination(width: -1) } == .invalidArgument)
        #expect(code { $0.algorithm.epsilon = 1.5 } == .invalidArgument)
        #expect(code { $0.algorithm.exploration = .epsilonGreedy(epsilon: 2) } == .invalidArgument)
        #expect(code { $0.algorithm.exploration = .thompson(scale: -1) } == .invalidArgument)
        #expect(code { $0.algorithm.exploration = .upperBound(width: .nan) } == .invalidArgument)
    }

    @Test func invalidChoicesAreRefused() throws {
        var shared = try BanditPolicy(.standard, dimension: 2, seed: 0)
        #expect(errorCode { try shared.choose(from: Matrix(rows: 0, columns: 2)) } == .invalidArgument)
        #expect(errorCode { try shared.choose(from: Matrix(rows: 3, columns: 3)) } == .dimensionMismatch)
        #expect(errorCode { try shared.choose(in: [1, 2]) } == .invalidArgument)
        #expect(errorCode { try shared.choose(from: Matrix(rows: [[0, 1], [.nan, 0]])) } == .notFinite)
        var greedy = try BanditPolicy(.linUCB(), dimension: 2, seed: 0)
        #expect(errorCode { try greedy.choose(from: Matrix(rows: [[0, 1], [.infinity, 0]])) } == .notFinite)
        var arms = try BanditPolicy(.standard, dimension: 2, arms: 3, seed: 0)
        #expect(errorCode { try arms.choose(from: Matrix(rows: 2, columns: 2)) } == .invalidArgument)
        #expect(errorCode { try arms.choose(in: [1]) } == .dimensionMismatch)
        #expect(errorCode { try arms.choose(in: [1, .nan]) } == .notFinite)
        #expect(errorCode { try arms.choose(in: [1, 1e41]) } == .notFinite)
        #expect(errorCode { try arms.choose(in: [1, 2], among: []) } == .invalidArgument)
        #expect(errorCode { try arms.choose(in: [1, 2], among: [3]) } == .invalidArgument)
        #expect(errorCode { try arms.choose(in: [1, 2], among: [1, 1]) } == .invalidArgument)
        #expect(try arms.choose(in: [1, 2], among: [2]).action == 2)
        #expect(arms.choices == 1)
    }

    @Test func invalidObservationsChangeNothing() throws {
        var policy = try BanditPolicy(.logisticThompson(), dimension: 2, seed: 0)
        var arms = try BanditPolicy(.linUCB(), dimension: 2, arms: 3, seed: 0)
        let before = policy
        let event = BanditPolicy.Event(features: [1, 2], propensity: 1)
        #expect(errorCode { try policy.learn(reward: 1.5, for: event) } == .invalidArgument)
        #expect(errorCode { try policy.learn(reward: .nan, for: event) } == .notFinite)
        #expect(errorCode { try policy.learn(reward: 1, for: event, weight: 0) } == .invalidArgument)
        #expect(errorCode { try policy.learn(reward: 1, for: event, weight: .infinity) } == .invalidArgument)
        #expect(
            errorCode { try policy.learn(reward: 1, for: BanditPolicy.Event(features: [1], propensity: 1)) }
                == .dimensionMismatch)
        #expect(
            errorCode { try policy.learn(reward: 1, for: BanditPolicy.Event(features: [1, .nan], propensity: 1)) }
                == .notFinite)
        #expect(
            errorCode { try policy.learn(reward: 1, for: BanditPolicy.Event(features: [1, 2], arm: 0, propensity: 1)) }
                == .invalidArgument)
        #expect(policy == before)
        #expect(errorCode { try arms.learn(reward: 1, for: event) } == .invalidArgument)
        #expect(
            errorCode { try arms.learn(reward: 1, for: BanditPolicy.Event(features: [1, 2], arm: 3, propensity: 1)) }
                == .invalidArgument)
        try arms.learn(reward: -7, for: BanditPolicy.Event(features: [1, 2], arm: 2, propensity: 1))
        #expect(arms.observations == 1)
    }

    @Test func aFailedDiscountChangesNothing() throws {
        var policy = try BanditPolicy(
            PolicySettings(.linUCB(), dimension: 2, arms: 2, scaling: .fixed, priorPrecision: 1e-9, seed: 0))
        try policy.learn(reward: 1, for: BanditPolicy.Event(features: [1, 2], arm: 0, propensity: 1))
        let wide = BanditPolicy.Event(features: [1e9, 1e9 / 3], arm: 1, propensity: 1)
        for _ in 0..<3 { try policy.learn(reward: 1, for: wide, weight: 1e9) }
        let before = policy
        #expect(errorCode { try policy.discount(by: 0.5) } == .numericalFailure)
        #expect(policy == before)
    }

    @Test func invalidLabelledRowsAreRefused() throws {
        var policy = try BanditPolicy(.linUCB(), dimension: 2, arms: 3, seed: 0)
        let table = try Matrix(rows: [[1.0, 2], [3, 4]])
        #expect(errorCode { try policy.play(table, labels: [0]) } == .dimensionMismatch)
        #expect(errorCode { try policy.play(table, labels: [0, 3]) } == .invalidArgument)
        for row in [-1, 2, .max] {
            #expect(errorCode { try policy.play(table, labels: [0, 1], order: [0, row]) } == .invalidArgument)
        }
        #expect(errorCode { try policy.probabilities(of: table, draws: -1, seed: 0) } == .invalidArgument)
        let run = try policy.play(table, labels: [0, 1], order: [1, 0, 1])
        #expect(run.arms.count == 3 && run.hits.count == 3 && run.propensities.count == 3)
    }
}
