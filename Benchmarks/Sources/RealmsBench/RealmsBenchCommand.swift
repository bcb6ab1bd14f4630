import ArgumentParser
import Ceilings
import Foundation
import Kin
import KinSamples
import Measuring

/// `realms-bench`: reading analyses, clustering a million of them, colours of pictures.
@main
struct RealmsBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "realms-bench",
        abstract: "Measure reading and clustering of image analyses, worlds, and dominant colours.",
        discussion: """
            Images are generated from the seed. --analyses also measures a file of real analyses. Prints Markdown.

              realms-bench
              realms-bench --images 100000 --k 64 --threads 1
              realms-bench --analyses images.jsonl
            """)

    @Option(help: "The number of generated images.")
    var images = 1_000_000

    @Option(help: "The number of clusters.")
    var k = 256

    @Option(help: "The largest number of iterations of the clustering.")
    var iterations = 20

    @Option(help: "The number of threads for clustering.")
    var threads = 1

    @Option(help: "A file of JSON lines to measure from reading to a world.")
    var analyses: String?

    @Option(help: "The seed.")
    var seed: UInt64 = 1

    func run() throws {
        if let analyses { try wholeWay(analyses) }
        try colours()
        if images > 0 { try stream() }
    }

    /// The complete path from a file to a world, step by step.
    private func wholeWay(_ path: String) throws {
        let begin = ContinuousClock.now
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        var steps: [(String, ContinuousClock.Instant)] = [("file read", .now)]
        var reader = ImageCollectionReader()
        reader.readLines(bytes, file: path)
        steps.append(("decoded into a collection", .now))
        let clustered = try ClusteredImages(reader.collection, options: ClusterOptions(seed: seed, threads: threads))
        steps.append(("features, k chosen, clusters", .now))
        let library = RealmLibrary(of: clustered)
        steps.append(("realm index", .now))
        let files = [library.clusters.json, library.index.json]
        steps.append(("both JSON files", .now))
        let world = try library.world(WorldRequest(name: "W", goals: [.sleep], seed: seed))
        steps.append(("one world", .now))
        print(
            "\n## \(reader.collection.count) images of \(path), \(bytes.count) bytes, k = \(library.clusters.clusters.count), "
                + "silhouette \(library.clusters.silhouette ?? 0), \(threads) thread(s)\n")
        print("| step | s |\n| --- | --- |")
        var last = begin
        for (name, end) in steps {
            print("| \(name) | \(((end - last) / .seconds(1)).shown) |")
            last = end
        }
        print("| total | \(((last - begin) / .seconds(1)).shown) |")
        print(
            "\n\(files.reduce(0) { $0 + $1.utf8.count }) bytes of JSON; the world has \(world.realms.count) realms, \(world.zones.count) "
                + "zones, \(world.scenes.count) scenes, \(world.objectCount) objects")
    }

    /// A stream of a million images.
    private func stream() throws {
        let generator = ImageAnalysisGenerator(seed: seed)
        var reader = ImageCollectionReader()
        var (bytes, time) = (0, Duration.zero)
        for first in stride(from: 0, to: images, by: 2_000) {
            var lines: [UInt8] = []
            for number in first..<min(images, first + 2_000) {
                lines += generator.image(number).analysis.json.utf8
                lines.append(0x0A)
            }
            bytes += lines.count
            let start = ContinuousClock.now
            reader.readLines(lines, firstLine: first + 1, file: "generated")
            time += ContinuousClock.now - start
        }
        let collection = reader.collection
        let afterReading = ProcessMemory.peak.megabytes
        let start = ContinuousClock.now
        let recipe = FeatureRecipe(for: collection)
        let features = recipe.vectors(of: collection)
        let featured = ContinuousClock.now
        let found = try KMeans(k: k, maximumIterations: iterations, seed: seed, threads: threads).fit(features)
        let done = ContinuousClock.now
        print(
            "\n## \(collection.count) generated images, \(collection.objectCount) objects, \(bytes / max(1, images)) bytes of JSON each\n"
        )
        print("| step | |\n| --- | --- |")
        let seconds = time / .seconds(1)
        let (rate, images) = (Int(Double(bytes) / 1e6 / seconds), Int(Double(images) / seconds))
        print("| JSON to collection, 1 thread | \(rate) MB/s, \(images) images/s |")
        print("| memory after reading (peak) | \(afterReading) MB |")
        print("| features, \(features.columns) dimensions | \(((featured - start) / .seconds(1)).shown) s |")
        print(
            "| k-means, k = \(k), \(found.iterations) iterations, \(threads) thread(s) | \(((done - featured) / .seconds(1)).shown) s, inertia "
                + "\(found.inertia) |")
        print("| memory at the end (peak) | \(ProcessMemory.peak.megabytes) MB |")
    }

    /// Dominant colours of a picture of 1792 × 1024 pixels.
    private func colours() throws {
        print("\n## Five dominant colours of 1792 × 1024 pixels, 1 thread\n")
        print("| picture | best ms | median ms |\n| --- | --- | --- |")
        for kind in [Picture.Kind.patches, .gradient, .noise] {
            let pixels = Picture(kind, width: 1792, height: 1024, seed: seed).pixels
            let times = try CallTimes(21) { _ in _ = try DominantColours(count: 5, seed: seed).find(in: pixels) }
            print("| \(kind.rawValue) | \((1e3 * times.quantile(0)).shown) | \((1e3 * times.median).shown) |")
        }
    }
}
