import KinAffinity
import KinTestSupport
import Testing

@Suite struct AffinityTests {
    @Test func standardWeightsAreThoseOfTheApp() {
        #expect(SoulBlock.allCases.map { AffinityWeights.standard[$0] } == [0.40, 0.25, 0.20, 0.10, 0.05])
    }

    @Test("weights of any size are the same bits when they are read again")
    func weightsAreReadAgain() throws {
        var random = TestSeed().generator
        let sizes = [1e-300, 1e-9, 0.1, 1, 3, 1e9, 1e300]
        for round in 0..<3000 {
            let isWhole = round % 2 == 0
            let numbers = (0..<5).map { _ in
                isWhole ? Double(random.below(6)) : Double.random(in: 0...1, using: &random) * sizes[random.below(7)]
            }
            guard numbers.contains(where: { $0 > 0 }) else { continue }
            let weights = try AffinityWeights(
                goals: numbers[0], realms: numbers[1], objects: numbers[2], patterns: numbers[3], valence: numbers[4])
            let model = AffinityModel(weights: weights)
            #expect(try AffinityModel(json: model.json).weights == weights, "\(numbers)")
        }
    }

    @Test func agreesWithThePlainFormula() throws {
        var random = TestSeed().generator
        let souls = try (0..<60).map { try Souls.random("u\($0)", &random) }
        let rarity = GoalRarity(among: souls)
        let other = try AffinityWeights(goals: 1, realms: 0, objects: 3, patterns: 2, valence: 0.5)
        for a in souls {
            for b in souls {
                for (weights, rarity) in [(AffinityWeights.standard, nil), (other, nil), (.standard, rarity)] {
                    let found = AffinityModel(weights: weights, rarity: rarity).affinity(between: a, and: b)
                    let truth = PlainFormula.score(
                        a, b, weights: SoulBlock.allCases.map { weights[$0] }, rarity: rarity)
                    #expect(abs(found.score - truth.score) < 1e-14, "\(a.userID) \(b.userID)")
                    #expect(abs(found.coverage - truth.coverage) < 1e-14)
                    #expect(found == AffinityModel(weights: weights, rarity: rarity).affinity(between: b, and: a))
                    #expect(abs(found.blocks.reduce(0) { $0 + $1.contribution } - found.score) < 1e-14)
                    #expect(found.blocks.isEmpty || abs(found.blocks.reduce(0) { $0 + $1.weight } - 1) < 1e-14)
                    if a == b && found.coverage > 0 { #expect(found.score == 1, "\(a.userID)") }
                    #expect((0...1).contains(found.score))
                }
            }
        }
    }

    @Test func explainsByWhatIsShared() throws {
        let a = try Soul(
            userID: "a", goals: SoulTraits(["anxiety": 9, "sleep": 4, "focus": 1, "grief": 2]),
            realms: SoulTraits(["ocean": 3])
        )
        let b = try Soul(userID: "b", goals: SoulTraits(["anxiety": 5, "sleep": 8, "focus": 1, "grief": 1, "pain": 2]))
        let affinity = AffinityModel.standard.affinity(between: a, and: b)
        #expect(affinity.coverage == 0.40)
        #expect(affinity.blocks.map(\.block) == [.goals])
        let goals = try #require(affinity[.goals])
        #expect(goals.weight == 1)
        #expect(goals.shared.map(\.name) == ["anxiety_relief", "sleep", "grief_support"])
        #expect(zip(goals.shared, goals.shared.dropFirst()).allSatisfy { $0.contribution >= $1.contribution })
        #expect(affinity[.realms] == nil)
    }

    @Test func equalContributionsAreOrderedByName() throws {
        let names = ["creativity", "anxiety_relief", "sleep", "focus", "grief_support", "energy", "joy"]
        let traits = try SoulTraits(Dictionary(uniqueKeysWithValues: names.map { ("o_\($0)", 1.0) }))
        let souls = try ["a", "b"].map { try Soul(userID: $0, objects: traits) }
        let objects = try #require(AffinityModel.standard.affinity(between: souls[0], and: souls[1])[.objects])
        #expect(objects.shared.map(\.name) == ["o_anxiety_relief", "o_creativity", "o_energy"])
    }

    @Test func disjointSoulsHaveNoAffinity() throws {
        let affinity = AffinityModel.standard.affinity(
            between: try Soul(userID: "a", goals: SoulTraits(["sleep": 1])), and: try Soul(userID: "b", valence: 0))
        #expect(affinity.score == 0)
        #expect(affinity.coverage == 0)
        #expect(affinity.connection == .distantEcho)
        // A trait with amount 0 is absent.
        #expect(try Soul(userID: "a", goals: SoulTraits(["sleep": 0])).goals.isEmpty)
    }

    @Test(arguments: [
        (0.95, SoulConnection.soulMirror, SoulConnection.kindredSpirit), (0.85, .kindredSpirit, .resonantTraveller),
        (0.75, .resonantTraveller, .parallelPath), (0.70, .parallelPath, .distantEcho),
    ])
    func connectionsBeginAtTheirThresholds(_ threshold: Double, _ from: SoulConnection, _ below: SoulConnection) throws
    {
        #expect(SoulConnection(affinity: threshold, coverage: 1) == from)
        #expect(SoulConnection(affinity: threshold.nextUp, coverage: 1) == from)
        #expect(SoulConnection(affinity: threshold.nextDown, coverage: 1) == below)
        #expect(from.threshold == threshold)
        // The same with souls that are compared by valence alone: 1 − |a − b| ∕ 2.
        let model = AffinityModel(
            weights: try AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1))
        let a = try Soul(userID: "a", valence: 1)
        let just = try Soul(userID: "b", valence: 1 - 2 * (1 - threshold) + 1e-12)
        let short = try Soul(userID: "c", valence: 1 - 2 * (1 - threshold) - 1e-12)
        #expect(model.affinity(between: a, and: just).connection == from)
        #expect(model.affinity(between: a, and: short).connection == below)
    }

