import KinIndex
import KinTestSupport
import Testing

/// Expects two results to be equal, and reports the first rank with a difference.
func expectSame(
    _ found: some Collection<Neighbor>, _ expected: some Collection<Neighbor>, _ note: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !found.elementsEqual(expected) else { return }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }
    let difference =
        place.map { "at rank \($0): found \($1.0), expected \($1.1)" }
        ?? "found \(found.count) neighbours, expected \(expected.count)"
    Issue.record("\(difference); \(note())", sourceLocation: sourceLocation)
}

/// Expects searches of a flat index for one query to match the oracle: on one and two threads, within a radius, and
/// with a filter.
func expectSearches(
    of index: VectorIndex, for query: [Float], areThoseOf oracle: LaneOracle, _ note: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let ranking = oracle.ranking(of: query)
    let wanted = ranking.prefix(12)
    for threads in [1, 2] {
        expectSame(
            try index.search(query, k: 12, options: .init(threads: threads)), wanted,
            "\(note()), \(threads) threads",
            sourceLocation: sourceLocation)
    }
    let radius = try #require(wanted.last).distance
    expectSame(
        try index.rangeSearch(query, radius: radius), ranking.filter { $0.distance <= radius }, "\(note()), radius",
        sourceLocation: sourceLocation)
    expectSame(
        try index.search(query, k: 5, options: .init(where: .predicate { $0.rawValue % 3 == 0 })),
        ranking.filter { $0.id.rawValue % 3 == 0 }.prefix(5), "\(note()), filter", sourceLocation: sourceLocation)
}

/// Expects three concurrent threads that search near some rows to match an oracle, while a new flat index creates codes
/// for its vectors.
///
/// - Returns: The index.
@discardableResult
func expectSearchesAtOnce(
    among vectors: Matrix<Float>, near rows: some Sequence<Int>, rounds: Int
) async throws -> VectorIndex {
    var index = VectorIndex(dimension: vectors.columns, layout: .flat)
    try index.append(vectors)
    let queries = rows.map { Array(vectors.row($0)) }
    let oracle = LaneOracle(vectors, metric: .squaredL2)
    let wanted = queries.map { Array(oracle.ranking(of: $0).prefix(5)) }
    try await withThrowingTaskGroup(of: Void.self) { [index] group in
        for _ in 0..<3 {
            group.addTask {
                for round in 0..<rounds {
                    for (q, query) in queries.enumerated() {
                        expectSame(try index.search(query, k: 5), wanted[q], "round \(round), query \(q)")
                    }
                }
            }
        }
        try await group.waitForAll()
    }
    return index
}
