import ArgumentParser
import Kin
import KinFiles
import KinSamples

/// `kin generate souls`: made-up people to match.
struct GenerateSoulsCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "souls",
        abstract: "People with goals, realms, objects, habits and moods, in communities, as JSON lines.",
        discussion: """
              kin generate souls --count 10000 --seed 7 -o souls.jsonl
              kin match souls.jsonl --user u42 --explain
            """)

    @Option(help: ArgumentHelp("How many people: u0, u1, …", valueName: "n"))
    var count = 1000

    @Option(help: ArgumentHelp("How many communities of like-minded people.", valueName: "n"))
    var communities = 150

    @Option(help: ArgumentHelp("The seed; the same seed gives the same file.", valueName: "seed"))
    var seed: UInt64 = 0

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String

    func validate() throws {
        if count < 0 || communities < 1 {
            throw ValidationError("--count must not be negative, --communities at least 1")
        }
    }

    func run(on console: Console) throws {
        let generator = SoulGenerator(seed: seed, communities: communities)
        try WholeFile.make(output, lines: count, of: "soul", on: console) { generator.soul($0).json }
        guard output != "-" else { return }
        console.print("\(output): \(NumberText.count(count, "soul")), seed \(seed)")
        console.print(console.style.faint("next: kin match \(output) --user u0"))
    }
}
