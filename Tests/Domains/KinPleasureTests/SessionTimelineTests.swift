import KinPleasure
import KinTestSupport
import Testing

@Suite struct SessionTimelineTests {
    /// Blocks split, shrink and merge under random changes, and every search still equals a scan.
    @Test(arguments: [Metric.squaredL2, .cosine], [UInt64(1), 2, 3]) func searchEqualsAScan(
        _ metric: Metric, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var timeline = SessionTimeline(metric: metric, blockSize: 600)
        var rows: [VectorID: SessionTimeline.Row] = [:]
        func row(_ id: Int) -> SessionTimeline.Row {
            var point = SIMD16<Float>.zero
            for j in 0..<16 { point[j] = Float(random.uniform()) }
            let entry = SessionEntry(
                start: Int64(random.below(5000)), id: VectorID(UInt64(id)),
                state: SessionState.allCases[random.below(5)])
            return (entry, point)
        }
        var next = 0
        for round in 0..<24 {
            // Inserts many at once, inserts one, or removes many.
            switch round % 4 {
            case 0, 1:
                let new = (0..<(round % 4 == 0 ? 1200 : 1)).map { row(next + $0) }
                next += new.count
                try timeline.insert(new)
                for row in new { rows[row.entry.id] = row }
            default:
                let gone = rows.keys.sorted().filter { _ in random.below(round > 12 ? 2 : 5) == 0 }
                try timeline.remove(
                    gone.compactMap { rows[$0]?.entry } + [
                        SessionEntry(start: -1, id: VectorID(UInt64(next + 9)), state: .idle)
                    ])
                for id in gone { rows[id] = nil }
            }
            let low = Int64(random.below(5000))
            let high = low + Int64(random.below([10, 500, 5000][round % 3]))
            let range = TimeRange(
                from: try Timestamp(microseconds: low), to: try Timestamp(microseconds: high))!
            let inRange = rows.values.filter { $0.entry.start >= low && $0.entry.start < high }
            #expect(timeline.count(startedIn: range) == inRange.count, "seed \(seed), round \(round)")
            let query = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            for states in [StateSet.all, StateSet([.drift, .mastery])] {
                let expected = inRange.filter { states.contains($0.entry.state) }.map { row -> Neighbor in
                    let point = (0..<16).map { Double(row.point[$0]) }
                    let distance = NearestNeighborOracle.distance(metric, point, query.vector.map(Double.init))
                    return Neighbor(id: row.entry.id, distance: distance)
                }.sorted()
                let found = try timeline.nearest(to: query, k: 7, startedIn: range, states: states)
                #expect(
                    found.map(\.id) == expected.prefix(7).map(\.id), "seed \(seed), round \(round), \(states)")
            }
        }
        // Spans of one instant each; some blocks end and others begin at such an instant.
        let counts = rows.values.reduce(into: [Int64: Int]()) { $0[$1.entry.start, default: 0] += 1 }
        for start in 0..<Int64(5000) {
            let instant = TimeRange(
                from: try Timestamp(microseconds: start), to: try Timestamp(microseconds: start + 1))!
            let count = timeline.count(startedIn: instant)
            #expect(count == counts[start] ?? 0, "seed \(seed), at \(start)")
        }
    }
}
