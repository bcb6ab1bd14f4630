import KinTestSupport
import Testing

@testable import KinPleasure

/// Real people's tastes, from the data sets in `datasets/README.md`: whether near neighbours share more than random
/// people.
@Suite struct RealTasteTests {
    /// Factors as points. Each column has its values' ranks, 0…1, since factors have no common scale.
    private func points(_ file: String) throws -> (ids: [Int], points: [Pleasure]) {
        let rows = try RealData.rows(of: file)
        var coordinates = rows.map { _ in [Float](repeating: 0, count: 16) }
        for column in 0..<16 {
            let order = rows.indices.sorted { Double(rows[$0][column + 1])! < Double(rows[$1][column + 1])! }
            for (rank, row) in order.enumerated() { coordinates[row][column] = Float(rank) / Float(rows.count - 1) }
        }
        return (rows.map { Int($0[0])! }, try coordinates.map { try Pleasure($0) })
    }

    /// The mean overlap |A ∩ B| ∕ |A ∪ B| of each person's sets with the sets of neighbours, and with the sets of
    /// random people.
    private func overlaps(
        _ ids: [Int], _ points: [Pleasure], sets: [Int: Set<Int>], metric: Metric
    ) throws -> (near: Double, random: Double) {
        var index = SessionIndex(metric: metric)
        let start = try Timestamp(parsing: "2026-01-01")
        let sessions = try zip(ids, points).map { id, point in
            try PleasureSession(
                id: "s\(id)", userID: "u\(id)", start: start,
                pleasure: PleasureMarks(
                    primary: [],
                    intensities: Dictionary(uniqueKeysWithValues: Pleasure.Dimension.allCases.map { ($0, point[$0]) })))
        }
        try index.upsert(sessions, as: ids.map { VectorID(UInt64($0)) })
        func overlap(_ a: Set<Int>, _ b: Set<Int>) -> Double {
            Double(a.intersection(b).count) / Double(max(1, a.union(b).count))
        }
        var generator = SeededGenerator(seed: 3)
        var (near, random) = (Moments(), Moments())
        for (id, point) in zip(ids, points) {
            guard let own = sets[id] else { continue }
            for neighbor in try index.nearest(to: point, k: 11) where Int(neighbor.id.rawValue) != id {
                if let other = sets[Int(neighbor.id.rawValue)] { near.add(overlap(own, other)) }
            }
            for _ in 0..<10 {
                let stranger = ids[generator.below(ids.count)]
                if stranger != id, let other = sets[stranger] { random.add(overlap(own, other)) }
            }
        }
        return (near.mean, random.mean)
    }

    /// A mood moves the ten tracks nearest to a target in the directions of its table.
    ///
    /// Features represent dimensions, by rank: dancing for mobility, liveness for chance, and so on.
    @Test(.enabled(if: RealData.has("audio-features/tracks-19k.csv"), "skipped: no data"))
    func moodsMoveTheNearestTracks() throws {
        let columns: [(column: Int, dimension: Pleasure.Dimension)] = [
            (1, .mobility), (2, .anxiety), (4, .power), (6, .ignorance), (7, .natureMirror), (8, .repetition),
            (9, .serendipityFollowing), (10, .food), (11, .path),
        ]
        let rows = try RealData.rows(of: "audio-features/tracks-19k.csv")
        var coordinates = rows.map { _ in [Float](repeating: 0.5, count: 16) }
        for (column, dimension) in columns {
            let values = rows.map { Double($0[column])! }
            let order = rows.indices.sorted { (values[$0], $0) < (values[$1], $1) }
            for (rank, row) in order.enumerated() {
                coordinates[row][dimension.rawValue] = Float(rank) / Float(rows.count - 1)
            }
        }
        let start = try Timestamp(parsing: "2026-01-01")
        let points = try coordinates.map {
            SessionPoint(userID: "u", state: .idle, start: start, point: try Pleasure($0))
        }
        let index = try SessionIndex(points, as: points.indices.map { VectorID(UInt64($0)) }, metric: .squaredL2)
        func mean(_ target: Pleasure) throws -> SIMD16<Float> {
            let found = try index.nearest(to: target, k: 10)
            return found.reduce(SIMD16<Float>.zero) { $0 + points[Int($1.id.rawValue)].point.coordinates } / 10
        }
        var generator = SeededGenerator(seed: 19)
        let tastes = (0..<200).map { _ in points[generator.below(points.count)].point }
        var (right, all) = (0, 0)
        for mood in Mood.allCases where mood != .neutral {
            let moved = try tastes.reduce(SIMD16<Float>.zero) { sum, taste in
                try sum + mean(taste.shaped(by: mood.effects)) - mean(taste)
            }
            for (_, dimension) in columns where mood.effects[dimension] != 0 {
                all += 1
                if (moved[dimension.rawValue] > 0) == (mood.effects[dimension] > 0) { right += 1 }
            }
        }
        print("Audio features: \(right) of \(all) effects of moods move the ten nearest tracks as the table says")
        #expect(all > 30 && right == all)
    }

    @Test(.enabled(if: RealData.has("ml-latest-small"), "skipped: no data"), arguments: [Metric.squaredL2, .cosine])
    func viewersNearEachOtherLikeTheSameFilms(_ metric: Metric) throws {
        let (ids, points) = try points("ml-latest-small/derived-user-factors16.csv")
        var liked: [Int: Set<Int>] = [:]
        for row in try RealData.rows(of: "ml-latest-small/ratings.csv") where Double(row[2])! >= 4 {
            liked[Int(row[0])!, default: []].insert(Int(row[1])!)
        }
        let found = try overlaps(ids, points, sets: liked, metric: metric)
        print(
            "MovieLens, \(metric.rawValue): liked films near \(found.near), random \(found.random), ratio \(found.near / found.random)"
        )
        #expect(found.near > 1.3 * found.random)
    }
}
