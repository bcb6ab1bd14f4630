public import KinCore
public import KinLinearAlgebra

extension BanditPolicy {
    /// Chooses one of the actions, each a row of features; for a policy with one model for all.
    ///
    /// The propensity is the probability with which this action was chosen, given all that the choice was made by: never 0, and an
    /// estimate that weighs by 1 ∕ propensity is unbiased. With ε-greedy, inverse gaps and upper bounds it is also what
    /// ``probabilities(of:draws:seed:)`` says. Thompson sampling draws several sets of weights, an action's probability is the part of the draws that
    /// it wins, and that probability depends on the draws: its mean over them is the action's probability before them. So that
    /// no action that could win a draw has propensity 0 because it won none of these, a share of all choices is made otherwise: uniformly,
    /// ``PolicyAlgorithm/epsilon``, or, where that is below 1 ∕ 128, one in 64 in proportion to how likely each action is to beat the one with
    /// the best mean.
    ///
    /// Unbiased are estimates for policies that choose only among what this one can choose: greedy and upper-bound policies without a uniform
    /// share give all but the best action probability 0, and their logs say nothing about the others.
    ///
    /// - Parameter actions: n × `dimension`, n ≥ 1, magnitudes up to 10⁹.
    /// - Throws: `.dimensionMismatch` or `.invalidArgument` for other tables or for a policy with arms, `.notFinite` for
    ///   numbers that do not give a finite score, by row.
    /// - Complexity: O(n d) for a few draws; upper bounds, and Thompson sampling with a uniform share below 1 ∕ 128, O(n d²).
    public mutating func choose(from actions: Matrix<Double>) throws(KinError) -> Choice {
        let view = try actionView(actions)
        var generator = generator
        let scores = try actionProbabilities(of: view, using: &generator)
        let action = scores.probabilities.draw(using: &generator)
        let features = Array(actions.row(action))
        let expected = reward(atScore: scores.means[action], model: 0, features: features)
        choices += 1
        return Choice(
            action: action, expectedReward: expected,
            isExploring: scores.means[action] < scores.best,
            event: Event(features: features, propensity: scores.probabilities.values[action]))
    }

