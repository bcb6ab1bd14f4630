import KinTestSupport
import Testing

@testable import KinPleasure

/// An insight, computed in one pass over all dimensions, is bit-identical to the plain formulas.
@Suite struct InsightFormulaTests {
    @Test(arguments: [0, 1, 2, 3, 63, 64, 65, 400])
    func insightEqualsThePlainFormulas(count: Int) throws {
        var random = TestSeed().generator
        let sessions = try (0...count).map { number in
            var values: [Pleasure.Dimension: Float] = [:]
            // Few different values, so that sessions have equal distances.
            for dimension in Pleasure.Dimension.allCases where random.below(3) > 0 {
                values[dimension] = Float(random.below(3)) / 2
            }
            return try PleasureSession(
                id: "s\(number)", userID: random.below(9) == 0 ? "v" : "u",
                start: Timestamp(unchecked: Int64(random.below(50))),
                pleasure: PleasureMarks(primary: [], intensities: values))
        }
        let session = sessions[random.below(sessions.count)]
        let past = sessions.filter {
            $0.userID == session.userID && $0.start < session.start && $0.id != session.id
        }
        let insight = try SessionInsight(of: session, among: sessions, k: 7)
        for shift in insight.shifts {
            let moments = Moments(past.map { Double($0.embedding[shift.dimension]) })
            #expect(shift.n == moments.count && shift.baseline == moments.mean)
            let variance = moments.count > 1 ? moments.squaredDeviations / Double(moments.count - 1) : 0
            #expect(shift.deviation == variance.squareRoot())
            guard let effect = shift.effectSize else { continue }
            let z = (Double(session.embedding[shift.dimension]) - shift.baseline) / shift.deviation
            #expect(abs(effect - z * (1 - 3 / Double(4 * shift.n - 5))) < 1e-9)
            #expect((shift.direction == .raised) == (effect >= 0.8))
            #expect((shift.direction == .lowered) == (effect <= -0.8))
        }
        let sizes = insight.shifts.compactMap { $0.effectSize.map(abs) }
        #expect(sizes == sizes.sorted(by: >) && (past.count < 20 || sizes.count == 16))
        let distance = try PointDistance(.squaredL2, to: session.embedding)
        let near = past.map { past in
            SessionInsight.SimilarSession(
                id: past.id, start: past.start, distance: distance(past.embedding.coordinates) ?? .nan)
        }.sorted { ($0.distance, $1.start, $0.id) < ($1.distance, $0.start, $1.id) }
        #expect(insight.similar == Array(near.prefix(7)))
        #expect(insight.paths == StatePaths(past.map(\.stateHistory)))
        let points = past.sorted { $0.start < $1.start }.map(\.embedding) + [session.embedding]
        for pair in try CoActivation.pairs(in: points, falseDiscoveryRate: 1) {
            func active(_ dimension: Pleasure.Dimension) -> [Bool] {
                let mean = Moments(points.map { Double($0[dimension]) }).mean
                return points.map { Double($0[dimension]) > mean + 1e-6 }
            }
            let (a, b) = (active(pair.first), active(pair.second))
            let together = zip(a, b).count { $0 && $1 }
            #expect(pair.together == together && pair.n == points.count)
            let product = Double(a.count { $0 }) * Double(b.count { $0 })
            #expect(pair.lift == Double(together) * Double(points.count) / product)
        }
        #expect(insight.coActivations == (try CoActivation.pairs(in: points)))
    }
}
