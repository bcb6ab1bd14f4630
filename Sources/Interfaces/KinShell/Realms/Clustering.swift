import Foundation

/// `kin cluster`: clusters in a collection of analysed images.
struct Clustering {
    static let command = Command<Console>(
        "cluster", "Clusters analysed images and indexes them by realm type.",
        details: """
            Reads one JSON file per image (a folder of them, with its subfolders), or JSON lines or an array in a .json
            file with an image_id each, and writes clusters.json and realm_index.json into a folder, which `kin world`, `kin place` and `kin images`
            read; it may be the folder of the images. The id of a single image is the name of its file, or its path in the
            folder if several files have this name. Errors in the input are reported, and their entries left out.

            The curve shows each number of clusters tried. For the chosen number, the clustering with the best
            silhouette of several runs is used, so inertia and silhouette may differ slightly from the curve.

            Examples:

              kin cluster images/ -o realms
              kin cluster images.jsonl -k 12 --seed 7 -o realms
              kin cluster images.jsonl -k 4-40 --criterion gap --json -o realms

            Of a store: kin cluster --store kin.db; kin cluster --store kin.db --help
            """,
        [.required("paths", .paths, "Folders of .json files, .json files, or JSON lines; - is standard input.")],
        options: [
            .option("output", .output, default: RealmCommands.folder, "The folder to write (-o)."),
            .option(
                "k", .text,
                "The number of clusters, or a range. Default: chosen from 2 on, as far as silhouettes rise."),
            .option(
                "criterion", .choice(["silhouette", "gap"]), default: "\"silhouette\"",
                "The criterion that chooses k: silhouette or gap."),
            .option(
                "restarts", .integer(1...1000),
                "The number of starts. Default: 12; fewer for more than 5,000 images."),
            .seed(), .flag("histogram_only", "Cluster only by visible features: categories, areas and confidence."),
            .threads,
            .json,
        ]
    ) { console, request in
        let begin = ContinuousClock.now
        let criterion = request.word("criterion") == "gap" ? KMeans.Criterion.gap() : .silhouette
        let k = try clusterCount(request, by: criterion)
        var files = ImageAnalysisFiles()
        try files.read(request.texts("paths"), console: console)
        let read = ContinuousClock.now
        let options = ClusterOptions(
            k: k, criterion: criterion, weights: request.isOn("histogram_only") ? .histogramOnly : FeatureWeights(),
            restarts: request.optionalInt("restarts"), seed: request.seed(), threads: request.threads)
        let clustered = try ClusteredImages(files.reader.collection, options: options)
        let done = ContinuousClock.now
        let library = RealmLibrary(of: clustered)
        let folder = RealmLibraryFolder(request.word("output"))
        try folder.locked { try folder.write(library) }
        let times = [read - begin, done - read, ContinuousClock.now - done]
        let result = Clustering(library: library, files: files, folder: request.word("output"), times: times)
        if request.isJSON { return console.print(json: result.record) }
        result.show(on: console)
    }

    let library: RealmLibrary
    let files: ImageAnalysisFiles
    let folder: String
    /// The durations of reading, clustering and writing.
    let times: [Duration]

    /// The number or range given by `-k`; nil for the default.
    private static func clusterCount(
        _ request: MethodRequest, by criterion: KMeans.Criterion
    ) throws(CommandError) -> KMeans.ClusterCount? {
        guard let k = request.text("k") else { return nil }
        let ends = k.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        switch (ends.count, ends[0], ends.count > 1 ? ends[1] : nil) {
        case (1, let k?, _) where k >= 1: return .exactly(k)
        case (2, let low?, let high?) where low >= 1 && high >= low: return .chosen(low...high, by: criterion)
        default: throw request.refusal("k", "-k is a number of clusters like 12, or a range like 4-40")
        }
    }

