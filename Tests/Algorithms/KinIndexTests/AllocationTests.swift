import CAllocationCounter
import KinIndex
import KinTestSupport
import Testing

/// "No heap allocation per query with a caller's buffer", counted at the allocator itself.
///
/// The counter sees every call of malloc on this thread, including those inside the Swift runtime. If it cannot work
/// (not glibc, or a sanitizer has replaced the allocator), the suite is skipped with a reason.
@Suite(.enabled(if: allocation_counter_works() == 1, "allocations are not counted here"))
struct AllocationTests {
    /// Allocations of this thread while `work` runs.
    private static func allocations(_ work: () throws -> Void) rethrows -> UInt64 {
        let before = allocation_count()
        try work()
        return allocation_count() - before
    }

    @Test(arguments: Metric.allCases, [16, 7, 48])
    func searchIntoACallersBufferAllocatesNothing(metric: Metric, dimension: Int) throws {
        // Without optimisation, a traversal of lists may allocate.
        for layout in isOptimised ? [IndexLayout.flat, .medianSplits] : [.flat] {
            try searchAllocatesNothing(metric, dimension, layout)
        }
    }

    private func searchAllocatesNothing(_ metric: Metric, _ dimension: Int, _ layout: IndexLayout) throws {
        var generator = SeededGenerator(seed: 11)
        let rows = try Matrix<Float>(
            rows: 10_000,
            columns: dimension,
            elements: (0..<10_000 * dimension).map { _ in Float(generator.uniform()) }
        )
        var index = VectorIndex(dimension: dimension, metric: metric, layout: layout)
        _ = try index.append(rows)
        let queries = (0..<20).map { _ in (0..<dimension).map { _ in Float(generator.uniform()) } }
        var results = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: 10)
        let filters: [SearchFilter] = [.all, .predicate { $0.rawValue % 3 == 0 }]
        var found = 0
        var counted: UInt64 = 0
        for (number, query) in queries.enumerated() {
            // Without optimisation, creating a span may allocate, so only the call itself is counted.
            let span = query.span
            var buffer = results.mutableSpan
            let before = allocation_count()
            found += try index.search(span, into: &buffer, options: .init(where: filters[number % 2]))
            let after = allocation_count()
            // The first searches in a process set up the runtime's type tables.
            if number >= filters.count { counted += after - before }
        }
        #expect(counted == 0, "\(layout): \(counted) allocations in \(queries.count - filters.count) queries")
        #expect(found == 10 * queries.count)
    }

    /// The control: the convenience call returns an array, and the counter must see that allocation.
    @Test func theCounterSeesAnAllocatingSearch() throws {
        var index = VectorIndex(dimension: 2, layout: .flat)
        _ = try index.append(Matrix(rows: [[0, 1], [1, 0], [1, 1]]))
        let counted = try Self.allocations { _ = try index.search([0.5, 0.5], k: 2) }
        #expect(counted > 0)
    }
}
