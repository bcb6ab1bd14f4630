import KinCore
import KinLinearAlgebra

/// The screen of one query along the principal axes of an index, in borrowed memory, with the state that decides when
/// to skip it.
@safe
struct PrincipalScreen {
    let maker: PrincipalCodeMaker
    let axes: PrincipalAxes
    /// The rows that may be near and wait to be compared; nil if rows are compared as soon as they pass.
    var queue: CandidateQueue?
    private let memory: PrincipalScreenMemory
    private let metric: Metric
    /// The query's coordinates, one per axis.
    private let coordinates: UnsafeMutablePointer<Float>
    /// A bound on the norm of the error of the coordinates.
    private let uncertainty: Double
    private let squaredNorm: Double
    /// The coordinates coded for a grid, one weight per axis.
    let weights: UnsafeMutablePointer<Int8>
    private var coded: (grid: CodeGrid, bound: QueryBound)?
    /// A row whose lower bound is at most this distance is compared at once; nil before any rows are known.
    var promising: Double?
    /// The number of chunks to screen by the rows' own codes, because too many rows passed along the axes.
    var chunksToSkip = 0
}

extension PrincipalScreen {
    /// Projects a query onto the axes.
    ///
    /// - Parameters:
    ///   - query: One row, valid for a search: finite, and not zero for cosine.
    ///   - hasQueue: Whether rows wait to be compared.
    ///   - memory: Memory for this number of axes or more, which must outlive the screen.
    init(
        _ query: PaddedRows, metric: Metric, axes: PrincipalAxes, maker: PrincipalCodeMaker, hasQueue: Bool,
        in memory: PrincipalScreenMemory
    ) {
        self.maker = maker
        self.axes = axes
        self.memory = memory
        queue = hasQueue ? unsafe CandidateQueue(memory.waiting) : nil
        self.metric = metric
        unsafe coordinates = memory.coordinates
        unsafe weights = memory.weights
        var (uncertainty, squaredNorm) = (Double.infinity, Double.infinity)
        unsafe axes.project(query, metric: metric, into: coordinates) { _, error, norm in
            (uncertainty, squaredNorm) = (error, norm)
        }
        self.uncertainty = uncertainty
        self.squaredNorm = squaredNorm
    }

    /// Codes the query for a grid, unless it is already coded for this grid.
    mutating func prepare(for grid: CodeGrid) {
        guard coded?.grid !== grid else { return }
        coded = unsafe (
            grid,
            QueryBound(
                coding: coordinates, dimension: axes.count, metric: .squaredL2, grid: grid.view,
                precision: Kernels.active.precision, weights: weights)
        )
    }

    /// The kernels' limit for the rows of a chunk within a distance of the query, which must be coded for the chunk's
    /// grid.
    ///
    /// For a squared distance D between vectors, the squared distance along the axes is at most ‖P‖² D, up to the
    /// errors of coordinates. The law of the metric gives D. For products, the error of each of its numbers is below
    /// 2⁻³⁷ of the norms.
    ///
    /// - Parameter distance: The distance in the metric's units.
    func limit(distance: Double, codes: PrincipalCodes) -> Int32 {
        guard let bound = coded?.bound else { return .max }
        let squared = law(codes).quantity(distance)
        let radius = (axes.stretch * max(squared, 0)).squareRoot() * (1 + Self.slack) + uncertainty + codes.uncertainty
        return bound.limit(distance: radius * radius, errors: codes.coding.errors)
    }

    /// The smallest distance, in the metric's units, of a row with a given kernel sum: the inverse of
    /// ``limit(distance:codes:)``.
    func leastDistance(sum: Int32, codes: PrincipalCodes) -> Double {
        guard let bound = coded?.bound else { return -.infinity }
        let along = bound.leastDistance(sum: sum, errors: codes.coding.errors).squareRoot()
        let least = max(0, along * (1 - Self.slack) - uncertainty - codes.uncertainty)
        return law(codes).leastDistance(least * least / axes.stretch * (1 - Self.slack))
    }

    /// No rows, with room for the initial rows of a scan for k neighbours.
    func seeds(k: Int) -> TopK { memory.seeds(k: k) }

    private static let slack = 0x1p-33

    /// The law of squared distances between the query and a chunk's rows.
    private func law(_ codes: PrincipalCodes) -> DistanceLaw {
        metric.squaredLaw(squaredNorms: (codes.largestSquaredNorm + squaredNorm) * (1 + Self.slack))
    }
}

/// The memory for screening along principal axes, for one query at a time.
@safe
final class PrincipalScreenMemory: @unchecked Sendable {
    let axes: Int
    let k: Int
    let coordinates: UnsafeMutablePointer<Float>
    let weights: UnsafeMutablePointer<Int8>
    /// Room for the waiting rows, and the initial rows of a scan.
    let waiting: UnsafeMutableBufferPointer<CandidateQueue.Candidate>
    private let seeds: UnsafeMutableBufferPointer<Neighbor>
    private let arena = Arena()

    /// The number of additional rows, beyond k, that are compared first.
    private static let spareSeeds = 8

    init(axes: Int, k: Int) {
        self.axes = axes
        self.k = k
        unsafe coordinates = arena.allocate(axes)
        unsafe weights = arena.allocate(axes)
        unsafe waiting = arena.buffer(CandidateQueue.capacity + 2 * k)
        unsafe seeds = arena.buffer(k + Self.spareSeeds)
    }

    /// No rows, with room for the initial rows of a scan for k neighbours.
    func seeds(k: Int) -> TopK { unsafe TopK(UnsafeMutableBufferPointer(rebasing: seeds[..<(k + Self.spareSeeds)])) }
}

extension PrincipalScreenMemory {
    private static let stored = ThreadMemory<PrincipalScreenMemory>()

    /// Runs a search for k neighbours, at most ``CandidateQueue/largestK``, with the thread's cached memory.
    static func with<Result>(axes: Int, k: Int, _ search: (PrincipalScreenMemory) -> Result) -> Result {
        let last = stored.take()
        let memory =
            last.flatMap { $0.axes >= axes && $0.k >= k ? $0 : nil }
            ?? PrincipalScreenMemory(axes: max(axes, last?.axes ?? 0), k: max(k, last?.k ?? 64))
        defer { stored.putBack(memory) }
        return search(memory)
    }
}
