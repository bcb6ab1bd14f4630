/// Vectors with weights, whose weighted sum of distances Σ αᵢ d(aᵢ, x) ranks all others.
///
/// One plain search ranks by this sum, except for the rounding of its query to single precision, which ``SearchTarget``
/// bounds.
struct WeightedExamples {
    let metric: Metric
    let dimension: Int
    /// The vectors, each padded with zeros to a multiple of 8 numbers.
    private(set) var vectors: [[Float]] = []
    private(set) var weights: [Double] = []

    /// Adds a vector of ``dimension`` numbers, or of the stride.
    mutating func append(_ vector: [Float], weight: Double) {
        vectors.append(vector + repeatElement(0, count: (8 - vector.count % 8) % 8))
        weights.append(weight)
    }
}

/// A query whose plain search finds vectors approximately in the order of a weighted sum of distances, with a bound on
/// the sums of the vectors not found.
///
/// # The query
///
/// With h(x) = Σ αᵢ d(aᵢ, x), A = Σ αᵢ and any query t:
///
/// - squared L2, A > 0: h(x) = A ‖x − t‖² + 2 ⟨x − t, r⟩ + C with r = Σ αᵢ (t − aᵢ) and C = Σ αᵢ ‖t − aᵢ‖². At t = Σ αᵢ
///   aᵢ ∕ A, r is zero, and the nearest vectors have the least sums. After rounding t, a small r remains. By Cauchy and
///   Schwarz h(x) ≥ A D² − 2 ‖r‖ D + C at the distance D = ‖x − t‖, which grows from D = ‖r‖ ∕ A on.
/// - inner product: h(x) = −⟨x, g⟩ with g = Σ αᵢ aᵢ, so h(x) ≥ d(t, x) − ‖x‖ ‖g − t‖.
/// - cosine: h(x) = A − ⟨x, g⟩ with the normalised x, and g = Σ αᵢ aᵢ of the normalised examples. As ⟨x, t⟩ = ‖t‖ (1 −
///   d(t, x)), h(x) ≥ A − ‖t‖ (1 − d(t, x)) − ‖g − t‖.
///
/// All three are `scale` · d − 2 `drift` · √d + `constant` of the distance d = d(t, x), and do not fall with d.
///
/// # Rounding
///
/// Distances and their sums are computed in double precision. The error of each is below ε = (dimension + 16) · 2⁻⁵⁰
/// times the magnitudes involved: ‖x − aᵢ‖² ≤ 2 D² + 2 ‖t − aᵢ‖² in L2, ‖x‖ ‖aᵢ‖ for inner products, 1 for cosine. With
/// W = Σ |αᵢ|, 4 ε W times these magnitudes covers the distances, their sum and the few operations here.
struct SearchTarget {
    /// The query of the plain search.
    let vector: [Float]
    /// Whether h(x) is the distance of the plain search itself, bit by bit.
    let isExact: Bool
    private var scale = 1.0
    private var drift = 0.0
    private var constant = 0.0

