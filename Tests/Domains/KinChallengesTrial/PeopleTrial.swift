import Foundation
import KinChallenges
import KinSamples

/// Policies with simulated people, and the number of broken limits.
struct PeopleTrial {
    let people: Int
    let seed: UInt64
    let catalog: ChallengeCatalog

    init(people: Int, seed: UInt64, challenges: Int = 288) throws {
        self.people = people
        self.seed = seed
        catalog = try ChallengeCatalog(ChallengeGenerator(seed: seed).challenges(challenges))
    }

    static let policies: [(name: String, algorithm: PolicyAlgorithm)] = [
        ("standard", ChallengeState.standardAlgorithm), ("epsilon-greedy", .epsilonGreedy()),
        ("linUCB", .linUCB(width: 0.5)),
        ("linear Thompson", .thompson()), ("logistic Thompson", .logisticThompson()), ("logistic UCB", .logisticUCB()),
        ("narrow logistic UCB", .logisticUCB(width: 0.25)),
        ("SquareCB", .squareCB()),
    ]

    struct Outcome {
        var regret = 0.0
        var choices = 0
        var broken = 0
        var crowded = 0
    }

    /// Runs all people of a task with a policy. Regret is the mean over days of the best allowed probability minus the
    /// chosen one's.
    func run(_ task: SimulatedPerson.Task, _ algorithm: PolicyAlgorithm, toldPreferences: Bool = true) throws -> Outcome
    {
        var outcome = Outcome()
        for number in 0..<people {
            var generator = SeededGenerator.stream(UInt64(number), of: seed)
            var person = SimulatedPerson(task, catalog: catalog, generator: &generator)
            try live(&person, "p\(number)", task, algorithm, told: toldPreferences, &generator, &outcome)
        }
        outcome.regret /= Double(outcome.choices)
        return outcome
    }

    private func live(
        _ person: inout SimulatedPerson, _ id: String, _ task: SimulatedPerson.Task, _ algorithm: PolicyAlgorithm,
        told: Bool,
        _ generator: inout SeededGenerator, _ outcome: inout Outcome
    ) throws {
        let preferences = try ChallengePreferences(
            userID: id, categories: told ? person.named : [], longestMinutes: [20, 45, 90, 300][generator.below(4)],
            budget: CostLevel.allCases[1 + generator.below(3)],
            social: SocialRequirement.allCases[1 + generator.below(3)],
            recoveryDays: 7)
        var selector = try ChallengeSelector(
            catalog: catalog, preferences: preferences, zone: .utc, profile: told ? person.profile : [:],
            state: ChallengeState(userID: id, algorithm: algorithm, seed: seed))
        let start = try Timestamp(parsing: "2026-01-05T09:00:00Z")
        var last: [String: Int] = [:]
        for day in 0..<task.days {
            let now = try Timestamp(microseconds: start.microseconds + Int64(day) * 86_400_000_000)
            let allowed = catalog.challenges.filter { challenge in
                challenge.isActive && challenge.time.longestMinutes <= preferences.longestMinutes ?? .infinity
                    && challenge.cost <= preferences.budget && challenge.social <= preferences.social
                    && last[challenge.id].map { day - $0 >= preferences.recoveryDays } ?? true
            }
            guard case .given(_, let challenge?) = try selector.today(at: now) else { continue }
            outcome.choices += 1
            if !allowed.contains(where: { $0.id == challenge.id }) { outcome.broken += 1 }
            if selector.state.queue.count(where: \.isExploring) > 1 { outcome.crowded += 1 }
            last[challenge.id] = day
            let p = person.probability(challenge)
            outcome.regret += (allowed.map { person.probability($0) }.max() ?? p) - p
            let isDone = generator.uniform() < p
            if isDone {
                try selector.complete(rating: min(5, 2 + Int(4 * p + generator.uniform())), at: now)
            } else if generator.uniform() >= task.ignored {
                try selector.skip(at: now)
            }
            person.live(day: day, given: challenge, wasDone: isDone)
        }
    }
}
