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

        func oracle(
            _ point: Pleasure, comparing named: Set<Pleasure.Dimension>?, k: Int,
            where isAllowed: (PleasureSession) -> Bool
        ) -> [Neighbor] {
            func vector(_ point: Pleasure) -> [Double] {
                Pleasure.Dimension.allCases.map { named?.contains($0) ?? true ? Double(point[$0]) : 0 }
            }
            let near = sessions.filter { isAllowed($0.value) }.compactMap { id, session -> Neighbor? in
                let x = vector(session.embedding)
                if index.metric == .cosine, x.allSatisfy({ $0 == 0 }) { return nil }
                return Neighbor(id: id, distance: plainDistance(index.metric, x, vector(point)))
            }
            return Array(near.sorted().prefix(k))
        }
    }

    @Test("a removed session leaves no coordinate in the file of its index", arguments: Metric.allCases)
    func removing(metric: Metric) throws {
        var random = TestSeed().generator
        let points = try (0..<3).map { _ in try Pleasure((0..<16).map { _ in Float(random.uniform()) }) }
        var index = SessionIndex(metric: metric)
        try index.upsert(
            points.map { SessionPoint(userID: "u", state: .drift, start: try Timestamp(seconds: 1.7e9), point: $0) },
            as: [1, 2, 3])
        let folder = TemporaryFolder()
        for (number, point) in zip([1, 2, 3] as [VectorID], points) {
            index.remove([number])
            try index.points.save(to: folder.path("points.kin"))
            let bytes = try folder.bytes("points.kin")
            for x in point.coordinates.indices.map({ point.coordinates[$0] }) where x != 0 {
                let pattern = (0..<4).map { UInt8(truncatingIfNeeded: x.bitPattern >> (8 * UInt32($0))) }
                #expect(!stride(from: 0, to: bytes.count, by: 4).contains { Array(bytes[$0..<$0 + 4]) == pattern })
            }
        }
    }

    /// A random filter and its rule.
    private func filter(
        _ starts: [Timestamp], _ random: inout SeededGenerator
    ) -> (filter: SessionFilter, allows: (PleasureSession) -> Bool) {
        let user = "u\(random.below(4))"
        let state = SessionState.allCases[random.below(5)]
        let first = random.below(starts.count - 1)
        let range = TimeRange(from: starts[first], to: starts[first + random.below(starts.count - first)])!
        let parts: [(SessionFilter, (PleasureSession) -> Bool)] = [
            (.user(user), { $0.userID == user }), (.state(state), { $0.state == state }),
            (.started(in: range), { $0.start >= range.start && $0.start < range.end }),
            (.user("u1"), { $0.userID == "u1" }),
        ]
        return parts.filter { _ in random.below(3) == 0 }.reduce((.all, { _ in true })) { all, part in
            (all.0 && part.0, { all.1($0) && part.1($0) })
        }
    }

    @Test("searches by all or some dimensions equal a scan, before and after changes", arguments: Metric.allCases)
    func searchEqualsAScan(_ metric: Metric) throws {
        var random = TestSeed().generator
        var sample = try Case(metric)
        let starts = sample.sessions.values.map(\.start).sorted()
        for round in 0..<120 {
            let isOfAll = random.below(2) == 0
            let named = isOfAll ? nil : Set(Pleasure.Dimension.allCases.filter { _ in random.below(4) == 0 })
            let point = try Pleasure((0..<16).map { _ in Float(random.uniform()) })
            let (filter, allows) = filter(starts, &random)
            let k = [0, 1, 9, 500, .max][random.below(5)]
            func search(_ index: SessionIndex) throws -> [[Neighbor]] {
                // A filter of nothing is no condition.
                let conditions = filter == .all ? [] : [filter.condition]
                guard let named else {
                    return try [index.nearest(to: point, k: k, where: filter)]
                        + conditions.map { try index.nearest(to: point, k: k, where: $0) }
                }
                return try [index.nearest(to: point, comparing: named, k: k, where: filter)]
                    + conditions.map { try index.nearest(to: point, comparing: named, k: k, where: $0) }
            }
            if named?.isEmpty == true {
                #expect(errorCode { try search(sample.index) } == .invalidArgument)
                continue
            }
            if let named, random.below(2) == 0 { try sample.index.prepare(comparing: named) }
            let expected = sample.oracle(point, comparing: named, k: k, where: allows)
            let rebuilt = try SessionIndex(points: sample.index.points)
            for found in try search(sample.index) + search(rebuilt) {
                #expect(found.map(\.id) == expected.map(\.id), "round \(round), \(filter), k \(k)")
                #expect(zip(found, expected).allSatisfy { abs($0.distance - $1.distance) < 1e-9 })
            }
            guard round % 20 == 19 else { continue }
            let gone = Array(sample.sessions.keys.shuffled(using: &random).prefix(12))
            for id in gone { sample.sessions[id] = nil }
            let removed = sample.index.remove(gone + [gone[0], 1_000_000_000])
            #expect(removed == gone.count)
            for id in sample.sessions.keys.shuffled(using: &random).prefix(8) {
                let changed = try PleasureSession(
                    id: "x\(id)", userID: "u2", start: starts[random.below(starts.count)], state: .drift,
                    pleasure: PleasureMarks(primary: [.food], secondary: [.order]))
                sample.sessions[id] = changed
                try sample.index.upsert(changed, as: id)
            }
        }
        #expect(errorCode { try sample.index.nearest(to: Pleasure(), k: -1, where: .user("u1")) } == .invalidArgument)
        #expect(errorCode { try SessionIndex(points: VectorIndex(dimension: 16)) } == .invalidArgument)
    }

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
}
