import Foundation
import KinStore

// Two concurrent routers, killed at random, over thirty days of contributions:
//
//    KinRoutingTrial [--people 10000] [--days 30] [--daily 100] [--kills 100] [--seed 1]
//
// Each day people contribute, decide and block. Then two processes of this program route the waiting contributions
// while they are killed repeatedly. Each evening the records are compared with those of a copy of the store that one
// router routed without a fault.

let options = ["--people", "--days", "--daily", "--kills", "--seed"]

if CommandLine.arguments.dropFirst().first == "router" {
    try await Router(database: CommandLine.arguments[2], day: Int(CommandLine.arguments[3]) ?? 0).run()
} else if let wrong = CommandLine.arguments.dropFirst().first(where: { !isUnderstood($0) }) {
    print("what is \(wrong)? KinRoutingTrial takes \(options.joined(separator: ", ")), each with a number")
    exit(64)
} else {
    let trial = try Trial(
        people: option("--people", 10_000), days: option("--days", 30), daily: option("--daily", 100),
        kills: option("--kills", 100), seed: UInt64(option("--seed", 1)))
    try await trial.run()
}

func isUnderstood(_ argument: String) -> Bool { options.contains(argument) || Int(argument) != nil }

/// The number after an option.
func option(_ name: String, _ standard: Int) -> Int {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return standard }
    return Int(arguments[place + 1]) ?? standard
}
