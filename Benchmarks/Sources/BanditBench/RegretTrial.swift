import Foundation
import Kin

/// The loss of every policy on simulated people, task by task, compared with a policy that knows their preferences.
struct RegretTrial {
    let people: Int
    let seed: UInt64
    let memory: Double

    struct Contender {
        let name: String
        let algorithm: PolicyAlgorithm
        var memory = Double.infinity
        var precision: Double?
    }

    var contenders: [Contender] {
        let kinds: [(String, PolicyAlgorithm)] = [
            ("ε-greedy 0.05", .epsilonGreedy()), ("LinUCB 0.5", .linUCB(width: 0.5)), ("Thompson 0.25", .thompson()),
            ("logistic Thompson 0.5", .logisticThompson()), ("logistic UCB 0.5", .logisticUCB()),
            ("SquareCB 30", .squareCB()),
        ]
        return kinds.map { Contender(name: $0.0, algorithm: $0.1) }
            + kinds.map { Contender(name: $0.0 + ", memory \(Int(memory))", algorithm: $0.1, memory: memory) }
            + [Contender(name: "standard", algorithm: .standard, memory: PolicySettings.standardEffectiveWindow)]
    }

    /// The mean regret per round: the probability of the best offer minus that of the chosen one.
    func regret(_ contender: Contender, _ task: SimulatedPerson.Task) throws -> Double {
        var lost = 0.0
        for number in 0..<people {
            var person = SimulatedPerson(task, seed: seed &+ UInt64(number))
            var settings = PolicySettings(
                contender.algorithm, dimension: SimulatedPerson.dimension, priorPrecision: contender.precision,
                effectiveWindow: contender.memory, seed: UInt64(number))
            settings.priorIntercept = contender.algorithm.model == .logistic ? -1 : 0.3
            var policy = try BanditPolicy(settings)
            for _ in 0..<SimulatedPerson.rounds(task) {
                let (features, chances, categories) = try person.offers()
                let choice = try policy.choose(from: features)
                lost += (chances.max() ?? 0) - chances[choice.action]
                if let taken = person.answer(chances[choice.action], category: categories[choice.action]) {
                    try policy.learn(reward: taken ? 1 : 0, for: choice.event)
                }
            }
        }
        return lost / Double(people * SimulatedPerson.rounds(task))
    }

    func run() throws {
        let tasks = SimulatedPerson.Task.allCases
        print("| policy | \(tasks.map(\.rawValue).joined(separator: " | ")) |")
        print("| --- |\(tasks.map { _ in " ---: |" }.joined())")
        var rows: [(name: String, regrets: [Double])] = []
        for contender in contenders {
            rows.append((contender.name, try tasks.map { try regret(contender, $0) }))
        }
        let best = tasks.indices.map { task in rows.map { $0.regrets[task] }.min() ?? 0 }
        for row in rows {
            let cells = tasks.indices.map { task in
                String(format: "%.4f (%.2f)", row.regrets[task], row.regrets[task] / best[task])
            }
            print("| \(row.name) | \(cells.joined(separator: " | ")) |")
        }
        print("\nRegret per round; in brackets, the ratio to the lowest in the column; \(people) people, seed \(seed).")
    }
}
