import ArgumentParser
import Foundation
import Kin

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
        let generator = AlbumGenerator(seed: seed)
        if output == "-" {
            for number in 0..<count { console.print(generator.image(number).analysis.json) }
            return
        }
        let bar = ProgressBar("writing", on: console)
        let failed = Failure(.cannotCreate, KinError(.inputOutput, "the file cannot be written").within("file", output))
        guard FileManager.default.createFile(atPath: output, contents: nil),
            let handle = FileHandle(forWritingAtPath: output)
        else { throw failed }
        // In pieces, so that a million images need no gigabytes.
        for first in stride(from: 0, to: count, by: 1000) {
            bar.update(done: first, of: count) { NumberText.count($0, "image") }
            let lines = (first..<min(count, first + 1000)).map { generator.image($0).analysis.json + "\n" }.joined()
            do { try handle.write(contentsOf: Data(lines.utf8)) } catch { throw failed }
        }
        bar.finish()
        console.print(
            "\(output): \(NumberText.count(count, "image")) of \(AlbumGenerator.realmTypes.count) kinds, seed \(seed)")
    }
}
