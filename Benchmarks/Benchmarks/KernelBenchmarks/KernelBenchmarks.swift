import Benchmark
import CKernelsMeasured

// The kernels alone, at every instruction set level of this machine. Each name gives the work of one iteration, so that
// a time is easy to read: a tile of 64 queries against 8,192 vectors of 16 dimensions is 524,288 pairs.

let benchmarks: @Sendable () -> Void = {
    var number = 0
    while let table = unsafe kin_kernels_at(number) {
        let level = number
        let name = unsafe String(cString: table.pointee.name)
        for (queries, dimension) in [(64, 16), (1, 16), (64, 48), (64, 128), (64, 512)] {
            let vectors = dimension == 16 ? 8_192 : 1_024
            Benchmark("screen-\(queries)-queries-\(vectors)-vectors-\(dimension)-\(name)", configuration: .kernel) {
                let run = ScreenRun(level: level, queries: queries, vectors: vectors, dimension: dimension)
                $0.startMeasurement()
                for _ in $0.scaledIterations { blackHole(run.screen()) }
            }
        }
        for metric in [KIN_SQUARED_L2, KIN_INNER_PRODUCT, KIN_COSINE] {
            Benchmark("distances-8192-vectors-16-metric-\(metric.rawValue)-\(name)", configuration: .kernel) {
                let run = RowsRun(level: level, vectors: 8_192, dimension: 16)
                $0.startMeasurement()
                for _ in $0.scaledIterations { blackHole(run.distances(metric)) }
            }
        }
        Benchmark("encode-8192-vectors-16-\(name)", configuration: .kernel) {
            let run = RowsRun(level: level, vectors: 8_192, dimension: 16)
            $0.startMeasurement()
            for _ in $0.scaledIterations { blackHole(run.encode()) }
        }
        Benchmark("crc32c-512-kib-\(name)", configuration: .kernel) {
            let run = RowsRun(level: level, vectors: 8_192, dimension: 16)
            $0.startMeasurement()
            for _ in $0.scaledIterations { blackHole(run.checksum()) }
        }
        number += 1
    }
}

extension Benchmark.Configuration {
    fileprivate static var kernel: Self {
        .init(metrics: [.wallClock, .throughput], maxDuration: .milliseconds(300), maxIterations: 2_000)
    }
}
