import KinSamples
import KinTestSupport
import Testing

/// Goals count by their rarity, which never jumps.
@Suite struct RarityTests {
    @Test func goalRarityIsDefinedForAnyCounts() throws {
        #expect(GoalRarity(among: []).factor("sleep") == 1)
        let many = try GoalRarity(people: 1_000_000, counts: ["common": 1_000_000, "usual": 100_000, "rare": 10])
        #expect(many.factor("common") > 0 && many.factor("common") < many.factor("usual"))
        #expect(abs(many.factor("usual") - 1) < 1e-3)
        #expect(many.factor("rare") < many.factor("unheard of"))
        #expect(try GoalRarity(people: .max, counts: ["a": .max]).factor("a") > 0)
        #expect(errorCode { try GoalRarity(people: -1, counts: [:]) } == .invalidArgument)
        #expect(errorCode { try GoalRarity(people: 1, counts: ["a": 2]) } == .invalidArgument)
    }

    /// From the second person to the 260th, no one person who joins moves a score of the others by 0.01.
    @Test(arguments: [0, 1])
    func onePersonMovesOtherScoresByLittle(kind: Int) throws {
        let generator = SoulGenerator(seed: 8, communities: 12)
        let watched = (0..<8).map { generator.soul($0) }
        // People like the others, or people whose only goal is the same.
        let joining = try (8..<260).map { number in
            kind == 0 ? generator.soul(number) : try Soul(userID: "n\(number)", goals: SoulTraits(["grief": 1]))
        }
        var counts: [String: Int] = [:]
        var before: [Double]?
        var furthest = 0.0
        for (n, soul) in (watched + joining).enumerated() {
            for goal in soul.goals.list { counts[goal.name, default: 0] += 1 }
            let model = AffinityModel(rarity: try GoalRarity(people: n + 1, counts: counts))
            var scores: [Double] = []
            for a in 0..<8 {
                for b in 0..<a { scores.append(model.affinity(between: watched[a], and: watched[b]).score) }
            }
            for (old, new) in zip(before ?? scores, scores) { furthest = max(furthest, abs(new - old)) }
            before = scores
        }
        print("the furthest that one person moved a score: \(furthest)")
        #expect(furthest < 0.01 && furthest > 0)
        // Together they have moved the scores.
        let first = AffinityModel.standard.affinity(between: watched[0], and: watched[1]).score
        #expect(before?.first != first)
    }

    @Test func modelsSurviveARoundTrip() throws {
        let generator = SoulGenerator(seed: 9)
        let souls = (0..<30).map { generator.soul($0) }
        let weights = try AffinityWeights(goals: 1, realms: 0.3, objects: 0, patterns: 2, valence: 0.1)
        for model in [
            .standard, AffinityModel(weights: weights, rarity: GoalRarity(among: souls)), try SoulMatcher(souls).model,
        ] {
            #expect(try AffinityModel(json: model.json) == model)
        }
        #expect(try AffinityModel(json: "{}") == .standard)
        #expect(try AffinityModel(json: #"{"weights":{"goals":2,"valence":2}}"#).weights[.goals] == 0.5)
        for (json, code) in [
            (#"{"weights":{"goals":-1}}"#, KinError.Code.invalidArgument), (#"{"weights":{}}"#, .invalidArgument),
            (#"{"weights":{"goal":1}}"#, .malformedInput), (#"{"people":-1}"#, .invalidArgument),
            (#"{"people":3,"goals":{"a":4}}"#, .invalidArgument), (#"{"goals":{"a":4}}"#, .invalidArgument),
            (#"{"every_goal_alike":true,"people":3}"#, .invalidArgument), (#"{"people":1.5}"#, .malformedInput),
        ] { #expect(errorCode { try AffinityModel(json: json) } == code, "\(json)") }
    }
}
