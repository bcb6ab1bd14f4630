/// The reward model of a policy and its exploration.
///
///     let thompson = try BanditPolicy(.thompson(scale: 0.5), dimension: 24, seed: 7)
///     let combined = PolicyAlgorithm(.logistic, .inverseGap(gain: 30), epsilon: 0.02)
///     let policy = try BanditPolicy(combined, dimension: 24, seed: 7)
///
/// The static functions are methods from the literature; any model can be combined with any exploration.
public struct PolicyAlgorithm: Sendable, Hashable {
    /// A model of the expected reward r as a function of the features x.
    public enum Model: UInt8, Sendable, Hashable, CaseIterable {
        /// Bayesian linear regression, r = ⟨θ, x⟩ + noise; exact.
        case linear = 0
        /// Bayesian logistic regression, P(r = 1) = σ(⟨θ, x⟩), for rewards in 0…1, by Laplace's approximation, online.
        case logistic = 1
        /// Two logistic regressions, one on the features and one on the features and their pairs, each weighted by how
        /// well it has predicted the rewards. For a model per arm and rewards in 0…1. Features are standardized by the
        /// first observations.
        case adaptive = 2

        /// Whether scores are log-odds and rewards are in 0…1.
        var isLogistic: Bool { self != .linear }
    }

    /// A rule that turns scores into probabilities of actions.
    public enum Exploration: Sendable, Hashable {
        /// The best estimate; with probability `epsilon` any action, all equally likely (Sutton and Barto 2018, § 2.2).
        case epsilonGreedy(epsilon: Double)
        /// The largest score ⟨μ, x⟩ + `width` · √(xᵀA⁻¹x), the largest plausible score (Li, Chu, Langford and Schapire
        /// 2010, "A contextual-bandit approach to personalized news article recommendation",
        /// doi:10.1145/1772690.1772758).
        case upperBound(width: Double)
        /// The same, except that one choice in 64 is in proportion to each action's probability of exceeding the action
        /// with the best mean, for scores with deviations of `width` √(xᵀA⁻¹x). No action has a probability of 0, and
        /// exploration vanishes as the model becomes certain.
        case upperBoundOrDraw(width: Double)
        /// The largest score under weights drawn from N(μ, `scale`² A⁻¹) (Agrawal and Goyal 2013, "Thompson sampling
        /// for contextual bandits with linear payoffs").
        case thompson(scale: Double)
        /// Inverse gap weighting: 1 ∕ (n + γ gap) for an action whose estimate is a gap below the best of n estimates,
        /// with γ = `gain` · √(observations + 1). Foster and Rakhlin 2020, "Beyond UCB: optimal and efficient
        /// contextual bandits with regression oracles".
        case inverseGap(gain: Double)
        /// Any plausible action, all equally likely. An action is plausible if its upper bound ⟨μ, x⟩ + `width` ·
        /// √(xᵀA⁻¹x) is at least the lower bound, ⟨μ, x⟩ minus the same width, of every action. RegCB by elimination:
        /// Foster, Agarwal, Dudík, Luo and Schapire 2018, "Practical contextual bandits with regression oracles".
        case elimination(width: Double)
    }

    /// The model of the expected reward.
    public var model: Model
    /// The rule of exploration, with its parameter.
    public var exploration: Exploration
    /// The share of all choices that are uniformly random, 0…1. Every action then has a probability of at least
    /// `epsilon` ∕ n, which off-policy estimates need.
    public var epsilon: Double

    /// Creates an algorithm from a model, an exploration and an epsilon.
    ///
    /// - Parameters:
    ///   - model: The model of the expected reward.
    ///   - exploration: The rule of exploration, with its parameter.
    ///   - epsilon: The additional probability of a uniform choice, 0…1.
    public init(_ model: Model, _ exploration: Exploration, epsilon: Double = 0) {
        self.model = model
        self.exploration = exploration
        self.epsilon = epsilon
    }

    /// ε-greedy exploration on a linear model.
    public static func epsilonGreedy(_ epsilon: Double = 0.05) -> Self {
        Self(.linear, .epsilonGreedy(epsilon: epsilon))
    }

    /// LinUCB: upper confidence bounds on a linear model, `width` standard deviations above the mean.
    public static func linUCB(width: Double = 1) -> Self { Self(.linear, .upperBound(width: width)) }

    /// LinUCB with a width that suits a model per arm, 3 ∕ √D.
    ///
    /// After n observations distributed like the contexts, xᵀA⁻¹x is D ∕ n on average. The bound is then 3 ∕ √n above
    /// the mean, regardless of the number of features.
    ///
    /// - Parameter features: The number D of features of a model, including the constant and pairs.
    public static func linUCB(features: Int) -> Self { linUCB(width: 3 / Double(max(1, features)).squareRoot()) }

    /// Thompson sampling on Bayesian linear regression, with an epsilon of 0.01.
    public static func thompson(scale: Double = 0.25) -> Self { Self(.linear, .thompson(scale: scale), epsilon: 0.01) }

