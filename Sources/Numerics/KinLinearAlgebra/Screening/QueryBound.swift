/// A query coded for one grid: what is needed to turn a distance into a limit on the kernels' sums.
package struct QueryBound: Sendable {
    private enum Kind: Sendable {
        case squared(SquaredBound)
        case product(ProductBound, distanceShift: Double)
    }

    private var kind: Kind
    /// Units of the data in one step of the reading.
    private var scale: Double
    /// The largest value of the kernels' sums (p for squared distances, |S| for products).
    private var largest: Double
    private var reading: CodeReading

    /// The kernels' limit for rows whose distance is at most `distance` (in the metric's units).
    ///
    /// No row of a chunk with these `errors` (its exceptions apart) that is at most that far is above the limit.
    @inline(__always)
    package func limit(distance: Double, errors: CodeErrors) -> Int32 {
        let error = errors.bound(reading)
        switch kind {
        case .squared(let bound):
            return bound.limit(distance: distance, scale: scale, error: error, largest: largest)
        case .product(let bound, let shift):
            return bound.limit(distance: distance - shift, scale: scale, error: error, largest: largest)
        }
    }
}

extension QueryBound {
    /// Codes a query for a grid.
    ///
    /// - Parameters:
    ///   - query: `dimension` floats, all finite; not zero for cosine.
    ///   - weights: Receives 4 · groups weights, groups = ⌈dimension ∕ 4⌉.
    /// - Complexity: O(dimension), some tens of nanoseconds for 16 dimensions.
    package init(
        coding query: UnsafePointer<Float>,
        dimension: Int,
        metric: Metric,
        grid: CodeGrid,
        reading: CodeReading,
        weights: UnsafeMutablePointer<Int8>
    ) {
        self.reading = reading
        scale = grid.scale * reading.step
        let padded = (dimension + 3) & ~3
        switch metric {
        case .squaredL2:
            largest = Double(padded) * reading.highest * reading.highest
            kind = unsafe .squared(
                SquaredBound(coding: query, dimension: dimension, grid: grid, reading: reading, weights: weights))
        case .innerProduct, .cosine:
            largest = Double(padded) * reading.highest * reading.largestWeight
            let bound = unsafe ProductBound(
                coding: query, dimension: dimension, normalising: metric == .cosine, grid: grid, reading: reading,
                weights: weights)
            kind = .product(bound, distanceShift: metric == .cosine ? 1 : 0)
        }
    }
}

extension SquaredBound {
    init(
        coding query: UnsafePointer<Float>, dimension: Int, grid: CodeGrid, reading: CodeReading,
        weights: UnsafeMutablePointer<Int8>
    ) {
        let step = 1 / reading.step
        let inverse = grid.scale
        let padded = (dimension + 3) & ~3
        var inside = 0.0
        unsafe grid.offsets.withUnsafeBufferPointer { offsets in
            for j in 0..<dimension {
                let y = unsafe ((Double(query[j]) - offsets[j]) / inverse - reading.origin) * step
                let clamped = min(max(y, reading.lowest), reading.highest)
                let v = clamped.roundedToEven
                let r = y - v
                let isInner = clamped == y
                inside += isInner ? r * r : 0
                outerSquared += isInner ? 0 : r * r
                centreSquared += v * v
                unsafe weights[j] = Int8(truncatingIfNeeded: Int(reading.middle - v))
            }
        }
        inner = inside.squareRoot()
        // Padding: every row has the lowest code there, and so has the query.
        for j in dimension..<padded {
            centreSquared += reading.lowest * reading.lowest
            unsafe weights[j] = Int8(reading.middle - reading.lowest)
        }
    }
}

extension ProductBound {
    init(
        coding query: UnsafePointer<Float>, dimension: Int, normalising: Bool, grid: CodeGrid, reading: CodeReading,
        weights: UnsafeMutablePointer<Int8>
    ) {
        var squares = 0.0
        var largest: Float = 0
        for j in 0..<dimension {
            let value = unsafe query[j]
            squares += Double(value) * Double(value)
            largest = max(largest, abs(value))
        }
        let length = squares.squareRoot()
        let factor = normalising ? 1 / length : 1
        norm = normalising ? 1 : length
        if largest > 0 { step = Double(largest) * factor / reading.largestWeight }
        var sum = 0.0
        var magnitude = 0.0
        var total = 0.0
        unsafe grid.offsets.withUnsafeBufferPointer { offsets in
            for j in 0..<dimension {
                let q = unsafe Double(query[j]) * factor
                let wanted = -q / step
                let w = wanted.roundedToEven
                let rho = wanted - w
                sum += rho
                magnitude += abs(rho)
                total += q
                offsetProduct += unsafe offsets[j] * q
                unsafe weights[j] = Int8(truncatingIfNeeded: Int(w))
            }
        }
        offsetProduct += reading.origin * grid.scale * total
        for j in dimension..<((dimension + 3) & ~3) { unsafe weights[j] = 0 }
        rounding = reading.middle * (magnitude - sum)
        offsetNorm = grid.offsetNorm + reading.origin * grid.scale * Double(dimension).squareRoot()
        codeNorm = 2 * reading.middle * Double(dimension).squareRoot()
    }
}

extension Double {
    /// The nearest integer, halves to even, for |x| < 2⁵¹: adding and taking away 1.5 · 2⁵² leaves no bits below one.
    /// (`rounded()` is a library call on CPUs without SSE4.1 code generation.)
    @inline(__always)
    fileprivate var roundedToEven: Double { (self + 0x1.8p52) - 0x1.8p52 }
}
