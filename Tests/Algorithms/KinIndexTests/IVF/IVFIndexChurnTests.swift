import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Updates of an inverted-file index")
struct IVFIndexChurnTests {
    @Test(
        "random changes leave the same contents as a dictionary", arguments: Metric.allCases,
        [IndexLayout.medianSplits, .centroids(6)])
    func churn(metric: Metric, partition: IndexLayout) throws {
        for shift in partition == .medianSplits ? [8, 9] : [8] {
            var churn = IndexChurn(
                index: VectorIndex(smallListsOf: 4, metric: metric, partition: partition, shift: shift),
                random: TestSeed().generator, largest: 3_000)
            for step in 0..<48 {
                try churn.change()
                if step % 8 == 7 { try churn.check("\(partition) shift \(shift) step \(step)") }
            }
            #expect(churn.mostLists >= 8, "there was something to divide")
        }
    }

    @Test("copies stay unchanged while the index grows vector by vector")
    func growthBesideCopies() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 400, columns: 3)
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        for i in 0..<vectors.rows {
            let copy = index
            try index.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            #expect(copy.count == i && copy.brokenInvariant() == nil, "\(i)")
            #expect(index.count == i + 1 && index.brokenInvariant() == nil, "\(i)")
        }
    }

    @Test("an index grows from empty and shrinks to empty one vector at a time", arguments: DataShape.allCases)
    func oneByOne(shape: DataShape) throws {
        var random = TestSeed().generator
        let n = 1_300
        let vectors = shape.matrix(rows: n, dimension: 3, random: &random)
        let queries = DataShape.queries(for: vectors, random: &random)
        var index = VectorIndex(smallListsOf: 3, shift: 8)
        var flat = VectorIndex(dimension: 3, layout: .flat)
        for i in 0..<n {
            try index.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            try flat.upsert(Array(vectors.row(i)), id: VectorID(UInt64(i)))
            // Just before and after the first list is full, and every 300 changes.
            if [1, 64, 65, 255, 256, 257, 258].contains(i + 1) || i % 300 == 299 {
                try expectSameSearch(index, flat, queries, "after \(i + 1)")
            }
        }
        #expect(index.listCount >= 5)
        for (step, i) in (0..<n).shuffled(using: &random).enumerated() {
            let wasThere = index.remove(VectorID(UInt64(i)))
            flat.remove(VectorID(UInt64(i)))
            #expect(wasThere)
            if step % 200 == 199 || step > n - 4 {
                try expectSameSearch(index, flat, queries, "less \(step + 1)")
            }
        }
        #expect(index.isEmpty && index.listCount == 1)
    }

    private func expectSameSearch(
        _ index: VectorIndex, _ flat: VectorIndex, _ queries: Matrix<Float>, _ note: String
    ) throws {
        #expect(index.brokenInvariant() == nil, "\(note)")
        let expected = try flat.search(queries, k: 7)
        let found = try index.search(queries, k: 7)
        for q in 0..<queries.rows { expectSame(found[q], expected[q], "\(note) query \(q)") }
    }

    @Test("merging adds all vectors or fails without a change", arguments: [IndexLayout.lists, .centroids(5)])
    func merge(partition: IndexLayout) throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 3_000, columns: 4)
        var flat = VectorIndex(dimension: 4, layout: .flat)
        try flat.append(vectors)
        for split in [100, 1_500, 2_900] {
            var first = VectorIndex(smallListsOf: 4, partition: partition)
            var second = VectorIndex(smallListsOf: 4)
            for (index, range) in [(0, 0..<split), (1, split..<3_000)] {
                let rows = try Matrix(rows: range.map { Array(vectors.row($0)) })
                let ids = range.map { VectorID(UInt64($0)) }
                if index == 0 { try first.upsert(rows, ids: ids) } else { try second.upsert(rows, ids: ids) }
            }
            try first.merge(second)
            #expect(first.count == 3_000 && second.count == 3_000 - split)
            #expect(first.brokenInvariant() == nil)
            let query = Array(vectors.row(7))
            expectSame(try first.search(query, k: 20), try flat.search(query, k: 20))
            #expect(errorCode { try first.merge(second) } == .duplicateID)
            #expect(first.count == 3_000)
        }
        var index = VectorIndex(dimension: 4)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 5)) } == .dimensionMismatch)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 4, metric: .cosine)) } == .invalidArgument)
        try index.merge(VectorIndex(dimension: 4))
        #expect(index.isEmpty)
    }
}