    /// Finds the query for some examples.
    ///
    /// - Parameters:
    ///   - examples: At least one.
    ///   - largestNorm: A bound on the length of the vectors searched; called under the inner product only.
    init(_ examples: WeightedExamples, largestNorm: () -> Double) {
        let dimension = examples.dimension
        isExact = examples.weights == [1]
        guard !isExact else {
            vector = Array(examples.vectors[0].prefix(dimension))
            return
        }
        let total = examples.weights.reduce(0, +)
        let magnitude = examples.weights.reduce(0) { $0 + abs($1) }
        let lengths = examples.vectors.map { Self.length($0) { Double($0) } }
        // g, or t in double precision.
        var exact = [Double](repeating: 0, count: dimension)
        for (i, example) in examples.vectors.enumerated() {
            let weight = examples.weights[i] / (examples.metric.comparesDirections ? lengths[i] : 1)
            for j in 0..<dimension { exact[j] += weight * Double(example[j]) }
        }
        if examples.metric == .squaredL2 { for j in 0..<dimension { exact[j] /= total } }
        let largest = Double(Float.greatestFiniteMagnitude)
        var vector = exact.map { Float(min(max($0, -largest), largest)) }
        if examples.metric.comparesDirections, vector.allSatisfy({ $0 == 0 }) {
            // All directions are equally good; any query whose length is close to zero will do.
            vector = examples.vectors[0].prefix(dimension).map { Float(Double($0) / lengths[0] * 0x1p-80) }
        }
        self.vector = vector
        let epsilon = 4 * Double(dimension + 16) * 0x1p-50
        let error = Self.length(exact.indices) { exact[$0] - Double(vector[$0]) }
        switch examples.metric {
        case .squaredL2:
            var residual = [Double](repeating: 0, count: dimension)
            var (sum, spread, pull) = (0.0, 0.0, 0.0)
            for (example, weight) in zip(examples.vectors, examples.weights) {
                let length = Self.length(0..<dimension) { Double(vector[$0]) - Double(example[$0]) }
                for j in 0..<dimension { residual[j] += weight * (Double(vector[j]) - Double(example[j])) }
                sum += weight * length * length
                spread += abs(weight) * length * length
                pull += abs(weight) * length
            }
            scale = total - epsilon * magnitude
            drift = Self.length(residual) { $0 } + epsilon * pull
            constant = scale > 0 ? sum - epsilon * spread : -.infinity
        case .innerProduct:
            let products = zip(examples.weights, lengths).reduce(0.0) { $0 + abs($1.0) * $1.1 }
            constant = -largestNorm() * (error + epsilon * products)
        case .cosine:
            scale = Self.length(vector) { Double($0) }
            constant = total - scale - error - epsilon * (magnitude + scale)
        }
    }

    /// A lower bound on the weighted sum of every vector that a search did not find, given the distance of the last
    /// vector found.
    func bound(beyond distance: Double) -> Double {
        guard drift > 0 else { return scale * distance + constant }
        let least = max(distance, (drift / scale) * (drift / scale))
        let bound = scale * least - 2 * drift * least.squareRoot() + constant
        return bound.isNaN ? -.infinity : bound
    }

    /// A distance beyond which the weighted sums are more than `sum`, by their ``bound(beyond:)``; infinity if unknown.
    func distance(reaching sum: Double) -> Double {
        guard scale > 0, sum < .infinity, constant > -.infinity else { return .infinity }
        let root = (drift + max(0, drift * drift + scale * (sum - constant)).squareRoot()) / scale
        let distance = drift > 0 ? root * root : (sum - constant) / scale
        var margin = max(0x1p-20 * abs(distance), 0x1p-50 * (abs(sum) + abs(constant)) / scale, .leastNormalMagnitude)
        while margin < .infinity, bound(beyond: distance + margin) <= sum { margin *= 4 }
        return distance + margin
    }

    private static func length<Values: Sequence>(_ values: Values, _ number: (Values.Element) -> Double) -> Double {
        values.reduce(0) { $0 + number($1) * number($1) }.squareRoot()
    }
}

extension Chunk {
    /// An upper bound on the length of the chunk's vectors: exact for outliers, from the corners of the grid for all
    /// others.
    ///
    /// - Complexity: O(dimension · outliers); O(dimension · rows) for a chunk without codes.
    var largestNorm: Double {
        func norm(_ r: Int) -> Double {
            var squares = 0.0
            for j in 0..<layout.dimension { squares += unsafe Double(row(r)[j]) * Double(row(r)[j]) }
            return squares.squareRoot() * (1 + 0x1p-30)
        }
        guard let coding else { return (0..<count).reduce(0) { max($0, norm($1)) } }
        let offset = coding.grid.offsets.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let codes = 255 * Double(layout.dimension).squareRoot() + coding.errors.eightBits
        let inside = (offset + coding.grid.scale * codes) * (1 + 0x1p-30)
        return coding.outliers.reduce(inside) { max($0, norm(Int($1))) }
    }
}
