import ArgumentParser
import Foundation
import Kin
import Measuring

/// `bandit-bench`: times of a choice and of an observation, and the drift of a million observations from a fresh
/// solution. `peers/bandits.py` plays policies on labelled sets.
@main
struct BanditBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bandit-bench",
        abstract: "Measure policies: time, and accuracy after a million observations.",
        discussion: "Prints Markdown. Quote ratios of one run only: other programs on the machine change the times."
    )

    @Option(positive: "The number of actions to choose from.")
    var actions = 1000

    @Option(positive: "The number of features of an action.")
    var dimension = 64

    @Option(positive: "The number of observations after which accuracy is measured.")
    var updates = 1_000_000

    private func table(_ random: inout SeededGenerator) throws -> Matrix<Double> {
        try Matrix(
            rows: actions, columns: dimension,
            elements: (0..<actions * dimension).map { _ in random.uniform() * 2 - 1 })
    }

    func run() throws {
        print("\n| policy | choose among \(actions) × \(dimension) | learn |")
        print("| --- | ---: | ---: |")
        let kinds: [(String, PolicyAlgorithm)] = [
            ("standard", .standard), ("ε-greedy", .epsilonGreedy()), ("Thompson", .thompson()),
            ("logistic Thompson", .logisticThompson()), ("SquareCB", .squareCB()), ("LinUCB", .linUCB()),
        ]
        for (name, algorithm) in kinds {
            var random = SeededGenerator(seed: 1)
            var policy = try BanditPolicy(algorithm, dimension: dimension, seed: 1)
            let tables = try (0..<8).map { _ in try table(&random) }
            for round in 0..<200 {
                let choice = try policy.choose(from: tables[round % 8])
                try policy.learn(reward: random.uniform() < 0.4 ? 1 : 0, for: choice.event)
            }
            let events = try (0..<64).map { try policy.choose(from: tables[$0 % 8]).event }
            var turn = 0
            let rounds = algorithm.exploration == PolicyAlgorithm.linUCB().exploration ? 20 : 200
            let choose = try Timing.measure(seconds: 1) {
                for _ in 0..<rounds {
                    turn += 1
                    _ = try policy.choose(from: tables[turn % 8])
                }
            }
            let learn = try Timing.measure(seconds: 1) {
                for event in events { try policy.learn(reward: Double(turn % 2), for: event) }
            }
            print(
                String(
                    format: "| %@ | %.1f µs (median %.1f) | %.2f µs (median %.2f) |", name,
                    choose.best / Double(rounds) * 1e6, choose.median / Double(rounds) * 1e6,
                    learn.best / 64 * 1e6, learn.median / 64 * 1e6))
        }
        try accuracy()
    }

    /// A million observations, and the same normal equations solved from scratch in double precision.
    private func accuracy() throws {
        var random = SeededGenerator(seed: 2)
        var policy = try BanditPolicy(.epsilonGreedy(0), dimension: dimension, seed: 1)
        let n = dimension + 1
        var precision = [Double](repeating: 0, count: n * n)
        var information = [Double](repeating: 0, count: n)
        for k in 0..<n { precision[k * n + k] = 1 }
        for _ in 0..<updates {
            let x = (0..<dimension).map { _ in random.uniform() * 2 - 1 }
            let reward = random.uniform()
            try policy.learn(reward: reward, for: BanditPolicy.Event(features: x, propensity: 1))
            let wide = x + [1]
            for i in 0..<n {
                for j in 0...i { precision[i * n + j] += wide[i] * wide[j] }
                information[i] += reward * wide[i]
            }
        }
        // Plain Cholesky decomposition.
        for i in 0..<n {
            for j in 0...i {
                var sum = precision[i * n + j]
                for k in 0..<j { sum -= precision[i * n + k] * precision[j * n + k] }
                precision[i * n + j] = i == j ? sum.squareRoot() : sum / precision[j * n + j]
            }
        }
        for i in 0..<n {
            for k in 0..<i { information[i] -= precision[i * n + k] * information[k] }
            information[i] /= precision[i * n + i]
        }
        for i in stride(from: n - 1, through: 0, by: -1) {
            for k in (i + 1)..<max(i + 1, n) { information[i] -= precision[k * n + i] * information[k] }
            information[i] /= precision[i * n + i]
        }
        var worst = 0.0
        for k in 0..<dimension {
            var unit = [Double](repeating: 0, count: dimension)
            unit[k] = 1
            let found = try policy.expectedRewards(of: Matrix(rows: [unit]))[0]
            worst = max(worst, abs(found - information[k] - information[n - 1]))
        }
        print(
            "\nAfter \(updates) observations of \(dimension) features, the weights differ from a new solution by at most \(worst)."
        )
    }
}
