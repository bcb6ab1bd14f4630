import KinLinearAlgebra

/// The codes of a chunk's rows along the principal axes of an index: a small part of the bytes of the rows' own codes.
///
/// A row that is farther from a query along the axes than the search's radius is farther than that (``PrincipalAxes``), so that of most rows
/// nothing else has to be read. Codes are as those of rows, on a grid for coordinates along the axes.
///
/// Invariant: of every row in use that is not listed as unknown these are the codes, and within the errors of `coding`. The chunk keeps it:
/// whoever writes a chunk is alone with it, so that these codes are never written while a search reads them.
@safe
final class PrincipalCodes: @unchecked Sendable {
    let axes: PrincipalAxes
    /// The grid and the errors; nothing else of a row outside the grid is known.
    private(set) var coding: RowCoding
    private let memory: CodeMemory
    /// The bits of the rows in each block that have no codes: those outside the grid, and those that came or changed since.
    private(set) var unknown: [UInt64]
    /// A bound on the error of a row's coordinates, in the norm.
    private(set) var uncertainty = 0.0
    /// The largest squared norm of a row.
    private(set) var largestSquaredNorm = 0.0

    /// Makes the codes of a coded chunk.
    ///
    /// - Parameters:
    ///   - preferred: A grid of other chunks, taken if hardly a row is outside of it.
    ///   - slab: A slab to take the memory from if it has room.
    init(of chunk: Chunk, axes: PrincipalAxes, preferring preferred: CodeGrid?, in slab: CodeSlab?) {
        self.axes = axes
        let (n, m) = (chunk.count, axes.count)
        let coordinates = UnsafeMutablePointer<Float>.allocate(capacity: n * m)
        defer { unsafe coordinates.deallocate() }
        memory = CodeMemory(Self.bytes(of: chunk, axes: axes), in: slab)
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

    /// The bytes of the codes of a chunk: a block for each 64 rows of its capacity.
    static func bytes(of chunk: Chunk, axes: PrincipalAxes) -> Int { chunk.capacity * axes.count }

    /// Codes the coordinates of rows on a grid if all but one in 256 lie in it, else on one of their own.
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

    /// Erases the codes of a row that was changed or removed.
    func forget(_ row: Int) {
        unknown[row / Kernels.blockRows] |= 1 << UInt64(row % Kernels.blockRows)
        let groups = axes.count / 4
        for group in 0..<groups {
            unsafe (codes + codeOffset(row: row, group: group, groups: groups)).update(repeating: 0, count: 4)
        }
    }

    /// Whether most blocks have an unknown row, so that little can be left out.
    func isStale(in chunk: Chunk) -> Bool {
        2 * (0..<chunk.blocks).count { unknown[$0] & chunk.occupied($0) != 0 } > chunk.blocks
    }
}
