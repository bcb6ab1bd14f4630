import KinSamples
import KinTestSupport
import Testing

/// Quantiles of scores, and the connections they define.
@Suite struct CalibrationTests {
    /// All scores of pairs with a coverage of 0.60 or more, ascending.
    private func scores(of matcher: SoulMatcher) throws -> [Double] {
        var scores: [Double] = []
        try matcher.forEachMatch(above: 0, minimumCoverage: 0.6, threads: 2) { scores.append($0.affinity) }
        return scores.sorted()
    }

    @Test(arguments: [.min, -8, 0, 3, 8]) func fewPairsGiveNoCalibration(_ pairs: Int) throws {
        let souls = try (0..<40).map { try Soul(userID: "u\($0)", goals: SoulTraits(["sleep": Double($0 + 1)])) }
        #expect(try SoulMatcher(souls).calibration(pairs: pairs) == nil)
    }

    @Test func sharesAmongFewPeopleCoverAllPairs() throws {
        let generator = SoulGenerator(seed: 4, communities: 6)
        let souls = (0..<120).map { generator.soul($0) }
        let matcher = try SoulMatcher(souls)
        let calibration = try #require(matcher.calibration())
        let all = try scores(of: matcher)
        for score in all.enumerated().filter({ $0.offset % 97 == 0 }).map(\.element) {
            let below = Double(all.count { $0 < score }) / Double(all.count)
            // The calibration stores 119 scores; this share is between two of them.
            #expect(abs(calibration.share(below: score) - below) < 0.011)
        }
        for share in [0.0, 0.02, 0.5, 0.955, 0.99, 0.9937, 0.999, 1] {
            let bound = calibration.score(above: share)
            #expect(calibration.share(below: bound) >= share - 1e-12)
            #expect(calibration.share(below: bound.nextDown) <= share + 1e-9 || bound == all[0])
        }
        #expect(calibration.share(below: 0) == 0 && calibration.share(below: 1.1) == 1)
    }

