import KinTestSupport
import Testing

@testable import KinIndex

/// An index of random vectors with a random past, whose searches with any options must equal a scan in double
/// precision.
struct SearchTrial {
    private let index: VectorIndex
    private let ids: [VectorID]
    /// The group of each vector; some have none.
    private let groups: [VectorID: Int]
    private let queries: [[Float]]
    private let rankings: [[Neighbor]]
    private var random: SeededGenerator

    /// Searches some indexes of a shape of data.
    static func run(_ shape: DataShape, _ metric: Metric, _ layouts: [IndexLayout]) throws {
        var random = TestSeed(test: "\(shape) \(metric) \(layouts)").generator
        for _ in 0..<4 {
            var trial = try SearchTrial(shape, metric, layouts, &random)
            for _ in 0..<4 { try trial.check("\(trial.index.layout), dimension \(trial.index.dimension)") }
        }
    }

    private init(
        _ shape: DataShape, _ metric: Metric, _ layouts: [IndexLayout], _ random: inout SeededGenerator
    ) throws {
        let layout = layouts[random.below(layouts.count)]
        let dimension = [1, 2, 3, 4, 7, 8, 15, 16, 17, 23, 31, 48, 130][random.below(13)]
        let n = [1, 2, 63, 64, 65, 255, 256, 257, 700, 1_500][random.below(10)]
        let spacing: UInt64 = [1, 3, 1 << 34][random.below(3)]
        // Up to 300 rows are added and then removed.
        let rows = shape.matrix(rows: n + random.below(2) * 300, dimension: dimension, random: &random)
        let all = (0..<rows.rows).map { VectorID(UInt64($0) * spacing) }.shuffled(using: &random)
        var groups: [VectorID: Int] = [:]
        for id in all where random.below(10) > 0 { groups[id] = random.below(2) == 0 ? 0 : random.below(40) }

        let shift = layout.isFlat ? 8 : 8 + random.below(2)
        var index = VectorIndex(smallListsOf: dimension, metric: metric, partition: layout, shift: shift)
        try index.declareAttributes(AttributeSchema(["page": .integer, "document": .category]))
        let most = [1, 100, 2_000][random.below(3)]
        for first in stride(from: 0, to: rows.rows, by: most) {
            let range = first..<min(rows.rows, first + most)
            let values = all[range].map { groups[$0] }
            try index.upsert(
                Matrix(rows: range.map { Array(rows.row($0)) }), ids: Array(all[range]),
                attributes: [
                    "page": .integers(values.map { $0.map { Int64($0) } }),
                    "document": .categories(values.map { $0.map(Self.document) }),
                ], threads: 1 + random.below(3))
        }
        index.remove(all[n...])
        if random.below(4) == 0 {
            let folder = TemporaryFolder()
            try index.save(to: folder.path("saved.kin"))
            index = try VectorIndex(opening: folder.path("saved.kin"))
            try index.save(to: folder.path("again.kin"))
            let isOneLoad = rows.rows == n && n <= most
            #expect(try !isOneLoad || folder.bytes("saved.kin") == folder.bytes("again.kin"), "the bytes change")
        }
        #expect(index.count == n && (layout.isFlat || index.brokenInvariant() == nil))

        ids = Array(all[..<n])
        let oracle = LaneOracle(
            Matrix(rows: (0..<n).map { Array(rows.row($0)) }, columns: dimension), ids: ids, metric: metric)
        let points = DataShape.queries(for: rows, random: &random)
        queries = (0..<points.rows).map { Array(points.row($0)) }
        rankings = queries.map { oracle.ranking(of: $0) }
        (self.index, self.groups, self.random) = (index, groups, random)
    }

    /// The text of a group. Some texts are the same in different bytes.
    private static func document(_ group: Int) -> String {
        ["ünï", "u\u{308}nï", "a", "b"][group % 4] + "\(group / 4)"
    }

