// The estimators that limit importance by a parameter, and the choice of the parameter.

extension OffPolicyEvaluation.Estimator {
    /// Whether the estimator has a parameter λ, which limits importance.
    public var hasParameter: Bool {
        switch self {
        case .inversePropensity, .selfNormalized, .directMethod, .doublyRobust: false
        case .switchDoublyRobust, .shrunkDoublyRobust, .subGaussianDoublyRobust: true
        }
    }

    /// The estimator without a limit of importance.
    var unlimited: Self { hasParameter ? .doublyRobust : self }

    /// The importance w ≥ 0 after the estimator's limit.
    func limited(_ w: Double, _ parameter: Double) -> Double {
        switch self {
        case .inversePropensity, .selfNormalized, .directMethod, .doublyRobust: return w
        case .switchDoublyRobust: return w <= parameter ? w : 0
        case .shrunkDoublyRobust:
            guard parameter < .infinity, w > 0 else { return w }
            return parameter * w / (w * w + parameter)
        case .subGaussianDoublyRobust:
            return w > 0 ? w / (1 - parameter + parameter * w) : 0
        }
    }
}

extension OffPolicyEvaluation {
    /// Chooses the parameter λ that gives an estimator the least variance on the log; nil for an estimator without one.
    ///
    /// ``value(_:parameter:)`` and ``estimate(_:confidence:resamples:seed:range:)`` apply this limit only in part,
    /// because its bias is hidden in the noise. They mix limited and full importance, so that the estimate differs from
    /// `.doublyRobust` by at most σ ∕ 5. Here σ is the standard error of the mean of wᵢ (rᵢ − qᵢ).
    ///
    /// Let e be the error of `.doublyRobust` and δ the difference, which rises with e. If e is about normal, the mean
    /// squared error is E e² − 2 E eδ + E δ² ≤ (1 + 1 ∕ 25) E e². The root mean squared error is then at most 2 % above
    /// that of `.doublyRobust` for any bias of the limit, and as low as 0.85 times as large without bias. This is near
    /// the least for any choice with such a guarantee (Efron and Morris 1971, "Limiting the risk of Bayes and empirical
    /// Bayes estimators").
    ///
    /// - Parameter estimator: The estimator.
    /// - Complexity: O(rounds log rounds).
    public func parameter(of estimator: Estimator) -> Double? {
        estimator.hasParameter ? limit(of: estimator).parameter : nil
    }

    /// Chooses the parameter of an estimator, and the share of its limit with which the estimate stays near
    /// `.doublyRobust`.
    func limit(of estimator: Estimator) -> ImportanceLimit {
        let candidates = parameters(of: estimator)
        guard rounds.count > 1, let unlimited = candidates.first else {
            return ImportanceLimit(parameter: candidates.first ?? .infinity, share: 1)
        }
        let robust = correction(estimator, unlimited)
        var (parameter, tightest) = (unlimited, robust)
        for candidate in candidates.dropFirst() {
            let limited = correction(estimator, candidate)
            if limited.standardError < tightest.standardError { (parameter, tightest) = (candidate, limited) }
        }
        let (shift, largestShift) = (abs(tightest.mean - robust.mean), robust.standardError / 5)
        return ImportanceLimit(parameter: parameter, share: shift > largestShift ? largestShift / shift : 1)
    }

    /// The mean of the model's weighted errors over the rounds, and its standard error.
    private func correction(_ estimator: Estimator, _ parameter: Double) -> (mean: Double, standardError: Double) {
        rounds.map { estimator.limited($0.importance, parameter) * ($0.reward - $0.estimate) }.meanAndError
    }

    /// The parameter values that ``parameter(of:)`` chooses from, starting with the value that sets no limit.
    private func parameters(of estimator: Estimator) -> [Double] {
        switch estimator {
        case .inversePropensity, .selfNormalized, .directMethod, .doublyRobust: return []
        case .switchDoublyRobust:
            let weights = rounds.map(\.importance).sorted()
            return [1, 0.999, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.65, 0.5].map { Self.quantile(weights, $0) }
        case .shrunkDoublyRobust:
            let largest = rounds.reduce(0) { max($0, $1.importance) }
            return [.infinity] + [100, 10, 3, 1, 0.3, 0.1, 0.03, 0.01, 0.001].map { $0 * largest * largest }
        case .subGaussianDoublyRobust: return [0, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1]
        }
    }
}

/// A parameter λ, and the share of limited importance in the mix with full importance.
struct ImportanceLimit {
    let parameter: Double
    let share: Double

    func weight(_ w: Double, _ estimator: OffPolicyEvaluation.Estimator) -> Double {
        share * estimator.limited(w, parameter) + (1 - share) * w
    }
}

extension [Double] {
    /// The mean of two or more numbers, and its standard error.
    var meanAndError: (mean: Double, standardError: Double) {
        let n = Double(count)
        let mean = reduce(0, +) / n
        return (mean, (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1) / n).squareRoot())
    }
}
