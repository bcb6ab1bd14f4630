/// The settings of a ``BanditPolicy``, fixed at its creation.
///
///     var settings = PolicySettings(.logisticThompson(), dimension: 24, seed: 7)
///     settings.priorIntercept = -1          // rewards are rare
///     settings.effectiveWindow = 5_000      // tastes change
///     let policy = try BanditPolicy(settings)
public struct PolicySettings: Sendable, Hashable {
    /// The source of the scale of each feature. The prior is relative to this scale.
    public enum Scaling: UInt8, Sendable, Hashable {
        /// A scale of 1 for every feature: the prior suits features of that order.
        case fixed = 0
        /// The largest learned magnitude of each feature counts as 1: features times any factor give the same choices.
        /// Features are not centred, so 0 should mean "as usual" or "none".
        case observed = 1
        /// The mean and deviation of each feature over the first observations count as 0 and 1; for
        /// ``PolicyAlgorithm/Model/adaptive`` only.
        case standardized = 2
    }

    /// The model of rewards and the exploration.
    public var algorithm: PolicyAlgorithm
    /// The number of features of an action or, with ``arms``, of the context, 1 or more.
    public var dimension: Int
    /// The number of arms 0 ..< arms, 1 to 65,536, each with its own model, for contexts of one row of features; nil
    /// for one model of all actions, each a row of features.
    public var arms: Int?
    /// Whether products of two features, including squares, are also features. For adaptive models, whether a model of
    /// pairs is used regardless of its size.
    public var hasPairs: Bool
    /// The source of the features' scales.
    public var scaling: Scaling
    /// The prior precision λ of each weight, 1e-9 to 1e9. The prior standard deviation is 1 ∕ √λ divided by the scale
    /// of the feature.
    public var priorPrecision: Double
    /// The prior means of the weights, in the units of the features: ``dimension`` numbers of magnitude up to 10⁴⁰;
    /// empty for zeros.
    public var priorWeights: [Double]
    /// The prior mean of the score if all features are 0.
    public var priorIntercept: Double
    /// The number n of observations, 2 or more, in which the weight of an observation decays to 1 ∕ e: each observation
    /// discounts the earlier ones by 1 − 1 ∕ n.
    ///
    /// The half-life is n ln 2 observations. Infinite for no discount.
    public var effectiveWindow: Double
    /// The seed of all draws: the same seed and the same observations give the same choices.
    public var seed: UInt64

    /// Creates settings; ``BanditPolicy/init(_:)`` checks them.
    ///
    /// - Parameters:
    ///   - algorithm: The model and the exploration; nil for ``PolicyAlgorithm/standard`` or, with a model per arm,
    ///     ``PolicyAlgorithm/standardPerArm``.
    ///   - dimension: The number of features, 1 to 4,095.
    ///   - arms: The number of arms, each with its own model; nil for one model of all actions.
    ///   - hasPairs: Whether products of two features are also features.
    ///   - scaling: The source of the features' scales. Default: nil, which is `.standardized` for adaptive models and
    ///     `.observed` for others.
    ///   - priorPrecision: The prior precision of each weight. Default: nil, which is 1 without arms. With arms it is 1 for
    ///     fixed scales and 0.05 for observed ones. For standardized ones it is 0.7 for up to 16 features, and grows with
    ///     their number above that, so that the prior variance of a score does not.
    ///   - priorWeights: The prior means of the weights: `dimension` numbers; empty for zeros.
    ///   - priorIntercept: The prior mean of the score if all features are 0.
    ///   - effectiveWindow: The number of later observations that reduce the weight of an observation to 1 ∕ e, 2 or
    ///     more.
    ///   - seed: The seed of all draws.
    public init(
        _ algorithm: PolicyAlgorithm? = nil, dimension: Int, arms: Int? = nil, hasPairs: Bool = false,
        scaling: Scaling? = nil, priorPrecision: Double? = nil, priorWeights: [Double] = [],
        priorIntercept: Double = 0, effectiveWindow: Double = .infinity, seed: UInt64
    ) {
        let algorithm = algorithm ?? (arms == nil ? .standard : .standardPerArm)
        self.algorithm = algorithm
        self.dimension = dimension
        self.arms = arms
        self.hasPairs = hasPairs
        let scaling = scaling ?? (arms != nil && algorithm.model == .adaptive ? .standardized : .observed)
        self.scaling = scaling
        self.priorPrecision = priorPrecision ?? scaling.priorPrecision(dimension: dimension, hasArms: arms != nil)
        self.priorWeights = priorWeights
        self.priorIntercept = priorIntercept
        self.effectiveWindow = effectiveWindow
        self.seed = seed
    }
}