    /// Searches in every way with random options.
    private mutating func check(_ note: String) throws {
        let k = [0, 1, 2, 10, 40, ids.count, ids.count + 7][random.below(7)]
        let hasOwnFilters = random.below(4) == 0
        let chosen = (0..<1 + random.below(hasOwnFilters ? 12 : 80)).map { _ in random.below(queries.count) }
        let common = try filter()
        let filters = try chosen.map { _ in hasOwnFilters ? try filter() : common }
        let isWithin = random.below(2) == 0
        let radii = chosen.map { isWithin ? radius($0) : .infinity }
        let grouping = [nil, nil, "page", "document"][random.below(4)]
        let wanted = chosen.indices.map {
            expected(chosen[$0], k, radii[$0], inGroups: grouping != nil, where: filters[$0].allows)
        }
        var options = SearchOptions(where: common.filter, threads: 1 + random.below(3), groupBy: grouping)
        if isWithin { options.radii = radii }
        if hasOwnFilters { options.filters = filters.map(\.filter) }
        let table = try index.search(Matrix(rows: chosen.map { queries[$0] }), k: k, options: options)
        for row in chosen.indices { expectSame(table[row], wanted[row], "\(note), k \(k), row \(row) of a batch") }

        for row in chosen.indices.prefix(4) {
            let (query, filter, radius) = (queries[chosen[row]], filters[row].filter, radii[row])
            let probes = SearchMode.probes(index.layout.isFlat ? 1 : index.listCount)
            let mode = index.layout.isFlat || grouping != nil || random.below(3) > 0 ? .exact : probes
            let options = SearchOptions(mode: mode, where: filter, radius: radius, groupBy: grouping)
            expectSame(try index.search(query, k: k, options: options), wanted[row], "\(note), k \(k), one query")
            var places = [Neighbor](repeating: Neighbor(id: .none, distance: -1), count: k)
            var span = places.mutableSpan
            let count = try index.search(query.span, into: &span, options: options)
            expectSame(places.prefix(count), wanted[row], "\(note), k \(k), into memory")
            guard grouping == nil else { continue }
            expectSame(try index.explain(query, k: k, options: options).neighbors, wanted[row], "\(note), explained")
            expectSame(
                try index.rangeSearch(query, radius: radius, where: filter, threads: 2),
                expected(chosen[row], .max, radius, inGroups: false, where: filters[row].allows), "\(note), range")
        }
    }

    /// Exactly at a vector's distance, just below or above it, wide, or unlimited.
    private mutating func radius(_ query: Int) -> Double {
        let distance = rankings[query][random.below(min(ids.count, 30))].distance
        let others: [Double] = [.infinity, -.infinity, .greatestFiniteMagnitude, -1, 0]
        return ([distance, distance, distance.nextDown, distance.nextUp] + others)[random.below(9)]
    }

    /// A filter of any kind, which allows all vectors, some, few or none.
    private mutating func filter() throws -> (filter: SearchFilter, allows: (VectorID) -> Bool) {
        let share = [1, 2, 10, 100, 1_000][random.below(5)]
        var some: Set<VectorID> = []
        for id in ids where random.below(share) == 0 { some.insert(id) }
        let allowed = some
        let (limit, groups) = (random.below(41), groups)
        let condition = SearchFilter.matching(.compare("page", .less, .integer(Int128(limit))))
        let isBelow = { (id: VectorID) in groups[id].map { $0 < limit } ?? false }
        switch random.below(7) {
        case 0: return (.all, { _ in true })
        case 1: return (.ids(allowed.union([VectorID(1 << 62)])), { allowed.contains($0) })
        case 2: return (.predicate { allowed.contains($0) }, { allowed.contains($0) })
        case 3 where ids.allSatisfy { $0.rawValue < 1 << 20 }:
            return (.bitmap(IDBitmap(allowed)), { allowed.contains($0) })
        case 4: return (try index.prepare(condition, threads: 2), isBelow)
        case 5: return (condition || .ids(allowed), { isBelow($0) || allowed.contains($0) })
        default: return (condition, isBelow)
        }
    }

    private func expected(
        _ query: Int, _ k: Int, _ radius: Double, inGroups: Bool, where allows: (VectorID) -> Bool
    ) -> [Neighbor] {
        var (found, seen) = ([Neighbor](), Set<Int>())
        for neighbor in rankings[query] where found.count < k && neighbor.distance <= radius && allows(neighbor.id) {
            if inGroups, let group = groups[neighbor.id], !seen.insert(group).inserted { continue }
            found.append(neighbor)
        }
        return found
    }
}
