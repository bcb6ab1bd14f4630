import KinCore
import KinIndex
import KinLinearAlgebra
import KinTestSupport
import Testing

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

    @Test("random changes leave the same contents as a dictionary", arguments: Metric.allCases, [2, 16])
    func churn(metric: Metric, dimension: Int) throws {
        let seed = TestSeed()
        var random = seed.generator
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
                try model.check(query: query, note: "\(seed) step \(step)")
            }
        }
    }

    @Test("new ids continue from the largest id ever used")
    func append() throws {
        var index = VectorIndex(dimension: 2, layout: .flat)
        let two = try Matrix<Float>(rows: [[1, 2], [3, 4]])
        let first = try index.append(two)
        let second = try index.append(two)
        #expect([first, second] == [0, 2])
        try index.upsert([5, 6], id: 100)
        index.remove(100)
        let third = try index.append(two)
        #expect(third == 101)
        #expect(index.ids.sorted() == [0, 1, 2, 3, 101, 102])
        // A smaller id that is given in between does not count.
        try index.upsert([7, 8], id: 50)
        #expect(try index.append(two) == 103)
    }

    @Test("a refused call changes nothing", arguments: Metric.allCases)
    func allOrNothing(metric: Metric) throws {
        var index = VectorIndex(dimension: 3, metric: metric, layout: .flat)
        try index.upsert(Matrix(rows: [[1, 2, 3], [4, 5, 6]]), ids: [7, 9])
        let good: [[Float]] = [[1, 1, 1], [2, 2, 2]]
        let refused: [(KinError.Code, [[Float]], [VectorID])] = [
            (.duplicateID, good, [11, 11]),
            (.invalidArgument, good, [11]),
            (.invalidArgument, good, [11, .none]),
            (.notFinite, [[1, 1, 1], [2, .nan, 2]], [11, 12]),
            (.notFinite, [[1, 1, 1], [2, 2, -.infinity]], [7, 12]),
            (.dimensionMismatch, [[1, 1], [2, 2]], [11, 12]),
        ]
        for (code, vectors, ids) in refused {
            #expect(errorCode { try index.upsert(Matrix(rows: vectors), ids: ids) } == code)
        }
        if metric == .cosine {
            #expect(
                errorCode { try index.upsert(Matrix(rows: [[1, 0, 0], [0, -0.0, 0]]), ids: [1, 2]) } == .zeroVector)
            #expect(errorCode { try index.search([0, 0, 0], k: 1) } == .zeroVector)
        }
        #expect(index.ids == [7, 9])
        #expect(try index.vector(for: 7) == [1, 2, 3])
        #expect(try index.vector(for: 9) == [4, 5, 6])
    }

    @Test("an error names the row and the cause")
    func messages() throws {
        var index = VectorIndex(dimension: 2, layout: .flat)
        let error = #expect(throws: KinError.self) {
            try index.upsert(Matrix(rows: [[0, 1], [2, .nan]]), ids: [1, 2])
        }
        #expect(error?.description == "row 1: dimension 1 is nan; vectors hold finite numbers")
        #expect(errorCode { try index.search([1, 2, 3], k: 1) } == .dimensionMismatch)
        #expect(errorCode { try index.search([1, .infinity], k: 1) } == .notFinite)
        #expect(errorCode { try index.search([1, 2], k: -1) } == .invalidArgument)
        #expect(errorCode { try index.search([1, 2], k: 1, options: .init(threads: 0)) } == .invalidArgument)
        #expect(errorCode { try index.rangeSearch([1, 2], radius: .nan) } == .notFinite)
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
