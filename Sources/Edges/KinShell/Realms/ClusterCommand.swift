import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin cluster`: what belongs together in a collection of analysed images.
struct ClusterCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster",
        abstract: "Cluster analysed images and index them by realm type.",
        discussion: """
            Reads one JSON file per image (a folder of them), or JSON lines with an image_id each, and writes clusters.json and \
            realm_index.json into a folder, which `kin world`, `kin place` and `kin images` read. What is wrong in the input is \
            reported and left out.

            Examples:

              kin cluster images/ -o realms
              kin cluster images.jsonl -k 12 --seed 7 -o realms
              kin cluster images.jsonl -k 4-40 --criterion gap --json -o realms

            Of a store: kin cluster --store kin.db; kin cluster --store kin.db --help
            """)

    @Argument(
        help: ArgumentHelp(
            "Folders of .json files, .json files, or files of lines; - is standard input.", valueName: "path"))
    var paths: [String]

    @Option(name: [.short, .long], help: ArgumentHelp("The folder to write.", valueName: "folder"))
    var output = LibraryOption.defaultPath

    @Option(
        name: .customShort("k"),
        help: ArgumentHelp(
            "How many clusters, or a range to choose from (default: chosen from 2-24).", valueName: "n|a-b"))
    var k: String?

    @Option(help: ArgumentHelp("What chooses: silhouette, simplified, elbow or gap.", valueName: "criterion"))
    var criterion = "silhouette"

    @Option(
        help: ArgumentHelp("How many starts are tried (default: 12, fewer for more than 5,000 images).", valueName: "n")
    )
    var restarts: Int?

    @Option(help: ArgumentHelp("The seed; the same seed gives the same files, byte for byte.", valueName: "seed"))
    var seed: UInt64 = 0

    @Flag(help: "Cluster by what is seen alone: categories, areas and confidence.")
    var histogramOnly = false

    @OptionGroup var threads: BuildThreadOption

    @Flag(help: "Print the result as JSON.")
    var json = false

    func validate() throws {
        guard !paths.isEmpty else { throw ValidationError("which images? kin cluster images/ -o realms") }
        _ = try clusterCount()
    }

    /// The choice of k by -k and --criterion; nil for the default.
    private func clusterCount() throws -> KMeans.ClusterCount? {
        let criteria: [String: KMeans.Criterion] = [
            "silhouette": .silhouette, "simplified": .simplifiedSilhouette, "elbow": .elbow, "gap": .gap(),
        ]
        guard let chosen = criteria[criterion] else {
            throw ValidationError("the criteria are silhouette, simplified, elbow and gap")
        }
        guard let k else { return criterion == "silhouette" ? nil : .chosen(2...24, by: chosen) }
        let ends = k.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        switch (ends.count, ends[0], ends.count > 1 ? ends[1] : nil) {
        case (1, let k?, _) where k >= 1: return .exactly(k)
        case (2, let low?, let high?) where low >= 1 && high >= low: return .chosen(low...high, by: chosen)
        default: throw ValidationError("-k is a number of clusters like 12, or a range like 4-40")
        }
    }

    func run(on console: Console) throws {
        let begin = ContinuousClock.now
        var files = ImageAnalysisFiles()
        try files.read(paths, console: console)
        let read = ContinuousClock.now
        let options = ClusterOptions(
            k: try clusterCount(), weights: histogramOnly ? .histogramOnly : FeatureWeights(), restarts: restarts,
            seed: seed, threads: threads.count)
        let clustered = try ClusteredImages(files.reader.collection, options: options)
        let done = ContinuousClock.now
        let library = RealmLibrary(of: clustered)
        try RealmLibraryFolder(output).write(library)
        let end = ContinuousClock.now
        let times = ClusterTimes(reading: read - begin, clustering: done - read, writing: end - done)
        if json {
            let record = ClusterRecord(library, report: files.reader.report, output: output, times: times)
            return console.print(JSONText.line(record))
        }
        show(library, files: files, times: times, console)
    }

    private func show(_ library: RealmLibrary, files: ImageAnalysisFiles, times: ClusterTimes, _ console: Console) {
        let clusters = library.clusters
        let rate = Double(files.byteCount) / max(files.parsing.seconds, 1e-9)
        console.print(
            "\(NumberText.count(clusters.imageCount, "image")), \(NumberText.count(clusters.objectCount, "object")) of "
                + "\(NumberText.count(clusters.categories.count, "category"))"
                + (files.byteCount > 1_000_000 ? ", parsed at \(NumberText.bytes(Int(rate)))/s" : ""))
        if let choice = clusters.choice {
            console.print()
            console.print(console.style.strong("k = \(clusters.clusters.count)") + ", chosen by \(choice.criterion)")
            console.print(ClusterCurve.table(choice, chosen: clusters.clusters.count))
            if clusters.isChoiceAtEnd {
                console.note("the best k is the largest that was tried; a larger one may be better: try -k")
            }
        }
        console.print()
        var table = TextTable([
            ("cluster", .right), ("name", .left), ("images", .right), ("inertia", .right), ("typical", .left),
            ("focus", .left),
            ("medoid", .left),
        ])
        for cluster in clusters.clusters {
            let top = cluster.topCategories.prefix(3).map { "\($0.category) \(Int(($0.share * 100).rounded())) %" }
            table.append([
                "\(cluster.id)", cluster.name, NumberText.count(cluster.size), NumberText.percent(cluster.inertiaShare),
                top.joined(separator: ", "), cluster.focus.text(2), cluster.medoids.first ?? "",
            ])
        }
        console.print(table)
        console.print()
        var realms = TextTable([("realm type", .left), ("images", .right), ("best image", .left)])
        for realm in library.index.realms {
            let best = realm.entries.first.map { library.index.images[$0.image].id } ?? ""
            realms.append([realm.type, NumberText.count(realm.entries.count), best])
        }
        console.print(realms)
        console.print()
        let silhouette = clusters.silhouette.map { ", silhouette \(NumberText.threeDigits($0))" } ?? ""
        console.print(
            "\(output)/clusters.json, \(output)/realm_index.json: \(NumberText.count(clusters.clusters.count, "cluster"))\(silhouette), "
                + "\(NumberText.count(library.index.realms.count, "realm type"))")
        console.print(
            "read in \(NumberText.duration(times.reading)), clustered in \(NumberText.duration(times.clustering)), "
                + "indexed and written in \(NumberText.duration(times.writing))")
        console.print(console.style.faint("next: kin world --in \(output) --goals sleep --plot world.svg"))
    }
}

/// The seconds that each step took.
struct ClusterTimes {
    let reading: Duration
    let clustering: Duration
    let writing: Duration
}

/// The curve by which k was chosen.
enum ClusterCurve {
    /// A row for each number tried, with a bar for its score.
    static func table(_ choice: RealmClusters.Choice, chosen: Int) -> TextTable {
        var table = TextTable([("k", .right), ("inertia", .right), ("score", .right), ("", .left)])
        let scores = choice.candidates.map(\.score)
        let (low, high) = (min(0, scores.min() ?? 0), scores.max() ?? 0)
        for candidate in choice.candidates {
            let length = high > low ? Int((candidate.score - low) / (high - low) * 30) : 0
            table.append([
                "\(candidate.k)", NumberText.threeDigits(candidate.inertia), String(format: "%.4f", candidate.score),
                String(repeating: "▪", count: max(0, length)) + (candidate.k == chosen ? " chosen" : ""),
            ])
        }
        return table
    }
}

/// The result in JSON.
private struct ClusterRecord: Encodable {
    struct Cluster: Encodable {
        let id: Int
        let name: String
        let size: Int
        let inertiaShare: Double
        let medoids: [String]
        let focus: [String: Float]
    }
    struct Candidate: Encodable {
        let k: Int
        let inertia: Double
        let score: Double
    }
    let folder: String
    let k: Int
    let inertia: Double
    let silhouette: Double?
    let criterion: String?
    let curve: [Candidate]?
    let clusters: [Cluster]
    let realms: [String: Int]
    let input: AnalysisReportRecord
    let secondsReading: Double
    let secondsClustering: Double
    let secondsWriting: Double

    init(_ library: RealmLibrary, report: AnalysisReport, output: String, times: ClusterTimes) {
        folder = output
        k = library.clusters.clusters.count
        inertia = library.clusters.inertia
        silhouette = library.clusters.silhouette
        criterion = library.clusters.choice?.criterion
        curve = library.clusters.choice?.candidates.map { Candidate(k: $0.k, inertia: $0.inertia, score: $0.score) }
        clusters = library.clusters.clusters.map {
            Cluster(
                id: $0.id, name: $0.name, size: $0.size, inertiaShare: $0.inertiaShare, medoids: $0.medoids,
                focus: $0.focus.record)
        }
        realms = Dictionary(uniqueKeysWithValues: library.index.realms.map { ($0.type, $0.entries.count) })
        input = AnalysisReportRecord(report)
        secondsReading = times.reading.seconds
        secondsClustering = times.clustering.seconds
        secondsWriting = times.writing.seconds
    }
}
