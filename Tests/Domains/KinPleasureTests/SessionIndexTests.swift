import KinSamples
import KinTestSupport
import Testing

@testable import KinPleasure

@Suite struct SessionIndexTests {
    /// The sessions of three people with their ids, and an index of them.
    private struct Case {
        var sessions: [VectorID: PleasureSession] = [:]
        var index: SessionIndex

        init(_ metric: Metric) throws {
            index = SessionIndex(metric: metric)
            let generator = PersonGenerator(seed: 9)
            var all: [PleasureSession] = []
            for person in 0..<3 { all += generator.person(person, sessions: 70).sessions }
            all.append(try PleasureSession(id: "blank", userID: "u1", start: all[0].start, state: .drift))
            let ids = all.indices.map { VectorID(UInt64(3 * $0 + 1)) }
            // Not in chronological order.
            let order = all.indices.sorted { $0 * 37 % 101 < $1 * 37 % 101 }
            try index.upsert(order.map { all[$0] }, as: order.map { ids[$0] })
            for (id, session) in zip(ids, all) { sessions[id] = session }
        }

        func oracle(_ point: Pleasure, k: Int, where isAllowed: (PleasureSession) -> Bool) -> [Neighbor] {
            let near = sessions.filter { isAllowed($0.value) }.compactMap { id, session -> Neighbor? in
                let x = session.embedding.vector.map(Double.init)
                if index.metric == .cosine, x.allSatisfy({ $0 == 0 }) { return nil }
                return Neighbor(
                    id: id, distance: NearestNeighborOracle.distance(index.metric, x, point.vector.map(Double.init)))
            }
            return Array(near.sorted().prefix(k))
        }
    }