extension PolicySettings {
    /// The map from input features to features of the model; without pairs for adaptive models, which have their own
    /// maps.
    var featureMap: FeatureMap {
        FeatureMap(dimension: dimension, hasPairs: hasPairs && algorithm.model != .adaptive)
    }

    /// The number of features of the largest model that the settings request.
    private var largestWidth: Int { FeatureMap(dimension: dimension, hasPairs: hasPairs).width }

    /// The largest number of features of a model, including pairs and the constant.
    package static let maximumWidth = 4096
    /// The largest number of arms of a policy.
    static let maximumArms = 65_536
    /// The largest number of elements in all factors of a policy: 2 GiB.
    static let maximumElements = 1 << 28

    /// The size of all models of a policy in bytes.
    ///
    /// - Throws: As ``BanditPolicy/init(_:)``.
    package func modelBytes() throws(KinError) -> Int {
        try check()
        return (arms ?? 1) * PackedFactor.count(order: largestWidth) * MemoryLayout<Double>.stride
    }

    /// Checks all settings; see ``BanditPolicy/init(_:)``.
    func check() throws(KinError) {
        guard dimension >= 1, dimension < Self.maximumWidth, largestWidth <= Self.maximumWidth else {
            throw KinError(
                .invalidArgument,
                "a policy for \(dimension) features\(hasPairs ? " and their pairs" : "") has too few or too many; "
                    + "a model takes 1 to \(Self.maximumWidth - 1), pairs included")
        }
        guard (1...Self.maximumArms).contains(arms ?? 1) else {
            throw KinError(.invalidArgument, "a policy has 1 to \(Self.maximumArms) arms, not \(arms ?? 0)")
        }
        guard (arms ?? 1) <= Self.maximumElements / PackedFactor.count(order: largestWidth) else {
            throw KinError(
                .capacityExceeded,
                "\(arms ?? 1) models of \(largestWidth) features do not fit; use fewer arms or features, or no pairs"
            )
        }
        guard priorWeights.isEmpty || priorWeights.count == dimension else {
            throw KinError(
                .dimensionMismatch, "\(priorWeights.count) prior weights do not fit \(dimension) features")
        }
        try checkNumbers()
    }

    private func checkNumbers() throws(KinError) {
        if let i = priorWeights.firstIndex(where: { !(abs($0) <= BanditPolicy.maximumFeature) }) {
            throw KinError(
                .notFinite,
                "prior weight \(i) must be finite and at most \(BanditPolicy.maximumFeature) in magnitude, not \(priorWeights[i])"
            )
        }
        guard abs(priorIntercept) <= BanditPolicy.maximumMagnitude else {
            throw KinError(
                .notFinite,
                "the prior intercept must be finite and at most \(BanditPolicy.maximumMagnitude) in magnitude, not \(priorIntercept)"
            )
        }
        guard priorPrecision >= 1e-9, priorPrecision <= 1e9 else {
            throw KinError(.invalidArgument, "the prior precision must be 1e-9 to 1e9, not \(priorPrecision)")
        }
        guard effectiveWindow >= 2 else {
            throw KinError(
                .invalidArgument,
                "the effective window must be 2 observations or more, or infinite, not \(effectiveWindow)")
        }
        guard algorithm.exploration.amount >= 0, algorithm.exploration.amount <= 1e9 else {
            throw KinError(
                .invalidArgument, "the amount of exploration must be 0 to 1e9, not \(algorithm.exploration.amount)")
        }
        let shares = [algorithm.epsilon, algorithm.exploration.epsilon]
        guard shares.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            throw KinError(.invalidArgument, "a share of random choices must be 0 to 1")
        }
        try checkAdaptive()
    }

    private func checkAdaptive() throws(KinError) {
        guard (algorithm.model == .adaptive) == (scaling == .standardized) else {
            throw KinError(.invalidArgument, "standardized scaling and adaptive models require each other")
        }
        guard algorithm.model == .adaptive else { return }
        guard arms != nil else {
            throw KinError(.invalidArgument, "adaptive models need arms; use a logistic model for rows of features")
        }
        guard priorWeights.isEmpty, priorIntercept == 0 else {
            throw KinError(
                .invalidArgument,
                "the kind standard with arms takes no prior weights or intercept; leave them out, or use logistic-ucb")
        }
    }
}

extension PolicySettings.Scaling {
    /// The prior precision that suits features with this scaling.
    fileprivate func priorPrecision(dimension: Int, hasArms: Bool) -> Double {
        switch self {
        case .fixed: 1
        case .observed: hasArms ? 0.05 : 1
        case .standardized: 0.7 * max(1, Double(dimension) / 16)
        }
    }
}

extension PolicyAlgorithm.Exploration {
    /// The epsilon of ε-greedy; 0 for other explorations.
    fileprivate var epsilon: Double {
        if case .epsilonGreedy(let epsilon) = self { epsilon } else { 0 }
    }
}
