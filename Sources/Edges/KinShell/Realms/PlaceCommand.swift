import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin place`: where an image belongs, and why.
struct PlaceCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Find the realm and zone that an analysed image belongs to, and say why.",
        discussion: """
            Reads analyses as `kin cluster` does. With --world the zones are those of a world that `kin world -o` wrote, else the \
            clusters of the realm. With --absorb the images join the index and move its centres a little, without clustering anew.

            Examples:

              kin place image.json
              kin place image.json --world world.json
              kin place uploads.jsonl --in realms --json

            Of a store: kin place --store kin.db --analysis @upload.json; kin place --store kin.db --help
            """)

    @Argument(help: ArgumentHelp("Analyses: .json files, folders of them, or files of lines.", valueName: "path"))
    var paths: [String]

    @OptionGroup var library: LibraryOption

    @Option(help: ArgumentHelp("A world to choose the zone in.", valueName: "world.json"))
    var world: String?

    @Flag(help: "Take the images in: write clusters.json and realm_index.json anew.")
    var absorb = false

    @Flag(help: "Print the result as JSON, a line for each image.")
    var json = false

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("which image? kin place image.json") }
    }

    func run(on console: Console) throws {
        var library = try self.library.read()
        let world = try world.map { path in
            let text = try ByteReader(path: path).text()
            do throws(KinError) { return try RealmWorld(json: text) } catch { throw error.within("file", path) }
        }
        var files = ImageAnalysisFiles(keepsAnalyses: true)
        try files.read(paths, console: console)
        let analyses = files.reader.analyses
        for analysis in analyses {
            let placement = try library.place(analysis, in: world)
            if absorb { try library.insert(analysis) }
            if json { console.print(placement.json) } else { show(placement, console) }
        }
        if absorb {
            try RealmLibraryFolder(self.library.path).write(library)
            console.note("\(NumberText.count(analyses.count, "image")) taken into \(self.library.path)")
        }
        // What was left out was reported; a script sees it by the status.
        if analyses.isEmpty { throw ProcessStatus.dataError }
    }

    private func show(_ placement: ImagePlacement, _ console: Console) {
        let zone = placement.zone
        console.print(
            console.style.strong(placement.image) + " belongs to "
                + console.style.strong(placement.realm.realm)
                + ", zone \(zone.zone.map { "\($0), " } ?? "")\(zone.name)")
        for reason in placement.reasons { console.print("  because \(reason)") }
        var realms = TextTable([
            ("realm", .left), ("score", .right), ("suggested", .right), ("resemblance", .right), ("distance", .right),
        ])
        for fit in placement.realms.prefix(5) {
            realms.append([
                fit.realm, String(format: "%.3f", fit.score), String(format: "%.2f", fit.suggestion),
                String(format: "%.3f", fit.resemblance), String(format: "%.3f", fit.distance),
            ])
        }
        console.print(realms)
        var zones = TextTable([("zone", .left), ("what", .left), ("score", .right), ("distance", .right)])
        for fit in placement.zones.prefix(4) {
            zones.append([
                fit.zone ?? "cluster \(fit.cluster)", fit.name, String(format: "%.3f", fit.score),
                String(format: "%.3f", fit.distance),
            ])
        }
        console.print(zones)
    }
}

/// `kin images`: the images that serve some goals best.
struct ImagesCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "images",
        abstract: "Rank clustered images by their value for some goals.",
        discussion: """
            Goals: \(TherapeuticGoal.allCases.map(\.name).joined(separator: ", ")), or other words for them.

              kin images sleep anxiety -k 5
            """)

    @Argument(help: ArgumentHelp("Goals.", valueName: "goal"))
    var goals: [String]

    @Option(name: .customShort("k"), help: ArgumentHelp("How many images.", valueName: "n"))
    var count = 10

    @OptionGroup var library: LibraryOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard !goals.isEmpty else { throw ValidationError("for which goals? kin images sleep anxiety") }
        guard count > 0 else { throw ValidationError("-k must be at least 1") }
    }

    func run(on console: Console) throws {
        let goals = try goals.flatMap { try TherapeuticGoal.list($0) }
        let index = try library.read().index
        let found = index.images(for: goals, count: count)
        if json {
            let records = found.map { RankedImageRecord(image: $0.id, score: $0.score) }
            return console.print(JSONText.line(records))
        }
        guard !found.isEmpty else { return console.print("  nothing") }
        var table = TextTable([("rank", .right), ("image", .left), ("score", .right)])
        for (rank, image) in found.enumerated() {
            table.append(["\(rank + 1)", image.id, String(format: "%.3f", image.score)])
        }
        console.print(table)
    }
}

/// A ranked image in JSON.
private struct RankedImageRecord: Encodable {
    let image: String
    let score: Double
}