    /// The calibration depends on the people, not on their order of arrival.
    @Test func calibrationDependsOnlyOnTheSouls() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let generator = SoulGenerator(seed: 4, communities: 20)
        let souls = (0..<400).map { generator.soul($0) }
        let expected = try #require(try SoulMatcher(souls).calibration())
        var matcher = try SoulMatcher(Array(souls[60...].shuffled(using: &random)))
        try matcher.upsert([souls[3]])
        for soul in souls[..<60].shuffled(using: &random) { try matcher.upsert([soul]) }
        try matcher.upsert([Soul(userID: "visitor", valence: 1)])
        matcher.remove("visitor")
        #expect(matcher.calibration() == expected)
    }

    @Test(arguments: [(1 << 16, 1.0), (1 << 12, 3.0)])
    func samplesOfManyAreNearTheWhole(pairs: Int, factor: Double) throws {
        let generator = SoulGenerator(seed: 5)
        let souls = (0..<700).map { generator.soul($0) }
        let matcher = try SoulMatcher(souls, threads: 2)
        let calibration = try #require(matcher.calibration(pairs: pairs))
        let all = try scores(of: matcher)
        for (share, most) in [(0.5, 0.02), (0.95, 0.006), (0.99, 0.003), (0.999, 0.0005)] {
            let bound = calibration.score(above: share)
            let above = Double(all.count { $0 >= bound }) / Double(all.count)
            #expect(abs(above - (1 - share)) < factor * most, "\(share): \(above)")
        }
    }

    @Test func connectionsUseQuantilesOnRequest() throws {
        let generator = SoulGenerator(seed: 6, communities: 4)
        let souls = (0..<250).map { generator.soul($0) }
        let plain = try SoulMatcher(souls)
        let quantiles = try ConnectionQuantiles(
            parallelPath: 0.5, resonantTraveller: 0.9, kindredSpirit: 0.99, soulMirror: 0.999)
        let matcher = plain.calibrated(ConnectionRule(quantiles: quantiles))
        let calibration = try #require(matcher.model.calibration)
        var counts: [SoulConnection: Int] = [:]
        try matcher.forEachMatch(above: 0) { pair in
            let nearer = calibration.share(below: pair.affinity)
            #expect(pair.nearerThan == nearer && pair.match.connection == pair.connection)
            let expected = SoulConnection.allCases.last {
                nearer >= quantiles[$0] - 1e-12 && pair.coverage >= $0.minimumCoverage - 1e-9
            }
            #expect(pair.connection == expected, "\(pair)")
            counts[pair.connection, default: 0] += 1
        }
        let mirrors = counts[.soulMirror] ?? 0
        #expect((20...50).contains(mirrors), "\(counts)")
        // The fixed bounds give more than 20 times the number of soul mirrors.
        var fixed = 0
        try plain.forEachMatch(above: 0.95) { fixed += $0.connection == .soulMirror ? 1 : 0 }
        #expect(fixed > 20 * mirrors, "\(fixed)")
        // An affinity reports the same share, and a model that is read from JSON gives the same results.
        let model = try AffinityModel(json: matcher.model.json)
        #expect(model == matcher.model)
        for number in 1..<20 {
            let affinity = model.affinity(between: souls[0], and: souls[number])
            #expect(try affinity == matcher.affinity(between: "u0", and: "u\(number)"))
            #expect(affinity.nearerThan == calibration.share(below: affinity.score))
            #expect(affinity.json.contains("\"nearer_than\":"))
        }
        // Without quantiles, matches have the fixed bounds, and affinities still report their shares.
        let explained = plain.calibrated(.standard, by: calibration)
        let found = try explained.mostSimilar(to: "u0", k: 3)
        #expect(try found == plain.mostSimilar(to: "u0", k: 3) && found.allSatisfy { $0.nearerThan == nil })
        #expect(try explained.affinity(between: "u0", and: "u1").nearerThan != nil)
    }

    @Test func aPlateauIsOnlyNearerThanLowerScores() throws {
        // Forty people of two kinds: about half of all pairs score 1, the others 0.
        let souls = try (0..<40).map { try Soul(userID: "u\($0)", goals: SoulTraits([$0 % 2 == 0 ? "a" : "b": 1])) }
        let goals = try AffinityWeights(goals: 1, realms: 0, objects: 0, patterns: 0, valence: 0)
        let matcher = try SoulMatcher(souls, model: AffinityModel(weights: goals))
            .calibrated(ConnectionRule(quantiles: .standard))
        let same = try matcher.affinity(between: "u0", and: "u2")
        #expect(same.score == 1 && same.connection == .distantEcho)
        #expect(abs(try #require(same.nearerThan) - 0.51) < 0.02)
        let half = try ConnectionQuantiles(
            parallelPath: 0.4, resonantTraveller: 0.45, kindredSpirit: 0.9, soulMirror: 0.9)
        let wider = matcher.calibrated(ConnectionRule(quantiles: half))
        #expect(try wider.affinity(between: "u0", and: "u2").connection == .resonantTraveller)
        #expect(try wider.affinity(between: "u0", and: "u1").connection == .distantEcho)
    }

    @Test func fewPeopleUseTheFixedBounds() throws {
        let generator = SoulGenerator(seed: 4, communities: 1)
        let souls = (0..<14).map { generator.soul($0) }
        let matcher = try SoulMatcher(souls).calibrated(ConnectionRule(quantiles: .standard))
        #expect(matcher.model.calibration == nil && matcher.model.bounds == .standard)
        #expect(try SoulMatcher([Soul]()).calibration() == nil)
    }

    @Test func aHigherMinimumCoverageApplies() throws {
        let a = try Soul(userID: "a", goals: SoulTraits(["x": 1]), realms: SoulTraits(["y": 1]))
        let matcher = try SoulMatcher([a, Soul(userID: "b", goals: a.goals, realms: a.realms)])
        #expect(try matcher.mostSimilar(to: "a", k: 1)[0].connection == .kindredSpirit)
        let strict = matcher.calibrated(ConnectionRule(minimumCoverage: 0.7))
        #expect(try strict.mostSimilar(to: "a", k: 1)[0].connection == .distantEcho)
        #expect(strict.model.bounds.coverage(of: .soulMirror) == 0.75)
        #expect(try AffinityModel(json: strict.model.json) == strict.model)
    }

    @Test func wrongQuantilesAreRefused() throws {
        #expect(
            errorCode {
                try ConnectionQuantiles(
                    parallelPath: 0.9, resonantTraveller: 0.5, kindredSpirit: 0.99, soulMirror: 1)
            } == .invalidArgument)
        #expect(
            errorCode {
                try ConnectionQuantiles(parallelPath: .nan, resonantTraveller: 1, kindredSpirit: 1, soulMirror: 1)
            } == .notFinite)
        for json in [
            #"{"quantiles":{"soul_mirror":1.5}}"#, #"{"quantiles":{"friend":0.5}}"#, #"{"minimum_coverage":2}"#,
            #"{"calibration":[0.5]}"#, "{\"calibration\":[\((0..<119).map { "\(118 - $0)" }.joined(separator: ","))]}",
        ] { #expect(throws: KinError.self, "\(json)") { try AffinityModel(json: json) } }
    }
}
