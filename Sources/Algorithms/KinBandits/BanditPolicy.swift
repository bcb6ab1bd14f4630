/// A contextual bandit policy: it chooses among actions, explores, and learns from the rewards of its choices.
///
///     var policy = try BanditPolicy(.standard, dimension: 24, seed: 7)
///     let choice = try policy.choose(from: features)            // a row for each action
///     try policy.learn(reward: 1, for: choice.event)            // at once, or days later
///
/// There are two forms. *Shared*: an action is a row of features, and one model serves all actions, including new ones.
/// *A model per arm* (`arms:`): the context is one row of features. Both learn only from the reward of the chosen
/// action.
///
/// Every choice has its true probability (``choose(from:)``), so that logs can be evaluated (`OffPolicyEvaluation`).
/// The same seed and the same calls give the same choices. The state is a value of a few kilobytes (``encoded()``).
public struct BanditPolicy: Sendable, Hashable {
    /// The settings of the policy, which never change.
    public let settings: PolicySettings
    /// The number of choices made so far.
    public internal(set) var choices: UInt64 = 0
    /// The number of rewards learned so far.
    public internal(set) var observations: UInt64 = 0

    /// The map from input features to features of the model.
    let map: FeatureMap
    /// The posteriors: one, or one for each arm; empty with ``adaptive`` models.
    var posteriors: [Posterior]
    /// The value of ``observations`` after the last observation of each posterior; 0 before the first.
    var lastObservation: [UInt64]
    /// The prior of every posterior, whose precision grows with the observed scales.
    var prior: DiagonalPrior
    /// The models of ``PolicyAlgorithm/Model/adaptive``, which replace ``posteriors``; otherwise nil.
    var adaptive: AdaptiveModels?

    /// Creates a policy without observations.
    ///
    /// - Parameter settings: The model, the exploration and their parameters.
    /// - Throws: `.invalidArgument`, `.dimensionMismatch` or `.notFinite` for settings outside their ranges,
    ///   `.capacityExceeded` for models of more than 2 GiB.
    public init(_ settings: PolicySettings) throws(KinError) {
        try settings.check()
        self.settings = settings
        map = settings.featureMap
        prior = DiagonalPrior(settings)
        let isAdaptive = settings.algorithm.model == .adaptive
        adaptive = isAdaptive ? AdaptiveModels(settings) : nil
        posteriors = [Posterior](
            repeating: Posterior(prior: prior), count: isAdaptive ? 0 : settings.arms ?? 1)
        lastObservation = [UInt64](repeating: 0, count: settings.arms ?? 1)
    }

    /// Creates a policy with one model for all actions, or with one model for each arm.
    ///
    /// - Parameters:
    ///   - algorithm: The model and the exploration; nil for the standard algorithm of the form.
    ///   - dimension: The number of features, 1 or more.
    ///   - arms: The number of arms, each with its own model; nil for one model of all actions.
    ///   - seed: The seed of all draws.
    /// - Throws: As ``init(_:)``.
    public init(
        _ algorithm: PolicyAlgorithm? = nil, dimension: Int, arms: Int? = nil, seed: UInt64
    ) throws(KinError) {
        try self.init(PolicySettings(algorithm, dimension: dimension, arms: arms, seed: seed))
    }

    /// The number of arms, each with its own model; nil for a shared model.
    public var arms: Int? { settings.arms }

    /// The number of features of an action or a context.
    public var dimension: Int { settings.dimension }

    /// The generator of the next choice: a separate stream for each choice, independent of the numbers drawn for other
    /// choices.
    var generator: SeededGenerator { SeededGenerator.stream(choices, of: settings.seed) }
}

extension DiagonalPrior {
    /// Creates the prior of a policy's settings, with initial scales.
    init(_ settings: PolicySettings) {
        let width = settings.featureMap.width
        var mean = settings.priorWeights
        mean += [Double](repeating: 0, count: width - 1 - mean.count)
        mean.append(settings.priorIntercept)
        // An observed scale starts near 0. The first value of the feature that is not 0 sets it before the weight has
        // any effect.
        let squaredScale = settings.scaling == .observed ? Self.initialSquaredScale : 1
        var precision = [Double](repeating: settings.priorPrecision * squaredScale, count: width)
        precision[width - 1] = settings.priorPrecision
        self.init(precision: precision, mean: mean)
    }

    /// The square of the scale of a feature that was always 0. Features below the scale of 1e-80, or products of two
    /// features below 1e-40 each, have no effect.
    private static let initialSquaredScale = 1e-160
}
