import KinCore
import KinLinearAlgebra

/// The screen of one query along the principal axes of an index, in memory that was borrowed, and when to do without.
@safe
struct PrincipalScreen {
    let maker: PrincipalCodeMaker
    let axes: PrincipalAxes
    let memory: PrincipalScreenMemory
    private let metric: Metric
    /// The query's coordinates, one an axis.
    private let coordinates: UnsafeMutablePointer<Float>
    /// A bound on the error of the coordinates, in the norm.
    private let uncertainty: Double
    private let squaredNorm: Double
    /// The coordinates coded for a grid, one weight an axis.
    let weights: UnsafeMutablePointer<Int8>
    private var coded: (grid: CodeGrid, bound: QueryBound)?
    /// The least distance of a row up to which it is compared at once; nil where nothing is known of the rows yet.
    var promising: Double?
    /// Chunks to screen by the rows' own codes, because too many rows passed along the axes.
    var chunksToSkip = 0
}

extension PrincipalScreen {
    /// Projects a query onto the axes.
    ///
    /// - Parameters:
    ///   - query: One row, as a search has it: finite, and not zero for cosine.
    ///   - memory: Memory for as many axes, which outlives this.
    init(
        _ query: PaddedRows, metric: Metric, axes: PrincipalAxes, maker: PrincipalCodeMaker,
        in memory: PrincipalScreenMemory
    ) {
        self.maker = maker
        self.axes = axes
        self.memory = memory
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

    /// Codes the query for a grid.
    mutating func prepare(for grid: CodeGrid) {
        guard coded?.grid !== grid else { return }
        coded = unsafe (
            grid,
            QueryBound(
                coding: coordinates, dimension: axes.count, metric: .squaredL2, grid: grid.view,
                precision: Kernels.active.precision, weights: weights)
        )
    }

    /// The kernels' limit for rows of a chunk at most so far from the query, which was coded for the chunk's grid.
    ///
    /// A squared distance D between vectors is at most ‖P‖² D along the axes, up to what coordinates are off. Cosine is half the squared distance of
    /// the normalised vectors, wrong by less than 2⁻³⁸ as a difference of numbers near 1 (see ``QueryBound``). A vector of norm N with
    /// −⟨x, q⟩ ≤ t has ‖x − q‖² ≤ N² + ‖q‖² + 2 t, of which every number is wrong by less than 2⁻³⁷ of the norms.
    ///
    /// - Parameter distance: In the metric's units.
    func limit(distance: Double, codes: PrincipalCodes) -> Int32 {
        guard let bound = coded?.bound else { return .max }
        let squared: Double
        switch metric {
        case .squaredL2: squared = distance
        case .cosine: squared = 2 * distance + 0x1p-34
        case .innerProduct: squared = norms(codes) + 2 * distance
        }
        let radius = (axes.stretch * max(squared, 0)).squareRoot() * (1 + Self.slack) + uncertainty + codes.uncertainty
        return bound.limit(distance: radius * radius, errors: codes.coding.errors)
    }

    /// The least distance, in the metric's units, that a row can have whose sum a kernel computed: the same read the other way.
    func leastDistance(sum: Int32, codes: PrincipalCodes) -> Double {
        guard let bound = coded?.bound else { return -.infinity }
        let along = bound.distances(sum: sum, errors: codes.coding.errors).least.squareRoot()
        let least = max(0, along * (1 - Self.slack) - uncertainty - codes.uncertainty)
        let squared = least * least / axes.stretch * (1 - Self.slack)
        switch metric {
        case .squaredL2: return squared
        case .cosine: return squared / 2 - 0x1p-35
        case .innerProduct: return (squared - norms(codes)) / 2
        }
    }

    private static let slack = 0x1p-33

    /// The sum of the squared norms of the query and of the longest row, for inner products.
    private func norms(_ codes: PrincipalCodes) -> Double {
        (codes.largestSquaredNorm + squaredNorm) * (1 + Self.slack)
    }
}

/// The memory in which one query at a time is screened along principal axes.
@safe
final class PrincipalScreenMemory: @unchecked Sendable {
    let axes: Int
    let k: Int
    let coordinates: UnsafeMutablePointer<Float>
    let weights: UnsafeMutablePointer<Int8>
    /// Room for the rows that wait, the k nearest of them, and the few more that a scan begins with.
    let waiting: UnsafeMutableBufferPointer<CandidateQueue.Candidate>
    let nearest: UnsafeMutableBufferPointer<Neighbor>
    private let seeds: UnsafeMutableBufferPointer<Neighbor>
    private let arena = Arena()

    /// The rows that are compared first, more than k.
    private static let spareSeeds = 8

    init(axes: Int, k: Int) {
        self.axes = axes
        self.k = k
        unsafe coordinates = arena.allocate(axes)
        unsafe weights = arena.allocate(axes)
        unsafe waiting = arena.buffer(CandidateQueue.capacityAlongAxes + 2 * k)
        unsafe nearest = arena.buffer(k)
        unsafe seeds = arena.buffer(k + Self.spareSeeds)
    }

    /// Room for the rows that a scan for k neighbours begins with.
    func seeds(k: Int) -> UnsafeMutableBufferPointer<Neighbor> {
        unsafe UnsafeMutableBufferPointer(rebasing: seeds[..<(k + Self.spareSeeds)])
    }
}

extension PrincipalScreenMemory {
    private static let stored = ThreadMemory<PrincipalScreenMemory>()

    /// Runs a search for k neighbours, at most ``CandidateQueue/largestK``, with the thread's memory for it.
    static func with<Result>(axes: Int, k: Int, _ search: (PrincipalScreenMemory) -> Result) -> Result {
        let last = stored.take()
        let memory =
            last.flatMap { $0.axes >= axes && $0.k >= k ? $0 : nil }
            ?? PrincipalScreenMemory(axes: max(axes, last?.axes ?? 0), k: max(k, last?.k ?? 64))
        defer { stored.putBack(memory) }
        return search(memory)
    }
}
