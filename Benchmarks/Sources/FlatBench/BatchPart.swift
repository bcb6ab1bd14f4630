import Ceilings
import Kin
import Measuring

/// Many queries at once, for every thread count: bound by byte multiply-adds.
struct BatchPart {
    let setting: Setting

    /// Batches on 16 dimensions, for every metric.
    func metrics() throws {
        let options = setting.options
        let data = try options.profiles(options.vectors, queries: options.queries)
        print("\n### Batch on \(options.vectors) vectors of 16 dimensions\n")
        var table = Table(["metric", "threads"] + BatchFigure.header)
        for metric in options.metrics.values { try addRows(data, metric, [metric.rawValue], to: &table) }
        print(table)
    }

    /// Batches in other dimensions, squared L2.
    func dimensions() throws {
        let options = setting.options
        print("\n### Batches in other dimensions, squared L2\n")
        var table = Table(["dimensions", "vectors", "threads"] + BatchFigure.header)
        for dimension in [48, 128, 512] {
            // The same number of floats as with 16 dimensions, so that each figure takes about as long.
            let rows = max(options.k, options.vectors * 16 / dimension)
            let data = try options.profiles(rows, dimension: dimension, queries: max(1, options.queries / 10))
            try addRows(data, .squaredL2, ["\(dimension)", "\(rows)"], to: &table)
        }
        print(table)
    }

    private func addRows(_ data: Profiles, _ metric: Metric, _ cells: [String], to table: inout Table) throws {
        var index = VectorIndex(dimension: data.vectors.columns, metric: metric, layout: .flat)
        _ = try index.append(data.vectors)
        let truth = DoublePrecisionScan(vectors: data.vectors, metric: metric)
        for threads in setting.options.threads.values {
            let figure = try BatchFigure.measure(index, data.queries, truth: truth, threads: threads, setting)
            table.add(cells + ["\(threads)"] + figure.cells)
        }
    }
}

/// The figure of one batch.
struct BatchFigure {
    var queries: Int
    var timing: Timing
    var pairsPerSecond: Double
    var fraction: Double?
    /// The mean number of vectors that passed the screen, in a few single searches.
    var survivors: Double

    static let header = ["queries", "seconds", "median", "Gpair/s", "share of the byte ceiling", "survivors"]

    /// In the order of ``header``.
    var cells: [String] {
        [
            "\(queries)", timing.best.shown, timing.median.shown, (1e-9 * pairsPerSecond).shown,
            fraction.map { "\((100 * $0).fixed(0)) %" } ?? "–", survivors.fixed(0),
        ]
    }

    /// Times the batch and checks its first rows.
    static func measure(
        _ index: VectorIndex,
        _ queries: Matrix<Float>,
        truth: DoublePrecisionScan,
        threads: Int,
        _ setting: Setting
    ) throws -> BatchFigure {
        let options = setting.options
        // A slow level must not delay the run: a small batch shows how many queries fit.
        let sample = try queries.slice(0..<64)
        let small = try Timing.measure(seconds: 0) {
            _ = try index.search(sample, k: options.k, options: .init(threads: threads))
        }
        let fitting = Int(10 * options.seconds / small.best * Double(sample.rows))
        let batch = try queries.slice(0..<max(fitting, sample.rows))
        try truth.check(
            try index.search(batch, k: options.k, options: .init(threads: threads)),
            of: batch,
            k: options.k,
            count: options.checked
        )
        let timing = try Timing.measure(seconds: options.seconds) {
            _ = try index.search(batch, k: options.k, options: .init(threads: threads))
        }
        let pairs = Double(batch.rows) * Double(index.count) / timing.best
        let padded = Double((index.dimension + 3) / 4 * 4)
        let ceiling = setting.ceilings.arithmetic(level: setting.level, threads: threads)
        let explained = try batch.arrays(options.checked).map { try index.explain($0, k: options.k).survivors }
        return BatchFigure(
            queries: batch.rows,
            timing: timing,
            pairsPerSecond: pairs,
            fraction: ceiling.map { pairs * padded / $0.byteMultiplyAdds },
            survivors: Double(explained.reduce(0, +)) / Double(explained.count)
        )
    }
}
