import ArgumentParser
import Kin
import KinFiles
import KinSamples

/// `kin generate challenges`: made-up challenges, as JSON lines.
struct GenerateChallengesCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenges",
        abstract: "Challenges of eight categories, as JSON lines.",
        discussion: """
            48 activities, each plain and with five twists. The same seed gives the same file on every machine.

              kin generate challenges --count 200 -o challenges.jsonl
              kin store import challenges.jsonl
              kin suggest u42
            """)

    @Option(help: ArgumentHelp("How many challenges.", valueName: "n"))
    var count = 200

    @OptionGroup var output: GeneratedLines

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative") }
    }

    func run(on console: Console) throws {
        let challenges = ChallengeGenerator(seed: output.seed ?? 0).challenges(count)
        try output.write(challenges.map(\.json), of: "challenge", on: console)
    }
}

/// `kin generate content`: a year of daily content, as JSON lines.
struct GenerateContentCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "content",
        abstract: "A year of daily content, 364 thoughts and actions, as JSON lines.",
        discussion: """
            Composed from sentences of this project; nobody is quoted. Seed 364 is the year that comes with Kin.

              kin generate content -o content.jsonl
              kin check_content @content.jsonl
              kin store import content.jsonl
            """)

    @OptionGroup var output: GeneratedLines

    func run(on console: Console) throws {
        let library = ContentGenerator(seed: output.seed ?? 364).library()
        try output.write(library.items.map(\.json), of: "day", on: console)
    }
}

/// The output file of generated lines, and their seed.
struct GeneratedLines: ParsableArguments {
    @Option(help: ArgumentHelp("The seed; the same seed gives the same file.", valueName: "seed"))
    var seed: UInt64?

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String

    func write(_ lines: [String], of noun: String, on console: Console) throws {
        try WholeFile.make(output, lines: lines.count, of: noun, on: console) { lines[$0] }
        guard output != "-" else { return }
        console.print("\(output): \(NumberText.count(lines.count, noun))")
        console.print(console.style.faint("next: kin store import \(output)"))
    }
}
