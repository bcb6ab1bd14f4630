import KinCore
import KinLinearAlgebra
import Synchronization

/// Makes the codes along principal axes of chunks that single queries keep scanning; copies of an index share it.
///
/// The axes are fitted once, to a sample of the rows, when the index was scanned often enough for that to be a small part of what
/// the scans took; so are the codes of each chunk then, one chunk at a time. Rows that vary alike in all directions get none.
final class PrincipalCodeMaker: Sendable {
    private struct State {
        /// Whether a few axes leave most of the rows' variance out.
        var isUseless = false
        /// The grid made last, for chunks that it fits as well.
        var grid: CodeGrid?
        var slab: CodeSlab?
    }

    private let state = Mutex(State())
    private let fitted = AtomicLazyReference<PrincipalAxes>()
    /// The single queries that scanned the index.
    private let scans = Atomic<Int>(0)

    /// Scans by single queries before the axes are fitted, before a chunk gets its codes, and over which the chunks of an index do so.
    private static let scansBeforeFit = 64
    private static let scansBefore = 16
    private static let scansOver = 64

    /// Rows of an index below which it is not worth while.
    private static let fewestRows = 4_096

    private static let chunksWithoutSlab = 16

    /// The dimensions of rows that get such codes.
    static let dimensions = 128...RowCoding.largestDimension

    /// The rows that axes are fitted to.
    private static let sampleRows = 1_536

    /// The share of the variance that axes have to explain: those that explain less let too many rows pass.
    private static let enough = 0.8

    /// Whether searches of a store are screened along principal axes.
    ///
    /// Six bits of a code bound a distance so loosely that little would be left out.
    static func serves(_ store: RowStore) -> Bool {
        store.count >= fewestRows && dimensions.contains(store.layout.dimension)
            && Kernels.active.precision == .eightBits
    }

    /// The axes for a search by one query, or nil while there are none.
    func axes(of chunks: [Chunk]) -> PrincipalAxes? {
        if let axes = fitted.load() { return axes }
        let before = scans.wrappingAdd(1, ordering: .relaxed).oldValue
        guard before >= Self.scansBeforeFit else { return nil }
        // Whoever comes while another search fits them does without.
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

    /// The codes of a chunk for a scan by one query, or nil while it has none.
    ///
    /// - Parameter number: The chunk's number in its index.
    func codes(of chunk: Chunk, number: Int, axes: PrincipalAxes) -> PrincipalCodes? {
        if let codes = chunk.principalCodes { return codes }
        guard chunk.countPrincipalScan() >= Self.scansBefore + number % Self.scansOver else { return nil }
        let (grid, slab) = state.withLock { state -> (CodeGrid?, CodeSlab?) in
            // A small index does not touch 2 MB.
            guard number >= Self.chunksWithoutSlab else { return (state.grid, nil) }
            return (state.grid, state.slab.withRoom(for: PrincipalCodes.bytes(of: chunk, axes: axes)))
        }
        let codes = PrincipalCodes(of: chunk, axes: axes, preferring: grid, in: slab)
        state.withLock { $0.grid = codes.coding.grid }
        return chunk.take(codes)
    }

    /// The bytes of the codes of a block; 0 while there are no axes.
    var blockBytes: Int { Kernels.blockRows * (fitted.load()?.count ?? 0) }

    /// The axes of a sample of rows, if they explain enough of its variance.
    private static func fit(_ chunks: [Chunk]) -> PrincipalAxes? {
        guard let layout = chunks.first?.layout else { return nil }
        let d = layout.dimension
        let count = chunks.reduce(0) { $0 + $1.count }
        let n = min(count, sampleRows)
        let sample = unsafe Matrix<Float>(rows: n, columns: d) { elements in
            for i in 0..<n {
                // All chunks but the last are full.
                let slot = i * count / n
                let chunk = chunks[slot >> layout.chunkShift]
                let row = unsafe UnsafeBufferPointer(start: chunk.row(slot & (layout.chunkRows - 1)), count: d)
                let norm = unsafe row.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
                let factor = layout.metric == .cosine ? 1 / norm : 1
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
                // Whole registers of the kernels, and floats without padding.
                let count = stride(from: 16, through: most, by: 16).first { all.explained[$0 - 1] >= enough }
                return count.flatMap { try? all.prefix($0) }
            }
        }
    }
}
