import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Updates of a flat index")
struct FlatIndexUpdateTests {
    /// The index and a dictionary that is changed in the same way.
    private struct Model {
        var index: VectorIndex
        var vectors: [VectorID: [Float]] = [:]

        func check(query: [Float], note: String) throws {
            #expect(index.count == vectors.count, "\(note)")
            #expect(Set(index.ids) == Set(vectors.keys), "\(note)")
            let ids = Array(vectors.keys)
            let oracle = try LaneOracle(
                Matrix(rows: ids.map { vectors[$0]! }), ids: ids, metric: index.metric)
            expectSame(try index.search(query, k: 25), oracle.ranking(of: query).prefix(25), note)
            if let id = ids.min() { #expect(try index.vector(for: id) == vectors[id], "\(note)") }
        }
    }

    @Test("threads that code chunks again after a change of scale do not add their rows again", arguments: [5, 8, 11])
    func scales(wideChunk: Int) throws {
        let (dimension, chunks) = (1_025, 16)
        var random = TestSeed().generator
        let rows = 256
        var vectors: Matrix<Float> = random.uniformMatrix(rows: chunks * rows, columns: dimension, in: -1...1)
        for r in wideChunk * rows..<(wideChunk + 1) * rows { vectors[r, 0] *= 50 }
        var (one, two) = (
            VectorIndex(dimension: dimension, layout: .flat), VectorIndex(dimension: dimension, layout: .flat)
        )
        #expect(one.flat.store.layout.chunkRows == rows)
        try one.append(vectors)
        try two.append(vectors, threads: 2)
        #expect(two.flat.store.chunks.allSatisfy { $0.count == rows })
        #expect(two.flat.store.chunks.map(\.coding?.grid.scale) == one.flat.store.chunks.map(\.coding?.grid.scale))
        let query = Array(vectors.row(rows * wideChunk))
        #expect(try two.search(query, k: 10) == one.search(query, k: 10))
    }

    @Test("random changes leave the same contents as a dictionary", arguments: Metric.allCases, [2, 16])
    func churn(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        var model = Model(index: VectorIndex(dimension: dimension, metric: metric, layout: .flat))
        for step in 0..<120 {
            switch random.below(4) {
            case 0, 1:
                let n = random.below(80) + 1
                let vectors: Matrix<Float> = random.gaussianMatrix(rows: n, columns: dimension)
                // About a third of the ids are likely to exist already; small and very large ones are mixed.
                let numbers: [Int] = (0..<n).map { _ in random.below(3_000) }.uniqued
                let ids = numbers.map { (number: Int) -> VectorID in
                    VectorID(number % 7 == 0 ? UInt64(number) << 40 : UInt64(number))
                }
                let rows = try Matrix(rows: (0..<ids.count).map { Array(vectors.row($0)) })
                try model.index.upsert(rows, ids: ids)
                for (i, id) in ids.enumerated() { model.vectors[id] = Array(rows.row(i)) }
            case 2:
                for id in model.vectors.keys.sorted().shuffled(using: &random).prefix(random.below(60)) {
                    let wasThere = model.index.remove(id)
                    #expect(wasThere)
                    #expect(!model.index.contains(id))
                    model.vectors[id] = nil
                }
                let strangerWasThere = model.index.remove(VectorID(1 << 60))
                #expect(!strangerWasThere)
            default:
                let vector = (0..<dimension).map { _ in Float(random.gaussian()) }
                let id = VectorID(UInt64(random.below(3_000)))
                try model.index.upsert(vector, id: id)
                model.vectors[id] = vector
            }
            if step % 10 == 9 {
                let query = (0..<dimension).map { _ in Float(random.gaussian()) }
                try model.check(query: query, note: "step \(step)")
            }
        }
    }

    @Test("removal frees memory and wipes the vector")
    func space() throws {
        var random = TestSeed().generator
        var index = VectorIndex(dimension: 16, layout: .flat)
        try index.append(random.uniformMatrix(rows: 40_000, columns: 16))
        let full = index.byteCount
        index.remove((0..<39_000).map { VectorID(UInt64($0)) })
        #expect(index.count == 1_000)
        #expect(index.byteCount <= full / 4)
        index.compact()
        #expect(index.byteCount <= 1_024 * 88)
        index.remove(index.ids)
        #expect(index.isEmpty && index.byteCount == 0)
        #expect(try index.search([Float](repeating: 0, count: 16), k: 3).isEmpty)
    }

    @Test("reserving capacity is only a hint")
    func reserve() throws {
        var index = VectorIndex(dimension: 4, layout: .flat)
        index.reserveCapacity(100)
        index.reserveCapacity(-1)
        try index.append(Matrix(rows: 300, columns: 4, repeating: 1))
        index.reserveCapacity(10)
        #expect(index.count == 300)
        #expect(try index.search([1, 1, 1, 1], k: 2).map(\.id) == [0, 1])
    }
}

extension Array where Element: Hashable {
    fileprivate var uniqued: [Element] {
        var seen = Set<Element>()
        return filter { seen.insert($0).inserted }
    }
}
