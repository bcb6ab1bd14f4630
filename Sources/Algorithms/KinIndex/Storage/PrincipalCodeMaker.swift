import KinCore
import KinLinearAlgebra
import Synchronization

/// Computes codes along principal axes for chunks that single queries scan repeatedly. Copies of an index share it.
///
/// The axes are fitted once, to a sample of the rows, when the index has been scanned often enough that the fit costs a
/// small fraction of the scans. The codes of each chunk follow in the same way, one chunk at a time. Rows with equal
/// variance in all directions get no codes.
final class PrincipalCodeMaker: Sendable {
    private struct State {
        /// Whether a few axes explain too little of the rows' variance.
        var isUseless = false
        /// The last grid computed, for other chunks that it fits.
        var grid: CodeGrid?
        var slab: CodeSlab?
    }

    private let state = Mutex(State())
    private let fitted = AtomicLazyReference<PrincipalAxes>()
    /// The number of scans of the index by single queries.
    private let scans = Atomic<Int>(0)

    /// The number of single-query scans before the axes are fitted, the number before a chunk gets its codes, and the
    /// number over which the chunks of an index get theirs.
    private static let scansBeforeFit = 64
    private static let scansBefore = 16
    private static let scansOver = 64

    /// The smallest number of rows that justifies the codes.
    private static let fewestRows = 4_096

    private static let chunksWithoutSlab = 16

    /// The dimensions of rows that get these codes.
    static let dimensions = 128...RowCoding.largestDimension

    /// The number of rows that axes are fitted to.
    private static let sampleRows = 1_536

    /// The share of the variance that the axes must explain; with less, too many rows pass the screening.
    private static let enough = 0.8

    /// Whether searches of a store are screened along principal axes.
    ///
    /// Codes of six bits bound a distance so loosely that they would exclude little.
    static func serves(_ store: RowStore) -> Bool {
        store.count >= fewestRows && dimensions.contains(store.layout.dimension)
            && Kernels.active.precision == .eightBits
    }

    /// The axes for a search by one query; nil if none are fitted.
    func axes(of chunks: [Chunk]) -> PrincipalAxes? {
        if let axes = fitted.load() { return axes }
        let before = scans.wrappingAdd(1, ordering: .relaxed).oldValue
        guard before >= Self.scansBeforeFit else { return nil }
        // A search that arrives while the axes are being fitted runs without them.
        state.withLockIfAvailable { state in
            guard !state.isUseless, fitted.load() == nil else { return }
            guard let axes = Self.fit(chunks) else {
                state.isUseless = true
                return
            }
            _ = fitted.storeIfNil(axes)
        }
        return fitted.load()
    }

    /// The codes of a chunk for a scan by one query; nil if it has none yet.
    ///
    /// - Parameter number: The chunk's number in its index.
    func codes(of chunk: Chunk, number: Int, axes: PrincipalAxes) -> PrincipalCodes? {
        if let codes = chunk.principalCodes { return codes }
        guard chunk.countPrincipalScan() >= Self.scansBefore + number % Self.scansOver else { return nil }
        let (grid, slab) = state.withLock { state -> (CodeGrid?, CodeSlab?) in
            // A small index does not use 2 MB for a slab.
            guard number >= Self.chunksWithoutSlab else { return (state.grid, nil) }
            return (state.grid, state.slab.withRoom(for: PrincipalCodes.bytes(of: chunk, axes: axes)))
        }
        let codes = PrincipalCodes(of: chunk, axes: axes, preferring: grid, in: slab)
        state.withLock { $0.grid = codes.coding.grid }
        return chunk.take(codes)
    }

    /// The bytes of the codes of a block; 0 before the axes are fitted.
    var blockBytes: Int { Kernels.blockRows * (fitted.load()?.count ?? 0) }

    /// The axes of a sample of rows; nil if they explain too little of its variance.
    private static func fit(_ chunks: [Chunk]) -> PrincipalAxes? {
        guard let layout = chunks.first?.layout else { return nil }
        let d = layout.dimension
        let count = chunks.reduce(0) { $0 + $1.count }
        let n = min(count, sampleRows)
        let sample = unsafe Matrix<Float>(rows: n, columns: d) { elements in
            for i in 0..<n {
                // All chunks except the last are full.
                let slot = i * count / n
                let chunk = chunks[slot >> layout.chunkShift]
                let row = unsafe UnsafeBufferPointer(start: chunk.row(slot & (layout.chunkRows - 1)), count: d)
                let norm = unsafe row.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
                let factor = layout.metric.comparesDirections ? 1 / norm : 1
                for j in 0..<d {
                    unsafe elements.initializeElement(at: i * d + j, to: Float(Double(row[j]) * factor))
                }
            }
        }
        guard unsafe sample.withUnsafeBufferPointer({ unsafe Kernels.active.firstNotFinite($0) }) == nil else {
            return nil
        }
        let most = min(256, d * 3 / 8) & ~15
        return ProgressScope.shielded {
            BLAS.withOneThread {
                guard let all = try? PrincipalAxes(fitting: sample, count: most) else { return nil }
                // Multiples of 16 axes fill the kernels' registers and need no padding of floats.
                let count = stride(from: 16, through: most, by: 16).first { all.explained[$0 - 1] >= enough }
                return count.flatMap { try? all.prefix($0) }
            }
        }
    }
}
