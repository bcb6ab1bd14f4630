import Foundation
import KinChallenges
import KinCore

// What takes too long for the tests: `swift run -c release KinChallengesTrial people|limits|notify|zones`.

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

func notify(_ count: Int, _ exploration: Double) throws {
    for kind in NotificationTrial.kinds {
        let learned = try NotificationTrial.regrets(
            kind.make, count: 100, people: count, exploration: exploration, uniform: false)
        let uniform = try NotificationTrial.regrets(
            kind.make, count: 60, people: count, exploration: exploration, uniform: true)
        let tens = learned.map { String(format: "%.3f", $0) }.joined(separator: " ")
        print("\(kind.name)\tregret by tens \(tens)\tuniform \(String(format: "%.3f", uniform.reduce(0, +) / 6))")
    }
}

switch arguments.first {
case "people": try people(Int(arguments.dropFirst().first ?? "40") ?? 40)
case "limits": try limits()
case "notify":
    try notify(Int(arguments.dropFirst().first ?? "20") ?? 20, Double(arguments.dropFirst(2).first ?? "1") ?? 1)
case "zones":
    for isLearned in [false, true] {
        let told = try NotificationTrial.rules(learned: isLearned)
        print(
            "\(isLearned ? "learned" : "uniform"): \(told.zones) zones, \(told.notifications) notifications, \(told.broken) broke a rule"
        )
    }
default: print("usage: KinChallengesTrial people [N] | limits | notify [N] [exploration] | zones")
}
