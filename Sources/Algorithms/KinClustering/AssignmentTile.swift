/// A tile of points, at most 64 if they are screened, with the nearest centroid of each so far.
@safe
struct AssignmentTile {
    /// The rows that include the points, `stride` floats each.
    let points: UnsafePointer<Float>
    let stride: Int
    /// The row of each point; nil if the points are the first rows, in order.
    var order: UnsafePointer<UInt32>?
    let count: Int
    let labels: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Double>
    let codes: CodedQueries
    /// The index of the first point's code in `codes`.
    let firstCode: Int

    /// The address of a point.
    @inline(__always)
    func row(_ q: Int) -> UnsafePointer<Float> {
        unsafe points + (order.map { unsafe Int($0[q]) } ?? q) * stride
    }

    /// Assigns a point to centroid `c` if it is nearer, or equally near with a lower number.
    @inline(__always)
    mutating func offer(_ c: UInt32, at distance: Double, query q: Int) {
        let best = unsafe distances[q]
        if unsafe distance < best || (distance == best && c < labels[q]) {
            unsafe distances[q] = distance
            unsafe labels[q] = c
        }
    }

    /// Clears labels and distances.
    mutating func reset() {
        for q in 0..<count {
            unsafe labels[q] = .max
            unsafe distances[q] = .infinity
        }
    }
}

/// The codes of the centroids that a tile is compared with.
@safe
struct CodedCentroids {
    /// Whole blocks of codes, 64-byte aligned.
    let codes: UnsafePointer<UInt8>
    /// The number of centroids.
    let count: Int
    /// The number of each centroid; nil if these are all centroids, in order. Numbered centroids include no outliers.
    let numbers: UnsafePointer<UInt32>?

    var blocks: Int { count.dividedRoundingUp(by: Kernels.blockRows) }

    @inline(__always)
    func number(_ i: Int) -> UInt32 { unsafe numbers.map { unsafe $0[i] } ?? UInt32(truncatingIfNeeded: i) }
}
