import KinTestSupport
import Testing

@testable import KinAffinity

/// After any changes, a matcher that counts the rarity of goals answers like a new one of the same souls.
@Suite struct RarityChangeTests {
    /// A soul with a few common goals and many rare ones.
    private func soul(_ id: String, _ random: inout SeededGenerator) throws -> Soul {
        let plain = try Souls.random(id, &random, missing: 5)
        var goals: [String: Double] = [:]
        for _ in 0..<random.below(6) {
            let rank = Int(1 / (0.005 + random.uniform()))
            goals["g\(rank)"] = Double(1 + random.below(5))
        }
        return try Soul(
            userID: id, goals: SoulTraits(goals), realms: plain.realms, objects: plain.objects, pattern: plain.pattern,
            valence: plain.valence)
    }

    @Test(arguments: [40, 500])
    func changesEqualARebuild(people: Int) throws {
        var random = TestSeed().generator
        var souls = try Dictionary(uniqueKeysWithValues: (0..<people).map { ("u\($0)", try soul("u\($0)", &random)) })
        var matcher = try SoulMatcher(souls.values)
        var largest = 1.0
        for round in 0..<120 {
            let snapshot = matcher
            let before = souls
            let count = round % 15 == 14 ? 60 : 1
            if random.below(3) == 0 {
                for _ in 0..<count {
                    let user = "u\(random.below(2 * people))"
                    #expect(matcher.remove(user) == (souls.removeValue(forKey: user) != nil))
                }
            } else {
                let users = Set((0..<count).map { _ in "u\(random.below(2 * people))" }).sorted()
                let changed = try users.map { try soul($0, &random) }
                for soul in changed { souls[soul.userID] = soul }
                try matcher.upsert(changed, threads: 1 + round % 2)
            }
            if round % 7 == 3 { matcher = try reopened(matcher) }
            largest = max(largest, matcher.factors.slack)
            #expect(matcher.factors.slack <= GoalFactors.mostSlack)
            // A build of many souls takes long.
            if people < 100 || round % 8 == 0 { try expectEqual(matcher, souls, &random, "round \(round)") }
            if round % (people < 100 ? 10 : 20) == 0 {
                try expectEqual(snapshot, before, &random, "before round \(round)")
            }
        }
        #expect(largest > 1.01, "the rarity changed by too little to test anything;")
    }

    /// The matcher saved to a file and opened from it.
    private func reopened(_ matcher: SoulMatcher) throws -> SoulMatcher {
        let folder = TemporaryFolder()
        let path = folder.path("matcher.kin")
        try SectionFileWriter.write(to: path, kind: "TEST", kindVersion: FormatVersion(major: 1, minor: 0)) {
            writer throws(KinError) in try matcher.write(to: &writer)
        }
        return try SoulMatcher(file: SectionFile(verifying: path, files: SystemFiles()))
    }

    private func expectEqual(
        _ matcher: SoulMatcher, _ souls: [String: Soul], _ random: inout SeededGenerator, _ comment: Comment
    ) throws {
        let built = try SoulMatcher(souls.values.shuffled(using: &random))
        #expect(matcher.model == built.model && matcher.count == built.count, comment)
        let users = souls.keys.sorted()
        for _ in 0..<6 {
            let (user, other) = (users[random.below(users.count)], users[random.below(users.count)])
            let (k, coverage) = (1 + random.below(20), [0, 0.6][random.below(2)])
            #expect(
                try matcher.mostSimilar(to: user, k: k, minimumCoverage: coverage)
                    == built.mostSimilar(to: user, k: k, minimumCoverage: coverage), comment)
            let least = 0.3 + 0.7 * random.uniform()
            #expect(try matcher.matches(of: user, above: least) == built.matches(of: user, above: least), comment)
            let affinity = try matcher.affinity(between: user, and: other)
            #expect(affinity == built.model.affinity(between: souls[user]!, and: souls[other]!), comment)
        }
        // The best matches, found by scoring all people.
        let user = users[random.below(users.count)]
        let scored = souls.values.filter { $0.userID != user }
            .map { ScoredSoul(userID: $0.userID, built.model.affinity(between: souls[user]!, and: $0)) }
            .filter { $0.coverage > 0 }.sorted { ($1.affinity, $0.userID) < ($0.affinity, $1.userID) }
        #expect(try matcher.mostSimilar(to: user, k: 9) == Array(scored.prefix(9)), comment)
    }

    /// A rarity that the model defines does not change.
    @Test func aGivenRarityIsUnchanged() throws {
        var random = TestSeed().generator
        let souls = try (0..<50).map { try soul("u\($0)", &random) }
        let model = AffinityModel(rarity: GoalRarity(among: souls))
        var matcher = try SoulMatcher(souls, model: model)
        try matcher.upsert([soul("u1", &random), soul("new", &random)])
        matcher.remove("u2")
        #expect(matcher.model == model)
        #expect(try matcher.affinity(between: "u3", and: "u4") == model.affinity(between: souls[3], and: souls[4]))
    }
}
