import KinLibC

/// The models of ``PolicyAlgorithm/Model/adaptive``: two logistic regressions per arm, one on the features and one on
/// the features and their pairs. The second is absent if there are too many pairs. The score is the mean of both
/// scores, weighted by how well each model has predicted the rewards.
///
/// Both models of an arm predict each reward before they learn it. Let ℓ be the sums of their squared errors,
/// discounted by 0.99 per observation. The model of pairs has the weight 1 ∕ (1 + exp 2 (ℓ pairs − ℓ linear)). This is
/// the exponentially weighted forecaster for a loss that is 2-exp-concave or nearly so (Cesa-Bianchi and Lugosi 2006,
/// "Prediction, learning, and games", § 3.3). The discount lets it follow a change of the better model. The deviation
/// of a score is taken from the model without pairs, in O(d²) per arm.
///
/// Features are standardized by the contexts of the first observations, which are stored until there are 64. After 1,
/// 2, 4 … 64 observations, all models are fitted to them again from scratch.
struct AdaptiveModels: Sendable, Hashable {
    /// An observation of the first 64: a context, its arm and its reward.
    struct Observation: Sendable, Hashable {
        let context: [Double]
        let arm: Int
        let reward: Double
        /// The weight, with all discounts so far.
        var weight: Double
    }

    /// A standardized context: the features in the first array, the features and their pairs in the second.
    struct Context {
        let linear: [Double]
        let pairs: [Double]
    }

    /// The posteriors of one feature map, one for each arm, and how well they predict.
    struct Member: Sendable, Hashable {
        let map: FeatureMap
        let prior: DiagonalPrior
        var posteriors: [Posterior]
        /// The discounted sum of the squared errors of the predictions.
        var loss = 0.0

        init(map: FeatureMap, priorPrecision: Double, arms: Int) {
            self.map = map
            var precision = [Double](repeating: priorPrecision, count: map.width)
            for k in precision.indices.dropFirst(map.dimension).dropLast() {
                precision[k] *= AdaptiveModels.pairPrecision
            }
            prior = DiagonalPrior(precision: precision, mean: [Double](repeating: 0, count: map.width))
            posteriors = [Posterior](repeating: Posterior(prior: prior), count: arms)
        }
    }

    /// The means and scales of the features.
    var standardization: Standardization
    /// The model of each arm without pairs.
    var linear: Member
    /// The model of each arm with pairs; nil if there are too many pairs.
    var pairs: Member?
    /// The number of observations so far.
    var observations: UInt64 = 0
    /// All observations in order while there are fewer than 64; empty after that.
    var firstObservations: [Observation] = []

    /// Creates models without observations.
    init(_ settings: PolicySettings) {
        let arms = settings.arms ?? 1
        standardization = Standardization(dimension: settings.dimension)
        linear = Member(
            map: FeatureMap(dimension: settings.dimension, hasPairs: false), priorPrecision: settings.priorPrecision,
            arms: arms)
        pairs =
            Self.takesPairs(settings)
            ? Member(
                map: FeatureMap(dimension: settings.dimension, hasPairs: true),
                priorPrecision: settings.priorPrecision, arms: arms) : nil
    }

    /// Whether settings use a model of pairs: if they request it, or if the model is small enough to be used by
    /// default.
    static func takesPairs(_ settings: PolicySettings) -> Bool {
        let width = FeatureMap(dimension: settings.dimension, hasPairs: true).width
        return settings.hasPairs
            || (width <= maximumPairWidth
                && (settings.arms ?? 1) * PackedFactor.count(order: width) <= maximumPairElements)
    }

    /// The number of observations that standardize the features.
    static let warmUp: UInt64 = 64
    /// The prior precision of a pair's weight, relative to that of a feature's weight.
    static let pairPrecision = 4.0
    /// The widest model of pairs that is used without a request; it allows 30 features.
    private static let maximumPairWidth = 512
    /// The largest number of elements in all factors of pairs that is used without a request: 8 MiB.
    private static let maximumPairElements = 1 << 20
    /// The discount of past losses with each observation.
    private static let lossDiscount = 0.99
    /// The learning rate of the weights of models.
    private static let learningRate = 2.0
}

// MARK: - Scores

extension AdaptiveModels {
    /// The share of the model of pairs in the score, 0…1.
    var pairShare: Double {
        guard let pairs else { return 0 }
        return logistic(Self.learningRate * (linear.loss - pairs.loss))
    }

    /// Standardizes a context and expands it.
    func context(_ features: some Collection<Double>) -> Context {
        let values = zip(features, standardization.means.indices).map { standardization.value($0, at: $1) }
        return Context(linear: linear.map.expanding(values), pairs: pairs?.map.expanding(values) ?? [])
    }

