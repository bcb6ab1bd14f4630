import Foundation
import Kin

/// The result of replaying a log, for people and programs.
struct ReplayReport: Encodable {
    /// A value with its interval.
    struct Value: Encodable {
        let value: Double
        let lower: Double
        let upper: Double

        init(_ estimate: OffPolicyEvaluation.Estimate) {
            value = estimate.value
            lower = estimate.interval.lowerBound
            upper = estimate.interval.upperBound
        }

        var text: String { String(format: "%.4f  (95 %% %.4f to %.4f)", value, lower, upper) }

        /// A number with its sign, plus included.
        var gainText: String { String(format: "%+.4f  (95 %% %+.4f to %+.4f)", value, lower, upper) }
    }

    /// One way to estimate: the policy, the best constant one, and the difference.
    struct Comparison: Encodable {
        let policy: Value
        let bestArm: String
        let best: Value
        let gain: Value
    }

    let rows: Int
    let arms: Int
    let logged: Double
    let acceptedRounds: Double
    /// The mean reward of accepted rounds, weighted by the inverse propensities.
    let rejection: Comparison
    let doublyRobust: Comparison
    let calibrationError: Double

    init(_ replay: LogReplay, log: LoggedTable, arms names: [String], resamples: Int, seed: UInt64) throws(KinError) {
        rows = log.rewards.count
        arms = names.count
        logged = log.rewards.reduce(0, +) / Double(log.rewards.count)
        acceptedRounds = replay.acceptedCount
        calibrationError = replay.calibration.error
        func compare(
            _ rounds: [LoggedRound], _ estimator: OffPolicyEvaluation.Estimator
        ) throws(KinError) -> Comparison {
            let own = try OffPolicyEvaluation(rounds)
            var best: (arm: Int, evaluation: OffPolicyEvaluation)?
            for arm in names.indices {
                let always = try OffPolicyEvaluation(replay.rounds(always: arm))
                if best.map({ always.value(estimator) > $0.evaluation.value(estimator) }) ?? true {
                    best = (arm, always)
                }
            }
            guard let best else { throw KinError(.malformedInput, "the log has no arm") }
            return Comparison(
                policy: Value(try own.estimate(estimator, resamples: resamples, seed: seed)), bestArm: names[best.arm],
                best: Value(try best.evaluation.estimate(estimator, resamples: resamples, seed: seed)),
                gain: Value(try own.gain(over: best.evaluation, estimator, resamples: resamples, seed: seed)))
        }
        rejection = try compare(replay.accepted, .selfNormalized)
        doublyRobust = try compare(replay.rounds, .doublyRobust)
    }

    func print(on console: Console) {
        var table = TextTable([("", .left), ("", .left)])
        table.append(["rows", NumberText.count(rows)])
        table.append(["mean reward of the log", String(format: "%.4f", logged)])
        table.append(["rows accepted in a pass", NumberText.count(Int(acceptedRounds.rounded()))])
        for (name, found) in [("by accepted rows", rejection), ("doubly robust", doublyRobust)] {
            table.append(["\(name): policy", found.policy.text])
            table.append(["\(name): best arm", "\(found.best.text)  always \(found.bestArm)"])
            table.append(["\(name): gain", found.gain.gainText])
        }
        table.append(["calibration error", String(format: "%.4f", calibrationError)])
        console.print(table)
    }
}
