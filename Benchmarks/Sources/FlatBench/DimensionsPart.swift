import Ceilings
import Kin
import Measuring

/// Batches of other dimensions, squared L2.
struct DimensionsPart {
    private let setting: Setting

    init(_ setting: Setting) { self.setting = setting }

    func run() throws {
        let options = setting.options
        print("\n### Batch of other dimensions, squared L2\n")
        var table = Table(["dimensions", "vectors", "threads"] + BatchFigure.header)
        for dimension in [48, 128, 512] {
            // The same number of floats as the 16-D part, so that each figure takes about as long.
            let rows = max(options.k, options.vectors * 16 / dimension)
            let vectors = try options.data.matrix(rows: rows, dimension: dimension, seed: options.seed, stream: 0)
            let queries = try options.data.matrix(
                rows: max(1, options.queries / 10),
                dimension: dimension,
                seed: options.seed,
                stream: 1
            )
            var index = VectorIndex(dimension: dimension, layout: .flat)
            _ = try index.append(vectors)
            let truth = DoublePrecisionScan(vectors: vectors, metric: .squaredL2)
            for threads in options.threadCounts {
                let figure = try BatchFigure.measure(index, queries, truth: truth, threads: threads, setting)
                table.add(["\(dimension)", "\(rows)", "\(threads)"] + figure.cells)
            }
        }
        print(table)
    }
}
