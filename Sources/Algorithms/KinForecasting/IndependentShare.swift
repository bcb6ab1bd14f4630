import KinLibC

/// The share of independent values among values in order of time whose neighbours resemble each other: (1 − ρ) ∕
/// (1 + ρ), where ρ is the correlation of adjacent values.
///
/// A mean of n such values varies as a mean of n · share independent values (M. S. Bartlett, JRSS 98, 1935), and the
/// logarithm of a small p-value is proportional to the number of values. So `pow(p, share)` is the p-value of dependent
/// values.
package enum IndependentShare {
    /// The share for values about their mean.
    ///
    /// ρ is its estimate plus one standard error, at least 0 and at most 0.95.
    package static func of(_ values: [Double], from original: [Double]? = nil) -> Double {
        share(Autocorrelation(values, from: original, lags: 1).lags[0], values.count)
    }

    /// The share for a test of two series with each other: 1 ∕ (1 + 2 Σ ρ₁(k) ρ₂(k)) over the lags k. The variance of their
    /// correlation grows by this sum (Bartlett 1935). At most the share for ρ = ρ₁(1) ρ₂(1).
    package static func of(_ a: Autocorrelation, _ b: Autocorrelation) -> Double {
        let products = zip(a.lags, b.lags).map { max(0, $0) * max(0, $1) }
        return min(share(products[0], a.count), 1 / (1 + 2 * products.reduce(0, +)))
    }

    private static func share(_ correlation: Double, _ count: Int) -> Double {
        let rho = min(0.95, max(0, correlation + 1 / Double(max(1, count)).squareRoot()))
        return (1 - rho) / (1 + rho)
    }
}

/// The correlations of a series with itself at the lags from 1 on.
package struct Autocorrelation: Sendable {
    /// The correlations at lag 1 and at the following lags, up to the first that is at most one standard error, 1 ∕ √n.
    let lags: [Double]
    /// The number of values.
    let count: Int

    /// Computes the correlations of values about their mean; 0 for values that are constant except for rounding.
    ///
    /// - Parameters:
    ///   - values: The values in order of time.
    ///   - original: The numbers that a level or a line was subtracted from, which determine the rounding error.
    ///     Default: the values.
    ///   - most: The largest lag.
    /// - Complexity: O(n · lags).
    package init(_ values: [Double], from original: [Double]? = nil, lags most: Int = 60) {
        let mean = ChangePointDetection.mean(values)
        let centred = values.map { $0 - mean }
        let squares = centred.reduce(0) { $0 + $1 * $1 }
        let rounding = 1e-24 * (original ?? values).reduce(0) { $0 + $1 * $1 }
        func correlation(_ lag: Int) -> Double {
            squares > rounding ? zip(centred, centred.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / squares : 0
        }
        var lags = [correlation(1)]
        let least = 1 / Double(max(1, values.count)).squareRoot()
        while lags.count < most, lags[lags.count - 1] > least { lags.append(correlation(lags.count + 1)) }
        self.lags = lags
        count = values.count
    }
}
