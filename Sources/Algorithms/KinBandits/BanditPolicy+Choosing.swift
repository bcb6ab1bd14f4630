extension BanditPolicy {
    /// Chooses one of several actions, each a row of features; for a policy with one model for all actions.
    ///
    /// The propensity is the probability of the action given all inputs of the choice. It is never 0, and estimates
    /// weighted by 1 ∕ propensity are unbiased. With ε-greedy, inverse gaps and upper bounds it equals
    /// ``probabilities(of:draws:seed:)``.
    ///
    /// Thompson sampling draws several sets of weights and uses the share of draws that each action wins, so the
    /// propensity depends on the draws. Its mean over the draws is the probability before drawing. No action that could
    /// win a draw may have propensity 0. So a share of all choices is uniform (``PolicyAlgorithm/epsilon``). If that
    /// share is below 1 ∕ 128, one in 64 choices is made in proportion to each action's probability of beating the
    /// action with the best mean.
    ///
    /// Estimates are unbiased for policies that only choose actions of nonzero probability here. Greedy and upper-bound
    /// policies with an epsilon of 0 choose only the best action, and their logs contain nothing about the others.
    ///
    /// The observed scales are widened to the actions for this choice only, so an action that is not learned leaves no
    /// trace.
    ///
    /// - Parameter actions: n × ``dimension``, n ≥ 1, magnitudes up to 10⁴⁰.
    /// - Throws: `.dimensionMismatch` or `.invalidArgument` for other tables or for a policy with arms; `.notFinite`
    ///   for larger numbers, by row and feature, and for numbers that do not give a finite score, by row.
    /// - Complexity: O(n d) for a few draws; O(n d²) for upper bounds, and for Thompson sampling with an epsilon below
    ///   1 ∕ 128. The first choice by upper bounds after an observation inverts the factor of the model in O(d³), and
    ///   caches the inverse, d² numbers, until the next observation.
    public mutating func choose(from actions: Matrix<Double>) throws(KinError) -> Choice {
        let (view, magnitudes) = try actionView(actions)
        let exploration = settings.algorithm.exploration
        if exploration.comparesDeviations, !exploration.drawsWeights, ActionDeviations.needInverse(view) {
            posteriors[0].keepInverse()
        }
        let policy = observing(magnitudes)
        var generator = generator
        let scores = try policy.actionProbabilities(of: view, using: &generator)
        let action = scores.probabilities.draw(using: &generator)
        let features = Array(actions.row(action))
        let expected = policy.reward(atScore: scores.means[action], model: 0, expanded: map.expanding(features))
        choices += 1
        return Choice(
            action: action, expectedReward: expected,
            isExploring: scores.means[action] < scores.best,
            event: Event(features: features, propensity: scores.probabilities.values[action]))
    }

    /// Chooses an arm in a context; for a policy with a model per arm.
    ///
    /// The propensity is the number that ``probabilities(in:among:)`` returns for the same context just before the
    /// choice. With Thompson sampling the probabilities are computed, not drawn, and are above 0 for every arm.
    /// The observed scales are widened to the context for this choice only.
    ///
    /// - Parameters:
    ///   - context: ``dimension`` numbers of magnitude up to 10⁴⁰.
    ///   - arms: The allowed arms, all different, in any order; nil for all.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.invalidArgument` for invalid arguments.
    /// - Complexity: O(K D) for K arms of D features including pairs; O(K D²) for Thompson sampling and upper bounds. A
    ///   context that widens a scale costs O(D²) for each arm with observations.
    public mutating func choose(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> Choice {
        try checkArms(arms)
        let features = try expanded(context)
        let policy = observing(features)
        var generator = generator
        let scores = try policy.armProbabilities(features, among: arms)
        let index = scores.probabilities.draw(using: &generator)
        let arm = arms?[index] ?? index
        choices += 1
        return Choice(
            action: arm, expectedReward: policy.reward(atScore: scores.means[index], model: arm, expanded: features),
            isExploring: scores.means[index] < scores.best,
            event: Event(features: context, arm: arm, propensity: scores.probabilities.values[index]))
    }

    /// Computes the probability of each action without choosing one, to evaluate this policy on a different policy's
    /// log.
    ///
    /// The probabilities are exact, except with Thompson sampling. Then they are means over `draws` draws: unbiased,
    /// with a standard error of √(p (1 − p) ∕ draws).
    ///
    /// - Parameters:
    ///   - actions: n × ``dimension``, n ≥ 1.
    ///   - draws: The number of draws of Thompson sampling, 1 to 16,777,216.
    ///   - seed: The seed of the draws.
    /// - Throws: As ``choose(from:)``; `.invalidArgument` for a number of draws outside this range; `.capacityExceeded`
    ///   for draws whose weights or scores would take more than 2 GiB.
    public func probabilities(of actions: Matrix<Double>, draws: Int = 1024, seed: UInt64) throws(KinError) -> [Double]
    {
        try KinError.requireCount(draws, "draws", from: 1, upTo: 1 << 24)
        let (view, magnitudes) = try actionView(actions)
        let each = max(view.rows, map.width)
        if settings.algorithm.exploration.drawsWeights, draws >= PolicySettings.maximumElements / each {
            throw KinError(
                .capacityExceeded,
                "\(draws) draws for \(view.rows) actions of \(map.width) features do not fit; take fewer")
        }
        var generator = SeededGenerator(seed: seed)
        return try observing(magnitudes).actionProbabilities(of: view, draws: draws, using: &generator)
            .probabilities.values
    }

    /// Computes the probability of each arm in a context without choosing one; the same values as in
    /// ``choose(in:among:)``.
    ///
    /// - Parameters:
    ///   - context: ``dimension`` numbers.
    ///   - arms: The allowed arms; nil for all. The result has their order.
    /// - Throws: As ``choose(in:among:)``.
    public func probabilities(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> [Double] {
        try checkArms(arms)
        let features = try expanded(context)
        return try observing(features).armProbabilities(features, among: arms).probabilities.values
    }

    /// Computes the expected reward of each action; a probability for a logistic model.
    ///
    /// - Parameter actions: n × ``dimension``, n ≥ 1.
    /// - Throws: As ``choose(from:)``.
    public func expectedRewards(of actions: Matrix<Double>) throws(KinError) -> [Double] {
        let (view, magnitudes) = try actionView(actions)
        let policy = observing(magnitudes)
        let means = try policy.meanScores(of: view)
        let deviations = settings.algorithm.model.isLogistic ? try policy.deviations(of: view) : []
        return means.indices.map { reward(atScore: means[$0], deviation: deviations.isEmpty ? 0 : deviations[$0]) }
    }

    /// Computes the expected reward of each arm in a context; a probability for a logistic model.
    ///
    /// - Parameters:
    ///   - context: ``dimension`` numbers.
    ///   - arms: The allowed arms; nil for all. The result has their order.
    /// - Throws: As ``choose(in:among:)``.
    public func expectedRewards(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> [Double] {
        try checkArms(arms)
        let features = try expanded(context)
        let policy = observing(features)
        return try (arms ?? Array(lastObservation.indices)).map { arm throws(KinError) in
            let score = policy.score(features, model: arm)
            guard score.isFinite else { throw Self.notFinite("arm \(arm)") }
            return policy.reward(atScore: score, model: arm, expanded: features)
        }
    }
}

// MARK: - Checks

extension BanditPolicy {
    /// The largest allowed magnitude of a reward or of an observation's weight.
    static var maximumMagnitude: Double { 1e9 }
    /// The largest allowed magnitude of a feature. The square of a product of two features, summed over a model's
    /// observations, stays far within a double's range.
    static var maximumFeature: Double { 1e40 }

    /// The error for features whose score under a model exceeds the range of a double.
    static func notFinite(_ subject: String) -> KinError {
        KinError(.notFinite, "the features of \(subject) do not give a finite score")
    }

    func checkArms(_ chosen: [Int]?) throws(KinError) {
        guard let arms else {
            throw KinError(
                .invalidArgument, "this policy has no arms; choose from rows of features, one for each action")
        }
        guard let chosen else { return }
        guard !chosen.isEmpty, chosen.allSatisfy({ (0..<arms).contains($0) }) else {
            throw KinError(.invalidArgument, "the arms to choose from must be one or more of 0 to \(arms - 1)")
        }
        guard Set(chosen).count == chosen.count else {
            throw KinError(.invalidArgument, "an arm to choose from is named twice")
        }
    }

    /// Checks input features, and expands them to the features of the model.
    func expanded(_ features: [Double]) throws(KinError) -> [Double] {
        guard features.count == dimension else {
            throw KinError(
                .dimensionMismatch, "\(features.count) features do not fit a policy for \(dimension)")
        }
        if let i = features.firstIndex(where: { !(abs($0) <= Self.maximumFeature) }) {
            throw Self.outOfRange(features[i], feature: i)
        }
        return map.expanding(features)
    }

    private static func outOfRange(_ value: Double, feature: Int) -> KinError {
        KinError(
            .notFinite, "feature \(feature) must be finite and at most \(maximumFeature) in magnitude, not \(value)")
    }

    /// Checks the rows of actions, and expands them to features of the model without the constant.
    ///
    /// - Returns: The rows, and the largest magnitude of each feature of the model.
    func actionView(_ actions: Matrix<Double>) throws(KinError) -> (view: Matrix<Double>, magnitudes: [Double]) {
        guard arms == nil else {
            throw KinError(.invalidArgument, "this policy has arms; choose in a context, one row of features")
        }
        guard actions.columns == dimension else {
            throw KinError(
                .dimensionMismatch, "actions of \(actions.columns) features do not fit a policy for \(dimension)")
        }
        guard actions.rows > 0 else { throw KinError(.invalidArgument, "there is no action to choose from") }
        let largest = actions.largestMagnitudes()
        if let feature = largest.firstIndex(where: { !($0 <= Self.maximumFeature) }) {
            let row = (0..<actions.rows).first { !(abs(actions[$0, feature]) <= Self.maximumFeature) } ?? 0
            throw Self.outOfRange(actions[row, feature], feature: feature).within("action", row)
        }
        guard map.hasPairs else { return (actions, largest + [1]) }
        let width = map.width - 1
        let view = unsafe Matrix(rows: actions.rows, columns: width) { elements in
            unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width + 1) { scratch in
                let row = scratch.baseAddress!
                for i in 0..<actions.rows {
                    unsafe actions.withUnsafeBufferPointer {
                        unsafe map.expand($0.baseAddress! + i * dimension, into: row)
                    }
                    unsafe (elements.baseAddress! + i * width).initialize(from: row, count: width)
                }
            }
        }
        return (view, view.largestMagnitudes() + [1])
    }
}

extension Matrix<Double> {
    /// The largest magnitude in each column; NaN for a column with a number that is not finite.
    fileprivate func largestMagnitudes() -> [Double] {
        var largest = [Double](repeating: 0, count: columns)
        // Zero times a finite number is zero.
        var zeros = largest
        unsafe withUnsafeBufferPointer { elements in
            for row in 0..<rows {
                for k in 0..<columns {
                    let magnitude = unsafe abs(elements[row &* columns &+ k])
                    largest[k] = largest[k] < magnitude ? magnitude : largest[k]
                    zeros[k] += magnitude * 0
                }
            }
        }
        return zip(largest, zeros).map(+)
    }
}