    /// Chooses an arm in a context; for a policy with a model per arm.
    ///
    /// The propensity is the arm's probability, the same number that ``probabilities(in:among:)`` gives for the same context just before: with Thompson
    /// sampling too, whose probabilities are computed and not drawn, and are above 0 for every arm. Scales that are observed take in the context
    /// first, here and in every question about it.
    ///
    /// - Parameters:
    ///   - context: `dimension` numbers of magnitude up to 10⁹.
    ///   - arms: The arms to choose from, in any order, each once; all of them when left out.
    /// - Throws: `.dimensionMismatch`, `.notFinite` or `.invalidArgument` for what does not fit.
    /// - Complexity: O(K D) for K arms of D features with pairs; Thompson sampling and upper bounds O(K D²). A context that widens a
    ///   scale costs O(D²) for each arm that has learned.
    public mutating func choose(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> Choice {
        try checkArms(arms)
        let features = try expanded(context)
        observe(features)
        var generator = generator
        let scores = armProbabilities(features, among: arms)
        let place = scores.probabilities.draw(using: &generator)
        let arm = arms?[place] ?? place
        choices += 1
        return Choice(
            action: arm, expectedReward: reward(atScore: scores.means[place], model: arm, expanded: features),
            isExploring: scores.means[place] < scores.best,
            event: Event(features: context, arm: arm, propensity: scores.probabilities.values[place]))
    }

    /// The probability of each action were it chosen from now.
    ///
    /// For evaluating a policy on a log of another one. Nothing changes. Exact, but for Thompson sampling, where it is the mean over
    /// `draws` draws: unbiased, with a standard error of √(p (1 − p) ∕ draws).
    public func probabilities(of actions: Matrix<Double>, draws: Int = 1024, seed: UInt64) throws(KinError) -> [Double]
    {
        let view = try actionView(actions)
        var generator = SeededGenerator(seed: seed)
        return try actionProbabilities(of: view, draws: max(1, draws), using: &generator).probabilities.values
    }

    /// The probability of each arm were one chosen in a context now: what ``choose(in:among:)`` would choose by, exactly. Nothing changes.
    public func probabilities(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> [Double] {
        try checkArms(arms)
        let features = try expanded(context)
        return observing(features).armProbabilities(features, among: arms).probabilities.values
    }

    /// The reward expected of each action, a probability for a logistic model.
    public func expectedRewards(of actions: Matrix<Double>) throws(KinError) -> [Double] {
        let view = try actionView(actions)
        let means = try meanScores(of: view)
        let deviations = settings.algorithm.model == .logistic ? try deviations(of: view) : []
        return means.indices.map { reward(atScore: means[$0], deviation: deviations.isEmpty ? 0 : deviations[$0]) }
    }

    /// The reward expected of each arm in a context, a probability for a logistic model.
    public func expectedRewards(in context: [Double], among arms: [Int]? = nil) throws(KinError) -> [Double] {
        try checkArms(arms)
        let features = try expanded(context)
        let policy = observing(features)
        return (arms ?? Array(posteriors.indices)).map { arm in
            policy.reward(atScore: policy.score(features, model: arm), model: arm, expanded: features)
        }
    }
}

// MARK: - Checks

extension BanditPolicy {
    /// The largest magnitude of a feature or a reward.
    static var maximumMagnitude: Double { 1e9 }

    func checkArms(_ chosen: [Int]?) throws(KinError) {
        guard let arms else {
            throw KinError(
                .invalidArgument, "this policy has no arms; choose from rows of features, one for each action")
        }
        guard let chosen else { return }
        guard !chosen.isEmpty, chosen.allSatisfy({ (0..<arms).contains($0) }) else {
            throw KinError(.invalidArgument, "the arms to choose from are at least one of 0 to \(arms - 1)")
        }
        guard Set(chosen).count == chosen.count else {
            throw KinError(.invalidArgument, "an arm to choose from is named twice")
        }
    }

    /// The features of the model, for those of the caller.
    func expanded(_ features: [Double]) throws(KinError) -> [Double] {
        guard features.count == dimension else {
            throw KinError(
                .dimensionMismatch, "\(features.count) features do not fit a policy for \(dimension)")
        }
        if let i = features.firstIndex(where: { !(abs($0) <= Self.maximumMagnitude) }) {
            throw KinError(
                .notFinite,
                "feature \(i) is \(features[i]); features are finite and at most \(Self.maximumMagnitude) in magnitude")
        }
        return expand(features)
    }

    func expand(_ features: some Collection<Double>) -> [Double] {
        unsafe Array(unsafeUninitializedCapacity: map.width) { buffer, count in
            features.withContiguousStorageIfAvailable { unsafe map.expand($0.baseAddress!, into: buffer.baseAddress!) }
            count = map.width
        }
    }

    /// The actions as the model sees them; the constant is left out.
    func actionView(_ actions: Matrix<Double>) throws(KinError) -> Matrix<Double> {
        guard arms == nil else {
            throw KinError(.invalidArgument, "this policy has arms; choose in a context, one row of features")
        }
        guard actions.columns == dimension else {
            throw KinError(
                .dimensionMismatch, "actions of \(actions.columns) features do not fit a policy for \(dimension)")
        }
        guard actions.rows > 0 else { throw KinError(.invalidArgument, "there is no action to choose from") }
        guard map.hasPairs else { return actions }
        let width = map.width - 1
        return unsafe Matrix(rows: actions.rows, columns: width) { places in
            unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: width + 1) { scratch in
                let row = scratch.baseAddress!
                for i in 0..<actions.rows {
                    unsafe actions.withUnsafeBufferPointer {
                        unsafe map.expand($0.baseAddress! + i * dimension, into: row)
                    }
                    unsafe (places.baseAddress! + i * width).initialize(from: row, count: width)
                }
            }
        }
    }
}
