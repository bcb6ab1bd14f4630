public import KinCore
import KinLinearAlgebra

/// Chooses among actions by what it has learned of their rewards, and explores as much as it pays.
///
///     var policy = try BanditPolicy(.standard, dimension: 24, seed: 7)
///     let choice = try policy.choose(from: features)            // a row for each action
///     try policy.learn(reward: 1, for: choice.event)            // at once, or days later
///
/// Two forms. *Shared*: an action is a row of features, and one model serves all, also those never seen. *A model per
/// arm* (`arms:`): the context is one row of features. Either learns from the chosen action's reward alone.
///
/// Every choice carries the true probability with which it was made, see ``choose(from:)``, so that logs of it can be
/// evaluated (``OffPolicyEvaluation``). The same seed and the same calls give the same choices; the state is a value of
/// a few kilobytes (``encoded()``).
public struct BanditPolicy: Sendable, Hashable {
    /// What the policy was made for.
    public let settings: PolicySettings
    /// The number of choices made so far.
    public internal(set) var choices: UInt64 = 0
    /// The number of rewards learned so far.
    public internal(set) var observations: UInt64 = 0

    let map: FeatureMap
    /// One, or one for each arm.
    var posteriors: [Posterior]
    /// The number of observations there had been when each posterior last changed.
    var lastObservation: [UInt64]
    /// What is believed without evidence; it grows firmer with the observed scales.
    var prior: DiagonalPrior

    /// A policy that has learned nothing yet.
    ///
    /// - Throws: `.invalidArgument`, `.dimensionMismatch` or `.notFinite` for settings outside their ranges,
    ///   `.capacityExceeded` for models of more than 2 GiB.
    public init(_ settings: PolicySettings) throws(KinError) {
        try settings.check()
        self.settings = settings
        map = settings.featureMap
        prior = DiagonalPrior(settings)
        posteriors = [Posterior](repeating: Posterior(prior: prior), count: settings.arms ?? 1)
        lastObservation = [UInt64](repeating: 0, count: settings.arms ?? 1)
    }

    /// A policy with one model for all actions, or with one for each arm.
    public init(
        _ algorithm: PolicyAlgorithm? = nil, dimension: Int, arms: Int? = nil, seed: UInt64
    ) throws(KinError) {
        try self.init(PolicySettings(algorithm, dimension: dimension, arms: arms, seed: seed))
    }

    /// The number of arms with a model of their own; nil when actions are rows of features.
    public var arms: Int? { settings.arms }

    /// The number of features of an action or a context.
    public var dimension: Int { settings.dimension }

    /// Random numbers for the next choice: a stream of their own for each, so that none depends on how many were drawn.
    var generator: SeededGenerator { SeededGenerator.stream(choices, of: settings.seed) }
}

extension DiagonalPrior {
    init(_ settings: PolicySettings) {
        let width = settings.featureMap.width
        var mean = settings.priorWeights
        mean += [Double](repeating: 0, count: width - 1 - mean.count)
        mean.append(settings.priorIntercept)
        // An observed scale begins at nothing and is known before its weight matters.
        let unseen = settings.scaling == .observed ? Self.unseenScale : 1
        var precision = [Double](repeating: settings.priorPrecision * unseen, count: width)
        precision[width - 1] = settings.priorPrecision
        self.init(precision: precision, mean: mean)
    }

    /// The square of the scale of a feature that was always 0.
    private static let unseenScale = 1e-12
}
