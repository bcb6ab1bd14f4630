import ArgumentParser
import Foundation
import Kin
import Measuring

/// `bandit-bench`: times of policies, their accuracy, states on disk, regret on simulated people, and labelled sets.
@main
struct BanditBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bandit-bench",
        abstract: "Measure policies: time, accuracy after a million observations, a million states on disk, regret.",
        discussion: """
            Prints Markdown. Quote ratios of one run only: other programs on the machine change the times.

              bandit-bench
              bandit-bench --parts regret --people 400
            """
    )

    @Option(parsing: .upToNextOption, help: "The parts to run: speed, states, challenges, regret, suite.")
    var parts = ["speed", "states", "challenges", "regret", "suite"]

    @Option(positive: "The number of actions to choose from.")
    var actions = 1000

    @Option(positive: "The number of features of an action.")
    var dimension = 64

    @Option(positive: "The number of observations after which accuracy is measured.")
    var updates = 1_000_000

    @Option(positive: "The number of states on disk.")
    var states = 1_000_000

    @Option(positive: "The number of features of a state on disk.")
    var stateDimension = 24

    @Option(help: "The file of states, which is removed at the end.")
    var scratch = "bandit-states.bin"

    @Option(positive: "The number of people in the regret trial.")
    var people = 200

    @Option(help: "The number of observations after which policies that forget do so, in the regret trial.")
    var memory = 150.0

    @Option(help: "The folder of labelled data sets, NAME.csv.")
    var suite = "suite"

    @Option(help: "The number of random orders of each data set.")
    var shuffles = 10

    @Option(help: "The largest number of rounds of a data set.")
    var rows = 20_000

    @Option(help: "The seed of people and orders.")
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