    @Test(arguments: Metric.allCases) func searchEqualsAScan(_ metric: Metric) throws {
        var sample = try Case(metric)
        let point: Pleasure = [.mobility: 0.7, .natureMirror: 0.9, .order: 0.2]
        let all = sample.sessions.values.map(\.start).sorted()
        let (range, short) = (TimeRange(from: all[40], to: all[170])!, TimeRange(from: all[40], to: all[50])!)
        let filters: [(SessionFilter, (PleasureSession) -> Bool)] = [
            (.all, { _ in true }), (.user("u1"), { $0.userID == "u1" }), (.state(.drift), { $0.state == .drift }),
            (.started(in: range), { $0.start >= range.start && $0.start < range.end }),
            (
                .user("u2") && .state(.reflection) && .started(in: range),
                { $0.userID == "u2" && $0.state == .reflection && $0.start >= range.start && $0.start < range.end }
            ),
            (.started(in: short), { $0.start >= short.start && $0.start < short.end }),
            (
                .state(.reflection) && .started(in: short),
                { $0.state == .reflection && $0.start >= short.start && $0.start < short.end }
            ),
            (.user("nobody"), { _ in false }), (.user("u1") && .user("u2"), { _ in false }),
        ]
        for round in 0..<2 {
            for (filter, isAllowed) in filters {
                for k in [0, 1, 7, 300] {
                    let found = try sample.index.nearest(to: point, k: k, where: filter)
                    let expected = sample.oracle(point, k: k, where: isAllowed)
                    #expect(found.map(\.id) == expected.map(\.id), "\(filter), k \(k)")
                    for (a, b) in zip(found, expected) { #expect(abs(a.distance - b.distance) < 1e-9) }
                }
            }
            guard round == 0 else { break }
            // Some sessions change, and some are removed.
            for id in sample.sessions.keys.sorted().prefix(40) {
                sample.sessions[id] = nil
                let wasThere = sample.index.remove(id)
                #expect(wasThere)
            }
            for id in sample.sessions.keys.sorted().prefix(10) {
                let changed = try PleasureSession(
                    id: "x\(id)", userID: "u2", start: all[5], state: .drift, pleasure: PleasureMarks(primary: [.food]))
                sample.sessions[id] = changed
                try sample.index.upsert(changed, as: id)
            }
            #expect(sample.index.count == sample.sessions.count)
        }
        #expect(errorCode { try sample.index.nearest(to: point, k: -1, where: .user("u1")) } == .invalidArgument)
    }

    /// The nearest sessions in some dimensions, by a scan or by an index of these dimensions, equal those found by
    /// comparing all sessions.
    @Test(arguments: Metric.allCases) func comparesSomeDimensions(_ metric: Metric) throws {
        var random = TestSeed().generator
        var sample = try Case(metric)
        func check(_ step: String) throws {
            for _ in 0..<12 {
                let named = Set(Pleasure.Dimension.allCases.filter { _ in random.below(4) == 0 } + [.food])
                let point = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
                func masked(_ point: Pleasure) throws -> Pleasure {
                    try Pleasure(Dictionary(uniqueKeysWithValues: named.map { ($0, point[$0]) }))
                }
                let state = SessionState.allCases[random.below(5)]
                let filters: [(SessionFilter, (PleasureSession) -> Bool)] = [
                    (.all, { _ in true }), (.user("u1"), { $0.userID == "u1" }), (.state(state), { $0.state == state }),
                ]
                if random.below(2) == 0 { try sample.index.prepare(comparing: named) }
                let k = [0, 1, 9, 500][random.below(4)]
                for (filter, isAllowed) in filters {
                    let expected = try sample.sessions.filter { isAllowed($0.value) }.compactMap {
                        id, session -> Neighbor? in
                        let x = try masked(session.embedding).vector.map(Double.init)
                        if metric == .cosine, x.allSatisfy({ $0 == 0 }) { return nil }
                        let query = try masked(point).vector.map(Double.init)
                        return Neighbor(id: id, distance: NearestNeighborOracle.distance(metric, x, query))
                    }.sorted().prefix(k)
                    let found = try sample.index.nearest(to: point, comparing: named, k: k, where: filter)
                    #expect(found.map(\.id) == expected.map(\.id), "\(step), \(named), \(filter), k \(k)")
                    for (a, b) in zip(found, expected) { #expect(abs(a.distance - b.distance) < 1e-9) }
                    guard filter != .all else { continue }
                    let again = try sample.index.nearest(to: point, comparing: named, k: k, where: filter.condition)
                    #expect(found == again, "\(step)")
                }
                let expression = try FilterExpression(parsing: "not (user = u1)")
                let others = try sample.index.nearest(to: point, comparing: named, k: 1000, where: expression)
                #expect(others.allSatisfy { sample.sessions[$0.id]?.userID != "u1" })
            }
        }
        try check("as made")
        for id in sample.sessions.keys.sorted().prefix(30) {
            sample.sessions[id] = nil
            sample.index.remove(id)
        }
        for id in sample.sessions.keys.sorted().prefix(10) {
            let changed = try PleasureSession(
                id: "x\(id)", userID: "u2", start: try Timestamp(parsing: "2025-02-01"), state: .drift,
                pleasure: PleasureMarks(primary: [.food], secondary: [.order]))
            sample.sessions[id] = changed
            try sample.index.upsert(changed, as: id)
        }
        try check("after changes")
        #expect(errorCode { try sample.index.nearest(to: [.food: 1], comparing: [], k: 1) } == .invalidArgument)
        let all = Set(Pleasure.Dimension.allCases)
        #expect(
            try sample.index.nearest(to: [.food: 1], comparing: all, k: 9) == sample.index.nearest(to: [.food: 1], k: 9)
        )
    }

    /// Repeated searches in the same dimensions build an index of them, and find the same afterwards.
    @Test func repeatedDimensionsGetAnIndex() throws {
        let sample = try Case(.squaredL2)
        let first = try sample.index.nearest(to: [.food: 0.5], comparing: [.food, .path], k: 20)
        #expect(sample.index.subsets.count == 0)
        for _ in 0..<300 {
            #expect(try sample.index.nearest(to: [.food: 0.5], comparing: [.food, .path], k: 20) == first)
        }
        #expect(sample.index.subsets.count == 1)
        for dimension in Pleasure.Dimension.allCases { try sample.index.prepare(comparing: [dimension]) }
        #expect(sample.index.subsets.count == DimensionSubsets.most)
    }

    @Test(arguments: Metric.allCases) func anIndexIsRebuiltFromItsPoints(_ metric: Metric) throws {
        let sample = try Case(metric)
        let again = try SessionIndex(points: sample.index.points)
        let point: Pleasure = [.food: 0.5, .power: 1]
        for filter in [SessionFilter.all, .user("u1"), .user("u2") && .state(.reflection)] {
            #expect(
                try again.nearest(to: point, k: 30, where: filter)
                    == sample.index.nearest(to: point, k: 30, where: filter))
        }
        // The session without any pleasure has no direction.
        #expect(again.count == (metric == .cosine ? 210 : 211))
        #expect(errorCode { try SessionIndex(points: VectorIndex(dimension: 16)) } == .invalidArgument)
    }

    /// A k above the number of sessions returns all of them.
    @Test func aLargeKReturnsEverySession() throws {
        let sample = try Case(.squaredL2)
        sample.index.prepare()
        let starts = sample.sessions.values.map(\.start).sorted()
        let range = TimeRange(from: starts[3], to: starts[9])!
        for filter in [SessionFilter.all, .started(in: range), .user("u1"), .user("u1") && .started(in: range)] {
            let all = try sample.index.nearest(to: [.food: 1], k: 1000, where: filter)
            #expect(try sample.index.nearest(to: [.food: 1], k: .max, where: filter) == all)
            #expect(
                try sample.index.nearest(to: [.food: 1], comparing: [.food], k: .max, where: filter).count == all.count)
        }
    }
}
