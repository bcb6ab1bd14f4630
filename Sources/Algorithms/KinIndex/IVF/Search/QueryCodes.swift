// A query is coded for the grid of each list it visits. The last coding is cached, so lists that share a grid
// (`CommonGrids`) use it again.

/// A query coded for the boxes of a list's blocks.
@safe
struct BlockQuery {
    /// The query's 8 · groups codes, or weights for inner products.
    let codes: UnsafeMutablePointer<UInt8>
    private var grid: UnsafeRawPointer?
    private var last: BoxQuery?

    init(codes: UnsafeMutablePointer<UInt8>) { unsafe self.codes = codes }

    /// Computes bounds for the distances of boxes from the query, in the same way as ``BoxQuery/bound(_:codes:into:)``.
    @inline(__always)
    mutating func bound(_ boxes: BoxTableView, from query: FramedQuery, into bounds: UnsafeMutablePointer<Int32>) {
        if unsafe grid != boxes.gridIdentity {
            last = unsafe query.code(for: boxes, into: codes)
            unsafe grid = boxes.gridIdentity
        }
        unsafe last?.bound(boxes, codes: codes, into: bounds)
    }

    /// The limit on the bounds of the last boxes bounded.
    @inline(__always)
    func limit(at radius: Double) -> Int32? { last?.limit(distance: radius) }
}

/// A query coded for the rows of a list with one precision.
@safe
struct RowQuery {
    /// The query's 4 · groups weights, followed by 16 · groups weights of its outer terms.
    let weights: UnsafeMutablePointer<Int8>
    let precision: CodePrecision
    private var outer: OuterTerms?
    private var grid: UnsafeRawPointer?
    private var last: QueryBound?

    init(weights: UnsafeMutablePointer<Int8>, precision: CodePrecision) {
        unsafe self.weights = weights
        self.precision = precision
    }

    /// Codes a query on a grid of rows into `weights`, and returns its bound.
    @inline(__always)
    mutating func coded(_ query: UnsafePointer<Float>, layout: RowLayout, on grid: CodeGridView) -> QueryBound {
        if let last, unsafe self.grid == grid.identity { return last }
        let coded = unsafe QueryBound(
            coding: query, dimension: layout.dimension, metric: layout.metric, grid: grid, precision: precision,
            weights: weights)
        unsafe self.grid = grid.identity
        last = coded
        outer = nil
        return coded
    }

    /// The query's outer terms on the grid on which it was last coded.
    mutating func outerTerms(
        _ query: UnsafePointer<Float>, _ bound: QueryBound, layout: RowLayout, on grid: CodeGridView
    ) -> OuterTerms {
        if let outer { return outer }
        let terms = unsafe bound.outerTerms(
            query, dimension: layout.dimension, metric: layout.metric, grid: grid, weights: weights + 4 * layout.groups)
        outer = terms
        return terms
    }
}

/// Memory for the codings of one query.
@safe
struct QueryMemory {
    /// The query in the pruning frame.
    let coordinates: UnsafeMutablePointer<Float>
    /// The query on the grids of lists: for their blocks, for their rows, and for their rows with many queries
    /// together.
    let blocks: UnsafeMutablePointer<UInt8>
    let rows: UnsafeMutablePointer<Int8>
    let tile: UnsafeMutablePointer<Int8>

    /// The number of bytes, in whole cache lines.
    static func bytes(_ layout: RowLayout) -> Int { (4 * layout.stride + 48 * layout.groups + 63) & ~63 }

    /// Divides memory into the parts.
    ///
    /// - Parameter memory: ``bytes(_:)`` bytes.
    init(_ memory: UnsafeMutableRawPointer, layout: RowLayout) {
        unsafe coordinates = memory.assumingMemoryBound(to: Float.self)
        let codes = unsafe memory + 4 * layout.stride
        unsafe blocks = codes.assumingMemoryBound(to: UInt8.self)
        unsafe rows = (codes + 24 * layout.groups).assumingMemoryBound(to: Int8.self)
        unsafe tile = (codes + 44 * layout.groups).assumingMemoryBound(to: Int8.self)
    }
}
