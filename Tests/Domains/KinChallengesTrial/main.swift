import Foundation
import KinChallenges

// Trials that take too long for the tests: `swift run -c release KinChallengesTrial people|limits|notify|zones`.

let arguments = CommandLine.arguments.dropFirst()

func people(_ count: Int) throws {
    let trial = try PeopleTrial(people: count, seed: 5)
    for task in SimulatedPerson.Task.all {
        let outcomes = try PeopleTrial.policies.map { (name: $0.name, outcome: try trial.run(task, $0.algorithm)) }
        let best = outcomes.map(\.outcome.regret).min()!
        for (name, outcome) in outcomes {
            let share = String(format: "regret %.4f\t%.3f of the best", outcome.regret, outcome.regret / best)
            print("\(task.name)\t\(name)\t\(share)\tbroken \(outcome.broken)\tcrowded \(outcome.crowded)")
        }
        let untold = try trial.run(task, ChallengeState.standardAlgorithm, toldPreferences: false)
        print(String(format: "%@\tstandard, nothing told\tregret %.4f", task.name, untold.regret))
    }
}

func limits() throws {
    var (choices, broken, crowded) = (0, 0, 0)
    var seed: UInt64 = 100
    while choices < 1_000_000 {
        let task = SimulatedPerson.Task.all[Int(seed) % SimulatedPerson.Task.all.count]
        let outcome = try PeopleTrial(people: 200, seed: seed, challenges: 96).run(
            task, ChallengeState.standardAlgorithm)
        choices += outcome.choices
        broken += outcome.broken
        crowded += outcome.crowded
        seed += 1
    }
    print("\(choices) choices, \(broken) broke a limit, \(crowded) queues explored in more than one place")
}

/// Prints the mean regret of 60 notifications, of the last ten of these, and of the ten before the hundredth.
func notify(_ people: Int, seed: UInt64) throws {
    let kinds = NotificationTrial.kinds
    func print(_ name: String, _ regrets: (NotificationTrial.Kind) throws -> [Double]) rethrows {
        let texts = try kinds.map { kind in
            let regrets = try regrets(kind)
            let means = [regrets[..<60], regrets[50..<60], regrets[90...]].map { (some: ArraySlice<Double>) -> String in
                String(format: "%.3f", some.reduce(0, +) / Double(some.count))
            }
            return means.joined(separator: " ")
        }
        Swift.print(name, texts.joined(separator: " | "), separator: "\t")
    }
    func learned(
        _ name: String, phase: NotificationPlanner.Phase = .learned,
        _ prior: (NotificationTrial.Kind) throws -> NotificationPrior
    )
        throws
    {
        try print(name) { kind in
            let prior = try prior(kind)
            return try NotificationTrial.regrets(kind, count: 100, people: people, seed: seed) { person, generator in
                let planner = try NotificationPlanner(phase: phase, prior: prior, seed: generator.next())
                return try NotificationTrial.planned(person, count: 100, by: planner, &generator).regrets
            }
        }
    }
    Swift.print("", kinds.map(\.name).joined(separator: " | "), separator: "\t")
    try learned("by lot", phase: .uniform) { _ in .uniform }
    try learned("knowing nothing") { _ in .uniform }
    let everybody = try NotificationTrial.population(kinds, people: 210)
    try learned("prior of 210 people of all kinds") { _ in everybody }
    try learned("prior of 210 people of the kind") { try NotificationTrial.population([$0], people: 210) }
    let all = NotificationBound(kinds)
    let own = kinds.map { NotificationBound([$0]) }
    for rule in NotificationBound.Rule.allCases {
        for (known, bound) in [("all kinds", { _ in all }), ("the kind", { (kind: Int) in own[kind] })] {
            print("knowing \(known): \(rule.rawValue)") { kind in
                let number = kinds.firstIndex { $0.name == kind.name } ?? 0
                return NotificationTrial.regrets(kind, count: 100, people: people, seed: seed) { person, generator in
                    bound(number).regrets(of: person, count: 100, by: rule, &generator)
                }
            }
        }
    }
}

switch arguments.first {
case "people": try people(Int(arguments.dropFirst().first ?? "40") ?? 40)
case "limits": try limits()
case "notify":
    try notify(Int(arguments.dropFirst().first ?? "40") ?? 40, seed: UInt64(arguments.dropFirst(2).first ?? "11") ?? 11)
case "zones":
    for isLearned in [false, true] {
        let told = try NotificationTrial.rules(learned: isLearned)
        print(
            "\(isLearned ? "learned" : "uniform"): \(told.zones) zones, \(told.notifications) notifications, \(told.broken) broke a rule"
        )
    }
default: print("usage: KinChallengesTrial people [N] | limits | notify [N] [SEED] | zones")
}
