import KinEngine
import KinJSON
import KinSamples
import KinTestSupport
import Testing

@Suite("Variety of challenges")
struct ChallengeVarietyTests {
    private let start = try! Timestamp(parsing: "2026-01-05T08:00:00Z")

    /// A person with a probability of completing a challenge for each category.
    private struct Person {
        let name: String
        let probability: @Sendable (String) -> Double

        static let nature = Person(name: "only nature") { $0 == "nature" ? 1 : 0 }
        static let others = [
            Person(name: "everything") { _ in 0.9 },
            Person(name: "nothing") { _ in 0 },
            Person(name: "half of everything") { _ in 0.5 },
            Person(name: "two categories") { ["nature", "calm"].contains($0) ? 0.9 : 0.05 },
            Person(name: "three categories") { ["making", "calm", "home"].contains($0) ? 0.8 : 0.2 },
        ]
    }

    /// The categories given on 90 days, as an app asks for them: one challenge a day is assigned, then completed with a
    /// rating, or else skipped or left without an answer.
    private func categories(
        _ person: Person, _ user: String, variety: String = "null", _ random: inout SeededGenerator, in engine: Engine
    ) async throws -> [String] {
        _ = try await engine.prefer(user, [("variety", variety)], at: start)
        var given: [String] = []
        for day in 0..<90 {
            let now = try start.adding(days: day)
            guard case .given(_, let challenge?) = try await engine.assign(to: user, at: now).today else { continue }
            given.append(challenge.category)
            if random.uniform() < person.probability(challenge.category) {
                _ = try await engine.complete(by: user, rating: 4 + random.below(2), at: now)
            } else if random.uniform() < 0.5 {
                // The app shows the next challenge on the next day.
                _ = try await engine.skip(by: user, at: now)
            }
        }
        return given
    }

    private func engine(_ seed: UInt64) throws -> Engine {
        let engine = Engine()
        try engine.put(ChallengeGenerator(seed: seed).challenges(200).map(\.json))
        return engine
    }

    @Test(
        "a person who completes only nature gets it, and others see five categories a month",
        arguments: [1, 2] as [UInt64])
    func months(seed: UInt64) async throws {
        let engine = try engine(seed)
        var random = SeededGenerator(seed: seed)
        let nature = try await categories(.nature, "nature-\(seed)", &random, in: engine)
        let share = Double(nature[60...].count { $0 == "nature" }) / 30
        print("seed \(seed): nature has \(share) of month three for a person who completes only nature")
        // Queued challenges have different categories, so without its place at the front it would be a third.
        #expect(nature.count == 90 && share >= 0.55, "seed \(seed)")
        var suggestions = try engine.suggest(for: "nature-\(seed)", at: start.adding(days: 90))
        guard case .queue(let queue) = suggestions else { return #expect(Bool(false), "no queue") }
        #expect(queue.count == 3 && queue.allSatisfy { $0.order.contains("17 % of choices") }, "\(queue.map(\.order))")
        for person in Person.others {
            let user = "\(person.name)-\(seed)"
            let given = try await categories(person, user, &random, in: engine)
            let months = stride(from: 0, to: 90, by: 30).map { Set(given[$0..<$0 + 30]).count }
            print("seed \(seed): \(months) categories in three months for a person who completes \(person.name)")
            #expect(given.count == 90 && months.allSatisfy { $0 >= 5 }, "\(person.name), seed \(seed)")
        }
        // A variety of 1 is the rule of earlier releases: three categories in a queue.
        let varied = try await categories(.nature, "varied-\(seed)", variety: "1", &random, in: engine)
        #expect(zip(varied, varied.dropFirst()).allSatisfy { $0 != $1 } && varied.count { $0 == "nature" } <= 30)
        suggestions = try engine.suggest(for: "varied-\(seed)", at: start.adding(days: 90))
        guard case .queue(let queue) = suggestions else { return #expect(Bool(false), "no queue") }
        #expect(Set(queue.map(\.challenge.category)).count == 3)
        #expect(queue.allSatisfy { $0.order.contains("100 % of choices") && $0.order.contains("set by") })
        // Without variety nothing is avoided.
        _ = try await categories(.nature, "free-\(seed)", variety: "0", &random, in: engine)
        let free = try engine.store.challengeDecisions(of: "free-\(seed)").compactMap(\.candidates)
        #expect(!free.isEmpty && free.allSatisfy { $0.avoided?.isEmpty == true })
    }

    @Test("the cost of variety is the reward that the policy expects without it, less its reward with it")
    func cost() async throws {
        var random = TestSeed().generator
        let engine = try engine(9)
        _ = try await categories(.nature, "varied", variety: "1", &random, in: engine)
        _ = try await categories(.nature, "free", variety: "0", &random, in: engine)
        let varied = try #require(try engine.evaluatePolicy(of: "varied").varietyCost)
        print("variety 1 costs \(varied.value) \(String(describing: varied.interval)) for only nature")
        #expect(varied.value > 0.1 && varied.value < 1)
        // The policy's own model estimates the rewards of the avoided challenges; the rest is the same round.
        let decisions = try engine.store.challengeDecisions(of: "varied")
        let replay = try ChallengeReplay(decisions, algorithm: ChallengeState.standardAlgorithm, seed: 1)
        let gains = zip(replay.freeRounds, replay.variedRounds).map { free, varied in
            free.value + free.importance * (free.reward - free.estimate)
                - (varied.value + varied.importance * (varied.reward - varied.estimate))
        }
        #expect(abs(varied.value - gains.reduce(0, +) / Double(gains.count)) < 1e-9)
        let free = try #require(try engine.evaluatePolicy(of: "free").varietyCost)
        #expect(free.value == 0 && replay.variedRounds.count == replay.rounds.count)
        #expect(try engine.evaluatePolicy(of: "nobody").varietyCost == nil)
        // Decisions of earlier releases have no avoided challenges.
        let old = try decisions.map { decision in
            try ChallengeDecision(
                parsing: decision.jsonText.replacing(#/"avoided":\[[0-9,]*\],/#, with: ""))
        }
        let earlier = try ChallengeReplay(old, algorithm: ChallengeState.standardAlgorithm)
        #expect(earlier.rounds.count == replay.rounds.count && earlier.freeRounds.isEmpty)
    }

    @Test("a variety outside 0…1 is refused by name")
    func mistakes() async throws {
        let engine = try engine(5)
        for wrong in ["1.5", "-0.1", "\"much\""] {
            let error = await #expect(throws: KinError.self) { _ = try await engine.prefer("u", [("variety", wrong)]) }
            #expect("\(try #require(error))".contains("variety"))
        }
    }
}
