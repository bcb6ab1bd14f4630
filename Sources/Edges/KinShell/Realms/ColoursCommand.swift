import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin colours`: the dominant colours of a picture.
struct ColoursCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "colours",
        abstract: "Find the dominant colours of a picture.",
        discussion: """
            The picture is a PPM file (P6, eight bits), which most programs can make:

              djpeg photo.jpg | kin colours -
              kin colours picture.ppm --count 8 --json
            """, aliases: ["colors"])

    @Argument(help: ArgumentHelp("A PPM file; - is standard input.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("How many colours at most.", valueName: "n"))
    var count = 5

    @Option(help: ArgumentHelp("The seed.", valueName: "seed"))
    var seed: UInt64 = 0

    @Flag(help: "Print the result as JSON.")
    var json = false

    func run(on console: Console) throws {
        let picture = try PPMPicture(reading: file)
        let start = ContinuousClock.now
        let colours = try DominantColours(count: count, seed: seed).find(in: picture.pixels)
        let time = ContinuousClock.now - start
        if json {
            let record = ColoursRecord(
                width: picture.width, height: picture.height,
                colours: colours.map { .init(hex: $0.hex, share: $0.share) }, seconds: time.seconds)
            return console.print(JSONText.line(record))
        }
        var table = TextTable([("colour", .left), ("share", .right), ("L*", .right), ("a*", .right), ("b*", .right)])
        for colour in colours {
            table.append(
                [colour.hex, NumberText.percent(colour.share)]
                    + [colour.lab.lightness, colour.lab.a, colour.lab.b].map { String(format: "%.1f", $0) })
        }
        console.print(table)
        console.print(
            console.style.faint("\(picture.width) × \(picture.height) pixels in \(NumberText.duration(time))"))
    }
}

/// The result in JSON.
private struct ColoursRecord: Encodable {
    struct Colour: Encodable {
        let hex: String
        let share: Double
    }
    let width: Int
    let height: Int
    let colours: [Colour]
    let seconds: Double
}
