#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How many marked ones are among some drawn without replacement.
///
///     P(X = x) = C(K, x) C(N − K, n − x) ∕ C(N, n)
struct Hypergeometric {
    /// N.
    let population: Int
    /// K.
    let marked: Int
    /// n.
    let drawn: Int

    /// P(X ≥ x), summed from the smallest term on.
    func upperTail(from x: Int) -> Double {
        let most = min(marked, drawn)
        guard x <= most else { return 0 }
        guard x > max(0, drawn + marked - population) else { return 1 }
        // The terms beyond x by their ratios to the first one, which is at most 1 of them.
        var ratio = 1.0
        var ratios: [Double] = [1]
        for y in x..<most {
            let (k, n, N) = (Double(marked - y), Double(drawn - y), Double(population - marked - drawn + y + 1))
            ratio *= k * n / (Double(y + 1) * N)
            ratios.append(ratio)
        }
        let first = exp(
            logChoose(marked, x) + logChoose(population - marked, drawn - x) - logChoose(population, drawn))
        return min(1, first * ratios.reversed().reduce(0, +))
    }

    private func logChoose(_ n: Int, _ k: Int) -> Double {
        Self.logFactorial(n) - Self.logFactorial(k) - Self.logFactorial(n - k)
    }

    /// ln n!: by its product while that is exact to rounding, then by Stirling's series, whose error is below 1 ∕ (1260 n⁵).
    private static func logFactorial(_ n: Int) -> Double {
        if n <= 20 { return log((1...max(1, n)).reduce(1.0) { $0 * Double($1) }) }
        let x = Double(n)
        return x * log(x) - x + 0.5 * log(2 * .pi * x) + 1 / (12 * x) - 1 / (360 * x * x * x)
    }
}