    private func show(on console: Console) {
        let clusters = library.clusters
        let rate = Double(files.byteCount) / max(files.parsing.seconds, 1e-9)
        console.print(
            "\(clusters.imageCount, "image"), \(clusters.objectCount, "object") of "
                + "\(clusters.categories.count, "category")"
                + (files.byteCount > 1_000_000 ? ", parsed at \(NumberText.bytes(Int(rate)))/s" : ""))
        if let choice = clusters.choice {
            console.print()
            if !choice.candidates.isEmpty {
                console.print(
                    console.style.strong("k = \(clusters.clusters.count)") + ", chosen by \(choice.criterion)")
                console.print(curve(choice))
            }
            if let reason = clusters.choiceReason { console.print(console.style.faint(reason)) }
        }
        console.print()
        let titles = [">cluster", "name", ">images", ">inertia", "typical", "focus", "medoid"]
        console.print(titles, of: clusters.clusters) { cluster in
            let top = cluster.topCategories.prefix(3).map { "\($0.category) \(NumberText.wholePercent($0.share))" }
            return [
                "\(cluster.id)", cluster.name, NumberText.count(cluster.size),
                NumberText.percent(cluster.inertiaShare), top.joined(separator: ", "), cluster.focus.text(2),
                cluster.medoids.first ?? "",
            ]
        }
        console.print()
        console.print(["realm type", ">images", "best image"], of: library.index.realms) { realm in
            let best = realm.entries.first.map { library.index.images[$0.image].id } ?? ""
            return [realm.type, NumberText.count(realm.entries.count), best]
        }
        console.print()
        let silhouette = clusters.silhouette.map { ", silhouette \(NumberText.threeDigits($0))" } ?? ""
        console.print(
            "\(folder)/clusters.json, \(folder)/realm_index.json: \(clusters.clusters.count, "cluster")\(silhouette), "
                + "\(library.index.realms.count, "realm type")")
        console.print(
            "read in \(NumberText.duration(times[0])), clustered in \(NumberText.duration(times[1])), "
                + "indexed and written in \(NumberText.duration(times[2]))")
        guard library.index.realms.contains(where: { $0.entries.count >= RealmLibrary.imagesPerRealm }) else { return }
        console.print(console.style.faint("next: kin world --in \(folder.quoted) --goals sleep --plot world.svg"))
    }

    /// A row for each number of clusters tried, with a bar for its score.
    private func curve(_ choice: RealmClusters.Choice) -> TextTable {
        let scores = choice.candidates.map(\.score)
        let (low, high) = (min(0, scores.min() ?? 0), scores.max() ?? 0)
        return TextTable([">k", ">inertia", ">score", ""], of: choice.candidates) { candidate in
            let length = high > low ? Int((candidate.score - low) / (high - low) * 30) : 0
            return [
                "\(candidate.k)", NumberText.threeDigits(candidate.inertia), String(format: "%.4f", candidate.score),
                String(repeating: "▪", count: max(0, length))
                    + (candidate.k == library.clusters.clusters.count ? " chosen" : ""),
            ]
        }
    }

    private var record: Record {
        let clusters = library.clusters
        return [
            "folder": folder, "k": clusters.clusters.count, "inertia": clusters.inertia,
            "silhouette": clusters.silhouette,
            "criterion": clusters.choice?.criterion, "k_reason": clusters.choiceReason,
            "curve": clusters.choice?.candidates.map {
                ["k": $0.k, "inertia": $0.inertia, "score": $0.score] as Record
            },
            "clusters": clusters.clusters.map { cluster in
                [
                    "id": cluster.id, "name": cluster.name, "size": cluster.size, "inertia_share": cluster.inertiaShare,
                    "medoids": cluster.medoids,
                    "focus": Record(cluster.focus.focus.map { ($0.name, Double(cluster.focus[$0])) }),
                ] as Record
            },
            "realms": Record(library.index.realms.map { ($0.type, $0.entries.count) }),
            "input": files.reader.report, "seconds_reading": times[0].seconds, "seconds_clustering": times[1].seconds,
            "seconds_writing": times[2].seconds,
        ]
    }
}

extension ImageAnalysisFiles {
    /// Reads all files at some paths with a progress bar on the terminal, and notes those left out.
    ///
    /// - Throws: `.malformedInput` if no image, or no object of any image, remains.
    mutating func read(_ paths: [String], console: Console) throws(KinError) {
        for path in paths {
            let bar = ProgressBar("reading", on: console)
            let countsFiles = FileIdentity(of: path)?.isFolder == true
            try read(path) { done, total in
                bar.update(done: done, of: total) {
                    countsFiles ? NumberText.count($0, "file") : NumberText.bytes($0)
                }
            }
        }
        let report = reader.report
        console.noteLeftOut(report.problems, of: report.problemCount)
        console.noteUnknown(report.unknownKeys)
        console.noteOtherRecords(report.otherRecords)
        try reader.checkContents()
        guard reader.collection.count > 0 else {
            throw KinError(.malformedInput, "there are no analyses of images in \(paths.joined(separator: ", "))")
        }
    }
}

extension Console {
    /// Notes the number of records of other kinds that a store's export has.
    func noteOtherRecords(_ count: Int) {
        if count > 0 { note("note: \(count, "record") of other kinds left out") }
    }

    /// Notes the first errors of input that was left out, and the number of all others.
    func noteLeftOut(_ problems: [KinError], of count: Int, shown: Int = 10) {
        for problem in problems.prefix(shown) { note("left out: \(problem)") }
        if count > shown { note("left out: \(count - shown, "more thing")") }
    }
}
