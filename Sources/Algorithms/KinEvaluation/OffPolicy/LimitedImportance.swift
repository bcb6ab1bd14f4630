import KinCore

// The estimators that limit importance by a parameter, and the choice of the parameter.

extension OffPolicyEvaluation.Estimator {
    /// Whether the estimator has a parameter λ, which limits importance.
    public var hasParameter: Bool {
        switch self {
        case .inversePropensity, .selfNormalized, .directMethod, .doublyRobust: false
        case .switchDoublyRobust, .shrunkDoublyRobust, .subGaussianDoublyRobust: true
        }
    }

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
    /// Chooses the parameter λ of an estimator by Lepski's principle, as in SLOPE; nil for an estimator without one.
    ///
    /// The candidates range from no limit to a tight one, so that variance falls while bias rises. Let θ be the
    /// estimates and c the widths of their one-sided 90 % confidence intervals, in order of decreasing c. Candidate i
    /// is accepted as long as |θⱼ − θᵢ| ≤ cᵢ + (√6 − 1) cⱼ for all earlier j, that is, as long as its bias does not
    /// show. The last accepted candidate has the least variance. Su, Srinath and Krishnamurthy 2020, "Adaptive
    /// estimator selection for off-policy evaluation", arXiv 2002.07729; Tucker and Lee 2021, "Improved estimator
    /// selection for off-policy evaluation".
    ///
    /// - Parameter estimator: The estimator.
    /// - Complexity: O(rounds log rounds).
    public func parameter(of estimator: Estimator) -> Double? {
        let candidates = parameters(of: estimator)
        guard rounds.count > 1, !candidates.isEmpty else { return candidates.first }
        let all = candidates.map { ($0, moments(estimator, $0)) }.sorted { $0.1.width > $1.1.width }
        return all[Self.leastVariance(all.map { ($0.1.mean, $0.1.width) })].0
    }

    /// The index of the last estimate, in order of decreasing width, before bias shows; 0 if the second estimate shows
    /// bias.
    static func leastVariance(_ estimates: [(value: Double, width: Double)]) -> Int {
        var taken = 0
        for (place, next) in estimates.enumerated().dropFirst() {
            guard
                estimates[..<place].allSatisfy({
                    abs($0.value - next.value) <= next.width + (6.squareRoot() - 1) * $0.width
                })
            else { break }
            taken = place
        }
        return taken
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

    /// The mean of the rounds' terms, and the width of its one-sided 90 % confidence interval.
    func moments(_ estimator: Estimator, _ parameter: Double) -> (mean: Double, width: Double) {
        let n = Double(rounds.count)
        let values = rounds.map { $0.terms(estimator, parameter).numerator }
        let mean = values.reduce(0, +) / n
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
        return (mean, Self.normalQuantile90 * (variance / n).squareRoot())
    }

    /// The 90 % quantile of the normal distribution.
    private static let normalQuantile90 = 1.2815515655446004
}
