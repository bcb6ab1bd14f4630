import ArgumentParser
import Kin
import KinFiles
import KinSamples

/// `kin generate images`: made-up analyses of images, as JSON lines.
struct GenerateImagesCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "images",
        abstract: "Analyses of images of eight known kinds, as JSON lines.",
        discussion: """
            The same seed gives the same images on every machine.

              kin generate images --count 1000 -o images.jsonl
              kin cluster images.jsonl -o realms
            """)

    @Option(help: ArgumentHelp("How many images.", valueName: "n"))
    var count = 1000

    @Option(help: ArgumentHelp("The seed; the same seed gives the same file.", valueName: "seed"))
    var seed: UInt64 = 0

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String

    func validate() throws {
        guard count >= 0 else { throw ValidationError("--count must not be negative") }
    }

    func run(on console: Console) throws {
        let generator = ImageAnalysisGenerator(seed: seed)
        try WholeFile.make(output, lines: count, of: "image", on: console) { generator.image($0).analysis.json }
        guard output != "-" else { return }
        console.print(
            "\(output): \(NumberText.count(count, "image")) of \(ImageAnalysisGenerator.realmTypes.count) kinds, seed \(seed)"
        )
    }
}
