import KinCore
import KinIndex
import KinLinearAlgebra
import Testing

/// A brute-force search that adds in the documented order (eight lanes, then a fixed tree), written out again.
///
/// Where distances nearly tie, the order of the additions decides who is nearer; with the same order the result of an exact
/// index has to be the same to the last bit, for any data.
struct LaneOracle {
    private let values: [Double]
    private let dimension: Int
    private let ids: [VectorID]
    private let metric: Metric

    init(_ vectors: Matrix<Float>, ids: [VectorID]? = nil, metric: Metric) {
        values = vectors.elements.map(Double.init)
        dimension = vectors.columns
        self.ids = ids ?? (0..<vectors.rows).map { VectorID(UInt64($0)) }
        self.metric = metric
    }

    func ranking(of query: [Float], where allowed: (VectorID) -> Bool = { _ in true }) -> [Neighbor] {
        let query = query.map(Double.init)
        var all: [Neighbor] = []
        for (row, id) in ids.enumerated() where allowed(id) {
            all.append(Neighbor(id: id, distance: distance(row, query)))
        }
        return all.sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
    }

    private func distance(_ row: Int, _ q: [Double]) -> Double {
        switch metric {
        case .squaredL2: return sum { (x($0, row) - q[$0]) * (x($0, row) - q[$0]) }
        case .innerProduct: return -sum { x($0, row) * q[$0] }
        case .cosine:
            let product = sum { x($0, row) * q[$0] }
            let squares = sum { x($0, row) * x($0, row) } * sum { q[$0] * q[$0] }
            return min(max(1 - product / squares.squareRoot(), 0), 2)
        }
    }

    private func x(_ j: Int, _ row: Int) -> Double { values[row * dimension + j] }

    private func sum(_ term: (Int) -> Double) -> Double {
        var lane = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for j in 0..<dimension {
            switch j % 8 {
            case 0: lane.0 += term(j)
            case 1: lane.1 += term(j)
            case 2: lane.2 += term(j)
            case 3: lane.3 += term(j)
            case 4: lane.4 += term(j)
            case 5: lane.5 += term(j)
            case 6: lane.6 += term(j)
            default: lane.7 += term(j)
            }
        }
        return ((lane.0 + lane.4) + (lane.2 + lane.6)) + ((lane.1 + lane.5) + (lane.3 + lane.7))
    }
}

/// Expects two results to be the same and names the first place where they are not.
func expectSame(
    _ found: some Collection<Neighbor>, _ expected: some Collection<Neighbor>, _ note: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !found.elementsEqual(expected) else { return }
    let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }
    let difference =
        place.map { "at rank \($0): found \($1.0), expected \($1.1)" }
        ?? "found \(found.count) neighbours, expected \(expected.count)"
    Issue.record("\(difference); \(note())", sourceLocation: sourceLocation)
}

/// Expects what searches of a flat index find for one query, on one thread and two, within a radius and under a filter, to be what the oracle does.
func expectSearches(
    of index: FlatIndex, for query: [Float], areThoseOf oracle: LaneOracle, _ note: @autoclosure () -> String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let ranking = oracle.ranking(of: query)
    let wanted = ranking.prefix(12)
    for threads in [1, 2] {
        expectSame(
            try index.search(query, k: 12, threads: threads), wanted, "\(note()), \(threads) threads",
            sourceLocation: sourceLocation)
    }
    let radius = try #require(wanted.last).distance
    expectSame(
        try index.rangeSearch(query, radius: radius), ranking.filter { $0.distance <= radius }, "\(note()), radius",
        sourceLocation: sourceLocation)
    expectSame(
        try index.search(query, k: 5, where: .predicate { $0.rawValue % 3 == 0 }),
        ranking.filter { $0.id.rawValue % 3 == 0 }.prefix(5), "\(note()), filter", sourceLocation: sourceLocation)
}
