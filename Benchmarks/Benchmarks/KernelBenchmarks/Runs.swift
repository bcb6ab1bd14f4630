import CKernelsMeasured

/// Small numbers without a pattern that a kernel could exploit.
private struct Noise {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// A tile of queries, the code blocks to screen, and limits that almost no row passes, as in a search.
@safe
final class ScreenRun {
    private let table: UnsafePointer<kin_kernels>
    private var job: kin_screen_job
    private let codes: UnsafeMutablePointer<UInt8>
    private let weights: UnsafeMutablePointer<Int8>
    private let limits: UnsafeMutablePointer<Int32>
    private let hits: UnsafeMutablePointer<kin_hit>

    init(level: Int, queries: Int, vectors: Int, dimension: Int) {
        unsafe table = kin_kernels_at(level)!
        var noise = Noise()
        let groups = dimension / 4
        let bytes = vectors * dimension
        unsafe codes = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: bytes)
        for i in 0..<bytes { unsafe codes[i] = UInt8(noise.next() % 255) + 1 }
        unsafe weights = .allocate(capacity: queries * dimension)
        for i in 0..<queries * dimension { unsafe weights[i] = Int8(Int(noise.next() % 63) - 31) }
        unsafe limits = .allocate(capacity: queries)
        unsafe limits.initialize(repeating: Int32.min, count: queries)
        unsafe hits = .allocate(capacity: 1_024)
        unsafe job = kin_screen_job(
            codes: codes, groups: groups, end_block: vectors / Int(KIN_BLOCK_ROWS), weights: weights, limits: limits,
            queries: queries, squared: 1, chosen: nil, sums: nil)
    }

    deinit {
        unsafe codes.deallocate()
        unsafe weights.deallocate()
        unsafe limits.deallocate()
        unsafe hits.deallocate()
    }

    func screen() -> Int {
        var block = 0
        return unsafe table.pointee.screen(&job, &block, hits, 1_024)
    }
}

/// Rows of floats, and the kernels' outputs for them.
@safe
final class RowsRun {
    private let table: UnsafePointer<kin_kernels>
    private let rows: UnsafeMutablePointer<Float>
    private let offsets: UnsafeMutablePointer<Double>
    private let codes: UnsafeMutablePointer<UInt8>
    private let errors: UnsafeMutablePointer<Float>
    private let out: UnsafeMutablePointer<Double>
    private let vectors: Int
    private let dimension: Int

    init(level: Int, vectors: Int, dimension: Int) {
        unsafe table = kin_kernels_at(level)!
        self.vectors = vectors
        self.dimension = dimension
        var noise = Noise()
        unsafe rows = .allocate(capacity: vectors * dimension)
        for i in 0..<vectors * dimension { unsafe rows[i] = Float(noise.next() >> 40) * 0x1p-24 }
        unsafe offsets = .allocate(capacity: dimension)
        unsafe offsets.initialize(repeating: -1.0 / 254, count: dimension)
        unsafe codes = UnsafeMutableRawPointer.allocate(byteCount: vectors * dimension, alignment: 64)
            .bindMemory(to: UInt8.self, capacity: vectors * dimension)
        unsafe errors = .allocate(capacity: 2 * vectors)
        unsafe out = .allocate(capacity: vectors)
    }

    deinit {
        unsafe rows.deallocate()
        unsafe offsets.deallocate()
        unsafe codes.deallocate()
        unsafe errors.deallocate()
        unsafe out.deallocate()
    }

    func distances(_ metric: kin_metric) -> Double {
        unsafe table.pointee.distances(metric, rows, rows, dimension, nil, vectors, out)
        return unsafe out[vectors - 1]
    }

    func encode() -> UInt8 {
        unsafe table.pointee.encode(rows, vectors, dimension, dimension, 0, offsets, 1.0 / 254, codes, 0, errors)
        return unsafe codes[0]
    }

    func checksum() -> UInt32 {
        unsafe table.pointee.crc32c(0, rows, vectors * dimension * 4)
    }
}
