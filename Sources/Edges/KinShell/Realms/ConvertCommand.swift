import ArgumentParser
import Foundation
import Kin
import SwiftCSV

/// `kin convert`: analyses from other people's data.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Make analyses of images from data in other formats.",
        subcommands: [Coco.self])

    /// `kin convert coco`: from boxes.
    struct Coco: ShellCommand {
        static let configuration = CommandConfiguration(
            commandName: "coco",
            abstract: "From two CSV files of object boxes and their categories, as taken from COCO.",
            discussion: """
                \(BoxConverter.note)

                BOXES has the columns image_id, category_id, x, y, w, h; CATEGORIES has category_id, category, supercategory. \
                The output is JSON lines, or, when it ends with a slash, a folder with a file for each image.

                  gunzip -c boxes.csv.gz | kin convert coco - categories.csv -o images.jsonl
                  kin convert coco boxes.csv categories.csv -o images/
                """)

        @Argument(help: ArgumentHelp("A CSV file of boxes; - is standard input.", valueName: "boxes"))
        var boxes: String

        @Argument(help: ArgumentHelp("A CSV file of categories.", valueName: "categories"))
        var categories: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp("The file, or the folder with a slash at its end.", valueName: "path"))
        var output: String

        func run(on console: Console) throws {
            let table = try BoxTableFile(boxes: boxes, categories: categories)
            let converter = BoxConverter()
            let analyses = try table.images.map { image in
                do throws(KinError) { return try converter.analysis(image: image.id, boxes: image.boxes) } catch {
                    throw Failure(error.within("image", image.id).within("file", boxes))
                }
            }
            if output.hasSuffix("/") {
                do {
                    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
                } catch {
                    throw Failure(
                        .cannotCreate, KinError(.inputOutput, "the folder cannot be made").within("folder", output))
                }
                for analysis in analyses {
                    try TextFile.write(analysis.json + "\n", to: "\(output)\(analysis.id).json")
                }
            } else {
                try TextFile.write(analyses.map { $0.json + "\n" }.joined(), to: output)
            }
            let objects = analyses.reduce(0) { $0 + $1.objects.count }
            console.print(
                "\(output): \(NumberText.count(analyses.count, "image")), \(NumberText.count(objects, "object"))")
            console.print(BoxConverter.note)
        }
    }
}

/// The boxes of a data set, image by image in the order of the file.
struct BoxTableFile {
    /// An image and its boxes.
    struct Image {
        let id: String
        var boxes: [(category: BoxConverter.Category, box: DetectedObject.BoundingBox)]
    }

    private(set) var images: [Image] = []

    init(boxes: String, categories: String) throws(Failure) {
        var known: [String: BoxConverter.Category] = [:]
        for (_, row) in try Self.rows(of: categories, columns: ["category_id", "category", "supercategory"]) {
            known[row[0]] = BoxConverter.Category(name: row[1], group: row[2])
        }
        var places: [String: Int] = [:]
        for (line, row) in try Self.rows(of: boxes, columns: ["image_id", "category_id", "x", "y", "w", "h"]) {
            func wrong(_ error: KinError) -> Failure { Failure(error.within("line", line).within("file", boxes)) }
            guard let category = known[row[1]] else {
                throw wrong(KinError(.unknownID, "category \(row[1]) is not in \(categories)"))
            }
            var sides: [Float] = []
            for (name, text) in zip(["x", "y", "w", "h"], row[2...]) {
                guard let side = Float(text) else {
                    throw wrong(
                        KinError(.malformedInput, "\"\(text.prefix(40))\" is not a number").within("column", name))
                }
                sides.append(side)
            }
            let place = places[row[0], default: images.count]
            if place == images.count {
                places[row[0]] = place
                images.append(Image(id: row[0], boxes: []))
            }
            do throws(KinError) {
                let box = try DetectedObject.BoundingBox(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
                images[place].boxes.append((category, box))
            } catch {
                throw wrong(error)
            }
        }
    }

    /// The fields of some columns, with the number of the line.
    private static func rows(
        of path: String, columns: [String]
    ) throws(Failure) -> [(line: Int, row: [String])] {
        let source = try ByteReader(path: path)
        let bytes = try source.readAll()
        guard bytes.starts(with: [0x1F, 0x8B]) == false else {
            throw source.malformed(
                "the file is compressed with gzip: send it through `gunzip -c` and give - as the boxes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw source.malformed("the file is not valid UTF-8")
        }
        let table: EnumeratedCSV
        do { table = try EnumeratedCSV(string: text) } catch {
            throw source.malformed("the file cannot be read as CSV: \(error)")
        }
        var places: [Int] = []
        for column in columns {
            guard let place = table.header.firstIndex(of: column) else {
                throw source.malformed(
                    "there is no column \(column); the columns are \(table.header.joined(separator: ", "))")
            }
            places.append(place)
        }
        var rows: [(line: Int, row: [String])] = []
        for (number, fields) in table.rows.enumerated() {
            guard let last = places.max(), last < fields.count else {
                throw Failure(
                    KinError(.malformedInput, "the line has too few columns").within("line", number + 2)
                        .within("file", source.name))
            }
            rows.append((number + 2, places.map { fields[$0] }))
        }
        return rows
    }
}
