/// How well images fit realms and clusters: nearness among centres, and what the model suggested.
enum RealmScoring {
    /// How nearness falls with distance; higher is more decided.
    private static let power = 8

    /// The share of each centre in an image, 1 in all:
    ///
    ///     qⱼ ∝ (1 + d²(x, cⱼ) ∕ τ)⁻⁸
    ///
    /// A Student kernel, as in Xie, Girshick and Farhadi, "Unsupervised deep embedding for clustering analysis", ICML 2016: sums and
    /// products alone, so that it has the same bits on every machine, which an exponential has not.
    ///
    /// - Parameter distances: squared.
    static func shares(_ distances: [Double], temperature: Double) -> [Double] {
        // Relative to the nearest, or far images would have no share that a double can hold.
        let nearest = distances.min() ?? 0
        let kernels = distances.map { distance in
            let ratio = (temperature + nearest) / (temperature + distance)
            return (0..<power).reduce(1) { product, _ in product * ratio }
        }
        let sum = kernels.reduce(0, +)
        return kernels.map { $0 / sum }
    }

    /// What a suggestion in the place `rank` counts: 1, ½, ⅓ …
    static func suggestion(rank: Int) -> Double { 1 / Double(rank + 1) }

    /// The score of a realm: half suggestion and half resemblance, or resemblance alone where the model suggests nothing.
    static func score(suggestion: Double, resemblance: Double, isSuggesting: Bool) -> Double {
        isSuggesting ? (suggestion + resemblance) / 2 : resemblance
    }
}
