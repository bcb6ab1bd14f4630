import KinSamples
import KinTestSupport
import Testing

/// Learning and insight recover the patterns that the generator plants.
@Suite struct RecoveryTests {
    private static let people = 40

    private static let lives: [PersonGenerator.Person] = {
        let generator = PersonGenerator(seed: 2026)
        return (0..<people).map { generator.person($0, sessions: 200) }
    }()

    @Test func profilesAreLearnedToATwentieth() throws {
        var worst: Float = 0
        for life in Self.lives {
            let start = try PleasureProfile(userID: "u", pleasure: Pleasure([Float](repeating: 0.5, count: 16)))
            let history = TasteHistory(
                sessions: life.sessions, declared: [ProfileVersion(since: life.sessions[0].start, profile: start)])
            let learned = try #require(history.profiles(at: Timestamp(parsing: "9000-01-01"))).learned
            for dimension in Pleasure.Dimension.allCases {
                worst = max(worst, abs(learned[dimension] - life.model.taste[dimension]))
            }
        }
        #expect(worst <= 0.05, "the worst of 16 × \(Self.people) dimensions is off by \(worst)")
    }

    @Test func kindsOfSessionAreFound() throws {
        var worst = 1.0
        for life in Self.lives {
            let types = try SessionTypes(of: life.sessions, seed: 3)
            worst = min(worst, adjustedRand(types.labels, life.kinds))
            #expect(types.kinds.count == 4)
        }
        #expect(worst >= 0.8, "the worst adjusted Rand index of \(Self.people) people is \(worst)")
    }

    @Test func oneKindIsNotTakenForSeveral() throws {
        var generator = PersonGenerator(seed: 8)
        generator.parameters.kinds = 1
        generator.parameters.plantedPairs = 0
        for person in 0..<5 {
            let types = try SessionTypes(of: generator.person(person, sessions: 200).sessions)
            #expect(types.kinds.count == 1 && types.silhouette == nil)
        }
    }

    @Test func plantedCoActivationsAreFoundAndFewOthers() throws {
        var generator = PersonGenerator(seed: 77)
        generator.parameters.kinds = 1
        generator.parameters.circadianStrength = 0
        var (planted, found, false_) = (0, 0, 0)
        for person in 0..<Self.people {
            let life = generator.person(person, sessions: 200)
            let pairs = try CoActivation.pairs(in: life.sessions.map(\.embedding))
            planted += life.model.plantedPairs.count
            for pair in pairs {
                if life.model.plantedPairs.contains([pair.first, pair.second]) { found += 1 } else { false_ += 1 }
                #expect(pair.lift > 1 && pair.adjustedPValue <= CoActivation.falseDiscoveryRate && pair.n == 200)
            }
        }
        #expect(Double(found) >= 0.9 * Double(planted), "\(found) of \(planted) planted pairs were found")
        #expect(Double(false_) <= 0.05 * Double(found + false_), "\(false_) of \(found + false_) were false")
    }

    @Test func coActivationsInFullLivesAreMostlyTrue() throws {
        var (found, false_) = (0, 0)
        for life in Self.lives {
            for pair in try CoActivation.pairs(in: life.sessions.map(\.embedding)) {
                found += 1
                if life.model.covariance(pair.first, pair.second) <= 0 { false_ += 1 }
            }
        }
        #expect(found > 20 * Self.people && Double(false_) <= 0.05 * Double(found), "\(false_) of \(found) were false")
    }

    /// Dimensions without a relation, each with a correlation from one session to the next. With a correlation of 0.8,
    /// 35 to 74 % of lives had a pair when sessions counted as independent.
    @Test(arguments: [30, 90, 365], [0.5, 0.8]) func lastingDimensionsRarelyHaveCoActivations(
        sessions: Int, correlation: Double
    ) throws {
        var random = SeededGenerator(seed: 12)
        var found = 0
        for _ in 0..<60 {
            var place = SIMD16<Double>.zero
            let points = try (0..<sessions).map { _ in
                for d in 0..<16 {
                    place[d] =
                        correlation * place[d] + (1 - correlation * correlation).squareRoot() * random.normalDeviate()
                }
                return try Pleasure((0..<16).map { Float(min(1, max(0, 0.5 + 0.15 * place[$0]))) })
            }
            found += try CoActivation.pairs(in: points).isEmpty ? 0 : 1
        }
        #expect(found <= 4, "\(found) of 60 lives")
    }

    @Test func shuffledLivesHaveNoCoActivations() throws {
        var generator = SeededGenerator(seed: 4)
        for life in Self.lives {
            // Each dimension is shuffled separately.
            var columns = Pleasure.Dimension.allCases.map { dimension in life.sessions.map { $0.embedding[dimension] } }
            for d in columns.indices { columns[d].shuffle(using: &generator) }
            let points = try life.sessions.indices.map { i in try Pleasure(columns.map { $0[i] }) }
            #expect(try CoActivation.pairs(in: points).isEmpty)
        }
    }
}
