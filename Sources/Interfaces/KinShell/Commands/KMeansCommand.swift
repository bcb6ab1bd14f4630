/// `kin kmeans`: the centroids of a file of vectors, by Lloyd's iterations or in one pass.
enum KMeansCommand {
    static let command = Command<Console>(
        "kmeans", "Finds the centroids of clusters of vectors.",
        details: """
            Reads CSV, NPY, fvecs, bvecs or ivecs and writes k centroids as NPY. With --batch the file is read once, in
            pieces, and may be larger than memory: each piece moves the centroids by its points (mini-batch k-means),
            which ends a few per cent above the inertia of k-means and requires rows in random order. The mean distance
            to the nearest centroid, squared for l2, is then that of the last piece.

            Examples:

              kin kmeans profiles.csv -k 64 -o centroids.npy
              kin kmeans huge.npy -k 1024 --batch 10000 --seed 7 -o centroids.npy
            """, [.required("file", .path, "The file of vectors; - is standard input.")],
        options: [
            .required("output", .output, "The .npy file to write (-o); - is standard output."),
            .required("k", .count, "The number of clusters."),
            .option("batch", .count, "The number of rows in a piece. Default: all rows at once."),
            .option(
                "restarts", .count, "The number of runs from different starts; the best is used. Default: 1."),
            .metric(Metric.allCases.filter(\.hasCentroids)), .seed(), .threads,
        ] + InputOptions.parameters + [.json]
    ) { console, request in
        let start = ContinuousClock.now
        let output = request.word("output")
        guard output == "-" || VectorFormat(path: output) == .npy else {
            throw request.refusal("output", "centroids are written as NPY; use a name such as centroids.npy")
        }
        let fit =
            if let rows = request.optionalInt("batch") {
                try inPieces(of: rows, request, console)
            } else {
                try atOnce(request, console)
            }
        let centroids = fit.centroids
        try NPYFile.write(Array(centroids.elements), columns: centroids.columns, to: output)
        guard output != "-" else { return }
        console.print(
            [
                "k": centroids.rows, "dimension": centroids.columns, "metric": request.metric.rawValue,
                "points": fit.points, "batch": request.optionalInt("batch"), "mean_distance": fit.meanDistance,
            ], for: request,
            text: "\(output): \(centroids.rows, "centroid") of \(fit.points, "vector") of "
                + "\(centroids.columns, "dimension"), mean \(request.metric.distanceName) "
                + "\(NumberText.short(fit.meanDistance)), "
                + "found in \(NumberText.duration(ContinuousClock.now - start))")
    }

    /// Centroids, the number of their vectors, and the mean distance of vectors to the nearest centroid.
    private struct Fit {
        let points: Int
        let centroids: Matrix<Float>
        let meanDistance: Double
    }

    /// Clusters all vectors with k-means.
    private static func atOnce(_ request: MethodRequest, _ console: Console) throws -> Fit {
        let table = try request.vectors(request.word("file"), on: console).read()
        try console.note(table.notes, of: request)
        let recipe = KMeans(
            k: request.int("k"), metric: request.metric, restarts: request.optionalInt("restarts") ?? 1,
            seed: request.seed(), threads: request.threads)
        let found = try recipe.fit(table.matrix())
        if found.distinctCount < found.k {
            console.note(
                "note: only \(found.distinctCount) of the \(found.k) clusters have vectors, because vectors repeat; "
                    + "the other centroids are copies, so lower k")
        }
        return Fit(points: table.count, centroids: found.centroids, meanDistance: found.inertia / Double(table.count))
    }

    /// Clusters vectors that are read in pieces with mini-batch k-means; the mean distance is for the last piece.
    private static func inPieces(of rows: Int, _ request: MethodRequest, _ console: Console) throws -> Fit {
        guard request.optionalInt("restarts") == nil else {
            throw request.refusal(
                "restarts", "--batch reads the vectors once, in one run: leave out --restarts or --batch")
        }
        var stream = MiniBatchKMeans(
            k: request.int("k"), metric: request.metric, seed: request.seed(), threads: request.threads)
        // The reader's pieces vary in size; batches of `rows` rows make the result independent of the reader.
        var (pending, last) = ([Float](), Matrix<Float>(rows: 0, columns: 0))
        func learn(_ count: Int, columns: Int) throws(KinError) {
            last = try Matrix(rows: count, columns: columns, elements: Array(pending.prefix(count * columns)))
            pending.removeFirst(count * columns)
            try stream.partialFit(last)
        }
        do throws(KinError) {
            var columns = 1
            try request.vectors(request.word("file"), on: console).forEachBatch(of: rows) { table throws(KinError) in
                try console.note(table.notes, of: request)
                columns = table.dimension
                pending += try table.matrix().elements
                while pending.count / columns >= rows { try learn(rows, columns: columns) }
            }
            if !pending.isEmpty { try learn(pending.count / columns, columns: columns) }
            let found = try stream.clustering(of: last)
            return Fit(
                points: stream.pointCount, centroids: found.centroids,
                meanDistance: found.inertia / Double(last.rows))
        } catch {
            throw Failure(error)
        }
    }
}
