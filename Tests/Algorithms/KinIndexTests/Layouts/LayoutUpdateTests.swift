import KinTestSupport
import Testing

@testable import KinIndex

extension IndexLayout {
    /// A layout of each kind of rows.
    static let eachKind: [IndexLayout] = [.flat, .lists]
}

@Suite("Updates in every layout")
struct LayoutUpdateTests {
    @Test("new ids continue from the largest id ever used", arguments: IndexLayout.eachKind)
    func append(layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 2, layout: layout)
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
        try index.upsert([5, 6], id: VectorID(UInt64.max - 1))
        #expect(errorCode { try index.append(two) } == .capacityExceeded)
    }

    @Test("a refused call changes nothing", arguments: Metric.allCases, IndexLayout.eachKind)
    func allOrNothing(metric: Metric, layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 3, metric: metric, layout: layout)
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
        #expect(errorCode { try index.upsert(Matrix(rows: good), ids: [1, 2], threads: 0) } == .invalidArgument)
        if metric == .cosine {
            #expect(
                errorCode { try index.upsert(Matrix(rows: [[1, 0, 0], [0, -0.0, 0]]), ids: [1, 2]) } == .zeroVector)
            #expect(errorCode { try index.search([0, 0, 0], k: 1) } == .zeroVector)
        }
        #expect(index.ids.sorted() == [7, 9])
        #expect(try index.vector(for: 7) == [1, 2, 3])
        #expect(try index.vector(for: 9) == [4, 5, 6])
        if !layout.isFlat { #expect(index.brokenInvariant() == nil) }
    }

    @Test("an error has the row and the cause", arguments: IndexLayout.eachKind)
    func messages(layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 2, layout: layout)
        let error = kinError { try index.upsert(Matrix(rows: [[0, 1], [2, .nan]]), ids: [1, 2]) }
        #expect(error?.description == "row 1: dimension 1 is nan; vectors hold finite numbers")
        let row = kinError { try index.search(Matrix(rows: [[1, 2], [.nan, 1]]), k: 1) }
        #expect(row.says("row 1", code: .notFinite))
    }

    @Test("invalid queries and modes are refused by code", arguments: IndexLayout.eachKind)
    func refusedQueries(layout: IndexLayout) throws {
        var index = VectorIndex(dimension: 2, layout: layout)
        try index.append(Matrix(rows: 3, columns: 2, repeating: 1))
        #expect(errorCode { try index.search([1, 2, 3], k: 1) } == .dimensionMismatch)
        #expect(errorCode { try index.search([1, .infinity], k: 1) } == .notFinite)
        #expect(errorCode { try index.search([1, 2], k: -1) } == .invalidArgument)
        #expect(errorCode { try index.rangeSearch([1, 2], radius: .nan) } == .notFinite)
        let queries = Matrix<Float>(rows: 2, columns: 2)
        #expect(errorCode { try index.search([1, 2], k: 1, options: .init(threads: 0)) } == .invalidArgument)
        #expect(errorCode { try index.search(queries, k: 1, options: .init(threads: 0)) } == .invalidArgument)
        for mode in [SearchMode.recall(0), .recall(-1), .recall(1.1), .recall(.nan), .probes(0), .probes(-3)] {
            let options = SearchOptions(mode: mode)
            #expect(errorCode { try index.search([1, 2], k: 1, options: options) } == .invalidArgument, "\(mode)")
            #expect(errorCode { try index.search(queries, k: 1, options: options) } == .invalidArgument, "\(mode)")
            #expect(errorCode { try index.explain([1, 2], k: 1, options: options) } == .invalidArgument, "\(mode)")
        }
    }
}
