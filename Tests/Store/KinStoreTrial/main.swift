import Foundation
import KinCore
import KinStoreTrials

// The crash trials of the store by themselves, as many as wanted:
//
//     KinStoreTrial [--kills 1000] [--seed 1] [--hunt-only 1] [--disk-only 1] [--rounds 200] [--every 7]
//     KinStoreTrial copies [--kills 500] [--seed 1]
//
// Every step of a fixed sequence of operations is a place to be killed at, and one to lose the power at; the rest of the kills
// come at steps and moments that chance chooses in longer lives (with --hunt-only 1, all of them). A full and a failing disk are tried at
// every seventh step, or every one with --every 1, and with --disk-only 1 nothing else is. In --rounds another program reads the database of
// a process that is killed then. `copies` tries backups and restoring: something goes wrong at every step, and at moments that chance
// chooses. The program starts itself as the process that is killed.

/// Runs the trials.
func run(kills wanted: Int, seed: UInt64) async throws {
    let folder = NSTemporaryDirectory() + "kin-store-trial-\(getpid())"
    var campaign = Campaign(executable: CommandLine.arguments[0], folder: folder, seed: seed)
    let rounds = option("--rounds", 200)
    for locksFiles in [true, false] {
        try await campaign.foreignRounds(rounds, seed: seed, locksFiles: locksFiles)
        say("\(locksFiles ? "other programs:               " : "without locks on the files:   ")\(campaign.tally)")
    }
    if option("--hunt-only", 0) == 0 { try await sweep(&campaign) }
    guard option("--disk-only", 0) == 0 else { return }
    for number in 1... where number <= 10 || campaign.tally.kills < wanted {
        try await campaign.hunt(kills: 25, seed: seed &+ UInt64(number))
        if number >= 10, campaign.tally.kills >= wanted { break }
    }
    say("in all:                       \(campaign.tally)")
    try FileManager.default.removeItem(atPath: folder)
}

/// Something goes wrong at every step.
func sweep(_ campaign: inout Campaign) async throws {
    let steps = try await campaign.countSteps()
    say("the fixed sequence takes \(steps) steps of the disk")
    if option("--disk-only", 0) == 0 {
        try await campaign.sweep(0..<steps) { .kill(step: $0) }
        say("killed at each of them:       \(campaign.tally)")
        try await campaign.sweep(0..<steps) { .power(step: $0) }
        say("the power lost at each:       \(campaign.tally)")
    }
    try await campaign.sweep(stride(from: 0, to: steps, by: option("--every", 7))) { .full(step: $0) }
    try await campaign.sweep(stride(from: 3, to: steps, by: option("--every", 7))) { .error(step: $0) }
    say("disks full and failing:       \(campaign.tally)")
}

/// Writes a line at once, also into a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The number after an option.
func option(_ name: String, _ standard: Int) -> Int {
    let arguments = CommandLine.arguments
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return standard }
    return Int(arguments[place + 1]) ?? standard
}

/// Something goes wrong while backups are made and restored.
func copies(kills wanted: Int, seed: UInt64) async throws {
    let folder = NSTemporaryDirectory() + "kin-copy-trial-\(getpid())"
    var trial = try await CopyTrial(executable: CommandLine.arguments[0], folder: folder, seed: seed)
    for work in CopyTrial.Work.allCases {
        let steps = try await trial.run(work, .none) ?? 0
        say("\(work) takes \(steps) steps of the disk")
        for step in 0..<steps {
            for isNoteOld in [false, true] { try await trial.run(work, .kill(step: step), isNoteOld: isNoteOld) }
            try await trial.run(work, .power(step: step))
            try await trial.run(work, .full(step: step))
            try await trial.run(work, .error(step: step))
        }
        say("at each of them:              \(trial.tally)")
    }
    var generator = SeededGenerator(seed: seed)
    while trial.tally.kills < wanted {
        let work = CopyTrial.Work.allCases.randomElement(using: &generator)!
        try await trial.run(work, .killed(after: Int.random(in: 1..<60, using: &generator)))
    }
    say("in all:                       \(trial.tally)")
    try FileManager.default.removeItem(atPath: folder)
}

let first = CommandLine.arguments.dropFirst().first
if first == "copies" {
    try await copies(kills: option("--kills", 500), seed: UInt64(option("--seed", 1)))
} else if first == "copy-victim" {
    guard let victim = CopyVictim(Array(CommandLine.arguments.dropFirst(2))) else { exit(64) }
    try await victim.run()
} else if first == "read", CommandLine.arguments.count == 3 {
    try ForeignReader.readHere(CommandLine.arguments[2])
} else if first == "victim" {
    guard let victim = Victim(Array(CommandLine.arguments.dropFirst(2))) else { exit(64) }
    try await victim.run()
} else {
    try await run(kills: option("--kills", 1000), seed: UInt64(option("--seed", 1)))
}
