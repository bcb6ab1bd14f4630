import KinCore

/// What is known about the weights of a linear score: a normal distribution N(μ, A⁻¹).
///
/// Kept as the Cholesky factor of the precision A and the information η = A μ, both of which grow by rank-one terms only:
/// an observation with features x, weight w and pull t does A ← A + w x xᵀ, η ← η + t x. For a linear model that is
/// ridge regression, exactly; for a logistic one it is Laplace's approximation, one observation at a time (see
/// ``Observation``). μ is solved anew from both after every change, so no error builds up in it.
struct Belief: Sendable, Hashable {
    private(set) var factor: PackedFactor
    private(set) var information: [Double]
    private(set) var mean: [Double]
    /// The share by which the evidence has faded and which is not in the factor yet; see ``fade(by:prior:)``.
    private(set) var pendingShare: Double

    init(prior: DiagonalPrior) {
        factor = PackedFactor(diagonal: prior.precision)
        information = prior.information
        mean = prior.mean
        pendingShare = 1
    }

    /// A belief read from a state.
    ///
    /// - Returns: nil when the parts do not fit or do not solve to finite numbers.
    init?(factor: PackedFactor, information: [Double], pendingShare: Double) {
        guard information.count == factor.order, information.allSatisfy(\.isFinite), pendingShare > 0, pendingShare <= 1
        else { return nil }
        self.factor = factor
        self.information = information
        self.pendingShare = pendingShare
        mean = information
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
    mutating func add(_ x: UnsafePointer<Double>, weight w: Double, pull t: Double) {
        let n = factor.order
        let root = (w / pendingShare).squareRoot()
        let t = t / pendingShare
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            for k in 0..<n {
                unsafe information[k] += t * x[k]
                unsafe y[k] = root * x[k]
            }
            unsafe factor.add(y)
        }
        solveMean()
    }

    /// Makes the prior of each weight firmer by its δ ≥ 0, in O(n²) for every δ that is not 0.
    mutating func firm(by growth: [Double], toward mean: [Double]) {
        let n = factor.order
        unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: n) { scratch in
            let y = scratch.baseAddress!
            for k in growth.indices where growth[k] > 0 {
                unsafe y.initialize(repeating: 0, count: n)
                unsafe y[k] = growth[k].squareRoot()
                unsafe factor.add(y)
                information[k] += growth[k] * mean[k]
            }
        }
        solveMean()
    }

    /// Lets the evidence fade to a share g: A ← g A + (1 − g) A₀ and η likewise, where A₀ is the prior's precision.
    ///
    /// What was learned g-fold, what was known before in full: an old belief goes back to the prior and not to nothing
    /// (Russac, Vernade and Cappé 2019, "Weighted linear bandits for non-stationary environments", arXiv 1909.09146).
    /// The matrix is factored anew, O(n³), so shares are gathered until a twentieth is to go: until then the evidence has faded by the
    /// whole share, and of the prior that comes back in its place less than a twentieth is missing.
    mutating func fade(by share: Double, prior: DiagonalPrior) throws(KinError) {
        guard share < 1 else { return }
        let g = pendingShare * share
        guard g < Self.coarsestShare else {
            pendingShare = g
            return
        }
        try factor.scale(by: g, addingDiagonal: prior.precision.map { (1 - g) * $0 })
        for k in information.indices { information[k] = g * information[k] + (1 - g) * prior.information[k] }
        pendingShare = 1
        solveMean()
    }

    private static let coarsestShare = 0.95

    private mutating func solveMean() {
        for k in mean.indices { mean[k] = information[k] }
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
    var information: [Double] { zip(precision, mean).map(*) }
}
