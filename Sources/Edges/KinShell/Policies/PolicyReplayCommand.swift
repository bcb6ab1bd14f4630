import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin policy replay`: what a policy would have earned on rows of a file.
struct PolicyReplayCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Let a policy learn from a CSV file, one round a row.",
        discussion: """
            --label: the arms are the words of that column; the policy sees the other columns, chooses an arm, and \
            learns only whether that was the label. Shown is the mean reward of all rounds, those of learning included, \
            averaged over --shuffles orders. The kind is logistic-ucb if not given, and with --pairwise linucb.

            --arm and --reward: the file is a log of offers. The policy is judged on every row before it may learn from \
            it: by the rows in which it chooses the logged arm, by a doubly robust estimate, and by whether its expected \
            rewards come true; beside it, the best of the policies that always offer the same arm, estimated alike. \
            Probabilities of the offers come from --propensity, or are each arm's share of the rows. The kind is greedy \
            if not given: the log explores already.

            Columns of words become one feature for each word.

            Examples:

              kin policy replay letter.csv --label label --pairwise
              kin policy replay coupons.csv --arm Coupon --reward Y --ignore row
            """
    )

    @Argument(
        help: ArgumentHelp("A CSV file whose first line names the columns; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The column of labels.", valueName: "column"))
    var label: String?

    @Option(help: ArgumentHelp("The column of the arm that was offered.", valueName: "column"))
    var arm: String?

    @Option(help: ArgumentHelp("The column of what the offer brought.", valueName: "column"))
    var reward: String?

    @Option(help: ArgumentHelp("The column of the probability of the offer.", valueName: "column"))
    var propensity: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Columns to leave out.", valueName: "column"))
    var ignore: [String] = []

    @Option(help: ArgumentHelp("In how many random orders; 0: once, in the order of the file.", valueName: "n"))
    var shuffles = 5

    @Option(
        help: ArgumentHelp("Of a log: learn from every row, or from accepted ones only.", valueName: "every|accepted"),
        transform: PolicyReplayCommand.learning)
    var learn: ReplayLearning = .everyRound

    @Option(help: ArgumentHelp("Resamples of the intervals.", valueName: "n"))
    var resamples = 1000

    @OptionGroup var policy: PolicyOptions

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard (label != nil) != (arm != nil && reward != nil), label == nil || (arm == nil && reward == nil) else {
            throw ValidationError("give --label, or --arm and --reward")
        }
        guard label == nil || propensity == nil else { throw ValidationError("--propensity goes with --arm") }
        guard (0...1000).contains(shuffles) else { throw ValidationError("--shuffles is 0 to 1000") }
    }

    func run(on console: Console) throws {
        if let label { return try runLabels(label, console) }
        try runLog(arm: arm ?? "", reward: reward ?? "", console)
    }

    private func runLabels(_ label: String, _ console: Console) throws {
        let table = try ContextTable(reading: file, settingAside: [label], ignoring: ignore)
        let (names, labels) = table.arms(label)
        // Many features of which most say nothing take logistic regression longer to sort out than least squares.
        let settings = policy.settings(
            policy.pairwise ? .linUCB : .logisticUCB, dimension: table.features.count, arms: names.count, precision: nil
        )
        var rewards: [Double] = []
        for pass in 0..<max(1, shuffles) {
            var settings = settings
            settings.seed &+= UInt64(pass)
            var generator = SeededGenerator(seed: settings.seed)
            var learner = try BanditPolicy(settings)
            let order = shuffles == 0 ? nil : generator.shuffled(labels.count)
            rewards.append(try learner.play(table.contexts, labels: labels, order: order).progressiveReward)
        }
        let mean = rewards.reduce(0, +) / Double(rewards.count)
        if json {
            return console.print(
                JSONText.line(
                    LabelRecord(
                        rows: labels.count, arms: names.count, features: table.features.count,
                        pairwise: policy.pairwise, reward: mean, rewards: rewards)))
        }
        var text = TextTable([("", .left), ("", .left)])
        text.append(["rows", NumberText.count(labels.count)])
        text.append(["arms", NumberText.count(names.count)])
        text.append(["features", NumberText.count(table.features.count) + (policy.pairwise ? " and their pairs" : "")])
        text.append(["progressive reward", String(format: "%.4f", mean)])
        text.append(["by order", rewards.map { String(format: "%.4f", $0) }.joined(separator: " ")])
        console.print(text)
    }

    private func runLog(arm: String, reward: String, _ console: Console) throws {
        let table = try ContextTable(
            reading: file, settingAside: [arm, reward] + (propensity.map { [$0] } ?? []), ignoring: ignore)
        let (names, arms) = table.arms(arm)
        let log: LoggedTable
        do throws(KinError) {
            let propensities: [Double]? = if let propensity { try table.numbers(propensity) } else { nil }
            log = try LoggedTable(
                contexts: table.contexts, arms: arms, armCount: names.count, rewards: try table.numbers(reward),
                propensities: propensities)
        } catch {
            throw Failure(.dataError, error.within("file", file))
        }
        // Half the number of columns: with one feature of each column at 1, a score varies by about 1.4 beforehand.
        let settings = policy.settings(
            .greedy, dimension: table.features.count, arms: names.count, precision: max(1, Double(table.columns) / 2))
        let replay = try LogReplay(log, settings: settings, learning: learn, passes: shuffles)
        let report = try ReplayReport(replay, log: log, arms: names, resamples: resamples, seed: policy.seed)
        if json { console.print(JSONText.line(report)) } else { report.print(on: console) }
    }
}

extension PolicyReplayCommand {
    private static func learning(_ text: String) throws -> ReplayLearning {
        guard let learning = ReplayLearning(rawValue: text) else {
            throw ValidationError("--learn is every or accepted")
        }
        return learning
    }
}

/// The result of replaying labels, in JSON.
private struct LabelRecord: Encodable {
    let rows: Int
    let arms: Int
    let features: Int
    let pairwise: Bool
    let reward: Double
    let rewards: [Double]
}
