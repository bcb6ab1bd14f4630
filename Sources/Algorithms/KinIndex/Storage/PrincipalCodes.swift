import KinLinearAlgebra

/// The codes of a chunk's rows along the principal axes of an index: a small part of the bytes of the rows' own codes.
///
/// A row's distance from a query along the axes is a lower bound on its full distance (``PrincipalAxes``). If the bound
/// exceeds the search's radius, nothing else of the row needs to be read, which is true of most rows. The codes have
/// the form of row codes, on a grid for coordinates along the axes.
///
/// Invariant: the codes are those of every row in use that is not listed as unknown, within the errors of `coding`. The
/// chunk guarantees this: its writer has exclusive access, so the codes are never written while a search reads them.
@safe
final class PrincipalCodes: @unchecked Sendable {
    let axes: PrincipalAxes
    /// The grid and the errors. Rows outside the grid have no usable codes.
    private(set) var coding: RowCoding
    private let memory: CodeMemory
    /// The bits of the rows in each block without codes: rows outside the grid, and rows added or changed later.
    private(set) var unknown: [UInt64]
    /// A bound on the norm of the error of a row's coordinates.
    private(set) var uncertainty = 0.0
    /// The largest squared norm of a row.
    private(set) var largestSquaredNorm = 0.0

    /// Computes the codes of a coded chunk.
    ///
    /// - Parameters:
    ///   - preferred: A grid of other chunks, used if almost no rows are outside it.
    ///   - slab: A slab that supplies the memory if it has room.
    init(of chunk: Chunk, axes: PrincipalAxes, preferring preferred: CodeGrid?, in slab: CodeSlab?) {
        self.axes = axes
        let (n, m) = (chunk.count, axes.count)
        let coordinates = UnsafeMutablePointer<Float>.allocate(capacity: n * m)
        defer { unsafe coordinates.deallocate() }
        memory = CodeMemory(Self.bytes(of: chunk, axes: axes), in: slab)
        unsafe memory.codes.initialize(repeating: 0, count: memory.byteCount)
        var unknown = [UInt64](repeating: .max, count: chunk.capacity / Kernels.blockRows)
        var (uncertainty, largestSquaredNorm) = (0.0, 0.0)
        unsafe axes.project(
            PaddedRows(chunk.rows, count: n, stride: chunk.layout.stride, dimension: chunk.layout.dimension),
            metric: chunk.layout.metric, into: coordinates
        ) { row, rowUncertainty, squaredNorm in
            guard rowUncertainty.isFinite else { return }
            unknown[row / Kernels.blockRows] &= ~(1 << UInt64(row % Kernels.blockRows))
            uncertainty = max(uncertainty, rowUncertainty)
            largestSquaredNorm = max(largestSquaredNorm, squaredNorm)
        }
        let rows = unsafe PaddedRows(coordinates, count: n, stride: m, dimension: m)
        coding = unsafe Self.encode(rows, on: preferred, into: memory.codes)
        for row in coding.outliers {
            unknown[Int(row) / Kernels.blockRows] |= 1 << UInt64(row % UInt32(Kernels.blockRows))
        }
        self.unknown = unknown
        self.uncertainty = uncertainty
        self.largestSquaredNorm = largestSquaredNorm
    }

    deinit { memory.free() }

    /// Blocks of 64 rows for the chunk's capacity; 64-byte aligned.
    var codes: UnsafeMutablePointer<UInt8> { unsafe memory.codes }

    /// The bytes of the codes of a chunk: one block per 64 rows of its capacity.
    static func bytes(of chunk: Chunk, axes: PrincipalAxes) -> Int { chunk.capacity * axes.count }

    /// Codes the coordinates of rows on the preferred grid if at most one in 256 is outside it, otherwise on a newly
    /// fitted grid.
    private static func encode(
        _ rows: PaddedRows, on preferred: CodeGrid?, into codes: UnsafeMutablePointer<UInt8>
    ) -> RowCoding {
        if let preferred {
            var trial = RowCoding(grid: preferred)
            unsafe trial.encode(rows, metric: .squaredL2, into: codes, firstRow: 0)
            if trial.outliers.count <= rows.count / 256 { return trial }
        }
        let fit = unsafe GridFit(
            rows: rows.base, count: rows.count, stride: rows.stride, dimension: rows.dimension, metric: .squaredL2)
        var coding = RowCoding(grid: CodeGrid(offsets: fit.offsets, scale: fit.scale))
        unsafe coding.encode(rows, metric: .squaredL2, into: codes, firstRow: 0)
        return coding
    }

    /// The bytes of the codes.
    var bytes: Int { memory.byteCount }

    /// Erases the codes of a changed or removed row.
    func forget(_ row: Int) {
        unknown[row / Kernels.blockRows] |= 1 << UInt64(row % Kernels.blockRows)
        let groups = axes.count / 4
        for group in 0..<groups {
            unsafe (codes + codeOffset(row: row, group: group, groups: groups)).update(repeating: 0, count: 4)
        }
    }

    /// Whether most blocks have an unknown row, so that the codes can exclude little.
    func isStale(in chunk: Chunk) -> Bool {
        2 * (0..<chunk.blocks).count { unknown[$0] & chunk.occupied($0) != 0 } > chunk.blocks
    }
}
