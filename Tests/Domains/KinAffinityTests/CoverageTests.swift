import KinSamples
import KinTestSupport
import Testing

/// A connection needs enough compared blocks; a score needs none.
@Suite struct CoverageTests {
    @Test func connectionsNeedTheirCoverage() {
        for connection in SoulConnection.allCases.dropFirst() {
            let (score, least) = (connection.threshold, connection.minimumCoverage)
            #expect(SoulConnection(affinity: score, coverage: least) == connection)
            #expect(SoulConnection(affinity: 1, coverage: least - 1e-9) < connection)
        }
        #expect(SoulConnection(affinity: 1, coverage: 0.65) == .kindredSpirit)
        #expect(SoulConnection(affinity: 1, coverage: 0.59) == .distantEcho)
        #expect(SoulConnection.allCases.map(\.minimumCoverage) == [0, 0.6, 0.6, 0.6, 0.75])
    }

    /// Sums of weights are rounded, but 0.6 of the weight always counts as 0.6.
    @Test(arguments: [1.0, 0.7, 3, 1e-5, 1e9])
    func coverageIsTheWeightOfTheBlocks(unit: Double) throws {
        let weights = try AffinityWeights(
            goals: 0.40 * unit, realms: 0.25 * unit, objects: 0.20 * unit, patterns: 0.10 * unit, valence: 0.05 * unit)
        let hundredths = [40, 25, 20, 10, 5]
        let pattern = try SessionPattern(minutes: 20)
        for mask in 1..<32 {
            func has(_ block: SoulBlock) -> Bool { mask >> block.rawValue & 1 == 1 }
            func traits(_ block: SoulBlock) throws -> SoulTraits {
                has(block) ? try SoulTraits(["x": 2]) : SoulTraits()
            }
            let soul = try Soul(
                userID: "a", goals: traits(.goals), realms: traits(.realms), objects: traits(.objects),
                pattern: has(.patterns) ? pattern : nil, valence: has(.valence) ? 0.5 : nil)
            let affinity = AffinityModel(weights: weights).affinity(between: soul, and: soul)
            let compared = SoulBlock.allCases.reduce(0) { has($1) ? $0 + hundredths[$1.rawValue] : $0 }
            #expect(affinity.score == 1)
            #expect(
                affinity.connection == (compared >= 75 ? .soulMirror : compared >= 60 ? .kindredSpirit : .distantEcho))
            #expect(affinity.blocks.map(\.block) == SoulBlock.allCases.filter(has))
        }
    }

    /// Whatever the weights, a block without weight is not listed as compared.
    @Test func onlyBlocksWithWeightAreCompared() throws {
        var random = TestSeed().generator
        let souls = try (0..<30).map { try Souls.random("u\($0)", &random) }
        for _ in 0..<20 {
            var values = (0..<5).map { _ in Double(random.below(3)) }
            values[random.below(5)] = 1
            let model = AffinityModel(weights: try AffinityWeights(values))
            let matcher = try SoulMatcher(souls, model: model, rarity: .asInModel)
            for (soul, other) in zip(souls, souls.dropFirst()) {
                let affinity = model.affinity(between: soul, and: other)
                let expected = affinity.blocks.map(\.block).filter { values[$0.rawValue] > 0 }
                #expect(ScoredSoul(userID: other.userID, affinity).compared == expected)
                let found = try matcher.mostSimilar(to: soul.userID, k: 30).first { $0.userID == other.userID }
                #expect(found?.compared ?? [] == expected, "\(values)")
            }
        }
    }

    @Test func anEqualMoodAloneGivesNoConnection() throws {
        let souls = try (0..<4).map {
            try Soul(userID: "u\($0)", realms: SoulTraits($0 < 2 ? [:] : ["sea": 1]), valence: 0.3)
        }
        let affinity = AffinityModel.standard.affinity(between: souls[0], and: souls[1])
        #expect(affinity.score == 1 && affinity.coverage == 0.05 && affinity.connection == .distantEcho)
        let matcher = try SoulMatcher(souls)
        for found in try matcher.mostSimilar(to: "u0", k: 3) + matcher.matches(of: "u2", above: 0.95) {
            #expect(found.affinity == 1 && found.connection == .distantEcho && !found.compared.isEmpty)
        }
        #expect(
            try matcher.mostSimilar(to: "u2", k: 3).map(\.compared) == [[.valence], [.valence], [.realms, .valence]])
        var pairs = 0
        try matcher.forEachMatch(above: 0.95) { pair in
            pairs += 1
            #expect(pair.connection == .distantEcho && pair.match.compared == pair.compared)
        }
        #expect(pairs == 6)
        #expect(
            try matcher.matches(of: "u0", above: 0.7, minimumCoverage: SoulConnection.parallelPath.minimumCoverage)
                .isEmpty)
    }

    /// The figures in the documentation of `SoulConnection`: of the pairs that reach a connection with some of their
    /// blocks, the share that reaches it with all.
    @Test func sixtyPercentOfTheWeightPredictsTheWhole() throws {
        let generator = SoulGenerator(seed: 1)
        let souls = (0..<300).map { generator.soul($0) }.filter {
            !$0.goals.isEmpty && !$0.realms.isEmpty && !$0.objects.isEmpty && $0.pattern != nil && $0.valence != nil
        }
        let weights = SoulBlock.allCases.map { AffinityWeights.standard[$0] }
        let levels = [0.70, 0.75, 0.85]
        var hits = [[(some: Int, all: Int)]](repeating: Array(repeating: (0, 0), count: 3), count: 32)
        for i in souls.indices {
            for j in 0..<i {
                let blocks = AffinityModel.standard.affinity(between: souls[i], and: souls[j]).blocks.map(\.similarity)
                let all = zip(weights, blocks).reduce(0.0) { (sum: Double, block) -> Double in sum + block.0 * block.1 }
                for mask in 1..<32 {
                    var (sum, total) = (0.0, 0.0)
                    for b in 0..<5 where mask >> b & 1 == 1 {
                        sum += weights[b] * blocks[b]
                        total += weights[b]
                    }
                    for (l, level) in levels.enumerated() where sum / total >= level {
                        hits[mask][l].some += 1
                        if all >= level { hits[mask][l].all += 1 }
                    }
                }
            }
        }
        var least = (enough: 1.0, short: 1.0)
        for mask in 1..<32 {
            let blocks = SoulBlock.allCases.filter { mask >> $0.rawValue & 1 == 1 }
            let total: Double = blocks.map { weights[$0.rawValue] }.reduce(0, +)
            let shares: [Double] = hits[mask].map { Double($0.all) / Double(max(1, $0.some)) }
            let names = blocks.map(\.name)
            print("coverage \(total): of pairs above \(levels) by \(names) are so by all \(shares)")
            if total >= 0.6 - 1e-9 {
                least.enough = min(least.enough, shares.min() ?? 0)
            } else {
                least.short = min(least.short, shares.min() ?? 0)
            }
        }
        #expect(least.enough > 0.84 && least.short < 0.1, "\(least)")
    }
}
