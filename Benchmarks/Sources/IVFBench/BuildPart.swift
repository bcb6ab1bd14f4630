import Ceilings
import Kin
import Measuring

/// Builds the index and prints its costs.
struct BuildPart {
    private let options: IVFBenchOptions

    init(_ options: IVFBenchOptions) { self.options = options }

    /// The index, and its vectors if searches are to be checked.
    func run(_ file: NumPyFile) throws -> (VectorIndex, Matrix<Float>?) {
        let rows = file.rows - options.queries
        let threads = options.mostThreads
        var index = VectorIndex(
            dimension: file.columns, metric: options.metric, layout: options.lists.map { .centroids($0) } ?? .lists)
        var seconds = 0.0
        let before = ProcessMemory.anonymous.bytes
        let piece = options.piece > 0 ? options.piece : rows
        for begin in stride(from: 0, to: rows, by: piece) {
            let vectors = try file.matrix(begin..<min(begin + piece, rows))
            seconds += try Timing.seconds { _ = try index.append(vectors, threads: threads) }
        }
        let after = ProcessMemory.anonymous.bytes
        print("### Building\n")
        var table = Table([
            "threads", "seconds", "vectors a second", "lists", "bytes a vector", "allocated memory a vector",
        ])
        let grown = after.flatMap { after in before.map { Double(after - $0) / Double(rows) } }
        table.add([
            "\(threads)", seconds.shown, (Double(rows) / seconds).shown, "\(index.listCount)",
            (Double(index.byteCount) / Double(rows)).shown, grown.map(\.shown) ?? "–",
        ])
        print(table)
        return (index, options.checked > 0 ? try file.matrix(0..<rows) : nil)
    }
}