    @Test func connectionsCoverTheEndsOfTheTable() {
        #expect(SoulConnection(affinity: 1, coverage: 1) == .soulMirror)
        #expect(SoulConnection(affinity: 0, coverage: 1) == .distantEcho)
        #expect(SoulConnection.names == SoulConnection.allCases.map(\.name))
        #expect(SoulConnection.allCases.allSatisfy { SoulConnection(name: $0.name) == $0 })
        #expect(SoulConnection(name: "friend") == nil)
    }

    /// Two people who clearly match, and a third with the same troubles who heals elsewhere.
    @Test func examplesOfTheSpecificationHold() throws {
        let evening = try SessionPattern(
            hours: (0..<24).map { $0 >= 20 && $0 < 23 ? 4 : 0 }, minutes: 25, sessionsPerWeek: 4, streak: 9)
        let night = try SessionPattern(
            hours: (0..<24).map { $0 >= 21 ? 5 : $0 == 0 ? 2 : 0 }, minutes: 30, sessionsPerWeek: 5, streak: 14)
        let userA = try Soul(
            userID: "userA", goals: SoulTraits(["anxiety": 12, "sleep": 8, "self_worth": 1]),
            realms: SoulTraits(["ocean": 14, "shore": 2]), objects: SoulTraits(["water": 11, "moon": 6, "shell": 1]),
            pattern: evening, valence: 0.2)
        let userB = try Soul(
            userID: "userB", goals: SoulTraits(["anxiety": 9, "sleep": 15, "grief": 1]),
            realms: SoulTraits(["ocean": 10]),
            objects: SoulTraits(["water": 8, "moon": 9, "boat": 2]), pattern: night, valence: -0.1)
        let userC = try Soul(
            userID: "userC", goals: SoulTraits(["anxiety": 10, "sleep": 9, "self_worth": 1]),
            realms: SoulTraits(["forest": 9, "mountain": 4, "shore": 3]),
            objects: SoulTraits(["water": 4, "moon": 2, "tree": 8, "stone": 1]),
            pattern: evening, valence: 0)
        let near = AffinityModel.standard.affinity(between: userA, and: userB)
        #expect(abs(near.score - 0.92) < 0.01, "\(near.score)")
        #expect(near.connection == .kindredSpirit)
        let partly = AffinityModel.standard.affinity(between: userA, and: userC)
        #expect(abs(partly.score - 0.71) < 0.01, "\(partly.score)")
        #expect(partly.connection == .parallelPath)
    }

    @Test func invalidSoulsAreRefused() throws {
        func field(_ body: () throws -> Any) -> String? { kinError(of: body)?.fact("field") }
        #expect(field { try Soul(userID: "") } == "uid")
        #expect(field { try Soul(userID: "a", valence: 1.1) } == "valence")
        #expect(field { try Soul(userID: "a", valence: .nan) } == "valence")
        #expect(field { try SoulTraits(["sleep": -1]) } == "sleep")
        #expect(field { try SoulTraits(["sleep": .infinity]) } == "sleep")
        #expect(field { try SessionPattern(hours: [1, 2]) } == "hours")
        #expect(field { try SessionPattern(minutes: -1) } == "minutes")
        #expect(field { try AffinityWeights(goals: -1, realms: 1, objects: 1, patterns: 1, valence: 1) } == "goals")
        #expect(field { try AffinityWeights(goals: 1, realms: .nan, objects: 1, patterns: 1, valence: 1) } == "realms")
        for (weight, word) in [(0, "all are 0"), (1e308, "too large")] {
            let error = kinError {
                try AffinityWeights(goals: weight, realms: weight, objects: weight, patterns: weight, valence: weight)
            }
            #expect(error?.message.contains(word) == true && error?.fact("field") == nil)
        }
        #expect(field { try Soul(json: #"{"uid":"u","goals":{"sleep":-2}}"#) } == "goals.sleep")
        #expect(field { try Soul(json: #"{"uid":"u","goal":{}}"#) } == nil)
        #expect(errorCode { try Soul(json: #"{"uid":"u","goal":{}}"#) } == .malformedInput)
        #expect(field { try Soul(json: #"{"uid":"u","patterns":{"hours":[1]}}"#) } == "patterns.hours")
        #expect(errorCode { try Soul(json: #"{"uid":"u","goals":{"a":1,"a":2}}"#) } == .malformedInput)
    }

    /// An app may initialise the numbers of a pattern with zeros.
    @Test func zerosAreUnknownHabits() throws {
        let zeros = Array(repeating: 0.0, count: 24)
        for pattern in ["{}", #"{"minutes":0}"#, #"{"hours":\#(zeros)}"#] {
            let soul = try Soul(json: #"{"uid":"a","patterns":\#(pattern)}"#)
            #expect(try soul == Soul(userID: "a"), "\(pattern)")
        }
        var soul = try Soul(userID: "a", pattern: SessionPattern(hours: zeros, minutes: 20))
        #expect(try soul.pattern == SessionPattern(minutes: 20))
        soul.pattern = try SessionPattern()
        #expect(AffinityModel.standard.affinity(between: soul, and: soul).coverage == 0)
    }

    @Test func soulsSurviveARoundTrip() throws {
        var random = TestSeed().generator
        for i in 0..<200 {
            var soul = try Souls.random("u\(i)", &random)
            if i % 3 == 0 { soul.note = "a \"note\"" }
            #expect(try Soul(json: soul.json) == soul)
        }
    }
}
