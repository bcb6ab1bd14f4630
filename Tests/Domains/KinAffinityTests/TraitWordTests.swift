import KinAffinity
import KinTestSupport
import Testing

/// Traits are compared by their words: case, Unicode normal form and, for goals, synonyms make no difference.
@Suite struct TraitWordTests {
    private func soul(_ id: String, goals: [String: Double] = [:], objects: [String: Double] = [:]) throws -> Soul {
        try Soul(userID: id, goals: SoulTraits(goals), objects: SoulTraits(objects))
    }

    @Test func synonymsOfAGoalAreOneGoal() throws {
        let model = AffinityModel.standard
        let a = try soul("a", goals: ["Anxiety": 2, "calm": 3, "sleep": 4])
        for goals in [
            ["anxiety_relief": 5.0, "INSOMNIA": 4], ["worry": 5, "bedtime": 1, "rest": 3],
            ["Panic": 5, "Sleep-Aid": 4],
        ] {
            let affinity = model.affinity(between: a, and: try soul("b", goals: goals))
            #expect(affinity.score == 1, "\(goals)")
            #expect(affinity[.goals]?.shared.map(\.name) == ["anxiety_relief", "sleep"])
        }
        // A soul stores its words unchanged.
        #expect(a.goals["Anxiety"] == 2 && a.json.contains(#""calm":3.0"#))
        // Words without a known goal are compared as they are, ignoring case.
        let other = model.affinity(
            between: try soul("a", goals: ["Dragons": 1]), and: try soul("b", goals: ["dragons": 9]))
        #expect(other.score == 1)
        // Objects have no synonyms.
        #expect(
            model.affinity(between: try soul("a", objects: ["calm": 1]), and: try soul("b", objects: ["worry": 1]))
                .score == 0)
    }

    @Test func caseAndUnicodeFormDoNotMatter() throws {
        for (one, other) in [
            ("Meer", "meer"), ("Caf\u{E9}", "cafe\u{301}"), ("\u{212B}ngstr\u{F6}m", "a\u{30A}ngstro\u{308}m"),
            ("\u{1E9B}\u{323}", "\u{17F}\u{323}\u{307}"), ("ΣΙΓΜΑ", "σιγμα"), ("ЛУНА", "луна"),
            ("Moon ", "moon"), ("\tnight sky", "Night sky\u{A0}"), ("Straße", "STRASSE"), ("STRA\u{1E9E}E", "strasse"),
            ("\u{FB01}re", "FIRE"), ("\u{3C2}\u{3C3}", "\u{3A3}\u{3A3}"), ("\u{149}", "\u{2BC}N"),
            ("\u{1F80}", "\u{1F08}\u{399}"),
        ] {
            let affinity = AffinityModel.standard.affinity(
                between: try soul("a", objects: [one: 2]), and: try soul("b", objects: [other: 7]))
            #expect(affinity.score == 1, "\(one) \(other)")
        }
    }

    /// Random words in all spellings are one trait of each block, for the formula and the matcher, and count together.
    @Test func spellingsOfATraitAreOneTrait() throws {
        var random = TestSeed().generator
        let letters = Array("abdegknopstuzäßéσжｆ")
        for number in 0..<200 {
            let words = (0..<2 + random.below(2)).map { _ in
                "x" + String((0..<1 + random.below(5)).map { _ in letters[random.below(letters.count)] })
            }
            let spellings = [
                words.joined(separator: " "), words.joined(separator: "_"), words.joined(separator: "-"),
                words.joined(separator: "  "), words.joined(separator: " ").uppercased(),
                words.joined(separator: "_").uppercased(),
                words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " - "),
            ]
            let traits = try spellings.map { try SoulTraits([$0: 5]) }
            for (one, other) in zip(traits, traits.dropFirst() + traits.prefix(1)) {
                let souls = [
                    try Soul(userID: "a", goals: one, realms: one, objects: one),
                    try Soul(userID: "b", goals: other, realms: other, objects: other),
                ]
                let affinity = AffinityModel.standard.affinity(between: souls[0], and: souls[1])
                #expect(affinity.blocks.map(\.similarity) == [1, 1, 1], "\(number): \(one) \(other)")
                #expect(try SoulMatcher(souls, rarity: .asInModel).mostSimilar(to: "a", k: 1)[0].affinity == 1)
                #expect(souls[1].realms == other)
            }
            var all = Dictionary(spellings.map { ($0, 1.0) }, uniquingKeysWith: +)
            all["z"] = 3
            let one = try soul("a", objects: ["z": 3, spellings[0]: Double(spellings.count)])
            #expect(AffinityModel.standard.affinity(between: one, and: try soul("b", objects: all)).score == 1)
        }
        // Names of marks only are different words.
        #expect(
            AffinityModel.standard.affinity(
                between: try soul("a", objects: ["-": 1]), and: try soul("b", objects: ["_": 1])
            ).score == 0)
    }

    /// A matcher gives the formula's scores, and souls with synonyms score like souls with the compared words.
    @Test func matchersCompareSynonyms() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let words = [
            "anxiety_relief": ["Anxiety", "calm", "WORRY"], "sleep": ["insomnia", "Rest"], "focus": ["Study", "work"],
            "dragons": ["Dragons", "DRAGONS"],
        ]
        var plain: [Soul] = []
        var worded: [Soul] = []
        for number in 0..<80 {
            var (sums, parts): ([String: Double], [String: Double]) = ([:], [:])
            for (word, others) in words.sorted(by: { $0.key < $1.key }) where random.below(3) > 0 {
                for other in others + [word] where random.below(2) == 0 {
                    let amount = Double(1 + random.below(9))
                    sums[word, default: 0] += amount
                    parts[other] = amount
                }
            }
            plain.append(try soul("u\(number)", goals: sums, objects: ["x": 1]))
            worded.append(try soul("u\(number)", goals: parts, objects: ["X": 1]))
        }
        var matcher = try SoulMatcher(worded)
        #expect(
            matcher.model.rarity == GoalRarity(among: plain) && GoalRarity(among: worded) == GoalRarity(among: plain))
        for round in 0..<3 {
            let expected = try SoulMatcher(Array(plain[(round * 5)...]))
            for user in plain[(round * 5)...].map(\.userID) {
                #expect(try matcher.mostSimilar(to: user, k: 7) == expected.mostSimilar(to: user, k: 7))
            }
            for soul in worded[(round * 5)..<(round * 5 + 5)] { matcher.remove(soul.userID) }
        }
        #expect(
            try GoalRarity(people: 10, counts: ["calm": 6, "Worry": 6]).factor("PANIC")
                == GoalRarity(people: 10, counts: ["anxiety_relief": 10]).factor("anxiety"))
        #expect(try GoalRarity(people: .max, counts: ["calm": .max, "worry": .max]).factor("calm") > 0)
    }
}
