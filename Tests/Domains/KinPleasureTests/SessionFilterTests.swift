import KinSamples
import KinTestSupport
import Testing

@Suite struct SessionFilterTests {
    /// An expression and its filter give the same result for every session.
    @Test func filtersEqualTheirExpressions() throws {
        var index = SessionIndex()
        let generator = PersonGenerator(seed: 3)
        let lives = (0..<3).flatMap { generator.person($0, sessions: 60).sessions }
        try index.upsert(lives, as: lives.indices.map { VectorID(UInt64($0)) })
        let start = lives[70].start
        let texts = [
            #"user = "u1""#, "state = drift", "state in (drift, mastery)", "start >= \(start)", "start > \(start)",
            "start < \(start)", "start <= \(start)", "start = \(start)", "start between 2020-01-01 and \(start)",
            #"user = "u1" and state = reflection and start < "# + "\(start)", #"user = "u1" and user = "u2""#,
            "start between \(start) and 2000-01-01",
        ]
        let point: Pleasure = [.food: 0.3, .power: 0.6]
        for text in texts {
            let expression = try FilterExpression(parsing: text)
            let filter = try #require(SessionFilter(expression), "\(text)")
            let allowed = try index.points.attributes.ids(where: expression).sorted()
            #expect(try index.nearest(to: point, k: 500, where: filter).map(\.id).sorted() == allowed, "\(text)")
            #expect(try index.nearest(to: point, k: 500, where: expression).map(\.id).sorted() == allowed, "\(text)")
        }
    }

    @Test func otherExpressionsAreNotConverted() throws {
        for text in [
            #"user = "u1" or user = "u2""#, "not state = drift", "state != drift", "start != 2026-01-01",
            #"user in ("u1", "u2")"#, #"user = "u1" and (state = drift or start < 2026-01-01)"#, "id < 7",
            "state = nowhere",
        ] {
            #expect(SessionFilter(try FilterExpression(parsing: text)) == nil, "\(text)")
        }
    }

    @Test("a state in any spelling finds its sessions, and an unknown state is an error with a suggestion")
    func statesInAnySpelling() throws {
        var index = SessionIndex()
        let lives = PersonGenerator(seed: 5).person(0, sessions: 90).sessions
        try index.upsert(lives, as: lives.indices.map { VectorID(UInt64($0)) })
        let point: Pleasure = [.food: 0.3, .power: 0.6]
        /// The sessions of all searches with an expression.
        func found(_ text: String) throws -> [[VectorID]] {
            let expression = try FilterExpression(parsing: text)
            return [
                try index.nearest(to: point, k: 100, where: expression),
                try index.nearest(to: point, comparing: [.food, .power], k: 100, where: expression),
                try index.recommend(Recommendation(positive: [.vector(point.vector)]), k: 100, where: expression),
            ].map { $0.map(\.id).sorted() }
        }
        for (usual, other) in [
            ("state = drift", "state = Drift"), ("state = social_sync", "state = socialSync"),
            ("not state = social_sync", "not state = 'Social Sync'"), ("state != drift", "state != DRIFT"),
            ("state in (drift, mastery)", "state in (drift, Mastery)"),
            ("state = drift or user = nobody", "state = Drift or user = nobody"),
        ] {
            let expected = try found(usual)
            #expect(!expected[0].isEmpty && expected[0].count < 90 && Set(expected).count == 1, "\(usual)")
            #expect(try found(other) == expected, "\(other)")
        }
        for text in ["state = driftt", "not state in (drift, driftt)", "user = u1 or state != driftt"] {
            let failure = #expect(throws: KinError.self) { _ = try found(text) }
            #expect(failure?.code == .invalidArgument, "\(text)")
            #expect(failure?.message == #"there is no session state "driftt"; did you mean "drift"?"#, "\(text)")
        }
    }

    /// An index from a file gives the same results before and after its layout is built.
    @Test func anUnpreparedIndexGivesTheSameResults() throws {
        var whole = SessionIndex()
        let lives = PersonGenerator(seed: 4).person(0, sessions: 90).sessions
        try whole.upsert(lives, as: lives.indices.map { VectorID(UInt64($0)) })
        let point: Pleasure = [.mobility: 1]
        let span = TimeRange(from: lives[20].start, to: lives[50].start)!
        let filters: [SessionFilter] = [
            .all, .user(lives[0].userID), .state(.drift), .started(in: span), .user("no") && .started(in: span),
        ]
        var again = try SessionIndex(points: whole.points)
        let copy = again
        for filter in filters {
            let expected = try whole.nearest(to: point, k: 9, where: filter)
            #expect(try again.nearest(to: point, k: 9, where: filter) == expected)
            for _ in 0..<600 { _ = try copy.nearest(to: point, k: 1, where: filter) }
            #expect(try copy.nearest(to: point, k: 9, where: filter) == expected)
        }
        // A change to one copy does not affect the other, although they shared the layout.
        again.prepare()
        let removed = again.remove([3])
        #expect(removed == 1 && again.count == 89 && copy.count == 90)
        let found = try Set(copy.nearest(to: point, k: 100).map(\.id))
        #expect(try found.subtracting(again.nearest(to: point, k: 100).map(\.id)) == [3])
        let gone = again.remove(lives.indices.map { VectorID(UInt64($0)) })
        #expect(gone == 89)
        #expect(try copy.nearest(to: point, k: 100, where: .user(lives[0].userID)).count == 90)
    }
}