    /// The mean score of an arm, as log-odds.
    func score(_ context: Context, arm: Int) -> Double {
        let score = linear.score(context.linear, arm: arm)
        guard let pairs else { return score }
        let share = pairShare
        return (1 - share) * score + share * pairs.score(context.pairs, arm: arm)
    }

    /// The variance of the score of an arm under the model without pairs.
    ///
    /// - Parameter remaining: The part of the arm's weight that is left after the discounts by later observations of
    ///   other arms.
    func variance(_ context: Context, arm: Int, remaining: Double) -> Double {
        unsafe context.linear.withUnsafeBufferPointer {
            unsafe linear.posteriors[arm].variance($0.baseAddress!, remaining: remaining, prior: linear.prior)
        }
    }

    /// The terms of the score of an arm: a number for each feature of the larger model, the constant last.
    func terms(_ context: Context, arm: Int) -> (map: FeatureMap, contributions: [Double]) {
        let simple = linear.posteriors[arm].mean
        guard let pairs else { return (linear.map, zip(simple, context.linear).map(*)) }
        let share = pairShare
        var contributions = zip(pairs.posteriors[arm].mean, context.pairs).map { share * $0 * $1 }
        for k in 0..<linear.map.dimension { contributions[k] += (1 - share) * simple[k] * context.linear[k] }
        contributions[contributions.count - 1] += (1 - share) * simple[simple.count - 1]
        return (pairs.map, contributions)
    }
}

// MARK: - Learning

extension AdaptiveModels {
    /// Learns the reward of an arm in a context.
    ///
    /// - Parameters:
    ///   - observation: The context, the arm, the reward and its weight.
    ///   - remaining: The accumulated discount of the arm's earlier observations since the arm was last observed,
    ///     including the discount by this observation.
    ///   - discount: The discount that this observation applies to all earlier ones.
    /// - Returns: true if all arms were fitted again, with the discounts of all observations so far applied.
    /// - Throws: `.numericalFailure` if the posteriors cannot be discounted; the models are unchanged then.
    mutating func learn(_ observation: Observation, remaining: Double, discount: Double) throws(KinError) -> Bool {
        if remaining < 1 {
            var changed = self
            try changed.linear.discount(arm: observation.arm, by: remaining)
            try changed.pairs?.discount(arm: observation.arm, by: remaining)
            self = changed
        }
        observations += 1
        guard observations <= Self.warmUp else {
            add(observation)
            return false
        }
        for i in firstObservations.indices { firstObservations[i].weight *= discount }
        firstObservations.append(observation)
        let isRenewed = observations & (observations - 1) == 0
        if isRenewed { renew() } else { add(observation) }
        if observations == Self.warmUp { firstObservations = [] }
        return isRenewed
    }

    /// Discounts all observations by a factor above 0.
    mutating func discount(by factor: Double) throws(KinError) {
        for arm in linear.posteriors.indices {
            try linear.discount(arm: arm, by: factor)
            try pairs?.discount(arm: arm, by: factor)
        }
        for i in firstObservations.indices { firstObservations[i].weight *= factor }
    }

    /// Standardizes by the first observations and fits all models to them again.
    private mutating func renew() {
        standardization = Standardization(
            of: firstObservations.map(\.context), dimension: linear.map.dimension)
        linear.reset()
        pairs?.reset()
        for observation in firstObservations { add(observation) }
    }

    private mutating func add(_ observation: Observation) {
        standardization.scaleUnknown(by: observation.context)
        let context = context(observation.context)
        linear.add(context.linear, observation)
        pairs?.add(context.pairs, observation)
    }
}

extension AdaptiveModels.Member {
    /// The mean score of an arm.
    func score(_ x: [Double], arm: Int) -> Double {
        unsafe x.withUnsafeBufferPointer { unsafe posteriors[arm].score($0.baseAddress!) }
    }

    fileprivate mutating func discount(arm: Int, by factor: Double) throws(KinError) {
        try posteriors[arm].discount(by: factor, prior: prior)
    }

    fileprivate mutating func reset() {
        posteriors = [Posterior](repeating: Posterior(prior: prior), count: posteriors.count)
        loss = 0
    }

    /// Predicts the reward of an observation, adds the squared error to the discounted loss, and learns the
    /// observation.
    fileprivate mutating func add(_ x: [Double], _ observation: AdaptiveModels.Observation) {
        unsafe x.withUnsafeBufferPointer { x in
            let x = x.baseAddress!
            let score = unsafe posteriors[observation.arm].score(x)
            let error = observation.reward - logistic(score)
            loss = AdaptiveModels.lossDiscount * loss + error * error
            unsafe posteriors[observation.arm].learn(logistic: observation.reward, weight: observation.weight, x)
        }
    }
}
