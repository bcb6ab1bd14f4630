import Benchmark
import CAllocationCounter
import Kin

// Counts that do not depend on the machine are compared with ../Thresholds: allocations, bytes, lists visited. Times
// are only printed.

/// Heap allocations of the benchmark's thread in one call.
private let heapAllocations = BenchmarkMetric.custom("heap allocations", useScalingFactor: false)
/// The number of lists that a search visits.
private let listsVisited = BenchmarkMetric.custom("lists visited", useScalingFactor: false)
/// Changes that rebuild a list, which are the slowest: the p99.9 of a change's time.
private let rebuilds = BenchmarkMetric.custom("rebuilds", useScalingFactor: false)
/// Kilobytes that a change allocates.
private let kilobytes = BenchmarkMetric.custom("kilobytes allocated", useScalingFactor: false)

// Names are file names in ../Thresholds: the operation, the number of vectors, the dimension, the metric or partition.
let benchmarks: @Sendable () -> Void = {
    for metric in Metric.allCases {
        Benchmark("one-query-100k-16-\(metric.rawValue)", configuration: .counted(heapAllocations)) {
            benchmark, subject in
            try subject.search(benchmark)
        } setup: {
            try Subject(rows: 100_000, metric: metric)
        }
        // Instruction sets screen with different codes, so the number of visited lists may differ by a few.
        Benchmark(
            "one-query-visits-100k-16-\(metric.rawValue)",
            configuration: .counted(listsVisited, tolerance: .init(absolute: [.p90: 2]))
        ) {
            benchmark, subject in
            try subject.explain(benchmark)
        } setup: {
            try Subject(rows: 100_000, metric: metric)
        }
    }
    for (name, partition) in [("splits", IndexLayout.medianSplits), ("centroids", .centroids(50))] {
        for change in Change.allCases {
            Benchmark("one-change-\(change.rawValue)-100k-16-\(name)", configuration: .counted(heapAllocations)) {
                benchmark, subject in
                try subject.change(change, benchmark)
            } setup: {
                try Subject(rows: 100_000, partition: partition)
            }
        }
        Benchmark(
            "one-change-in-1000-100k-16-\(name)",
            configuration: .counted(rebuilds, tolerance: .init(absolute: [.p90: 3]), iterations: 30)
        ) {
            benchmark, subject in
            try subject.changeThousand(benchmark)
        } setup: {
            try Subject(rows: 100_000, partition: partition)
        }
    }
    for thousands in [100, 1_000] {
        Benchmark(
            "one-change-after-a-copy-\(thousands)k-16-splits",
            configuration: .counted(kilobytes, tolerance: .init(relative: [.p90: 15]))
        ) {
            benchmark, subject in
            try subject.changeAfterCopy(benchmark)
        } setup: {
            try Subject(rows: 1_000 * thousands)
        }
    }
}

extension Benchmark.Configuration {
    /// The time of one call, and a count.
    ///
    /// - Parameter tolerance: The largest difference between the count and the one in ../Thresholds.
    fileprivate static func counted(
        _ metric: BenchmarkMetric, tolerance: BenchmarkThresholds = .init(absolute: [.p90: 0]), iterations: Int = 500
    ) -> Self {
        .init(
            metrics: [.wallClock, .throughput, metric], warmupIterations: 1, scalingFactor: .one,
            maxDuration: .seconds(30), maxIterations: iterations, thresholds: [metric: tolerance])
    }
}

/// A change of one vector.
private enum Change: String, CaseIterable {
    /// A new vector near the old one, and one anywhere.
    case near, far
    case new, removal
}

/// An index of vectors in clusters, the same on every machine: sums of uniform numbers, without functions of the C
/// library.
private final class Subject {
    private var index: VectorIndex
    private var random = SeededGenerator(seed: 1)
    private var centres: [[Float]] = []
    private let rows: Int

    init(rows: Int, metric: Metric = .squaredL2, partition: IndexLayout = .medianSplits) throws {
        precondition(allocation_counter_works() == 1, "allocations are not counted on this system")
        self.rows = rows
        index = VectorIndex(dimension: 16, metric: metric, layout: partition)
        centres = (0..<rows / 500).map { _ in (0..<16).map { _ in Float(random.uniform()) } }
        let elements = (0..<rows).flatMap { _ in row() }
        try index.upsert(Matrix(rows: rows, columns: 16, elements: elements), ids: (0..<rows).map(id))
    }

    private func row() -> [Float] {
        centres[random.below(centres.count)].map { centre in
            centre + 0.05 * Float((0..<6).reduce(-3) { sum, _ in sum + random.uniform() })
        }
    }

    /// The id of row i; ids are shuffled, so that none equals the number of its slot.
    private func id(_ i: Int) -> VectorID { VectorID(UInt64(i) &* 0x9E37_79B9_7F4A_7C15 >> 1) }

    /// The id to change, and its new vector.
    private func changed(_ change: Change, step: Int) -> (id: VectorID, row: [Float]) {
        let id = id(change == .new ? rows + step : change == .removal ? step : random.below(rows))
        guard change == .near, var row = try? index.vector(for: id) else { return (id, row()) }
        row[step % 16] += 1e-4
        return (id, row)
    }

    func search(_ benchmark: Benchmark) throws {
        let row = row()
        var results = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: 10)
        let query = row.span
        var buffer = results.mutableSpan
        benchmark.startMeasurement()
        let before = allocation_count()
        Benchmark.blackHole(try index.search(query, into: &buffer))
        let after = allocation_count()
        benchmark.stopMeasurement()
        benchmark.measurement(heapAllocations, Int(after - before))
    }

    func explain(_ benchmark: Benchmark) throws {
        let visited = try index.explain(row(), k: 10).lists?.visited
        benchmark.measurement(listsVisited, visited ?? 0)
    }

    func change(_ change: Change, _ benchmark: Benchmark) throws {
        let (id, row) = changed(change, step: benchmark.currentIteration)
        benchmark.startMeasurement()
        let before = allocation_count()
        if change == .removal { index.remove(id) } else { try index.upsert(row, id: id) }
        let after = allocation_count()
        benchmark.stopMeasurement()
        benchmark.measurement(heapAllocations, Int(after - before))
    }

    /// Inserts 500 vectors and moves 500 others.
    func changeThousand(_ benchmark: Benchmark) throws {
        let listBytes: UInt64 = 100_000
        var count = 0
        for i in 0..<1_000 {
            let (id, row) = changed(i % 2 == 0 ? .new : .far, step: benchmark.currentIteration * 1_000 + i)
            let before = allocated_bytes()
            try index.upsert(row, id: id)
            count += allocated_bytes() - before > listBytes ? 1 : 0
        }
        benchmark.measurement(rebuilds, count)
    }

    func changeAfterCopy(_ benchmark: Benchmark) throws {
        let (id, row) = changed(.near, step: benchmark.currentIteration)
        let copy = index
        benchmark.startMeasurement()
        let before = allocated_bytes()
        try index.upsert(row, id: id)
        let after = allocated_bytes()
        benchmark.stopMeasurement()
        benchmark.measurement(kilobytes, Int(after - before) / 1_024)
        Benchmark.blackHole(copy.count)
    }
}
