import Foundation
import KinCore
import KinStoreTrials

let usage = """
    usage: KinStoreTrial [--kills 1000] [--seed 1] [--rounds 200] [--every 7] [--only others|steps|disks|hunt]
           KinStoreTrial copies [--kills 500] [--seed 1] [--only backup|restore]

    The crash trials of the store by themselves, as many as wanted. In each of the rounds another program reads the database of a process
    that is killed then (others). Every step of a fixed sequence of operations is a place to be killed at, and one to lose the power at
    (steps). A full and a failing disk are tried at every seventh step, or as many as --every says (disks). The rest of the kills come at
    steps and moments that chance chooses in longer lives (hunt). `copies` tries backups and restoring: something goes wrong at every step,
    and at moments that chance chooses. The program starts itself as the process that is killed.
    """

/// The options of a run; an unexpected one ends the program.
struct Options {
    private var values: [String: String] = [:]

    init(_ words: [String], expected: Set<String>) {
        guard words.count.isMultiple(of: 2) else { Self.refuse() }
        for place in stride(from: 0, to: words.count, by: 2) {
            guard expected.contains(words[place]) else { Self.refuse() }
            values[words[place]] = words[place + 1]
        }
    }

    func number<Number: FixedWidthInteger>(_ name: String, _ standard: Number) -> Number {
        guard let text = values[name] else { return standard }
        guard let number = Number(text) else { Self.refuse() }
        return number
    }

    /// The selected cases; all without the option.
    func only<Part: RawRepresentable & CaseIterable>(_: Part.Type) -> [Part] where Part.RawValue == String {
        guard let text = values["--only"] else { return Array(Part.allCases) }
        guard let part = Part(rawValue: text) else { Self.refuse() }
        return [part]
    }

    static func refuse() -> Never {
        say(usage)
        exit(64)
    }
}

enum Part: String, CaseIterable {
    case others, steps, disks, hunt
}

/// Runs the trials of writers.
func trials(_ options: Options) async throws {
    let folder = NSTemporaryDirectory() + "kin-store-trial-\(getpid())"
    let (wanted, seed): (Int, UInt64) = (options.number("--kills", 1000), options.number("--seed", 1))
    let every = options.number("--every", 7)
    var campaign = Campaign(executable: CommandLine.arguments[0], folder: folder, seed: seed)
    for part in options.only(Part.self) {
        switch part {
        case .others:
            for locksFiles in [true, false] {
                try await campaign.foreignRounds(options.number("--rounds", 200), seed: seed, locksFiles: locksFiles)
                say(
                    "\(locksFiles ? "other programs:               " : "without locks on the files:   ")\(campaign.tally)"
                )
            }
        case .steps:
            let steps = try await campaign.countSteps()
            say("the fixed sequence takes \(steps) steps of the disk")
            try await campaign.sweep(0..<steps) { .kill(step: $0) }
            say("killed at each of them:       \(campaign.tally)")
            try await campaign.sweep(0..<steps) { .power(step: $0) }
            say("the power lost at each:       \(campaign.tally)")
        case .disks:
            let steps = try await campaign.countSteps()
            try await campaign.sweep(stride(from: 0, to: steps, by: every)) { .full(step: $0) }
            try await campaign.sweep(stride(from: min(3, every - 1), to: steps, by: every)) { .error(step: $0) }
            say("disks full and failing:       \(campaign.tally)")
        case .hunt:
            var number: UInt64 = 1
            while number <= 10 || campaign.tally.kills < wanted {
                try await campaign.hunt(kills: 25, seed: seed &+ number)
                number += 1
            }
        }
    }
    say("in all:                       \(campaign.tally)")
    try FileManager.default.removeItem(atPath: folder)
}

/// Writes a line immediately, also to a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Makes and restores backups under faults.
func copies(_ options: Options) async throws {
    let folder = NSTemporaryDirectory() + "kin-copy-trial-\(getpid())"
    let seed: UInt64 = options.number("--seed", 1)
    let works = options.only(CopyTrial.Work.self)
    var trial = try await CopyTrial(executable: CommandLine.arguments[0], folder: folder, seed: seed)
    for work in works {
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
    while trial.tally.kills < options.number("--kills", 500) {
        try await trial.run(
            works.randomElement(using: &generator)!, .killed(after: Int.random(in: 1..<60, using: &generator)))
    }
    say("in all:                       \(trial.tally)")
    try FileManager.default.removeItem(atPath: folder)
}

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "copies": try await copies(Options(Array(words.dropFirst()), expected: ["--kills", "--seed", "--only"]))
case "copy-victim":
    guard let victim = CopyVictim(Array(words.dropFirst())) else { exit(64) }
    try await victim.run()
case "read" where words.count == 2: try ForeignReader.readHere(words[1])
case "victim":
    guard let victim = Victim(Array(words.dropFirst())) else { exit(64) }
    try await victim.run()
default: try await trials(Options(words, expected: ["--kills", "--seed", "--rounds", "--every", "--only"]))
}
