/// The weight of each point, and its factor in the sum of its cluster.
@safe
final class PointWeights {
    /// The weights; nil if every point has weight 1.
    let weights: UnsafeMutablePointer<Double>?
    /// The factors of points in the sums of their clusters: the weight, divided by the point's length for cosine; nil
    /// if all are 1.
    let factors: UnsafeMutablePointer<Double>?
    private let arena = Arena()

    /// Computes the factors of points. `list` has one weight per point; nil weights each point by 1.
    init(_ points: PointRows, weights list: [Double]?, metric: Metric) {
        unsafe weights = list.map { [arena] list in
            let memory: UnsafeMutablePointer<Double> = unsafe arena.allocate(points.count)
            for i in 0..<points.count { unsafe memory[i] = list[i] }
            return unsafe memory
        }
        guard metric.comparesDirections || list != nil else {
            unsafe factors = nil
            return
        }
        let memory: UnsafeMutablePointer<Double> = unsafe arena.allocate(points.count)
        for i in 0..<points.count {
            var squares = 1.0
            if metric.comparesDirections {
                let row = unsafe points.row(i)
                squares = 0
                for j in 0..<points.dimension { unsafe squares += Double(row[j]) * Double(row[j]) }
            }
            unsafe memory[i] = (list?[i] ?? 1) / squares.squareRoot()
        }
        unsafe factors = memory
    }

    /// Creates the weights of the same points in a different order.
    init(_ other: PointWeights, order: [UInt32]) {
        func permuted(_ values: UnsafeMutablePointer<Double>?, in arena: Arena) -> UnsafeMutablePointer<Double>? {
            guard let values = unsafe values else { return nil }
            let memory: UnsafeMutablePointer<Double> = unsafe arena.allocate(order.count)
            for (position, i) in order.enumerated() { unsafe memory[position] = values[Int(i)] }
            return unsafe memory
        }
        unsafe weights = permuted(other.weights, in: arena)
        unsafe factors = permuted(other.factors, in: arena)
    }

    /// The weight of point i.
    @inline(__always)
    func weight(_ i: Int) -> Double { unsafe weights.map { unsafe $0[i] } ?? 1 }
}
