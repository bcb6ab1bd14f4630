import KinSamples
import KinTestSupport
import Synchronization
import Testing

/// The matcher's results are bit-identical to scoring all people.
@Suite struct SoulMatcherTests {
    /// The scores of the formula among some souls, with their vectors computed once.
    private struct Formula {
        let souls: [Soul]
        let model: AffinityModel
        private let vectors: [SoulVector]

        init(_ souls: [Soul], _ model: AffinityModel) {
            self.souls = souls
            self.model = model
            vectors = souls.map { SoulVector($0, rarity: model.rarity) }
        }

        func affinity(_ i: Int, _ j: Int) -> Affinity { model.affinity(vectors[i], vectors[j]) }

        /// All people's scores with the soul at an index, the best first.
        func scores(of i: Int, coverage: Double = 0) -> [ScoredSoul] {
            var all: [ScoredSoul] = []
            for j in souls.indices where j != i {
                let affinity = affinity(i, j)
                guard affinity.coverage > 0, affinity.coverage >= coverage else { continue }
                all.append(ScoredSoul(userID: souls[j].userID, affinity))
            }
            return all.sorted { ($1.affinity, $0.userID) < ($0.affinity, $1.userID) }
        }
    }

    private func souls(_ count: Int, _ random: inout SeededGenerator, missing: Int) throws -> [Soul] {
        try (0..<count).map { try Souls.random("u\($0)", &random, missing: missing) }
    }

