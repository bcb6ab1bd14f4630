import ArgumentParser
import Foundation
import Kin
import Measuring

/// `bandit-bench`: times of policies, their accuracy, and labelled sets. `KinChallengesTrial` plays policies for
/// simulated people.
@main
struct BanditBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bandit-bench",
        abstract: "Measure policies: time, accuracy after a million observations, rewards on labelled sets.",
        discussion: """
            Prints Markdown. Quote ratios of one run only: other programs on the machine change the times.

              bandit-bench
              bandit-bench --parts suite --suite sets
            """
    )

    @Option(parsing: .upToNextOption, help: "The parts to run: speed, challenges, suite.")
    var parts = ["speed", "challenges", "suite"]

    @Option(positive: "The number of actions to choose from.")
    var actions = 1000

    @Option(positive: "The number of features of an action.")
    var dimension = 64

    @Option(positive: "The number of observations after which accuracy is measured.")
    var updates = 1_000_000

    @Option(help: "The folder of labelled data sets, NAME.csv.")
    var suite = "suite"

    @Option(help: "The number of random orders of each data set.")
    var shuffles = 10

    @Option(help: "The largest number of rounds of a data set.")
    var rows = 20_000

    @Option(help: "The seed of challenges and orders.")
    var seed: UInt64 = 1

    func run() throws {
        if parts.contains("speed") {
            try SpeedPart(actions: actions, dimension: dimension, updates: updates).run()
        }
        if parts.contains("challenges") { try ChallengePart(seed: seed).run() }
        if parts.contains("suite") {
            try SuitePart(directory: suite, shuffles: shuffles, rows: rows, seed: seed).run()
        }
    }
}