    /// Thompson sampling on Bayesian logistic regression, with an epsilon of 0.01.
    public static func logisticThompson(scale: Double = 0.5) -> Self {
        Self(.logistic, .thompson(scale: scale), epsilon: 0.01)
    }

    /// Upper confidence bounds on Bayesian logistic regression, `width` standard deviations above the mean.
    public static func logisticUCB(width: Double = 2) -> Self { Self(.logistic, .upperBound(width: width)) }

    /// Upper confidence bounds on logistic regression with a width that suits a model per arm, 4 ∕ D^¼.
    ///
    /// From experiments with rewards of 0 and 1. For 17 features of letters, the best widths were 2 to 2.25. For
    /// synthetic classes they were 1 to 2 with 9, 13 and 17 features, 0.5 to 1 with 31, and 1.2 with 153, where
    /// ``linUCB(features:)`` is better still.
    ///
    /// - Parameter features: The number D of features of a model, including the constant and pairs.
    public static func logisticUCB(features: Int) -> Self {
        logisticUCB(width: 4 / Double(max(1, features)).squareRoot().squareRoot())
    }

    /// SquareCB: inverse gap weighting on a linear model.
    public static func squareCB(gain: Double = 30) -> Self { Self(.linear, .inverseGap(gain: gain)) }

    /// RegCB: elimination by the confidence of a linear model.
    public static func regCB(width: Double = 0.25) -> Self { Self(.linear, .elimination(width: width)) }

    /// Upper confidence bounds on adaptive models, `width` standard deviations above the mean. One choice in 64 is drawn
    /// from the actions that may be better than the best estimate.
    public static func adaptive(width: Double = 0.7) -> Self { Self(.adaptive, .upperBoundOrDraw(width: width)) }
}

extension PolicyAlgorithm.Exploration {
    /// Whether the probabilities depend on the deviations of the actions' scores.
    var comparesDeviations: Bool {
        switch self {
        case .upperBound, .upperBoundOrDraw, .elimination, .thompson: true
        case .epsilonGreedy, .inverseGap: false
        }
    }

    /// Whether a policy with one model for all actions draws weights instead of comparing deviations.
    var drawsWeights: Bool { if case .thompson = self { true } else { false } }

    /// The parameter of the exploration: epsilon, width, scale or gain.
    public var amount: Double {
        get {
            switch self {
            case .epsilonGreedy(let amount), .upperBound(let amount), .upperBoundOrDraw(let amount),
                .thompson(let amount), .inverseGap(let amount), .elimination(let amount):
                amount
            }
        }
        set { self = Self(code: code, amount: newValue) ?? self }
    }

    /// The method's number in encoded states.
    var code: UInt8 {
        switch self {
        case .epsilonGreedy: 0
        case .upperBound: 1
        case .thompson: 2
        case .inverseGap: 3
        case .elimination: 4
        case .upperBoundOrDraw: 5
        }
    }

    /// The lowest version of encoded states that has the method: 1 since release 0.1.0, 2 since 0.2.0, 3 since 0.3.0.
    var firstVersion: UInt16 {
        switch self {
        case .epsilonGreedy, .upperBound, .thompson, .inverseGap: 1
        case .elimination: 2
        case .upperBoundOrDraw: 3
        }
    }

    init?(code: UInt8, amount: Double) {
        switch code {
        case 0: self = .epsilonGreedy(epsilon: amount)
        case 1: self = .upperBound(width: amount)
        case 2: self = .thompson(scale: amount)
        case 3: self = .inverseGap(gain: amount)
        case 4: self = .elimination(width: amount)
        case 5: self = .upperBoundOrDraw(width: amount)
        default: return nil
        }
    }
}

/// A kind of policy with its name in other languages and files: a model and an exploration with their defaults.
///
/// The cases are in the order of the C interface's constants `KIN_POLICY_…`.
package enum PolicyKind: String, Sendable, Hashable, CaseIterable {
    case standard
    case epsilonGreedy = "epsilon-greedy"
    case linUCB = "linucb"
    case thompson
    case logisticThompson = "logistic-thompson"
    case logisticUCB = "logistic-ucb"
    case squareCB = "squarecb"
    case regCB = "regcb"

    /// The algorithm of the kind.
    ///
    /// - Parameters:
    ///   - dimension: The number of input features.
    ///   - hasPairs: Whether products of two features are also features.
    ///   - hasArms: Whether each arm has its own model.
    package func algorithm(dimension: Int, hasPairs: Bool, hasArms: Bool) -> PolicyAlgorithm {
        let features = FeatureMap(dimension: dimension, hasPairs: hasPairs).width
        return switch self {
        case .standard: hasArms ? .standardPerArm : .standard
        case .epsilonGreedy: .epsilonGreedy()
        case .linUCB: hasArms ? .linUCB(features: features) : .linUCB()
        case .thompson: .thompson()
        case .logisticThompson: .logisticThompson()
        case .logisticUCB: hasArms ? .logisticUCB(features: features) : .logisticUCB()
        case .squareCB: .squareCB()
        case .regCB: .regCB()
        }
    }
}
