/// A log of actions whose features have several dimensions, and a selection of the dimensions that represent the action
/// (MIPS with SLOPE).
///
/// With the dimensions S, a round has the importance Σ π(a) ∕ Σ p(a) over the actions whose features in S equal those
/// of the logged action. With all dimensions the estimate is unbiased, provided rewards depend on nothing else. With
/// fewer it varies less, and is biased by the effect of the dropped dimensions. Saito and Joachims 2022, "Off-policy
/// evaluation for large action spaces via embeddings", arXiv 2202.06317, section 3.3.
public struct FeatureSelection: Sendable {
    private let rewards: [Double]
    private let actions: [Int]
    /// The features of each action, a value for each dimension.
    private let features: [[Int]]
    private let propensities, probabilities: Matrix<Double>

    /// Creates a selection on the rounds of a log.
    ///
    /// - Parameters:
    ///   - rewards: The reward of each round.
    ///   - actions: The logged action of each round, an index of `features`.
    ///   - features: The features of each action: one or more values, the same number for all actions.
    ///   - propensities: The probability of each action under the logging policy, a row for each round.
    ///   - probabilities: The probability of each action under the evaluated policy, a row for each round.
    /// - Throws: `.dimensionMismatch` if the sizes do not fit; `.invalidArgument` for no rounds, an action out of
    ///   range, or a logged action of propensity 0. Also `.invalidArgument` for a probability outside 0…1 or a row whose
    ///   sum is not 1 within 0.001; `.notFinite` for a reward that is not finite, by round.
    public init(
        rewards: [Double], actions: [Int], features: [[Int]], propensities: Matrix<Double>,
        probabilities: Matrix<Double>
    ) throws(KinError) {
        let width = features.first?.count ?? 0
        guard rewards.count == actions.count, width > 0, features.allSatisfy({ $0.count == width }) else {
            throw KinError(.dimensionMismatch, "each action needs a reward and the same number of features")
        }
        let tables = [(propensities, "propensities"), (probabilities, "probabilities")]
        for (table, name) in tables {
            guard table.rows == actions.count, table.columns == features.count else {
                throw KinError(
                    .dimensionMismatch,
                    "\(name) of \(table.rows) rounds and \(table.columns) actions do not fit \(actions.count) and "
                        + "\(features.count)")
            }
        }
        guard !actions.isEmpty else { throw KinError(.invalidArgument, "the log has no rounds to evaluate on") }
        for (row, action) in actions.enumerated() {
            guard features.indices.contains(action) else {
                throw KinError(.invalidArgument, "the action is \(action); there are \(features.count)")
                    .within("round", row)
            }
            let shares = 0...LoggedRound.largestProbability
            guard propensities[row, action] >= LoggedRound.leastPropensity,
                propensities.row(row).allSatisfy(shares.contains),
                probabilities.row(row).allSatisfy(shares.contains)
            else {
                throw KinError(.invalidArgument, "a probability is not 0 to 1, or the logged action's propensity is 0")
                    .within("round", row)
            }
            for (table, name) in tables {
                let sum = table.row(row).reduce(0, +)
                guard abs(sum - 1) <= 1e-3 else {
                    throw KinError(.invalidArgument, "the \(name) of all actions sum to \(sum), not 1")
                        .within("round", row)
                }
            }
            guard rewards[row].isFinite else {
                throw KinError(.notFinite, "the reward is \(rewards[row])").within("round", row)
            }
        }
        self.rewards = rewards
        self.actions = actions
        self.features = features
        self.propensities = propensities
        self.probabilities = probabilities
    }

    /// Creates rounds that represent an action by its features in some dimensions.
    ///
    /// - Parameter dimensions: The dimensions to keep; without any, all actions are equal.
    /// - Precondition: The features have each of the dimensions.
    /// - Complexity: O(rounds × actions).
    public func rounds(keeping dimensions: [Int]) -> [LoggedRound] {
        let kinds = features.map { own in dimensions.map { own[$0] } }.numbered()
        return actions.indices.map { row in
            let kind = kinds[actions[row]]
            var (propensity, probability) = (0.0, 0.0)
            for action in kinds.indices where kinds[action] == kind {
                propensity += propensities[row, action]
                probability += probabilities[row, action]
            }
            // Sums over all actions may exceed 1 by rounding.
            return LoggedRound(reward: rewards[row], propensity: min(1, propensity), probability: min(1, probability))
        }
    }

    /// Chooses the dimensions to keep, ascending: all of them, or fewer if dropping some shows no bias.
    ///
    /// The candidates are nested: each drops the dimension whose removal makes the estimate's interval narrowest. The
    /// chosen candidate is the last whose estimate differs from all earlier ones by no more than their intervals allow
    /// (SLOPE).
    ///
    /// - Complexity: O(rounds × actions × dimensions²).
    public func dimensions() throws(KinError) -> [Int] {
        var candidates: [(kept: [Int], value: Double, width: Double)] = []
        func candidate(_ kept: [Int]) throws(KinError) -> (kept: [Int], value: Double, width: Double) {
            let rounds = try OffPolicyEvaluation(rounds(keeping: kept)).rounds
            let found = rounds.map { $0.importance * $0.reward }.meanAndError
            return (kept, found.mean, Self.normalQuantile90 * found.standardError)
        }
        candidates.append(try candidate(Array(features[0].indices)))
        while let last = candidates.last, last.kept.count > 1, rewards.count > 1 {
            var best: (kept: [Int], value: Double, width: Double)?
            for dropped in last.kept {
                let next = try candidate(last.kept.filter { $0 != dropped })
                if next.width < best?.width ?? .infinity { best = next }
            }
            guard let best else { break }
            candidates.append(best)
        }
        return candidates[Self.lastWithoutBias(candidates.map { ($0.value, $0.width) })].kept
    }

    /// Chooses the last estimate whose bias does not show, by Lepski's principle, as in SLOPE.
    ///
    /// Let θ be the estimates and c the widths of their one-sided 90 % confidence intervals, in order of decreasing c.
    /// Estimate i is accepted as long as |θⱼ − θᵢ| ≤ cᵢ + (√6 − 1) cⱼ for all earlier j. The last accepted estimate has
    /// the least variance. Su, Srinath and Krishnamurthy 2020, "Adaptive estimator selection for off-policy
    /// evaluation", arXiv 2002.07729; Tucker and Lee 2021, "Improved estimator selection for off-policy evaluation".
    ///
    /// - Returns: The index of the estimate; 0 if the second estimate shows bias.
    static func lastWithoutBias(_ estimates: [(value: Double, width: Double)]) -> Int {
        var taken = 0
        for (place, next) in estimates.enumerated().dropFirst() {
            guard
                estimates[..<place].allSatisfy({
                    abs($0.value - next.value) <= next.width + (6.squareRoot() - 1) * $0.width
                })
            else { break }
            taken = place
        }
        return taken
    }

    /// The 90 % quantile of the normal distribution.
    private static let normalQuantile90 = 1.2815515655446004
}
