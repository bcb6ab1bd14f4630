/// The posterior of the weights of a linear score: a normal distribution N(μ, A⁻¹).
///
/// It is stored as the Cholesky factor of the precision A and the information vector η = A μ, which change by rank-one
/// terms. An observation with features x does A ← A + w x xᵀ, η ← η + t x (``PosteriorUpdate`` computes w and t). For a
/// linear model this is exact ridge regression. For a logistic model it is Laplace's approximation, one observation at
/// a time. A change of a linear model solves for μ again, so no error accumulates in it.
struct Posterior: Sendable, Hashable {
    /// The Cholesky factor of A without the pending discount.
    private(set) var factor: PackedFactor { didSet { inverse.value = nil } }
    /// The inverse L⁻ᵀ of the factor, an upper triangle. Set by ``keepInverse()``, and removed when the factor changes.
    private(set) var inverse = Remembered<Matrix<Double>>()
    /// The vector η = A μ.
    private(set) var informationVector: [Double]
    /// The mean μ of the weights.
    private(set) var mean: [Double]
    /// The discount of past observations that is not in the factor yet, above 0 and at most 1. See
    /// ``discount(by:prior:)``.
    private(set) var pendingDiscount: Double

    /// Creates the posterior without observations, which equals the prior.
    init(prior: DiagonalPrior) {
        factor = PackedFactor(diagonal: prior.precision)
        informationVector = prior.informationVector
        mean = prior.mean
        pendingDiscount = 1
        // Differs from the prior's mean by rounding, like the mean of a decoded posterior.
        solveMean()
    }

    /// Creates a posterior from the parts of a state.
    ///
    /// - Returns: nil if the sizes of the parts differ, or if a magnitude is larger than features up to
    ///   ``BanditPolicy/maximumFeature`` can cause: later updates of such a state could produce numbers that are not
    ///   finite.
    init?(factor: PackedFactor, informationVector: [Double], pendingDiscount: Double) {
        guard informationVector.count == factor.order, informationVector.allSatisfy({ abs($0) <= Self.largest }),
            factor.isWithin(Self.largest.squareRoot()), (Self.refactoringThreshold...1).contains(pendingDiscount)
        else { return nil }
        self.factor = factor
        self.informationVector = informationVector
        self.pendingDiscount = pendingDiscount
        mean = informationVector
        solveMean()
        guard mean.allSatisfy({ abs($0) <= Self.largest }) else { return nil }
    }

    /// The largest magnitude of a state's numbers. Its square root bounds the factor. A product of two features is at
    /// most 10⁸⁰. Its square times the largest weight adds at most 10¹⁶⁹ to the precision, and 2⁶² observations add
    /// less than 10¹⁸⁸.
    private static let largest = 1e200

    /// Computes the inverse of the factor and caches it for the choices until the next observation. Does nothing if the
    /// inverse is already cached or too large.
    mutating func keepInverse() {
        guard inverse.value == nil, factor.order <= Self.largestKeptOrder else { return }
        inverse.value = factor.inverseTransposed()
    }

    /// The largest number of features with a cached inverse: 8 MB.
    private static let largestKeptOrder = 1024

    /// The mean score of features, ⟨μ, x⟩.
    func score(_ x: UnsafePointer<Double>) -> Double {
        unsafe mean.withUnsafeBufferPointer { unsafe dot($0.baseAddress!, x, count: mean.count) }
    }

