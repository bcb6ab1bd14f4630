import KinSamples
import KinTestSupport
import Testing

@Suite struct InsightTests {
    @Test func aValueOutsideAConstantBaselineIsRaisedOrLowered() throws {
        func direction(_ past: [Float], _ value: Float) throws -> DimensionShift.Direction? {
            let sessions = try (past + [value]).enumerated().map { number, food in
                try PleasureSession(
                    json: """
                        {"id":"s\(number)","user_id":"u","state":"drift","state_history":["drift"],"timestamp_start":"2026-05-\(10 + number)T10:00:00Z",
                         "pleasure_vector":{"primary":[],"secondary":[],"intensities":{"food":\(food)}}}
                        """)
            }
            let insight = try SessionInsight(of: sessions.last!, among: sessions)
            return insight.shifts.first { $0.dimension == .food }?.direction
        }
        #expect(try direction([0, 0, 0], 0.9) == .raised && direction([0.9, 0.9, 0.9], 0.1) == .lowered)
        #expect(try direction([0.5, 0.5, 0.5], 0.5) == .usual && direction([0.5, 0.4, 0.6], 0.5) == .usual)
        #expect(try direction([0, 0], 0.9) == .unknown && direction([], 0.9) == .unknown)
    }

    @Test func fishersTestIsExact() throws {
        // Two dimensions of eight sessions: the table of the lady tasting tea with 3 of 4 right has p = 17 ∕ 70.
        let points: [Pleasure] = try [(1, 1), (1, 1), (1, 1), (1, 0), (0, 1), (0, 0), (0, 0), (0, 0)].map {
            try Pleasure([.food: $0.0, .power: $0.1])
        }
        let pair = try CoActivation.pairs(in: points, falseDiscoveryRate: 1).first!
        #expect(pair.first == .food && pair.second == .power && pair.together == 3)
        #expect(abs(pair.pValue - 17.0 / 70) < 1e-12 && abs(pair.lift - 1.5) < 1e-12)
        #expect(pair.adjustedPValue == 1)
        #expect(errorCode { try CoActivation.pairs(in: points, falseDiscoveryRate: 1.5) } == .invalidArgument)
    }

    @Test func tailsOfLargeTablesAddUp() throws {
        // If half of 600 sessions fire, the tail from the mean on is a half plus half of the middle term.
        var generator = SeededGenerator(seed: 2)
        let points = try (0..<600).map { i in
            try Pleasure([.food: i < 300 ? 1 : 0, .power: i % 2 == 0 ? 1 : 0, .post: generator.below(2) == 0 ? 1 : 0])
        }
        let pairs = try CoActivation.pairs(in: points, falseDiscoveryRate: 1)
        let pair = try #require(pairs.first { $0.first == .food && $0.second == .power })
        // C(300, 150)² ∕ C(600, 300).
        var middle = 1.0
        for i in 1...150 {
            let step = Double(150 + i) / Double(i)
            middle *= step * step
            middle *= Double(2 * i - 1) / Double(300 + 2 * i - 1)
            middle *= Double(2 * i) / Double(300 + 2 * i)
        }
        #expect(abs(pair.pValue - (0.5 + middle / 2)) < 1e-9)
    }

    @Test func theUsualPathIsTheMostFrequent() {
        let paths = StatePaths([
            [.idle, .drift, .reflection], [.idle, .drift, .mastery, .reflection], [.idle, .drift, .reflection],
            [.drift],
        ])
        #expect(paths.usual == [.idle, .drift, .reflection] && paths.usualCount == 2 && paths.n == 4)
        let step = paths.steps.first { $0.from == .drift && $0.to == .reflection }
        #expect(step?.count == 2 && step.map { abs($0.share - 2.0 / 3) < 1e-12 } == true)
    }
}
