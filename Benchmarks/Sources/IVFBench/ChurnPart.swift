import Ceilings
import Kin
import Measuring

/// Replaces the vectors of an index a tenth at a time, and prints whether speed, space and recall stay the same.
///
/// The index begins with the first half of the file. The new rows are the other half, repeatedly. In every fifth round
/// three tenths are removed and restored at once.
struct ChurnPart {
    let vectors: Matrix<Float>
    let queries: Matrix<Float>
    let options: IVFBenchOptions
    private let asked = 0.95

    func run() throws {
        guard options.churn > 0 else { return }
        let half = vectors.rows / 2
        var living = (0..<half).map { VectorID(UInt64($0)) }
        var random = SeededGenerator.stream(1 << 32, of: options.seed)
        let threads = options.mostThreads
        var index = VectorIndex(dimension: vectors.columns, metric: options.metric)
        try index.append(vectors.slice(0..<half), threads: threads)
        print("\n### Churn: \(half) vectors, a tenth replaced in each round\n")
        var table = Table([
            "round", "replaced in total", "µs a change", "lists", "bytes a vector", "recall at \(asked)",
            "µs a query, exact",
        ])
        try table.add(row(0, changes: 0, seconds: 0, replaced: 0, index))
        var (next, replaced) = (half, 0)
        for round in 1...options.churn {
            let n = round % 5 == 0 ? 3 * half / 10 : half / 10
            living.shuffle(using: &random)
            let gone = Array(living.suffix(n))
            if next + n > vectors.rows { next = 0 }
            let coming = try vectors.slice(next..<next + n)
            next += n
            let seconds = try Timing.seconds {
                index.remove(gone)
                let first = try index.append(coming, threads: threads)
                living.replaceSubrange((half - n)..., with: (0..<UInt64(n)).map { VectorID(first.rawValue + $0) })
            }
            replaced += n
            try table.add(row(round, changes: 2 * n, seconds: seconds, replaced: replaced, index))
        }
        print(table)
    }

    private func row(
        _ round: Int, changes: Int, seconds: Double, replaced: Int, _ index: VectorIndex
    ) throws -> [String] {
        let exact = try index.search(queries, k: options.k)
        let dialled = try index.search(queries, k: options.k, options: .init(mode: .recall(asked)))
        let texts = queries.arrays(1_000)
        let time = try Timing.seconds { for query in texts { _ = try index.search(query, k: options.k) } }
        return [
            "\(round)", "\(replaced)", changes > 0 ? (1e6 * seconds / Double(changes)).shown : "–",
            "\(index.listCount)",
            (Double(index.byteCount) / Double(index.count)).shown,
            dialled.recall(of: exact).shown,
            (1e6 * time / Double(texts.count)).shown,
        ]
    }
}
