import KinLinearAlgebra

/// The four-bit codes of a chunk's rows, made from its codes of eight bits.
///
/// Invariant: every row in use of the chunk, outliers too, has the four-bit codes of its 8-bit codes. The chunk keeps it: whoever
/// writes a chunk is alone with it, so that these codes are never written while a search reads them.
@safe
final class NibbleCodes: @unchecked Sendable {
    private(set) var cells: NibbleCells
    private let memory: CodeMemory

    /// Makes the codes of a coded chunk.
    ///
    /// - Parameters:
    ///   - cells: Cells of the grid that the chunk is coded on.
    ///   - slab: A slab to take the memory from if it has room.
    init(of chunk: Chunk, cells: NibbleCells, in slab: CodeSlab?) {
        self.cells = cells
        memory = CodeMemory(Self.bytes(of: chunk), in: slab)
        encode(0..<chunk.count, of: chunk)
    }

    /// The bytes of the codes of a chunk: a block for each 64 rows of its capacity.
    static func bytes(of chunk: Chunk) -> Int { chunk.capacity / Kernels.blockRows * chunk.layout.nibbleBlockBytes }

    deinit { memory.free() }

    /// Blocks of `cells.pairs` × 64 bytes, for the chunk's capacity.
    private var nibbles: UnsafeMutablePointer<UInt8> { unsafe memory.codes }

    /// The bytes of the codes.
    var bytes: Int { memory.byteCount }

    /// Writes the codes of rows whose 8-bit codes were just written on the same grid.
    func encode(_ rows: Range<Int>, of chunk: Chunk) {
        unsafe cells.encode(rows: rows, codes: chunk.codes, groups: chunk.layout.groups, into: nibbles)
    }

    /// Divides the codes of a chunk anew after they were written on another grid.
    func recode(_ chunk: Chunk, grid: CodeGrid) {
        cells = NibbleCells(fitting: CodeHistogram(sampling: chunk), grid: grid)
        encode(0..<chunk.count, of: chunk)
    }

    /// Clears the codes of a row that was removed.
    func clear(_ row: Int) {
        let first = row / Kernels.blockRows * Kernels.blockRows * cells.pairs + row % Kernels.blockRows
        for pair in 0..<cells.pairs { unsafe nibbles[first + pair * Kernels.blockRows] = 0 }
    }

    func blocks(_ count: Int) -> NibbleBlocks { unsafe NibbleBlocks(nibbles, count: count, pairs: cells.pairs) }
}

extension CodeHistogram {
    /// Counts the rows in one of eight blocks of a chunk.
    init(sampling chunk: Chunk) {
        self.init(dimension: chunk.layout.dimension)
        for block in stride(from: 0, to: chunk.blocks, by: max(1, min(8, chunk.blocks / 8))) {
            let first = block * Kernels.blockRows
            unsafe add(
                rows: first..<min(first + Kernels.blockRows, chunk.count), codes: chunk.codes,
                groups: chunk.layout.groups)
        }
    }
}
