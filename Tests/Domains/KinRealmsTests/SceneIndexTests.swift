import KinRealms
import KinTestSupport
import Testing

@Suite struct SceneIndexTests {
    @Test func sceneSearchEqualsADoublePrecisionScan() throws {
        var random = TestSeed().generator
        func vector() -> [Float] { (0..<512).map { _ in Float(random.normalDeviate()) } }
        let vectors = (0..<300).map { _ in vector() }
        var index = SceneIndex(dimension: 512)
        try index.upsert(Matrix(rows: vectors), scenes: (0..<300).map { "s\($0)" })
        #expect(index.count == 300)
        let oracle = try LaneOracle(Matrix(rows: vectors), metric: .cosine)
        for _ in 0..<20 {
            let query = vector()
            let (found, truth) = (try index.nearest(to: query, count: 7), oracle.ranking(of: query).prefix(7))
            #expect(found.map(\.scene) == truth.map { "s\($0.id)" })
            #expect(zip(found, truth).allSatisfy { abs($0.distance - $1.distance) < 1e-9 })
        }
    }

    @Test func scenesAreReplacedAndRemoved() throws {
        var index = SceneIndex(dimension: 2)
        try index.upsert(Matrix(rows: [[1, 0], [0, 1]]), scenes: ["a", "b"])
        try index.upsert(Matrix(rows: [[-1, 0]]), scenes: ["a"])
        #expect(try index.nearest(to: [1, 0.1], count: 2).map(\.scene) == ["b", "a"])
        let removed = ["a", "a", "c"].map { index.remove($0) }
        #expect(removed == [true, false, false] && index.count == 1)
        #expect(errorCode { try index.upsert(Matrix(rows: [[1, 0], [1, 0]]), scenes: ["x", "x"]) } == .duplicateID)
        let zero = kinError { try index.upsert(Matrix(rows: [[1, 0], [0, 0]]), scenes: ["y", "x"]) }
        #expect(zero?.code == .zeroVector && zero?.context.map(\.value) == ["x"])
        #expect(errorCode { try index.upsert(Matrix(rows: [[1, 0]]), scenes: []) } == .dimensionMismatch)
        #expect(index.count == 1)
    }
}
