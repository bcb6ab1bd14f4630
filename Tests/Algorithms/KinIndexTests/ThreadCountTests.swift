import KinTestSupport
import Testing

@testable import KinIndex

@Suite("The number of threads never changes a result")
struct ThreadCountTests {
    private let folder = TemporaryFolder()

    /// Rows that fill several chunks, with different grids in different chunks.
    enum Rows: CaseIterable {
        /// All chunks use the grid of the first.
        case alike
        /// Each chunk is twice as wide as the chunk before it, so that each has its own grid.
        case widening
        /// The middle chunks have too many outliers for codes.
        case partlyUncodable

        func matrix(_ count: Int, dimension: Int, random: inout SeededGenerator) -> Matrix<Float> {
            var rows: Matrix<Float> = random.gaussianMatrix(rows: count, columns: dimension)
            for r in 0..<count {
                let chunk = r / 8_192
                for j in 0..<dimension {
                    switch self {
                    case .alike: break
                    case .widening: rows[r, j] *= Float(1 << chunk)
                    case .partlyUncodable: if (2...3).contains(chunk), r % 20 == 0 { rows[r, j] *= 1e6 }
                    }
                }
            }
            return rows
        }
    }

    @Test(
        "any number of threads loads the same file", arguments: [IndexLayout.flat, .lists, .centroids(40)],
        Rows.allCases)
    func loads(layout: IndexLayout, rows: Rows) throws {
        var random = TestSeed().generator
        for (dimension, areOrdered) in [(16, true), (5, false)] {
            let n = 34_000
            let vectors = rows.matrix(n, dimension: dimension, random: &random)
            let ids = areOrdered ? (0..<n).map { VectorID(UInt64($0 * 3)) } : distinctIDs(n, &random)
            let first = 1_000
            let files = try [1, 2, 3, 16].map { threads in
                var index = VectorIndex(dimension: dimension, layout: layout)
                try index.upsert(vectors.rows(0..<first), ids: Array(ids[..<first]), threads: threads)
                try index.upsert(vectors.rows(first..<n), ids: Array(ids[first...]), threads: threads)
                #expect(ids.allSatisfy(index.contains))
                try index.save(to: folder.path("\(threads).kin"))
                return try folder.bytes("\(threads).kin")
            }
            for file in files.dropFirst() { #expect(file == files[0], "\(dimension) dimensions") }
        }
    }

    @Test("any number of threads reports the same row for repeated and invalid ids")
    func ids() throws {
        var random = TestSeed().generator
        let n = 300_000
        let vectors = try Matrix<Float>(rows: n, columns: 1, elements: (0..<n).map { Float($0) })
        for isNone in [false, true] {
            var ids = distinctIDs(n, &random)
            let rows = (0..<3).map { _ in 1 + random.below(n - 1) }
            for row in rows { ids[row] = isNone ? .none : ids[row - 1] }
            for threads in [1, 2, 5, .max] {
                var index = VectorIndex(dimension: 1, layout: .flat)
                let error = #expect(throws: KinError.self) { try index.upsert(vectors, ids: ids, threads: threads) }
                #expect(error?.code == (isNone ? .invalidArgument : .duplicateID))
                #expect(error?.context.first { $0.name == "row" }?.value == "\(rows.min()!)", "\(threads)")
                #expect(index.count == 0)
            }
        }
        var wrong = vectors
        for row in [n - 1, n / 2] { wrong[row, 0] = .nan }
        for threads in [1, 3] {
            var index = VectorIndex(dimension: 1)
            let error = #expect(throws: KinError.self) { try index.append(wrong, threads: threads) }
            #expect(error?.context.first { $0.name == "row" }?.value == "\(n / 2)")
        }
    }

    @Test("any number of threads gives the same results for batches of any size", arguments: Metric.allCases, [16, 40])
    func batches(metric: Metric, dimension: Int) throws {
        var random = TestSeed().generator
        let n = 12_000
        let vectors = DataShape.clustered.matrix(rows: n, dimension: dimension, random: &random)
        let all = DataShape.clustered.matrix(rows: 300, dimension: dimension, random: &random)
        for layout in [IndexLayout.flat, .lists, .centroids(5)] {
            var index = VectorIndex(dimension: dimension, metric: metric, layout: layout)
            try index.append(vectors, threads: 2)
            for count in [1, 3, 64, 65, 300] {
                let queries = all.rows(0..<count)
                let radii = try (0..<count).map { try index.search(Array(queries.row($0)), k: 20).last!.distance }
                let filter = SearchFilter.predicate { $0.rawValue % 7 != 0 }
                for options in [
                    SearchOptions(), SearchOptions(where: filter), SearchOptions(radii: radii),
                ] {
                    var options = options
                    let expected = try index.search(queries, k: 30, options: options)
                    for threads in [2, 5, 64, .max] {
                        options.threads = threads
                        let found = try index.search(queries, k: 30, options: options)
                        for q in 0..<count {
                            expectSame(found[q], expected[q], "\(layout) \(count) \(threads) query \(q)")
                        }
                    }
                }
            }
        }
    }

    /// Different ids in random order.
    private func distinctIDs(_ count: Int, _ random: inout SeededGenerator) -> [VectorID] {
        (1...count).map { VectorID(UInt64($0) &* 0x9E37_79B9_7F4A_7C15) }.shuffled(using: &random)
    }
}

extension Matrix<Float> {
    fileprivate func rows(_ range: Range<Int>) -> Matrix {
        try! Matrix(
            rows: range.count, columns: columns,
            elements: Array(elements[range.lowerBound * columns..<range.upperBound * columns]))
    }
}
