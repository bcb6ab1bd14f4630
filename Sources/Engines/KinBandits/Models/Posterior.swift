import KinCore

/// What is known about the weights of a linear score: a normal distribution N(μ, A⁻¹).
///
/// Kept as the Cholesky factor of the precision A and the information η = A μ, both of which grow by rank-one terms only:
/// an observation with features x, weight w and pull t does A ← A + w x xᵀ, η ← η + t x. For a linear model that is
/// ridge regression, exactly; for a logistic one it is Laplace's approximation, one observation at a time (see
/// ``PosteriorUpdate``). μ is solved anew from both after every change, so no error builds up in it.
struct Posterior: Sendable, Hashable {
    private(set) var factor: PackedFactor
    private(set) var informationVector: [Double]
    private(set) var mean: [Double]
    /// The share by which the evidence has faded and which is not in the factor yet; see ``discount(by:prior:)``.
    private(set) var pendingDiscount: Double

    init(prior: DiagonalPrior) {
        factor = PackedFactor(diagonal: prior.precision)
        informationVector = prior.informationVector
        mean = prior.mean
        pendingDiscount = 1
    }

    /// A posterior read from a state.
    ///
    /// - Returns: nil when the parts do not fit or do not solve to finite numbers.
    init?(factor: PackedFactor, informationVector: [Double], pendingDiscount: Double) {
        guard informationVector.count == factor.order, informationVector.allSatisfy(\.isFinite), pendingDiscount > 0,
            pendingDiscount <= 1
        else { return nil }
        self.factor = factor
        self.informationVector = informationVector
        self.pendingDiscount = pendingDiscount
        mean = informationVector
        solveMean()
        guard mean.allSatisfy(\.isFinite) else { return nil }
    }

    /// ⟨μ, x⟩.
    func score(_ x: UnsafePointer<Double>) -> Double {
        unsafe mean.withUnsafeBufferPointer { unsafe dot($0.baseAddress!, x, count: mean.count) }
    }

    /// xᵀ A⁻¹ x = ‖L⁻¹ x‖², in O(n²).
    func variance(_ x: UnsafePointer<Double>) -> Double {
        let n = factor.order
        return unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            unsafe y.initialize(from: x, count: n)
            unsafe factor.solve(y)
            return unsafe dot(y, y, count: n)
        }
    }

    /// w ← μ + scale · L⁻ᵀ w: standard normal deviates become a draw from N(μ, scale² A⁻¹). O(n²).
    func draw(_ w: UnsafeMutablePointer<Double>, scale: Double) {
        unsafe factor.solveTransposed(w)
        for k in mean.indices { unsafe w[k] = mean[k] + scale * w[k] }
    }

    /// A ← A + w x xᵀ, η ← η + t x, in O(n²).
    ///
    /// What is new has not faded: it is put in as much larger as the share that waits will take from it.
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

    /// Makes the prior of each weight firmer by its δ ≥ 0, in O(n²) for every δ that is not 0.
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

    /// Lets the evidence fade to a share g: A ← g A + (1 − g) A₀ and η likewise, where A₀ is the prior's precision.
    ///
    /// What was learned g-fold, what was known before in full: an old posterior goes back to the prior and not to nothing
    /// (Russac, Vernade and Cappé 2019, "Weighted linear bandits for non-stationary environments", arXiv 1909.09146).
    /// The matrix is factored anew, O(n³), so shares are gathered until a twentieth is to go: until then the evidence has faded by the
    /// whole share, and of the prior that comes back in its place less than a twentieth is missing.
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

/// What is believed of the weights before any evidence: independent normal distributions.
struct DiagonalPrior: Sendable, Hashable {
    var precision: [Double]
    let mean: [Double]

    /// A₀ μ₀.
    var informationVector: [Double] { zip(precision, mean).map(*) }
}
