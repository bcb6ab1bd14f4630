import KinSamples
import KinTestSupport
import Testing

@testable import KinAffinity

/// Scores that shrink if few events are behind the souls, and the changes that raise a connection.
@Suite struct ShrinkageTests {
    private let model = AffinityModel(shrinksScores: true)

    @Test func scoresAreMultipliedByBothFactors() throws {
        var random = TestSeed().generator
        let souls = try (0..<60).map { try Souls.random("u\($0)", &random) }
        for a in souls {
            for b in souls {
                let (plain, shrunk) = (
                    AffinityModel.standard.affinity(between: a, and: b), model.affinity(between: a, and: b)
                )
                let factors = [a, b].map { soul in
                    let n = soul.eventCount
                    return n == 0 ? 1 : (((n + 1) / (n + 2)).squareRoot() * 2048).rounded() / 2048
                }
                #expect(plain.shrinkage == 1 && shrunk.shrinkage == factors[0] * factors[1])
                #expect(abs(shrunk.score - plain.score * shrunk.shrinkage) < 1e-12)
                #expect(
                    abs(shrunk.blocks.reduce(0) { $0 + $1.contribution } - shrunk.score) < 1e-12
                        && shrunk.blocks.map(\.similarity) == plain.blocks.map(\.similarity))
                #expect(model.affinity(between: b, and: a).score == shrunk.score)
            }
        }
    }

    @Test func factorsRiseWithEveryEvent() {
        let factors = (1...30).map { EvidenceFactor(events: Double($0)).value }
        #expect(zip(factors, factors.dropFirst()).allSatisfy { $0 < $1 })
        for (number, factor) in factors.enumerated() {
            #expect(EvidenceFactor.events(reaching: factor) == Double(number + 1))
        }
        #expect(EvidenceFactor(events: 0).value == 1 && EvidenceFactor(events: 1e300).value == 1)
        #expect(EvidenceFactor.events(reaching: 1.01) == nil)
        #expect(EvidenceFactor(events: 19).value * EvidenceFactor(events: 19).value >= 0.95)
        #expect(EvidenceFactor(events: 18).value * EvidenceFactor(events: 18).value < 0.95)
    }

    /// Of all pairs of made-up newcomers at most 0.05 % are soul mirrors.
    @Test(arguments: [1, 2, 3] as [UInt64]) func newcomersAreHardlyEverMirrors(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        // So few words that one pair in 48 is alike.
        func one(_ words: ArraySlice<String>) throws -> SoulTraits {
            try SoulTraits([words[random.below(words.count)]: Double(1 + random.below(3))])
        }
        // One to three events of one goal, one realm and one object; some have a valence.
        let souls = try (0..<1500).map { number in
            var soul = try Soul(
                userID: "u\(number)", goals: one(SoulGenerator.goals.prefix(4)),
                realms: one(SoulGenerator.realms.prefix(3)), objects: one(SoulGenerator.objects.prefix(4)))
            if random.below(2) == 0 {
                soul = try Soul(
                    userID: soul.userID, goals: soul.goals, realms: soul.realms, objects: soul.objects, valence: 0.5)
            }
            return soul
        }
        func mirrors(_ model: AffinityModel) throws -> Double {
            var count = 0
            try SoulMatcher(souls, model: model).forEachMatch(above: 0.95) {
                if $0.connection == .soulMirror { count += 1 }
            }
            return Double(count) / Double(souls.count * (souls.count - 1) / 2)
        }
        let (before, share) = (try mirrors(.standard), try mirrors(model))
        print(
            "seed \(seed): \(share * 100) % of pairs of newcomers are soul mirrors, \(before * 100) % without shrinkage"
        )
        #expect(share <= 0.0005 && before > 0.01, "seed \(seed)")
    }

    /// The named change gives the next connection, a smaller one does not, and no other block needs a smaller rise.
    @Test func theSmallestChangeIsFound() throws {
        var random = TestSeed().generator
        var kinds: Set<String> = []
        for number in 0..<3000 {
            let (a, b) = (try Souls.random("a", &random), try Souls.random("b", &random))
            let found = model.affinity(between: a, and: b)
            let sums = found.blocks.reduce(into: (sum: 0.0, total: 0.0)) {
                $0.sum += model.weights[$1.block] * $1.similarity
                $0.total += model.weights[$1.block]
            }
            /// The connection with a similarity of a block, which may be missing now.
            func connection(_ block: SoulBlock, _ similarity: Double) -> SoulConnection {
                let weight = model.weights[block]
                let present = found[block]
                let total = sums.total + (present == nil ? weight : 0)
                let sum = sums.sum + weight * (similarity - (present?.similarity ?? 0))
                return model.bounds.connection(score: sum / total * found.shrinkage, coverage: min(1, total))
            }
            guard let change = found.raise else {
                kinds.insert("none")
                let most = SoulBlock.allCases.map { connection($0, 1) }.max()!
                #expect(most <= found.connection, "\(number)")
                continue
            }
            #expect(change.connection.rawValue == found.connection.rawValue + 1)
            if let block = change.block {
                kinds.insert(change.present == nil ? "missing" : "similarity")
                #expect(change.present == found[block]?.similarity && change.needed <= 1)
                #expect(connection(block, change.needed + 1e-9) >= change.connection, "\(number)")
                if change.needed > 1e-6 {
                    #expect(connection(block, change.needed - 1e-6) < change.connection, "\(number)")
                }
                let rise = change.needed - (change.present ?? 0)
                for other in SoulBlock.allCases where other != block {
                    let present = found[other]?.similarity ?? 0
                    guard present + rise - 1e-6 <= 1, rise > 1e-6 else { continue }
                    #expect(connection(other, present + rise - 1e-6) < change.connection, "\(number)")
                }
            } else {
                kinds.insert("events")
                let score = sums.sum / sums.total
                let factors = [a, b].map { EvidenceFactor(events: $0.eventCount).value }
                let more = factors.max()!
                func reaches(_ events: Double) -> Bool {
                    score * EvidenceFactor(events: events).value * more
                        >= model.bounds.score(of: change.connection) - 1e-12
                }
                #expect(reaches(change.needed) && !reaches(change.needed - 1), "\(number)")
            }
        }
        #expect(kinds.isSuperset(of: ["none", "missing", "similarity"]), "\(kinds)")
        // Two newcomers who are equal need events.
        let traits = try SoulTraits(["sleep": 1])
        let pair = try ["a", "b"].map { try Soul(userID: $0, goals: traits, realms: traits, objects: traits) }
        let equal = model.affinity(between: pair[0], and: pair[1])
        let change = try #require(equal.raise)
        #expect(equal.connection == .resonantTraveller && change.block == nil && change.present == 3)
        #expect(
            equal.json.contains(#""raise":{"connection":"kindred_spirit","change":"events","present":3.0,"needed":9"#))
    }
}
