import Benchmark
import CAllocationCounter
import Kin

/// Heap allocations of the benchmark's thread in one iteration. Not divided by the scaling factor, because one in a
/// thousand would then be shown as 0.
private let heapAllocations = BenchmarkMetric.custom("heap allocations", useScalingFactor: false)

// Names are file names in ../Thresholds: the operation, the number of vectors, the dimension, the metric.
let benchmarks: @Sendable () -> Void = {
    for metric in Metric.allCases {
        Benchmark("one-query-100k-16-\(metric.rawValue)", configuration: .hotPath) { benchmark in
            let index = try sample(rows: 100_000, dimension: 16, metric: metric)
            try benchmark.measureSearches(of: index, into: 10)
        }
    }
    for dimension in [48, 128, 512] {
        Benchmark("one-query-10k-\(dimension)-l2", configuration: .hotPath) { benchmark in
            let index = try sample(rows: 10_000, dimension: dimension, metric: .squaredL2)
            try benchmark.measureSearches(of: index, into: 10)
        }
    }
    for threads in [1, 2] {
        Benchmark("batch-256-100k-16-l2-threads-\(threads)", configuration: .batch) { benchmark in
            let index = try sample(rows: 100_000, dimension: 16, metric: .squaredL2)
            let queries = try uniform(rows: 256, dimension: 16, seed: 2)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                blackHole(try index.search(queries, k: 10, options: .init(threads: threads)))
            }
        }
    }
    Benchmark("snapshot-upsert-search-100k-16-l2", configuration: .batch) { benchmark in
        var index = try sample(rows: 100_000, dimension: 16, metric: .squaredL2)
        let vectors = try uniform(rows: 64, dimension: 16, seed: 3)
        benchmark.startMeasurement()
        for iteration in benchmark.scaledIterations {
            let snapshot = index
            try index.upsert(Array(vectors.row(iteration % 64)), id: VectorID(UInt64(iteration)))
            blackHole(try snapshot.search(Array(vectors.row(0)), k: 10))
        }
    }
}

extension Benchmark.Configuration {
    /// One query with the caller's buffer: its time, and the guarantee of no allocation (see ../Thresholds).
    fileprivate static var hotPath: Self {
        .init(
            metrics: [.wallClock, .throughput, heapAllocations],
            scalingFactor: .one,
            maxDuration: .milliseconds(500),
            maxIterations: 500,
            // Without a tolerance, a count is not compared with its threshold at all.
            thresholds: [heapAllocations: BenchmarkThresholds(absolute: [.p90: 0])]
        )
    }

    fileprivate static var batch: Self {
        .init(metrics: [.wallClock, .throughput], maxDuration: .seconds(1), maxIterations: 200)
    }
}

extension Benchmark {
    /// Searches for one vector after the other. Only the call is counted, since creating a span is up to the caller.
    fileprivate func measureSearches(of index: VectorIndex, into k: Int) throws {
        let queries = try uniform(rows: 64, dimension: index.dimension, seed: 2)
        let rows = (0..<queries.rows).map { Array(queries.row($0)) }
        var results = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: k)
        precondition(allocation_counter_works() == 1, "allocations are not counted on this system")
        startMeasurement()
        for iteration in scaledIterations {
            let row = rows[iteration % rows.count]
            let query = row.span
            var buffer = results.mutableSpan
            let before = allocation_count()
            Benchmark.blackHole(try index.search(query, into: &buffer))
            measurement(heapAllocations, Int(allocation_count() - before))
        }
        stopMeasurement()
    }
}

private func sample(rows: Int, dimension: Int, metric: Metric) throws -> VectorIndex {
    var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat)
    try index.append(uniform(rows: rows, dimension: dimension, seed: 1))
    return index
}

private func uniform(rows: Int, dimension: Int, seed: UInt64) throws -> Matrix<Float> {
    var generator = SeededGenerator(seed: seed)
    return try Matrix(
        rows: rows,
        columns: dimension,
        elements: (0..<rows * dimension).map { _ in Float(generator.uniform()) }
    )
}
