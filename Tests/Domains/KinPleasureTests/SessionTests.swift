import KinPleasure
import KinTestSupport
import Testing

@Suite struct PleasureSessionTests {
    private func time(_ text: String) throws -> Timestamp { try Timestamp(parsing: text) }

    @Test func everyStepIsAllowedOrRefusedByTheRules() throws {
        let allowed: [SessionState: Set<SessionState>] = [
            .idle: [.drift, .reflection], .drift: [.mastery, .socialSync, .reflection],
            .mastery: [.drift, .socialSync, .reflection], .socialSync: [.drift, .mastery, .reflection],
            .reflection: [.idle],
        ]
        for from in SessionState.allCases {
            for to in SessionState.allCases {
                let json = """
                    {"id":"s","user_id":"u","state":"\(to.name)","state_history":["\(from.name)","\(to.name)"],\
                    "timestamp_start":"2026-01-01","pleasure_vector":{}}
                    """
                if from == to { continue }
                let isAllowed = allowed[from]!.contains(to)
                #expect((errorCode { try PleasureSession(json: json) } == nil) == isAllowed, "\(from) to \(to)")
                var session = try PleasureSession(id: "s", userID: "u", start: time("2026-01-01"), state: from)
                do {
                    if to == .reflection {
                        try session.end(at: time("2026-01-02"))
                    } else {
                        try session.advance(to: to)
                    }
                    #expect(isAllowed && session.stateHistory == [from, to])
                } catch let error as KinError {
                    #expect(!isAllowed && session.stateHistory == [from])
                    #expect(error.message.contains(from.name) && error.message.contains(to.name), "\(error)")
                }
            }
        }
    }

    @Test func endingNeedsAnInstantAfterTheStart() throws {
        var session = try PleasureSession(id: "s", userID: "u", start: time("2026-01-02"), state: .drift)
        #expect(errorCode { try session.advance(to: .reflection) } == .invalidArgument)
        #expect(errorCode { try session.end(at: time("2026-01-01")) } == .invalidArgument)
        #expect(session.end == nil && session.state == .drift)
        try session.end(at: time("2026-01-02"))
        #expect(session.end == session.start && session.state == .reflection)
        #expect(errorCode { try session.end(at: time("2026-01-03")) } == .invalidArgument)
        // In every later state, the session still has its end.
        for state in [SessionState.idle, .drift, .mastery, .socialSync] {
            try session.advance(to: state)
            let before = session
            #expect(errorCode { try session.end(at: time("2026-01-09")) } == .invalidArgument)
            #expect(session == before)
        }
    }

    @Test func aStoredEndCannotBeChanged() throws {
        for state in SessionState.allCases {
            var session = try PleasureSession(
                json: """
                    {"id":"s","user_id":"u","state":"\(state.name)","state_history":["\(state.name)"],\
                    "timestamp_start":"2026-01-01","timestamp_end":"2026-01-02","pleasure_vector":{}}
                    """)
            let before = session
            let error = #expect(throws: KinError.self) { try session.end(at: time("2026-01-03")) }
            #expect(session == before && error?.message.contains("2026-01-02") == true)
        }
    }

    @Test func embeddingFollowsItsRules() throws {
        let marks = try PleasureMarks(
            primary: [.power, .food], secondary: [.post], intensities: [.food: 0, .path: 0.25])
        let point = marks.embedding
        for dimension in Pleasure.Dimension.allCases {
            let expected: Float =
                switch dimension {
                case .power: PleasureMarks.primaryDefault
                case .post: PleasureMarks.secondaryDefault
                case .path: 0.25
                default: 0
                }
            #expect(point[dimension] == expected)
        }
        #expect(errorCode { try PleasureMarks(primary: [.food, .food]) } == .invalidArgument)
        #expect(errorCode { try PleasureMarks(primary: [], intensities: [.food: .nan]) } == .notFinite)
    }

    @Test func pointsHoldNothingOutsideTheirRange() throws {
        #expect(MemoryLayout<Pleasure>.size == 64)
        #expect(Pleasure.Dimension.names.count == 16 && Set(Pleasure.Dimension.names).count == 16)
        for (value, code) in [
            (Float.nan, KinError.Code.notFinite), (1.0001, .invalidArgument), (-0.1, .invalidArgument),
        ] {
            let error = kinError { try Pleasure([.natureMirror: value]) }
            #expect(error?.code == code && error?.description.contains("nature_mirror") == true, "\(value)")
        }
        #expect(errorCode { try Pleasure([Float](repeating: 0, count: 15)) } == .dimensionMismatch)
        for dimension in Pleasure.Dimension.allCases { #expect(Pleasure.Dimension(name: dimension.name) == dimension) }
    }
}
