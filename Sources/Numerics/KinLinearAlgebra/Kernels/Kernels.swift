import CKinKernels

/// The SIMD kernels of one instruction set, as `kin_kernels.h` specifies them; shapes and layouts are explained there.
///
/// This is the one door to the C kernels: everything above this module sees these few calls and no C type.
@safe
package struct Kernels: Sendable {
    /// Points at a constant table that lives as long as the process.
    nonisolated(unsafe) let table: UnsafePointer<kin_kernels>

    private init(_ table: UnsafePointer<kin_kernels>) { unsafe self.table = table }

    /// The best table this CPU runs, or the one that the environment variable `KIN_SIMD` names.
    package static let active = unsafe Kernels(kin_kernels_active())

    /// Every table this CPU runs, the serial reference first and the best last.
    package static let available: [Kernels] = {
        var all: [Kernels] = []
        while let table = unsafe kin_kernels_at(all.count) { unsafe all.append(Kernels(table)) }
        return all
    }()

    /// "serial", "avx2", "avx512", "avx512vnni", "neon" or "neondot".
    package var name: String { unsafe String(cString: table.pointee.name) }

    /// How many leading bits of a code the screen of this table reads.
    package var reading: CodeReading { unsafe table.pointee.code_bits == 6 ? .sixBits : .eightBits }

    /// How many leading bits of a code ``passing(blocks:count:codes:groups:weights:limit:metric:into:)`` reads: all of
    /// them where it has the time.
    @inline(__always)
    package func reading(ofBlocks metric: Metric) -> CodeReading { metric == .innerProduct ? reading : .eightBits }
}

extension Kernels {
    /// Exact distances from `query` (stride floats) to n rows of n × stride floats, into `out` (n doubles).
    ///
    /// - Parameter picks: When given, the rows `picks[0 ..< n]` in place of the first n.
    @inline(__always)
    package func distances(
        _ metric: Metric,
        from query: UnsafePointer<Float>,
        to rows: UnsafePointer<Float>,
        stride: Int,
        picks: UnsafePointer<UInt32>? = nil,
        count: Int,
        into out: UnsafeMutablePointer<Double>
    ) {
        unsafe table.pointee.distances(metric.kernelMetric, query, rows, stride, picks, count, out)
    }

    /// Asks for some bytes that will be read soon.
    @inline(__always)
    package func prefetch(_ address: UnsafeRawPointer, bytes: Int) {
        for line in stride(from: 0, to: bytes, by: 64) { unsafe kin_prefetch(address + line) }
    }

    /// The index of the first NaN or infinity, if there is one.
    package func firstNotFinite(_ values: UnsafeBufferPointer<Float>) -> Int? {
        guard let base = values.baseAddress else { return nil }
        let index = unsafe table.pointee.first_not_finite(base, values.count)
        return index < values.count ? index : nil
    }
}

extension Metric {
    var kernelMetric: kin_metric {
        switch self {
        case .squaredL2: KIN_SQUARED_L2
        case .innerProduct: KIN_INNER_PRODUCT
        case .cosine: KIN_COSINE
        }
    }
}
