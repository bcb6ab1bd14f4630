import ArgumentParser
import Foundation
import Kin
import Measuring

/// `bandit-bench`: times of policies, their accuracy, states on disk, regret on simulated people, and labelled sets.
@main
struct BanditBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bandit-bench",
        abstract: "Time policies, follow a million observations, visit a million states on disk, and measure regret.",
        discussion: """
            Prints Markdown. Quote ratios of one run only: other programs on the machine change the times.

              bandit-bench
              bandit-bench --parts regret --people 400
            """
    )

    @Option(parsing: .upToNextOption, help: "speed, states, challenges, regret, suite.")
    var parts = ["speed", "states", "challenges", "regret", "suite"]

    @Option(positive: "Actions to choose among.")
    var actions = 1000

    @Option(positive: "Features of an action.")
    var dimension = 64

    @Option(positive: "Observations whose accuracy is measured.")
    var updates = 1_000_000

    @Option(positive: "States on disk.")
    var states = 1_000_000

    @Option(positive: "Features of a state on disk.")
    var stateDimension = 24

    @Option(help: "The file of states, removed afterwards.")
    var scratch = "bandit-states.bin"

    @Option(positive: "People of the regret trial.")
    var people = 200

    @Option(help: "Observations after which the forgetful contenders of the trial forget.")
    var memory = 150.0

    @Option(help: "The folder of labelled sets, NAME.csv.")
    var suite = "suite"

    @Option(help: "Orders in which each set is played.")
    var shuffles = 10

    @Option(help: "Rounds of a set at most.")
    var rows = 20_000

    @Option(help: "Seed of the people and of the orders.")
    var seed: UInt64 = 1

    func run() throws {
        if parts.contains("speed") {
            try SpeedPart(actions: actions, dimension: dimension, updates: updates).run()
        }
        if parts.contains("states") {
            try StatesPart(people: states, dimension: stateDimension, path: scratch).run()
        }
        if parts.contains("challenges") { try ChallengePart(seed: seed).run() }
        if parts.contains("regret") { try RegretTrial(people: people, seed: seed, memory: memory).run() }
        if parts.contains("suite") {
            try SuitePart(directory: suite, shuffles: shuffles, rows: rows, seed: seed).run()
        }
    }
}
