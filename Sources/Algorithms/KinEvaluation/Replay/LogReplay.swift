/// Replays a policy on a log: the policy is evaluated on every round before it learns from it.
///
/// Results are averages over passes in different orders, and are listed in the order of the log's rounds.
public struct LogReplay: Sendable {
    /// The rounds with the policy's probabilities of the logged arms and the estimates of its own model, for the doubly
    /// robust value.
    public private(set) var rounds: [LoggedRound] = []
    /// The rounds with a different probability: the share of passes whose policy chose the logged arm. The
    /// self-normalised value of these rounds is the mean reward of the accepted rounds, weighted against the logging
    /// policy.
    public private(set) var accepted: [LoggedRound] = []
    /// The mean number of accepted rounds in a pass.
    public private(set) var acceptedCount = 0.0
    /// The expected reward of each arm in each round, before the policy learned the round.
    public private(set) var expected: [[Double]] = []
    /// The expected and actual rewards of the logged arms, in bins.
    public private(set) var calibration = CalibrationTable()

    private let table: LoggedTable

    /// Replays a log with fresh policies.
    ///
    /// - Parameters:
    ///   - table: The rounds of the log.
    ///   - settings: The settings, with a model for each arm of the log; the seed also orders the passes.
    ///   - learning: The rounds that the policy learns from.
    ///   - passes: The number of passes, each with a fresh policy and in a random order; 0 for one pass in the order of
    ///     the log.
    /// - Throws: `.invalidArgument` for a negative number of passes; as `BanditPolicy.init(_:)` and
    ///   `BanditPolicy.learn(reward:for:weight:)`, by row.
    public init(
        _ table: LoggedTable, settings: PolicySettings, learning: ReplayLearning = .everyRound, passes: Int = 5
    ) throws(KinError) {
        guard settings.arms == table.armCount, settings.dimension == table.contexts.columns else {
            throw KinError(
                .dimensionMismatch,
                "a policy of \(settings.arms ?? 0) arms and \(settings.dimension) features does not fit a log of "
                    + "\(table.armCount) and \(table.contexts.columns)")
        }
        try KinError.requireCount(passes, "passes")
        self.table = table
        let count = table.arms.count
        var sums = PassSums(rows: count, arms: table.armCount)
        for pass in 0..<max(1, passes) {
            var settings = settings
            settings.seed &+= UInt64(pass)
            var generator = SeededGenerator.stream(UInt64(pass), of: settings.seed)
            var policy = try BanditPolicy(settings)
            let order = passes == 0 ? Array(0..<count) : generator.shuffled(count)
            let work = LongWork(of: count)
            for row in order {
                try work.step()
                do throws(KinError) {
                    try replay(row, &policy, learning: learning, into: &sums)
                } catch {
                    throw error.within("row", row)
                }
            }
        }
        finish(sums, passes: Double(max(1, passes)))
    }

    /// The rounds of a policy that always chooses one arm, with the same estimates.
    ///
    /// - Precondition: The arm is one of the log's.
    public func rounds(always arm: Int) -> [LoggedRound] {
        table.arms.indices.map { row in
            LoggedRound(
                reward: table.rewards[row], propensity: table.propensities[row],
                probability: table.arms[row] == arm ? 1 : 0, estimate: expected[row][table.arms[row]],
                value: expected[row][arm])
        }
    }

    private mutating func replay(
        _ row: Int, _ policy: inout BanditPolicy, learning: ReplayLearning, into sums: inout PassSums
    ) throws(KinError) {
        let context = Array(table.contexts.row(row))
        let arm = table.arms[row]
        let expected = try policy.expectedRewards(in: context)
        let probabilities = try policy.probabilities(in: context)
        let choice = try policy.choose(in: context)
        let isAccepted = choice.action == arm
        calibration.add(expected: expected[arm], actual: table.rewards[row])
        sums.probability[row] += probabilities[arm]
        sums.product[row] += probabilities[arm] * expected[arm]
        for (index, value) in expected.enumerated() {
            sums.expected[row][index] += value
            sums.value[row] += probabilities[index] * value
        }
        if isAccepted { sums.accepted[row] += 1 }
        if isAccepted || learning == .everyRound {
            let event = BanditPolicy.Event(features: context, arm: arm, propensity: table.propensities[row])
            try policy.learn(reward: table.rewards[row], for: event)
        }
    }

    private mutating func finish(_ sums: PassSums, passes: Double) {
        for row in table.arms.indices {
            expected.append(sums.expected[row].map { $0 / passes })
            let probability = sums.probability[row]
            // Makes this round's doubly robust term the mean of the passes' terms.
            rounds.append(
                LoggedRound(
                    reward: table.rewards[row], propensity: table.propensities[row],
                    probability: min(1, probability / passes),
                    estimate: probability > 0 ? sums.product[row] / probability : 0, value: sums.value[row] / passes))
            accepted.append(
                LoggedRound(
                    reward: table.rewards[row], propensity: table.propensities[row],
                    probability: sums.accepted[row] / passes))
            acceptedCount += sums.accepted[row] / passes
        }
    }
}

/// The sums over the passes of a replay, by row.
private struct PassSums {
    var probability, product, value, accepted: [Double]
    var expected: [[Double]]

    init(rows: Int, arms: Int) {
        probability = [Double](repeating: 0, count: rows)
        (product, value, accepted) = (probability, probability, probability)
        expected = [[Double]](repeating: [Double](repeating: 0, count: arms), count: rows)
    }
}
