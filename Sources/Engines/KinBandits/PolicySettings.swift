import KinCore

/// What a policy is made for, once and for all.
public struct PolicySettings: Sendable, Hashable {
    /// Where the scale of a feature comes from, which the prior is relative to.
    public enum Scaling: UInt8, Sendable, Hashable {
        /// Features are of the order of 1 as they are.
        case fixed = 0
        /// The largest magnitude of each feature seen so far counts as 1: whatever the units, the same choices. For a
        /// model per arm only.
        case observed = 1
    }

    /// How rewards are modelled and actions explored.
    public var algorithm: PolicyAlgorithm
    /// The number of features that describe an action (or with ``arms`` the context), 1 or more.
    public var dimension: Int
    /// nil: one model for all actions, each action being a row of features. A number: the context is one row of features
    /// and every arm 0 ..< arms has a model of its own.
    public var arms: Int?
    /// Whether products of features in pairs are features too.
    public var hasPairs: Bool
    /// What the features are relative to.
    public var scaling: Scaling
    /// The precision λ of each weight before any evidence, above 0: its standard deviation is 1 ∕ √λ.
    public var priorPrecision: Double
    /// The weights expected before any evidence: `dimension` numbers, or none for zeros.
    public var priorWeights: [Double]
    /// The score expected before any evidence where all features are 0.
    public var priorIntercept: Double
    /// After so many observations an observation counts 1 ∕ e of a new one; infinite: for ever.
    public var effectiveWindow: Double
    /// The same seed and the same observations give the same choices.
    public var seed: UInt64

    /// The settings of a policy.
    ///
    /// - Parameters:
    ///   - algorithm: How it learns and explores; when left out ``PolicyAlgorithm/standard``, or
    ///     ``PolicyAlgorithm/standard(features:)`` for a model per arm.
    ///   - dimension: The number of features.
    ///   - arms: The number of arms with a model each, or nil for one model of all.
    ///   - hasPairs: Whether products of features in pairs are features too.
    ///   - scaling: `.observed` for a model per arm and `.fixed` for a shared one when left out.
    ///   - priorPrecision: 1, or 0.05 for observed scales, when left out.
    ///   - priorWeights: The weights expected before any evidence: `dimension` numbers, or none for zeros.
    ///   - priorIntercept: The score expected before any evidence where all features are 0.
    ///   - effectiveWindow: After so many observations an observation counts 1 ∕ e of a new one.
    ///   - seed: The same seed and the same observations give the same choices.
    public init(
        _ algorithm: PolicyAlgorithm? = nil, dimension: Int, arms: Int? = nil, hasPairs: Bool = false,
        scaling: Scaling? = nil, priorPrecision: Double? = nil, priorWeights: [Double] = [],
        priorIntercept: Double = 0, effectiveWindow: Double = .infinity, seed: UInt64
    ) {
        // A dimension that is refused later must not overflow here.
        let width = FeatureMap(dimension: max(1, min(dimension, Self.maximumWidth)), hasPairs: hasPairs).width
        self.algorithm = algorithm ?? (arms == nil ? .standard : .standard(features: width))
        self.dimension = dimension
        self.arms = arms
        self.hasPairs = hasPairs
        let scaling = scaling ?? (arms == nil ? .fixed : .observed)
        self.scaling = scaling
        self.priorPrecision = priorPrecision ?? (scaling == .observed ? 0.05 : 1)
        self.priorWeights = priorWeights
        self.priorIntercept = priorIntercept
        self.effectiveWindow = effectiveWindow
        self.seed = seed
    }
}

extension PolicySettings {
    var featureMap: FeatureMap { FeatureMap(dimension: dimension, hasPairs: hasPairs) }

    /// The most features a model may have, with pairs and the constant.
    static let maximumWidth = 4096
    /// The most arms.
    static let maximumArms = 65_536
    /// The most numbers in all the models of a policy: 2 GiB.
    static let maximumElements = 1 << 28

    func check() throws(KinError) {
        guard dimension >= 1, dimension < Self.maximumWidth, featureMap.width <= Self.maximumWidth else {
            throw KinError(
                .invalidArgument,
                "a policy for \(dimension) features\(hasPairs ? " and their pairs" : "") has too few or too many; "
                    + "a model takes 1 to \(Self.maximumWidth - 1), pairs included")
        }
        guard (1...Self.maximumArms).contains(arms ?? 1) else {
            throw KinError(.invalidArgument, "a policy has 1 to \(Self.maximumArms) arms, not \(arms ?? 0)")
        }
        let (numbers, overflow) = (arms ?? 1).multipliedReportingOverflow(
            by: PackedFactor.count(order: featureMap.width))
        guard !overflow, numbers <= Self.maximumElements else {
            throw KinError(
                .capacityExceeded,
                "\(arms ?? 1) models of \(featureMap.width) features do not fit; use fewer arms or features, or no pairs"
            )
        }
        guard priorWeights.isEmpty || priorWeights.count == dimension else {
            throw KinError(
                .dimensionMismatch, "\(priorWeights.count) prior weights do not fit \(dimension) features")
        }
        try checkNumbers()
    }

    private func checkNumbers() throws(KinError) {
        guard priorWeights.allSatisfy(\.isFinite), priorIntercept.isFinite else {
            throw KinError(.notFinite, "a prior weight or the prior intercept is not finite")
        }
        guard priorPrecision >= 1e-9, priorPrecision <= 1e9 else {
            throw KinError(.invalidArgument, "the prior precision is \(priorPrecision); it is 1e-9 to 1e9")
        }
        guard effectiveWindow >= 2 else {
            throw KinError(
                .invalidArgument,
                "the effective window is \(effectiveWindow) observations; it is 2 or more, or infinite")
        }
        guard algorithm.exploration.amount >= 0, algorithm.exploration.amount <= 1e9 else {
            throw KinError(
                .invalidArgument, "the amount of exploration is \(algorithm.exploration.amount); it is 0 to 1e9")
        }
        let shares = [algorithm.epsilon, algorithm.exploration.epsilon]
        guard shares.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            throw KinError(.invalidArgument, "a share of random choices is outside 0…1")
        }
        guard scaling == .fixed || arms != nil else {
            throw KinError(.invalidArgument, "scales can be observed only with a model per arm; use fixed scaling")
        }
    }
}

extension PolicyAlgorithm.Exploration {
    /// The part of the choices that is random from the outset.
    fileprivate var epsilon: Double {
        if case .epsilonGreedy(let epsilon) = self { epsilon } else { 0 }
    }
}
