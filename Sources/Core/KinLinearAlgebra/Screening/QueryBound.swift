/// A query coded for one grid, which turns a distance into a limit on the kernels' sums.
package struct QueryBound: Sendable {
    private enum Kind: Sendable {
        case squared(SquaredBound)
        case product(ProductBound)
    }

    private var kind: Kind
    private var law: DistanceLaw
    /// Units of the data in one step of the precision.
    private var scale: Double
    /// The largest value of the kernels' sums (p for squared distances, |S| for products).
    private var largest: Double
    private var precision: CodePrecision

    /// The kernels' limit for rows at most `distance` away (in the metric's units).
    ///
    /// No such row of a chunk with these `errors` is above the limit, except for the chunk's outliers.
    @inline(__always)
    package func limit(distance: Double, errors: CodeErrors) -> Int32 {
        let error = errors.bound(precision)
        let distance = law.quantity(distance)
        switch kind {
        case .squared(let bound):
            return bound.limit(distance: distance, scale: scale, error: error, largest: largest)
        case .product(let bound):
            return bound.limit(distance: distance, scale: scale, error: error, largest: largest)
        }
    }
}

extension QueryBound {
    /// Whether the limit at a distance passes many rows that ``OuterTerms`` exclude: the query is outside the grid, or
    /// rows within the distance may have gaps larger than the kernels square.
    @inline(__always)
    package func isLoose(at distance: Double) -> Bool {
        guard case .squared(let bound) = kind else { return false }
        return bound.outerSquared > 0 || law.quantity(distance) > (127 * scale) * (127 * scale)
    }

    /// The terms of a query on the grid of its codes, for eight bits.
    ///
    /// - Parameter weights: Receives 16 · groups weights.
    package func outerTerms(
        _ query: UnsafePointer<Float>, dimension: Int, metric: Metric, grid: CodeGridView,
        weights: UnsafeMutablePointer<Int8>
    ) -> OuterTerms {
        let length = metric.comparesDirections ? unsafe SquaredBound.length(of: query, dimension) : 1
        let (factor, inverse) = (1 / length, 1 / grid.scale)
        return unsafe OuterTerms(dimension: dimension, lowest: 1, weights: weights) {
            unsafe (Double(query[$0]) * factor - grid.offsets[$0]) * inverse - 128
        }
    }

    /// The limit for the sums of ``OuterTerms/sum(block:codes:groups:weights:centre:into:)``, as
    /// ``limit(distance:errors:)``.
    package func limit(distance: Double, errors: CodeErrors, with outer: OuterTerms) -> Int32 {
        let radius = (law.quantity(distance) * (1 + 0x1p-33)).squareRoot() / scale
        return outer.limit(distance: radius + errors.bound(precision))
    }
}

extension QueryBound {
    /// Codes a query for a grid.
    ///
    /// - Parameters:
    ///   - query: `dimension` floats, and zeros up to a multiple of 8, all finite; not zero for cosine.
    ///   - weights: Receives 4 · groups weights, groups = ⌈dimension ∕ 4⌉.
    /// - Complexity: O(dimension); tens of nanoseconds for 16 dimensions.
    package init(
        coding query: UnsafePointer<Float>,
        dimension: Int,
        metric: Metric,
        grid: CodeGridView,
        precision: CodePrecision,
        weights: UnsafeMutablePointer<Int8>
    ) {
        self.precision = precision
        scale = grid.scale * precision.step
        let padded = (dimension + 3) & ~3
        law = metric.boundLaw
        if metric.comparesProducts {
            largest = Double(padded) * precision.highest * precision.largestWeight
            kind = unsafe .product(
                ProductBound(coding: query, dimension: dimension, grid: grid, precision: precision, weights: weights))
        } else {
            largest = Double(padded) * precision.highest * precision.highest
            kind = unsafe .squared(
                SquaredBound(
                    coding: query, dimension: dimension, normalising: metric.comparesDirections, grid: grid,
                    precision: precision, weights: weights))
        }
    }
}

extension SquaredBound {
    init(
        coding query: UnsafePointer<Float>, dimension: Int, normalising: Bool, grid: CodeGridView,
        precision: CodePrecision,
        weights: UnsafeMutablePointer<Int8>
    ) {
        let length = normalising ? unsafe Self.length(of: query, dimension) : 1
        let sums = unsafe Kernels.active.codeQuery(
            query, dimension: dimension, length: length, grid: grid, precision: precision, weights: weights)
        inner = sums.inner.squareRoot()
        outerSquared = sums.outer
        centreSquared = sums.square
    }

    static func length(of query: UnsafePointer<Float>, _ dimension: Int) -> Double {
        var squares = 0.0
        for j in 0..<dimension { squares += unsafe Double(query[j]) * Double(query[j]) }
        return squares.squareRoot()
    }
}

extension ProductBound {
    init(
        coding query: UnsafePointer<Float>, dimension: Int, grid: CodeGridView, precision: CodePrecision,
        weights: UnsafeMutablePointer<Int8>
    ) {
        var squares = 0.0
        var largest: Float = 0
        for j in 0..<dimension {
            let value = unsafe query[j]
            squares += Double(value) * Double(value)
            largest = max(largest, abs(value))
        }
        norm = squares.squareRoot()
        if largest > 0 { step = Double(largest) / precision.largestWeight }
        var sum = 0.0
        var magnitude = 0.0
        var total = 0.0
        for j in 0..<dimension {
            let q = unsafe Double(query[j])
            let wanted = -q / step
            let w = wanted.roundedToEven
            let rho = wanted - w
            sum += rho
            magnitude += abs(rho)
            total += q
            offsetProduct += unsafe grid.offsets[j] * q
            unsafe weights[j] = Int8(truncatingIfNeeded: Int(w))
        }
        offsetProduct += precision.origin * grid.scale * total
        for j in dimension..<((dimension + 3) & ~3) { unsafe weights[j] = 0 }
        rounding = precision.middle * (magnitude - sum)
        offsetNorm = grid.offsetNorm + precision.origin * grid.scale * Double(dimension).squareRoot()
        codeNorm = 2 * precision.middle * Double(dimension).squareRoot()
    }
}
