import Ceilings
import Kin
import Measuring

/// Batches of other dimensions, squared L2.
struct DimensionsPart {
    private let setting: Setting

    init(_ setting: Setting) { self.setting = setting }

    func run() throws {
        let options = setting.options
        print("\n### Batches in other dimensions, squared L2\n")
        var table = Table(["dimensions", "vectors", "threads"] + BatchFigure.header)
        for dimension in [48, 128, 512] {
            // The same number of floats as the 16-D part, so that each figure takes about as long.
            let rows = max(options.k, options.vectors * 16 / dimension)
            let data = try options.profiles(rows, dimension: dimension, queries: max(1, options.queries / 10))
            var index = VectorIndex(dimension: dimension, layout: .flat)
            _ = try index.append(data.vectors)
            let truth = DoublePrecisionScan(vectors: data.vectors, metric: .squaredL2)
            for threads in options.threads.values {
                let figure = try BatchFigure.measure(index, data.queries, truth: truth, threads: threads, setting)
                table.add(["\(dimension)", "\(rows)", "\(threads)"] + figure.cells)
            }
        }
        print(table)
    }
}
