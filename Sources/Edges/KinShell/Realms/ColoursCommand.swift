import ArgumentParser
import Foundation
import Kin

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
        let picture = try PPMPicture(path: file)
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

/// A picture in the portable pixmap format: "P6", width, height, 255, then red, green and blue of each pixel.
struct PPMPicture {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// The most pixels of a picture.
    private static let largest = 1 << 28

    init(path: String) throws(Failure) {
        let source = try ByteReader(path: path)
        guard try source.read(upTo: 2) == Array("P6".utf8) else {
            throw source.malformed("this is no binary PPM picture (P6)")
        }
        width = try Self.number(source)
        height = try Self.number(source)
        guard try Self.number(source) == 255 else {
            throw source.malformed("only pictures of eight bits (255) are read")
        }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, count >= 1, count <= Self.largest else {
            throw source.malformed("a picture of \(width) × \(height) pixels is empty or too large")
        }
        pixels = try source.readExactly(3 * count, for: "the pixels")
    }

    /// A number after white space and comments; the one byte after it is taken.
    private static func number(_ source: ByteReader) throws(Failure) -> Int {
        var (digits, isComment) = ("", false)
        while let byte = try source.read(upTo: 1).first {
            if isComment {
                isComment = byte != 0x0A
            } else if byte == UInt8(ascii: "#"), digits.isEmpty {
                isComment = true
            } else if (0x30...0x39).contains(byte), digits.utf8.count < 10 {
                digits.unicodeScalars.append(Unicode.Scalar(byte))
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                if !digits.isEmpty { break }
            } else {
                throw source.malformed("the picture's header has a byte \(byte) where a number is expected")
            }
        }
        guard let number = Int(digits) else { throw source.malformed("the picture's header ends too early") }
        return number
    }
}
