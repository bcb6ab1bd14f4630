extension PCA {
    /// Restores the components of an earlier fit from its stored numbers.
    ///
    /// - Parameters:
    ///   - mean: d numbers.
    ///   - components: k × d, k from 1 to d, with orthonormal rows.
    ///   - explainedVariance: k numbers, 0 or more, in descending order.
    ///   - totalVariance: The sum of the variances of all columns: at least the sum of `explainedVariance`, to
    ///     rounding.
    /// - Throws: `KinError.Code.dimensionMismatch` if the sizes are inconsistent, `KinError.Code.notFinite` for a NaN
    ///   or an infinity, `KinError.Code.invalidArgument` if the variances are negative, not in descending order, or
    ///   more than their total.
    public init(
        mean: [Double], components: Matrix<Double>, explainedVariance: [Double], totalVariance: Double
    ) throws(KinError) {
        let (k, d) = (components.rows, components.columns)
        guard k >= 1, k <= d, mean.count == d, explainedVariance.count == k else {
            throw KinError(
                .dimensionMismatch,
                "\(k) × \(d) components do not go with a mean of \(mean.count) numbers and "
                    + "\(explainedVariance.count) variances; k components of d numbers need d and k, and k is 1 to d")
        }
        guard
            [components.elements, mean, explainedVariance, [totalVariance]].allSatisfy({ $0.allSatisfy(\.isFinite) })
        else {
            throw KinError(.notFinite, "the mean, the components and their variances are finite numbers")
        }
        guard zip(explainedVariance, explainedVariance.dropFirst()).allSatisfy({ $0 >= $1 }),
            explainedVariance[k - 1] >= 0, totalVariance >= 0
        else {
            throw KinError(.invalidArgument, "variances of components are not negative, and in descending order")
        }
        let explained = explainedVariance.reduce(0, +)
        guard totalVariance >= explained * (1 - 1e-9) else {
            throw KinError(
                .invalidArgument, "the total variance is \(totalVariance), and components alone have \(explained)")
        }
        self.mean = mean
        self.components = components
        self.explainedVariance = explainedVariance
        self.totalVariance = totalVariance
    }
}
