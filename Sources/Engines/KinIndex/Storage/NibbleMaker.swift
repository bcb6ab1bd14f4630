import KinLinearAlgebra
import Synchronization

/// Makes the four-bit codes of chunks that single queries keep scanning; copies of an index share it.
///
/// Making them costs what some fifteen scans save, so a chunk gets them once it was scanned as often. The chunks of an index do so at
/// different times, spread over as many more scans: no search pays for all.
final class NibbleMaker: Sendable {
    private struct State {
        var slab: CodeSlab?
        /// The cells made last, for chunks on the same grid.
        var cells: NibbleCells?
    }

    private let state = Mutex(State())

    /// Scans of a chunk before it gets four-bit codes, and scans over which the chunks of an index do so.
    private static let scansBefore = 16
    private static let scansOver = 64

    /// Rows of an index below which four-bit codes are not made: its 8-bit codes stay in the second-level cache.
    private static let fewestRows = 65_536

    /// Whether the single queries of a store are screened by four-bit codes.
    static func serves(_ store: RowStore) -> Bool {
        store.count >= fewestRows && NibbleCells.dimensions.contains(store.layout.dimension)
    }

    /// The four-bit codes of a chunk for a scan by one query, or nil while it has none.
    ///
    /// - Parameter number: The chunk's number in its index.
    func codes(of chunk: Chunk, number: Int) -> NibbleCodes? {
        if let codes = chunk.nibbles { return codes }
        guard chunk.countSingleScan() >= Self.scansBefore + number % Self.scansOver, let grid = chunk.coding?.grid
        else { return nil }
        let histogram = CodeHistogram(sampling: chunk)
        let own = NibbleCells(fitting: histogram, grid: grid)
        let bound = 1.25 * own.meanSquaredWidth(of: histogram)
        let (cells, slab) = state.withLock { state in
            let slab = state.slab.withRoom(for: NibbleCodes.bytes(of: chunk))
            if let last = state.cells, last.grid === grid, last.meanSquaredWidth(of: histogram) <= bound {
                return (last, slab)
            }
            state.cells = own
            return (own, slab)
        }
        return chunk.take(NibbleCodes(of: chunk, cells: cells, in: slab))
    }
}
