/// The map from input features to a model's features: the inputs, optionally their pairwise products, and the constant
/// 1.
///
/// For d features the order is x₁ … x_d; with pairs, x_i x_j for every i ≤ j (squares included), ordered by i, then j;
/// 1.
struct FeatureMap: Sendable, Hashable {
    /// The number d of input features.
    let dimension: Int
    /// Whether the products are included.
    let hasPairs: Bool

    /// The number of features of the model.
    var width: Int { dimension + (hasPairs ? dimension * (dimension + 1) / 2 : 0) + 1 }

    /// Writes the `width` features of `dimension` numbers.
    func expand(_ x: UnsafePointer<Double>, into y: UnsafeMutablePointer<Double>) {
        unsafe y.initialize(from: x, count: dimension)
        var next = dimension
        if hasPairs {
            for i in 0..<dimension {
                let factor = unsafe x[i]
                for j in i..<dimension {
                    unsafe y[next] = unsafe factor * x[j]
                    next += 1
                }
            }
        }
        unsafe y[next] = 1
    }

    /// The `width` features of `dimension` numbers.
    func expanding(_ x: some Collection<Double>) -> [Double] {
        unsafe Array(unsafeUninitializedCapacity: width) { buffer, count in
            x.withContiguousStorageIfAvailable { unsafe expand($0.baseAddress!, into: buffer.baseAddress!) }
            count = width
        }
    }

    /// The indices of the input features in a term: one, two (equal for a square), or none for the constant.
    func origins(ofTerm term: Int) -> [Int] {
        if term < dimension { return [term] }
        guard term < width - 1 else { return [] }
        var rest = term - dimension
        for i in 0..<dimension {
            if rest < dimension - i { return [i, i + rest] }
            rest -= dimension - i
        }
        return []
    }
}
