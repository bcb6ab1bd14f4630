import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Single changes and the searches that follow")
struct SingleChangeTests {
    @Test("a vector that stays in its list is replaced in place", arguments: Metric.allCases)
    func replacing(metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: 2_000, dimension: 4, random: &random)
        var index = VectorIndex(smallListsOf: 4, metric: metric, shift: 8)
        try index.append(vectors)
        let id = VectorID(77)
        let slot = index.lists.slot(of: id)
        var near = try #require(try index.vector(for: id))
        near[0] += 1e-5
        try index.upsert(near, id: id)
        #expect(try index.lists.slot(of: id) == slot && index.vector(for: id) == near && index.count == 2_000)
        #expect(try index.search(near, k: 1).first?.id == id || metric == .innerProduct)
        for step in 0..<600 {
            let row = (0..<4).map { _ in Float(random.gaussian()) }
            try index.upsert(row, id: VectorID(UInt64(step * 3)))
        }
        #expect(index.brokenInvariant() == nil && index.count == 2_000)
    }

    @Test(
        "replacing most or all vectors builds once and keeps the others", arguments: IndexSearchTests.partitionings
    )
    func replacingAll(partition: IndexLayout) throws {
        var random = TestSeed().generator
        let n = 3_000
        let ids = (0..<n).map { VectorID(UInt64($0) * 3) }
        var index = VectorIndex(smallListsOf: 4, partition: partition, shift: 8)
        try index.upsert(random.gaussianMatrix(rows: n, columns: 4), ids: ids)
        for kept in [0, 400] {
            let new: Matrix<Float> = random.uniformMatrix(rows: n - kept, columns: 4)
            let rest = try ids.suffix(kept).map { try index.vector(for: $0) }
            try index.upsert(new, ids: Array(ids.prefix(n - kept)))
            #expect(index.count == n && index.ids.sorted() == ids)
            #expect(try (0..<n - kept).allSatisfy { try index.vector(for: ids[$0]) == Array(new.row($0)) })
            #expect(try ids.suffix(kept).map { try index.vector(for: $0) } == rest)
            // A build leaves no list with changes: one that was emptied row by row and filled again would have them.
            #expect(index.lists.store.lists.allSatisfy { $0.changes == 0 })
            #expect(index.brokenInvariant() == nil)
        }
    }

    @Test("a rebuilt list keeps the addresses of its rows", arguments: [UInt64(0), 1 << 40])
    func addresses(first: UInt64) throws {
        var random = TestSeed().generator
        let n = 1_500
        let ids = (0..<n).map { VectorID(first + UInt64($0) * 5) }
        var expected: Matrix<Float> = random.gaussianMatrix(rows: n, columns: 4)
        var index = VectorIndex(smallListsOf: 4, shift: 8)
        try index.upsert(expected, ids: ids)
        let before = index.ids
        for _ in 0..<3_000 {
            let r = random.below(n)
            expected[r, random.below(4)] += 1e-6
            try index.upsert(Array(expected.row(r)), id: ids[r])
        }
        // Each list was rebuilt several times. The map of ids changed only for the few rows that crossed a border.
        #expect(
            index.ids != before && index.lists.map.recent.count < n / 20, "\(index.lists.map.recent.count)")
        for _ in 0..<800 {
            let r = random.below(n)
            if index.contains(ids[r]) {
                let isRemoved = index.remove(ids[r])
                #expect(isRemoved)
            } else {
                try index.upsert(Array(expected.row(r)), id: ids[r])
            }
        }
        let folder = TemporaryFolder()
        try index.save(to: folder.path("saved.kin"))
        for index in [index, try VectorIndex(opening: folder.path("saved.kin"))] {
            #expect(index.brokenInvariant() == nil && index.ids.allSatisfy(index.contains))
            let isRight = try ids.indices.allSatisfy { r in
                try index.vector(for: ids[r]).map { $0 == Array(expected.row(r)) } ?? true
            }
            #expect(isRight)
        }
        #expect(try VectorIndex.verify(folder.path("saved.kin")).isIntact)
    }

    @Test("a change replaces the version only while something else holds it")
    func stamps() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 3)
        try index.append(random.gaussianMatrix(rows: 100, columns: 3))
        let first = ObjectIdentifier(index.lists.version)
        for id in 0..<50 { try index.upsert([1, 2, Float(id)], id: VectorID(UInt64(id))) }
        #expect(ObjectIdentifier(index.lists.version) == first)
        let held = index.lists.version
        try index.upsert([1, 2, 3], id: 7)
        #expect(index.lists.version !== held)
        let copy = index
        try index.upsert([1, 2, 4], id: 7)
        #expect(index.lists.version !== copy.lists.version)
    }

    @Test("precomputed filters stay within a budget, and the least recently used go first")
    func budget() throws {
        var random = TestSeed().generator
        let n = 40_000
        var index = VectorIndex(dimension: 4)
        try index.append(random.gaussianMatrix(rows: n, columns: 4))
        let query: [Float] = [0.1, 0.2, 0.3, 0.4]
        var filters: [SearchFilter] = []
        for f in 0..<12 {
            let filter = SearchFilter.bitmap(IDBitmap((0..<UInt64(n)).filter { $0 % 5 == f % 5 }.map { VectorID($0) }))
            filters.append(filter)
            for _ in 0..<3_000
            where filter.memory?.store(for: index.lists.version, budget: index.lists.filterBudget) == nil {
                _ = try index.search(query, k: 5, options: .init(where: filter))
            }
            _ = try index.search(query, k: 5, options: .init(where: filters[0]))
            #expect(index.lists.filterBudget.bytes <= index.lists.filterBytes)
        }
        let kept = filters.map { $0.memory?.store(for: index.lists.version, budget: index.lists.filterBudget) != nil }
        #expect(kept[0] && kept[11] && kept.contains(false), "\(kept)")
        let all = try index.search(query, k: n)
        for filter in filters {
            let found = try index.search(query, k: 5, options: .init(where: filter))
            #expect(found == all.lazy.filter { filter.allows($0.id) }.prefix(5).map { $0 })
        }
    }

    @Test(
        "filtered probes continue until k are found", arguments: IndexSearchTests.partitionings, Metric.allCases)
    func probesUnderFilters(partition: IndexLayout, metric: Metric) throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: 5_000, dimension: 5, random: &random)
        var index = VectorIndex(smallListsOf: 5, metric: metric, partition: partition, shift: 8)
        try index.append(vectors)
        for rest: UInt64 in [2, 50, 700] {
            let filter = SearchFilter.predicate { $0.rawValue % rest == 1 }
            let allowed = (0..<5_000).count { UInt64($0) % rest == 1 }
            for q in 0..<8 {
                let query = Array(vectors.row(q * 600))
                for k in [1, 10, 40] {
                    let found = try index.search(query, k: k, options: .init(mode: .probes(1), where: filter))
                    #expect(found.count == min(k, allowed), "one in \(rest), k \(k)")
                    let report = try index.explain(query, k: k, options: .init(mode: .probes(1), where: filter))
                    #expect(report.neighbors == found)
                }
            }
            let queries = try Matrix(rows: 400, columns: 5, elements: Array(vectors.elements.prefix(2_000)))
            let batch = try index.search(queries, k: 10, options: .init(mode: .probes(2), where: filter, threads: 2))
            #expect(batch.allSatisfy { $0.count == min(10, allowed) })
        }
    }

    @Test("finding a vector's centroid list reuses its memory")
    func centroids() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 8, partition: .centroids(20))
        try index.append(random.gaussianMatrix(rows: 4_000, columns: 8))
        let lists = try #require(index.lists.partition.centroidLists)
        let row = [Float](repeating: 0.1, count: 8)
        let first = unsafe row.withUnsafeBufferPointer { unsafe lists.list(of: $0.baseAddress!) }
        let memory = ListScan.with(lists.centroids.lists.store) { $1 }
        let again = unsafe row.withUnsafeBufferPointer { unsafe lists.list(of: $0.baseAddress!) }
        let taken = ListScan.with(lists.centroids.lists.store) { $1 }
        #expect(first == again && taken === memory, "the memory that was there is used again")
    }

    @Test("a change predicted to be short rebuilds at most one list")
    func shortChanges() throws {
        var random = TestSeed().generator
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        try index.append(random.gaussianMatrix(rows: 2_000, columns: 3))
        var (short, long) = (0, 0)
        for step in 0..<3_000 {
            let row = (0..<3).map { _ in (step % 200 == 0 ? 1e4 : 1) * Float(random.gaussian()) }
            let id = VectorID(UInt64(random.below(4_000)))
            let isShort = index.isShort(upserting: try Matrix(rows: 1, columns: 3, elements: row), ids: [id])
            let before = index.lists.store.lists.map { ObjectIdentifier($0.chunk) }
            try index.upsert(row, id: id)
            let rebuilt = zip(before, index.lists.store.lists).count { $0 != ObjectIdentifier($1.chunk) }
            if isShort {
                short += 1
                // A full list sometimes gets a larger chunk.
                #expect(rebuilt <= 1 && before.count == index.listCount, "step \(step)")
            } else {
                long += 1
            }
        }
        #expect(short > 10 * long && long > 0, "\(short) short, \(long) long")
        #expect(index.brokenInvariant() == nil)
    }

    @Test("lists stay as many as requested under replacements, and are dissolved when most vectors are removed")
    func requestedLists() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 4, layout: .centroids(60))
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 9_000, columns: 4)
        try index.append(vectors)
        let flat = try VectorIndex(flat: vectors)
        for row in 0..<600 {
            let id = VectorID(UInt64(row))
            index.remove(id)
            try index.upsert(Array(vectors.row(row)), id: id)
        }
        #expect((50...70).contains(index.listCount), "\(index.listCount) lists")
        for left in [4_500, 40, 0] {
            let removed = Set((left..<9_000).map { VectorID(UInt64($0)) })
            let expected = try flat.search(
                Array(vectors.row(7)), k: 20, options: .init(where: .predicate { !removed.contains($0) }))
            #expect(index.remove(removed.sorted().reversed()) == (left == 4_500 ? 4_500 : left == 40 ? 4_460 : 40))
            #expect(index.brokenInvariant() == nil && index.count == left)
            expectSame(try index.search(Array(vectors.row(7)), k: 20), expected, "\(left) left")
        }
        #expect(index.listCount < 20, "\(index.listCount) lists")
    }
}