    /// The variance of the score of features, xᵀ A⁻¹ x = ‖L⁻¹ x‖², in O(n²).
    func variance(_ x: UnsafePointer<Double>) -> Double {
        let n = factor.order
        return unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            unsafe y.initialize(from: x, count: n)
            unsafe factor.solve(y)
            return unsafe dot(y, y, count: n)
        }
    }

    /// The variance of the score of features with all discounts applied, at most the prior's, in O(n²).
    ///
    /// - Parameter remaining: The discount of the observations in addition to the pending one.
    func variance(_ x: UnsafePointer<Double>, remaining: Double, prior: DiagonalPrior) -> Double {
        unsafe prior.variance(discounting: variance(x), remaining: pendingDiscount * remaining, x)
    }

    /// Turns standard normal deviates into a draw from N(μ, scale² A⁻¹): w ← μ + scale · L⁻ᵀ w, in O(n²).
    func draw(_ w: UnsafeMutablePointer<Double>, scale: Double) {
        unsafe factor.solveTransposed(w)
        for k in mean.indices { unsafe w[k] = mean[k] + scale * w[k] }
    }

    /// Adds an observation: A ← A + w x xᵀ, η ← η + t x, in O(n²).
    ///
    /// The terms are divided by the pending discount, which does not apply to the new observation.
    mutating func add(_ x: UnsafePointer<Double>, precision w: Double, information t: Double) {
        let n = factor.order
        let root = (w / pendingDiscount).squareRoot()
        let t = t / pendingDiscount
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            for k in 0..<n {
                unsafe informationVector[k] += t * x[k]
                unsafe y[k] = root * x[k]
            }
            unsafe factor.add(y)
        }
        solveMean()
    }

    /// Learns a reward of a logistic model by Laplace's approximation, in three passes through the factor.
    ///
    /// The new mode is μ + g A⁻¹x (``PosteriorUpdate``), so μ moves there instead of being solved for again. An error
    /// of μ is also an error of m, which the next observations correct.
    mutating func learn(logistic reward: Double, weight: Double, _ x: UnsafePointer<Double>) {
        let n = factor.order
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            unsafe y.initialize(from: x, count: n)
            unsafe factor.solve(y)
            let (m, s2) = unsafe (score(x), dot(y, y, count: n) / pendingDiscount)
            let update = PosteriorUpdate(logistic: reward, weight: weight, score: m, variance: s2)
            let (w, t) = (update.precision, update.information)
            // t = g + w (m + s² g).
            let step = (t - w * m) / (1 + w * s2) / pendingDiscount
            unsafe factor.solveTransposed(y)
            let length = (w / pendingDiscount).squareRoot()
            for k in 0..<n {
                unsafe mean[k] += step * y[k]
                unsafe informationVector[k] += t / pendingDiscount * x[k]
                unsafe y[k] = length * x[k]
            }
            unsafe factor.add(y)
        }
    }

    /// Restores a mean from a state, for models whose mean ``learn(logistic:weight:_:)`` moves. Returns false if it is
    /// not valid.
    mutating func restore(mean known: [Double]) -> Bool {
        guard known.count == mean.count, known.allSatisfy({ abs($0) <= Self.largest }) else { return false }
        mean = known
        return true
    }

    /// Adds δ ≥ 0 to the prior precision of each weight, in O(n²) per δ above 0.
    mutating func addPriorPrecision(_ growth: [Double], mean: [Double]) {
        let n = factor.order
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            for k in growth.indices where growth[k] > 0 {
                unsafe y.initialize(repeating: 0, count: n)
                unsafe y[k] = growth[k].squareRoot()
                unsafe factor.add(y)
                informationVector[k] += growth[k] * mean[k]
            }
        }
        solveMean()
    }

    /// Discounts past observations by a factor g: A ← g A + (1 − g) A₀, and η likewise, where A₀ is the prior's
    /// precision.
    ///
    /// So an old posterior returns to the prior (Russac, Vernade and Cappé 2019, "Weighted linear bandits for
    /// non-stationary environments", arXiv 1909.09146). Factoring costs O(n³), so discounts are collected until their
    /// product is below 0.95. Until then observations are discounted in full, and less than a twentieth of the prior is
    /// missing.
    mutating func discount(by factor: Double, prior: DiagonalPrior) throws(KinError) {
        guard factor < 1 else { return }
        let g = pendingDiscount * factor
        guard g < Self.refactoringThreshold else {
            pendingDiscount = g
            return
        }
        try self.factor.scale(by: g, addingDiagonal: prior.precision.map { (1 - g) * $0 })
        for k in informationVector.indices {
            informationVector[k] = g * informationVector[k] + (1 - g) * prior.informationVector[k]
        }
        pendingDiscount = 1
        solveMean()
    }

    private static let refactoringThreshold = 0.95

    private mutating func solveMean() {
        for k in mean.indices { mean[k] = informationVector[k] }
        unsafe mean.withUnsafeMutableBufferPointer { buffer in
            guard let x = buffer.baseAddress else { return }
            unsafe factor.solve(x)
            unsafe factor.solveTransposed(x)
        }
    }
}

/// The prior of the weights: independent normal distributions.
struct DiagonalPrior: Sendable, Hashable {
    /// The diagonal of the prior precision A₀.
    var precision: [Double]
    /// The prior mean μ₀.
    let mean: [Double]

    /// The information vector of the prior, A₀ μ₀.
    var informationVector: [Double] { zip(precision, mean).map(*) }

    /// The variance of the score of features after discounting the observations by `remaining`: `known ∕ remaining`, at
    /// most the prior's.
    ///
    /// - Parameter known: The variance without this discount.
    func variance(discounting known: Double, remaining: Double, _ x: UnsafePointer<Double>) -> Double {
        guard remaining < 1 else { return known }
        var unknown = 0.0
        for k in precision.indices { unsafe unknown += x[k] * x[k] / precision[k] }
        return min(known / remaining, max(known, unknown))
    }
}
