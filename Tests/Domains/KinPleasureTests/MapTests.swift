import KinSamples
import KinTestSupport
import Testing

@Suite struct MapTests {
    @Test(arguments: [2, 3]) func mapsKeepTimeVarianceAndOrientation(_ count: Int) throws {
        let life = PersonGenerator(seed: 50).person(1, sessions: 120)
        let map = try PleasureMap(of: life.sessions.reversed(), components: count)
        #expect(map.points.map(\.id) == life.sessions.map(\.id))
        #expect(map.points.allSatisfy { $0.coordinates.count == count })
        for (i, axis) in map.axes.enumerated() {
            let along = map.points.map { Double($0.coordinates[i]) }
            let variance = along.reduce(0) { $0 + $1 * $1 } / Double(along.count - 1)
            #expect(abs(variance - map.components.explainedVariance[i]) < 1e-6 * variance)
            #expect(abs(axis.loadings.reduce(0) { $0 + $1 * $1 } - 1) < 1e-12)
            #expect(axis.loadings[axis.strongest()[0].rawValue] > 0)
            #expect(i == 0 || axis.explainedVarianceRatio <= map.axes[i - 1].explainedVarianceRatio)
        }
        // A flipped map stays flipped as sessions come.
        let flipped = try PCA(
            mean: map.components.mean,
            components: Matrix(rows: (0..<count).map { map.components.components.row($0).map { -$0 } }),
            explainedVariance: map.components.explainedVariance, totalVariance: map.components.totalVariance)
        let earlier = PleasureMap(components: flipped, points: [])
        let later = try PleasureMap(of: life.sessions, components: count, like: earlier.axes)
        for i in 0..<count {
            for (a, b) in zip(later.axes[i].loadings, map.axes[i].loadings) { #expect(a == -b) }
        }
        let short = PleasureMap.Axis(explainedVarianceRatio: 1, loadings: [0.6, 0.8])
        #expect(short.strongest().map(\.rawValue) == [1, 0])
        #expect(errorCode { try PleasureMap(of: life.sessions, like: [short]) } == .dimensionMismatch)
    }

    @Test func undrawableMapsAreRefused() throws {
        let life = PersonGenerator(seed: 51).person(1, sessions: 5)
        #expect(errorCode { try PleasureMap(of: Array(life.sessions[..<2])) } == .invalidArgument)
        #expect(errorCode { try PleasureMap(of: life.sessions, components: 4) } == .invalidArgument)
        let same = try (0..<4).map {
            try PleasureSession(
                id: "s\($0)", userID: "u", start: life.sessions[$0].start, pleasure: PleasureMarks(primary: [.food]))
        }
        #expect(errorCode { try PleasureMap(of: same) } == .invalidArgument)
        #expect(errorCode { try SessionTypes(of: []) } == .invalidArgument)
        let types = try SessionTypes(of: same)
        #expect(types.kinds.count == 1 && types.kinds[0].name == "food" && types.labels == [0, 0, 0, 0])
    }

    @Test func typesAreNamedByTheirDistinctiveDimensions() throws {
        var sessions: [PleasureSession] = []
        for i in 0..<30 {
            let marks = try PleasureMarks(
                primary: i % 3 == 0 ? [.food, .anchorExpansion] : [.mobility, .horizon], intensities: [.post: 0.5])
            sessions.append(
                try PleasureSession(id: "s\(i)", userID: "u", start: Timestamp(microseconds: Int64(i)), pleasure: marks)
            )
        }
        let types = try SessionTypes(of: sessions)
        #expect(types.kinds.map(\.count) == [20, 10])
        #expect(types.kinds.map(\.name) == ["horizon + mobility", "food + anchor_expansion"])
        #expect(types.labels == (0..<30).map { $0 % 3 == 0 ? 1 : 0 } && types.silhouette! > 0.99)
    }
}