    @Test(arguments: [0, 3, 8], [false, true])
    func searchEqualsScoringEveryone(missing: Int, shrinksScores: Bool) throws {
        var random = TestSeed().generator
        let souls = try souls(200, &random, missing: missing)
        let weights = [
            AffinityWeights.standard, try AffinityWeights(goals: 0, realms: 2, objects: 0, patterns: 1, valence: 3),
        ]
        for weights in weights {
            let matcher = try SoulMatcher(
                souls, model: AffinityModel(weights: weights, shrinksScores: shrinksScores), threads: 2)
            #expect(matcher.model.rarity == GoalRarity(among: souls))
            let formula = Formula(souls, matcher.model)
            for (i, soul) in souls.prefix(25).enumerated() {
                let all = formula.scores(of: i)
                for k in [1, 10, 199, 1000] {
                    let found = try matcher.mostSimilar(to: soul.userID, k: k)
                    #expect(found == Array(all.prefix(k)), "\(soul.userID) k \(k)")
                }
                let threshold = all.isEmpty ? 0.5 : all[min(20, all.count - 1)].affinity
                let matches = try matcher.matches(of: soul.userID, above: threshold)
                #expect(matches == all.filter { $0.affinity >= threshold })
                #expect(
                    try matcher.mostSimilar(to: soul.userID, k: 5, minimumCoverage: 0.6)
                        == Array(formula.scores(of: i, coverage: 0.6).prefix(5)))
            }
        }
    }

    /// People who lack blocks are in groups of all sizes, and people without any block are in no group. After changes,
    /// the vectors lag behind the rarity of goals.
    @Test(arguments: [3, 8])
    func searchForEveryoneEqualsSingleSearches(missing: Int) throws {
        var random = TestSeed().generator
        var souls = try souls(450, &random, missing: missing) + [Soul(userID: "blank")]
        // Four souls, each of 15 people.
        for number in 0..<60 {
            var equal = SeededGenerator(seed: UInt64(number % 4))
            souls.append(try Souls.random("equal\(number)", &equal, missing: missing))
        }
        var matcher = try SoulMatcher(souls)
        let changed = try (0..<30).map { try Souls.random("u\($0 * 7)", &random, missing: missing) }
        for soul in changed { try matcher.upsert([soul]) }
        for (number, soul) in changed.enumerated() { souls[number * 7] = soul }
        func expectEqual(_ matcher: SoulMatcher, _ souls: some Sequence<Soul>, k: Int, coverage: Double = 0) throws {
            var seen: [String] = []
            try matcher.forEachMostSimilar(k: k, minimumCoverage: coverage, threads: 2) { user, found in
                seen.append(user)
                let alone = Result { () throws(KinError) in
                    try matcher.mostSimilar(to: user, k: k, minimumCoverage: coverage)
                }
                #expect(alone == .success(found), "\(user), k \(k)")
            }
            #expect(seen.sorted() == souls.map(\.userID).sorted())
        }
        for k in [0, 1, 10, 100] { try expectEqual(matcher, souls, k: k) }
        var order: [[String]] = [[], []]
        for threads in [1, 2] {
            try matcher.forEachMostSimilar(k: 1, threads: threads) { user, _ in order[threads - 1].append(user) }
        }
        #expect(order[0] == order[1])
        try expectEqual(matcher, souls, k: 10, coverage: 0.6)
        // k exceeds the number of people: long lists of all of them have to be sorted.
        try expectEqual(SoulMatcher(souls.suffix(150)), souls.suffix(150), k: 800)
        var pairs: [[String]: Double] = [:]
        try matcher.forEachMatch(above: 0.8, minimumCoverage: 0.33, threads: 2) {
            #expect(pairs.updateValue($0.affinity, forKey: [$0.first, $0.second]) == nil)
        }
        var expected = 0
        let formula = Formula(souls, matcher.model)
        for (i, soul) in souls.enumerated() {
            for other in formula.scores(of: i, coverage: 0.33) where other.affinity >= 0.8 {
                expected += 1
                let (first, second) = (min(soul.userID, other.userID), max(soul.userID, other.userID))
                #expect(pairs[[first, second]] == other.affinity, "\(first) \(second)")
            }
        }
        #expect(2 * pairs.count == expected && expected > 100)
    }

    @Test func equalSoulsAreSearchedForOnce() throws {
        let matcher = try SoulMatcher(
            (0..<300).map { try Soul(userID: "u\($0)", goals: SoulTraits(["sleep": Double($0 % 3 + 1)]), valence: 0.5) }
        )
        let searched = Mutex<Int?>(nil)
        try withProgressHandler {
            try matcher.forEachMostSimilar(k: 2) { _, found in #expect(found.count == 2) }
        } onProgress: { _, total in
            searched.withLock { $0 = total }
            return true
        }
        #expect(searched.withLock(\.self) == 3)
    }

    @Test func equalPeopleAreInTheOrderOfTheirIDs() throws {
        let souls = try ["d", "b", "c", "a", "e"].map { try Soul(userID: $0, goals: SoulTraits(["sleep": 1])) }
        let matcher = try SoulMatcher(souls)
        #expect(try matcher.mostSimilar(to: "c", k: 3).map(\.userID) == ["a", "b", "d"])
        #expect(try matcher.mostSimilar(to: "c", k: 3).allSatisfy { $0.affinity == 1 && $0.coverage == 0.4 })
    }

    @Test func invalidQueriesAreRefused() throws {
        var matcher = try SoulMatcher([Soul(userID: "a", valence: 0), Soul(userID: "b")])
        #expect(errorCode { try matcher.mostSimilar(to: "x", k: 1) } == .unknownID)
        #expect(errorCode { try matcher.mostSimilar(to: "a", k: -1) } == .invalidArgument)
        #expect(errorCode { try matcher.mostSimilar(to: "a", k: 1, minimumCoverage: 1.5) } == .invalidArgument)
        #expect(errorCode { try matcher.matches(of: "a", above: .nan) } == .invalidArgument)
        #expect(try matcher.mostSimilar(to: "b", k: 5).isEmpty)
        #expect(errorCode { try matcher.upsert([Soul(userID: "c"), Soul(userID: "c")]) } == .duplicateID)
        #expect(matcher.count == 2)
        #expect(errorCode { try SoulMatcher([Soul(userID: "a"), Soul(userID: "a")]) } == .duplicateID)
        let nobody = try SoulMatcher([Soul]())
        #expect(nobody.count == 0)
        try nobody.forEachMostSimilar(k: 1) { _, _ in Issue.record("there is nobody") }
    }
}
