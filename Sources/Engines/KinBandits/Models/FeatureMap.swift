/// From the features a caller gives to those a model sees: themselves, perhaps their products in pairs, and the constant 1.
///
/// For d features: x₁ … x_d; with pairs x_i x_j for every i ≤ j, squares included, in the order of i then j; 1.
struct FeatureMap: Sendable, Hashable {
    let dimension: Int
    let hasPairs: Bool

    /// The number of features a model sees.
    var width: Int { dimension + (hasPairs ? dimension * (dimension + 1) / 2 : 0) + 1 }

    /// Writes the `width` features of `dimension` numbers.
    func expand(_ x: UnsafePointer<Double>, into y: UnsafeMutablePointer<Double>) {
        unsafe y.initialize(from: x, count: dimension)
        var place = dimension
        if hasPairs {
            for i in 0..<dimension {
                let factor = unsafe x[i]
                for j in i..<dimension {
                    unsafe y[place] = unsafe factor * x[j]
                    place += 1
                }
            }
        }
        unsafe y[place] = 1
    }

    /// The features given that make up the term: one, two (perhaps the same), or none for the constant.
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
