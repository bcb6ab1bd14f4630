import KinEvaluation
import KinTestSupport
import Testing

@Suite("Log replay")
struct LogReplayTests {
    /// Offers of three arms with unequal shares. The context decides which of the first two is better.
    static func table(_ count: Int) throws -> LoggedTable {
        var random = SeededGenerator(seed: 12)
        var (contexts, arms, rewards) = ([[Double]](), [Int](), [Double]())
        for _ in 0..<count {
            let side = random.uniform() < 0.5
            let u = random.uniform()
            let arm = u < 0.5 ? 0 : u < 0.8 ? 1 : 2
            let chance = arm == 2 ? 0.45 : (arm == 0) == side ? 0.8 : 0.2
            contexts.append([side ? 1 : 0, side ? 0 : 1])
            arms.append(arm)
            rewards.append(random.uniform() < chance ? 1 : 0)
        }
        return try LoggedTable(contexts: Matrix(rows: contexts), arms: arms, armCount: 3, rewards: rewards)
    }

    @Test(arguments: ReplayLearning.allCases, [0, 3])
    func theLearnedPolicyBeatsEveryConstantOne(_ learning: ReplayLearning, passes: Int) throws {
        let table = try Self.table(3000)
        let settings = PolicySettings(
            PolicyAlgorithm(.logistic, .epsilonGreedy(epsilon: learning == .everyRound ? 0 : 0.1)), dimension: 2,
            arms: 3,
            priorPrecision: 1, seed: 5)
        let replay = try LogReplay(table, settings: settings, learning: learning, passes: passes)
        for (rounds, estimator) in [
            (replay.accepted, OffPolicyEvaluation.Estimator.selfNormalized), (replay.rounds, .doublyRobust),
        ] {
            let learned = try OffPolicyEvaluation(rounds)
            // The right arm always pays 0.8, and the best constant arm 0.5.
            let value = learned.value(estimator)
            #expect(value > 0.7 && value < 0.87, "\(learning) \(estimator): \(value)")
            for arm in 0..<3 {
                let always = try OffPolicyEvaluation(replay.rounds(always: arm))
                #expect(try #require(try learned.gain(over: always, estimator, seed: 1).interval).lowerBound > 0.1)
            }
        }
        #expect(replay.calibration.error < (learning == .everyRound ? 0.06 : 0.1))
        #expect(replay.acceptedCount > 900 && replay.acceptedCount < 1600)
        #expect(replay.calibration.bins.reduce(0) { $0 + $1.count } == 3000 * max(1, passes))
    }

    @Test func theSameSeedReplaysTheSame() throws {
        let table = try Self.table(300)
        let settings = PolicySettings(.standard, dimension: 2, arms: 3, seed: 5)
        let first = try LogReplay(table, settings: settings, passes: 2)
        let second = try LogReplay(table, settings: settings, passes: 2)
        #expect(first.rounds == second.rounds && first.accepted == second.accepted)
    }

    @Test func invalidTablesAreRefused() throws {
        let contexts = try Matrix(rows: [[1.0], [2]])
        func code(_ arms: [Int], _ rewards: [Double], _ propensities: [Double]? = nil) -> KinError.Code? {
            errorCode {
                try LoggedTable(
                    contexts: contexts, arms: arms, armCount: 2, rewards: rewards, propensities: propensities)
            }
        }
        #expect(code([0, 1], [0, 1]) == nil)
        #expect(code([0], [0, 1]) == .dimensionMismatch)
        #expect(code([0, 1], [0, 1], [1]) == .dimensionMismatch)
        #expect(code([0, 2], [0, 1]) == .invalidArgument)
        #expect(code([0, 1], [0, .nan]) == .notFinite)
        #expect(code([0, 1], [0, 1], [1, 0]) == .invalidArgument)
        let table = try LoggedTable(contexts: contexts, arms: [0, 1], armCount: 2, rewards: [0, 1])
        #expect(table.propensities == [0.5, 0.5])
        // Ids instead of numbers of arms.
        let ids = try LoggedTable(contexts: contexts, arms: [7, .max - 1], armCount: .max, rewards: [0, 1])
        #expect(ids.propensities == [0.5, 0.5])
        let empty = errorCode {
            try LoggedTable(contexts: Matrix(rows: 0, columns: 1), arms: [], armCount: -1, rewards: [])
        }
        #expect(empty == .invalidArgument)
        #expect(
            errorCode { try LogReplay(table, settings: PolicySettings(dimension: 1, arms: 2, seed: 0), passes: -1) }
                == .invalidArgument)
        #expect(
            errorCode { try LogReplay(table, settings: PolicySettings(dimension: 1, arms: 3, seed: 0)) }
                == .dimensionMismatch)
    }

    @Test func calibrationIsTheMeanGapOfTheBins() {
        var table = CalibrationTable()
        #expect(table.error == 0)
        for reward in [1.0, 1, 0, 0] { table.add(expected: 0.35, actual: reward) }
        table.add(expected: 1.7, actual: 1)
        table.add(expected: -3, actual: 0)
        #expect(table.bins[3].count == 4 && table.bins[3].actual == 0.5 && table.bins[9].expected == 1)
        #expect(abs(table.error - 4 * 0.15 / 6) < 1e-12)
    }
}
