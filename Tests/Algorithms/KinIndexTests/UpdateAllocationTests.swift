import CAllocationCounter
import KinTestSupport
import Testing

@testable import KinIndex

private var isRelease: Bool {
    #if DEBUG
        false
    #else
        true
    #endif
}

/// "No allocation per updated row", counted at the allocator itself; skipped whenever ``AllocationTests`` is.
///
/// A change may allocate occasionally: when a list is rebuilt, when memory has to grow (including the list of rows
/// outside a grid), or when a page of the id table is divided. So the tests count the changes that allocate.
///
/// Only optimised code is counted: without optimisation, closures and generic calls may allocate.
@Suite(.enabled(if: allocation_counter_works() == 1 && isOptimised, "allocations are not counted here"))
struct UpdateAllocationTests {
    enum Change: CaseIterable { case same, near, far, new, removal }

    /// Changes one row per step.
    ///
    /// - Returns: The number of steps that allocated.
    private func allocatingChanges(
        _ change: Change, of index: inout VectorIndex, steps: Int, random: inout SeededGenerator
    ) throws -> Int {
        var some = 0
        let ids = index.ids
        for step in 0..<steps {
            let old = ids[(step * 7_919 + 13) % ids.count]
            let id = change == .new ? VectorID(1 << 40 + UInt64(step) * 977) : old
            var row = (0..<index.dimension).map { _ in Float(random.gaussian()) }
            if change == .same || change == .near, let vector = try index.vector(for: old) { row = vector }
            if change == .near { row[step % row.count] *= 1.001 }
            let before = allocation_count()
            if change == .removal { _ = index.remove(CollectionOfOne(id)) } else { try index.upsert(row, id: id) }
            some += allocation_count() > before ? 1 : 0
        }
        return some
    }

    /// Every metric, and one of them with attributes.
    private static let kinds =
        Metric.allCases.map { ($0, AttributeSchema()) }
        + [(.squaredL2, try! AttributeSchema(["price": .integer, "kind": .category]))]

    /// Ids that all differ from the numbers of their slots.
    private static let ids = (0..<9_000).map { VectorID(UInt64($0) * 1_000_003) }

    /// Checks the number of allocating changes of each kind, among 500, against a limit.
    private func check(
        _ index: inout VectorIndex, random: inout SeededGenerator, _ note: String, most: (Change) -> Int
    ) throws {
        for change in Change.allCases {
            // The first changes set up the runtime's type tables.
            _ = try allocatingChanges(change, of: &index, steps: 30, random: &random)
            let some = try allocatingChanges(change, of: &index, steps: 500, random: &random)
            #expect(some <= most(change), "\(note) \(change): \(some) of 500")
        }
    }

    @Test(
        "updates of inverted-file indexes allocate a bounded number of times",
        arguments: [IndexLayout.medianSplits, .centroids(12)], [8, 5])
    func lists(partition: IndexLayout, dimension: Int) throws {
        for (metric, schema) in Self.kinds {
            var random = SeededGenerator(seed: 3)
            var index = VectorIndex(dimension: dimension, metric: metric, layout: partition, attributes: schema)
            try index.upsert(random.gaussianMatrix(rows: 9_000, columns: dimension), ids: Self.ids)
            try check(&index, random: &random, "\(metric) \(partition) \(dimension)") { change in
                change == .same || change == .near ? 10 : 75
            }
            #expect(index.brokenInvariant() == nil)
        }
    }

    /// Only in a release build: modules that are optimised one by one allocate once for each change.
    @Test("updates of flat indexes allocate a bounded number of times", .enabled(if: isRelease), arguments: [16, 5])
    func flat(dimension: Int) throws {
        for (metric, schema) in Self.kinds {
            var random = SeededGenerator(seed: 3)
            var index = VectorIndex(dimension: dimension, metric: metric, layout: .flat, attributes: schema)
            try index.upsert(random.gaussianMatrix(rows: 9_000, columns: dimension), ids: Self.ids)
            try check(&index, random: &random, "\(metric) \(dimension)") { change in
                change == .new || change == .removal ? 50 : 5
            }
        }
    }

    @Test(
        "few of 1,000 changes rebuild a list, and searches visit few lists",
        arguments: [(IndexLayout.medianSplits, 10), (.centroids(25), 15)])
    func work(partition: IndexLayout, mostRebuilds: Int) throws {
        var random = SeededGenerator(seed: 1)
        let vectors = DataShape.clustered.matrix(rows: 50_000, dimension: 16, random: &random)
        var index = VectorIndex(dimension: 16, layout: partition)
        try index.upsert(vectors, ids: (0..<50_000).map { VectorID(UInt64($0) * 1_000_003) })
        let visited = try (0..<100).map { row in
            try index.explain(Array(vectors.row(500 * row)), k: 10).lists?.visited ?? 0
        }
        var (rebuilds, most) = (0, UInt64(0))
        for step in 0..<1_000 {
            let number = step % 2 == 0 ? 50_000 + step : random.below(50_000)
            let id = VectorID(UInt64(number) * 1_000_003)
            let row = vectors.row(random.below(50_000)).map { $0 + Float(random.gaussian()) / 1_000 }
            let before = allocated_bytes()
            try index.upsert(row, id: id)
            let bytes = allocated_bytes() - before
            // A list takes more than this, and nothing else does.
            rebuilds += bytes > 100_000 ? 1 : 0
            most = max(most, bytes)
        }
        #expect(rebuilds <= mostRebuilds)
        #expect(most <= 700_000, "\(most) bytes for the lists themselves, of at most 4,096 rows of 88 bytes")
        #expect(visited.reduce(0, +) <= 350, "3 lists a search, and some for other instruction sets")
    }

    /// The bytes requested by the first change after a copy, in an index with this number of lists.
    private func bytesOfFirstChange(lists: Int) throws -> UInt64 {
        var random = SeededGenerator(seed: 5)
        var index = VectorIndex(smallListsOf: 4, shift: 8)
        let n = 160 * lists
        try index.upsert(
            random.uniformMatrix(rows: n, columns: 4), ids: (0..<n).map { VectorID(UInt64($0) * 1_000_003) })
        #expect(index.listCount > lists / 2)
        var most: UInt64 = 0
        for step in 0..<20 {
            let id = index.ids[step * n / 20]
            let vector = try #require(try index.vector(for: id))
            let copy = index
            let before = allocated_bytes()
            try index.upsert(vector, id: id)
            most = max(most, allocated_bytes() - before)
            #expect(copy.count == index.count)
        }
        return most
    }

    @Test("memory for the first change after a copy does not grow with the lists")
    func firstChange() throws {
        let (few, many) = (try bytesOfFirstChange(lists: 100), try bytesOfFirstChange(lists: 400))
        #expect(many < few + 8_192, "\(few) and \(many) bytes")
    }
}
