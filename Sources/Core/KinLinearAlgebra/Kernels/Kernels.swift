import CKinKernels

/// The SIMD kernels of one instruction set, specified in `kin_kernels.h` with all shapes and layouts.
///
/// The only interface to the C kernels: the layers above use these calls and no C types.
@safe
package struct Kernels: Sendable {
    /// The constant table of functions, valid for the life of the process.
    nonisolated(unsafe) let table: UnsafePointer<kin_kernels>

    private init(_ table: UnsafePointer<kin_kernels>) { unsafe self.table = table }

    /// The best table that this CPU can run, or the table named by the environment variable `KIN_SIMD`.
    package static let active = unsafe Kernels(kin_kernels_active())

    /// The tables that this CPU can run, the serial reference first and the best last.
    package static let available: [Kernels] = {
        var all: [Kernels] = []
        while let table = unsafe kin_kernels_at(all.count) { unsafe all.append(Kernels(table)) }
        return all
    }()

    /// The name of the instruction set, one of the names in `levels.h`.
    package var name: String { unsafe String(cString: table.pointee.name) }

    /// The number of leading code bits that the screen of this table uses.
    package var precision: CodePrecision { unsafe table.pointee.code_bits == 6 ? .sixBits : .eightBits }

    /// The number of leading code bits that ``passing(_:blocks:weights:limit:into:)`` uses: all eight, except for inner
    /// products.
    @inline(__always)
    package func precision(ofBlocks metric: Metric) -> CodePrecision {
        metric.comparesProducts ? precision : .eightBits
    }
}

extension Kernels {
    /// Computes exact distances from `query` (stride floats) to n rows of n × stride floats, and writes them to `out`
    /// (n doubles).
    @inline(__always)
    package func distances(
        _ metric: Metric, from query: UnsafePointer<Float>, to rows: UnsafePointer<Float>, stride: Int, count: Int,
        into out: UnsafeMutablePointer<Double>
    ) {
        unsafe table.pointee.distances(metric.kernelMetric, query, rows, stride, nil, count, out)
    }

    /// Computes exact distances from `query` only to the rows with the picked numbers.
    @inline(__always)
    package func distances(
        _ metric: Metric, from query: UnsafePointer<Float>, to rows: UnsafePointer<Float>, stride: Int,
        picks: UnsafeBufferPointer<UInt32>, into out: UnsafeMutablePointer<Double>
    ) {
        unsafe table.pointee.distances(
            metric.kernelMetric, query, rows, stride, picks.baseAddress!, picks.count, out)
    }

    /// Prefetches the cache lines of bytes that will be read soon.
    @inline(__always)
    package func prefetch(_ address: UnsafeRawPointer, bytes: Int) {
        for line in stride(from: 0, to: bytes, by: 64) { unsafe kin_prefetch(address + line) }
    }

    /// Prefetches some of a block's rows, the first 256 bytes of each, and the rows' ids, which are stored separately.
    ///
    /// - Parameters:
    ///   - chosen: The rows, row r at bit r.
    ///   - rows: The block's rows, of `stride` floats each.
    ///   - ids: The ids of the block's rows.
    package func prefetch(
        _ chosen: UInt64, of rows: UnsafePointer<Float>, stride: Int, ids: UnsafePointer<VectorID>
    ) {
        var rest = chosen
        while rest != 0 {
            let r = rest.trailingZeroBitCount
            rest &= rest - 1
            unsafe prefetch(rows + r * stride, bytes: min(stride * 4, 256))
            unsafe kin_prefetch(ids + r)
        }
    }

    /// The index of the first NaN or infinity; nil if all values are finite. O(n).
    package func firstNotFinite(_ values: UnsafeBufferPointer<Float>) -> Int? {
        guard let base = values.baseAddress else { return nil }
        let index = unsafe table.pointee.first_not_finite(base, values.count)
        return index < values.count ? index : nil
    }
}

extension Metric {
    /// The constant of the kernels.
    var kernelMetric: kin_metric { kin_metric(UInt32(number)) }
}
