import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin policy evaluate`: a policy's value from another one's log.
struct PolicyEvaluateCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Estimate what a policy would have earned, from a log of another one.",
        discussion: """
            One round a line, as JSON: reward, propensity (the probability with which the logged action was chosen), and \
            what the evaluated policy would have done: probability, or action and probabilities of all actions. With what \
            a model expects (estimate and value, or estimates of all actions) two more estimators are shown.

            ips: inverse propensity scores. snips: the same, self-normalised. dm: the model's word. dr: doubly robust, \
            right when either the propensities or the model are. Intervals are bootstrapped.

            Examples:

              kin policy evaluate log.jsonl
              kin policy evaluate log.jsonl --json --resamples 10000
            """
    )

    @Argument(help: ArgumentHelp("A file of JSON lines; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The part of resamples inside the interval.", valueName: "p"))
    var confidence = 0.95

    @Option(help: ArgumentHelp("How many resamples.", valueName: "n"))
    var resamples = 1000

    @Option(help: ArgumentHelp("The seed of the resamples.", valueName: "n"))
    var seed: UInt64 = 1

    @Flag(help: "Print JSON.")
    var json = false

    func run(on console: Console) throws {
        let log = try PolicyLog(reading: file)
        let evaluation = try OffPolicyEvaluation(log.rounds)
        let estimators: [OffPolicyEvaluation.Estimator] =
            log.hasModel
            ? [.inversePropensity, .selfNormalized, .directMethod, .doublyRobust]
            : [.inversePropensity, .selfNormalized]
        var found: [String: ReplayReport.Value] = [:]
        for estimator in estimators {
            found[estimator.rawValue] = ReplayReport.Value(
                try evaluation.estimate(estimator, confidence: confidence, resamples: resamples, seed: seed))
        }
        let logged = log.rounds.reduce(0) { $0 + $1.reward } / Double(log.rounds.count)
        if json {
            return console.print(
                JSONText.line(
                    EvaluationRecord(
                        rounds: log.rounds.count, logged: logged, effectiveRounds: evaluation.effectiveRounds,
                        estimates: found)))
        }
        var table = TextTable([("", .left), ("", .left)])
        table.append(["rounds", NumberText.count(log.rounds.count)])
        table.append(["rounds that it weighs like", NumberText.short(evaluation.effectiveRounds.rounded())])
        table.append(["reward of the log", String(format: "%.6f", logged)])
        for estimator in estimators {
            guard let value = found[estimator.rawValue] else { continue }
            table.append([
                estimator.rawValue,
                String(format: "%.6f  (%g %% %.6f to %.6f)", value.value, confidence * 100, value.lower, value.upper),
            ])
        }
        console.print(table)
    }
}

/// An evaluation in JSON.
private struct EvaluationRecord: Encodable {
    let rounds: Int
    let logged: Double
    let effectiveRounds: Double
    let estimates: [String: ReplayReport.Value]
}
