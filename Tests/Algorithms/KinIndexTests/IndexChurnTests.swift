import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Updates of an index")
struct IndexChurnTests {
    @Test(
        "random changes leave the same contents as a dictionary", arguments: Metric.allCases,
        [(IndexLayout.flat, 2, 8), (.flat, 16, 8), (.medianSplits, 4, 8), (.medianSplits, 4, 9), (.centroids(6), 4, 8)])
    func churn(metric: Metric, kind: (layout: IndexLayout, dimension: Int, shift: Int)) throws {
        var churn = try IndexChurn(
            index: VectorIndex(
                smallListsOf: kind.dimension, metric: metric, partition: kind.layout, shift: kind.shift),
            random: TestSeed().generator, largest: 3_000)
        for step in 0..<48 {
            try churn.change()
            if step % 8 == 7 { try churn.check("\(kind) step \(step)") }
        }
        #expect(kind.layout.isFlat || churn.mostLists >= 8, "there was something to divide")
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

    @Test("a merge that fails changes nothing")
    func merge() throws {
        var index = VectorIndex(dimension: 4)
        try index.merge(index)
        try index.append(Matrix(rows: 9, columns: 4, repeating: 1))
        let same = index
        #expect(errorCode { try index.merge(same) } == .duplicateID)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 5)) } == .dimensionMismatch)
        #expect(errorCode { try index.merge(VectorIndex(dimension: 4, metric: .cosine)) } == .invalidArgument)
        try index.merge(VectorIndex(dimension: 4))
        #expect(index.count == 9 && index.brokenInvariant() == nil)
    }
}
