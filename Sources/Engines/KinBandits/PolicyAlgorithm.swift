/// How a policy models rewards and how it explores.
///
/// The named ones are the methods of the literature; any model goes with any way to explore.
public struct PolicyAlgorithm: Sendable, Hashable {
    /// How the expected reward depends on the features x.
    public enum Model: UInt8, Sendable, Hashable, CaseIterable {
        /// r = ⟨θ, x⟩ + noise: Bayesian linear regression, exact.
        case linear = 0
        /// P(r = 1) = σ(⟨θ, x⟩) for rewards in 0…1: Bayesian logistic regression by Laplace's approximation, online.
        case logistic = 1
    }

    /// How often which action is chosen.
    public enum Exploration: Sendable, Hashable {
        /// The best estimate; with probability `epsilon` any action, all equally likely (Sutton and Barto 2018, § 2.2).
        case epsilonGreedy(epsilon: Double)
        /// The largest score ⟨μ, x⟩ + `width` · √(xᵀA⁻¹x): what it could plausibly be (Li, Chu, Langford and Schapire
        /// 2010, "A contextual-bandit approach to personalized news article recommendation", doi:10.1145/1772690.1772758).
        case upperBound(width: Double)
        /// The largest score under weights drawn from N(μ, `scale`² A⁻¹) (Agrawal and Goyal 2013, "Thompson sampling for
        /// contextual bandits with linear payoffs").
        case thompson(scale: Double)
        /// Inverse gap weighting: 1 ∕ (n + γ gap) for an action whose estimate is a gap below the best of n, with
        /// γ = `gain` · √(observations + 1) (Foster and Rakhlin 2020, "Beyond UCB: optimal and efficient contextual bandits
        /// with regression oracles").
        case inverseGap(gain: Double)
    }

    /// How rewards are modelled.
    public var model: Model
    /// How actions are explored.
    public var exploration: Exploration
    /// This part of all choices is made uniformly at random, 0…1, so that no action's probability is less than
    /// `epsilon` ∕ n: off-policy estimates need that.
    public var epsilon: Double

    /// Any model with any way to explore.
    public init(_ model: Model, _ exploration: Exploration, epsilon: Double = 0) {
        self.model = model
        self.exploration = exploration
        self.epsilon = epsilon
    }

    /// ε-greedy on a linear model.
    public static func epsilonGreedy(_ epsilon: Double = 0.05) -> PolicyAlgorithm {
        PolicyAlgorithm(.linear, .epsilonGreedy(epsilon: epsilon))
    }

    /// LinUCB.
    public static func linUCB(width: Double = 1) -> PolicyAlgorithm {
        PolicyAlgorithm(.linear, .upperBound(width: width))
    }

    /// LinUCB whose width suits a model per arm of so many features, the constant and pairs included: 3 ∕ √D.
    ///
    /// After n observations spread like the contexts, xᵀA⁻¹x is D ∕ n on average: the bound then lies 3 ∕ √n above the mean,
    /// whatever the number of features.
    public static func linUCB(features: Int) -> PolicyAlgorithm {
        linUCB(width: 3 / Double(max(1, features)).squareRoot())
    }

    /// Thompson sampling on Bayesian linear regression.
    public static func thompson(scale: Double = 0.25) -> PolicyAlgorithm {
        PolicyAlgorithm(.linear, .thompson(scale: scale), epsilon: 0.01)
    }

    /// Thompson sampling on Bayesian logistic regression.
    public static func logisticThompson(scale: Double = 0.5) -> PolicyAlgorithm {
        PolicyAlgorithm(.logistic, .thompson(scale: scale), epsilon: 0.01)
    }

    /// Upper confidence bounds on Bayesian logistic regression.
    public static func logisticUCB(width: Double = 0.5) -> PolicyAlgorithm {
        PolicyAlgorithm(.logistic, .upperBound(width: width))
    }

    /// Upper confidence bounds whose width suits a model per arm of so many features, the constant and pairs included: 4 ∕ D^¼.
    ///
    /// By trial, with rewards of 0 and 1: the best widths were 2 to 2.25 for 17 features of letters, 1 to 2 for 9, 13 and 17 of made-up
    /// classes, 0.5 to 1 for 31, and 1.2 for 153, where ``linUCB(features:)`` is better still.
    public static func logisticUCB(features: Int) -> PolicyAlgorithm {
        logisticUCB(width: 4 / Double(max(1, features)).squareRoot().squareRoot())
    }

    /// SquareCB: inverse gap weighting on a linear model.
    public static func squareCB(gain: Double = 30) -> PolicyAlgorithm {
        PolicyAlgorithm(.linear, .inverseGap(gain: gain))
    }
}

extension PolicyAlgorithm.Exploration {
    /// Its one number: share, width, scale or gain.
    public var amount: Double {
        get {
            switch self {
            case .epsilonGreedy(let epsilon): epsilon
            case .upperBound(let width): width
            case .thompson(let scale): scale
            case .inverseGap(let gain): gain
            }
        }
        set {
            switch self {
            case .epsilonGreedy: self = .epsilonGreedy(epsilon: newValue)
            case .upperBound: self = .upperBound(width: newValue)
            case .thompson: self = .thompson(scale: newValue)
            case .inverseGap: self = .inverseGap(gain: newValue)
            }
        }
    }
}
