import ArgumentParser
import Foundation
import Kin
import KinFiles

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
            let table = try BoxTable(reading: boxes, categories: categories)
            let converter = BoxConverter()
            let analyses = try table.images.map { image in
                do throws(KinError) { return try converter.analysis(image: image.id, boxes: image.boxes) } catch {
                    throw error.within("image", image.id).within("file", boxes)
                }
            }
            if output.hasSuffix("/") {
                try WholeFile.makeFolder(output)
                for analysis in analyses {
                    try WholeFile.make("\(output)\(analysis.id).json", text: analysis.json + "\n")
                }
            } else {
                try WholeFile.make(output, text: analyses.map { $0.json + "\n" }.joined())
            }
            let objects = analyses.reduce(0) { $0 + $1.objects.count }
            console.print(
                "\(output): \(NumberText.count(analyses.count, "image")), \(NumberText.count(objects, "object"))")
            console.print(BoxConverter.note)
        }
    }
}
