public import ArgumentParser
import Ceilings
import Foundation
public import Kin
import Measuring

/// `ivf-bench`: times the inverted file alone, at any size that fits a file.
@main
struct IVFBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ivf-bench",
        abstract: "Measure the inverted file: building, searches in every mode, filters, memory; and check the ids.",
        discussion: """
            Reads vectors that `kin generate` wrote. The last rows of the file are the queries, which are not in the index. \
            Prints Markdown tables. The ids of exact searches are compared with a scan in double precision; a difference \
            ends the run with an error.

              kin generate clustered --count 1010000 --clusters 2000 --seed 1 -o clustered.npy
              ivf-bench clustered.npy
              ivf-bench clustered.npy --modes exact --shares 0.01 --churn 30
            """
    )

    @OptionGroup var options: IVFBenchOptions

    func run() throws {
        let profiles = try Profiles(reading: options.vectors, queries: options.queries)
        let vectors = profiles.vectors
        print("\n## \(vectors.rows) vectors of \(vectors.columns) dimensions, k = \(options.k)\n")
        let index = try build(vectors)
        let truth = DoublePrecisionScan(vectors: vectors, metric: options.metric)
        let bench = SearchBench(index: index, queries: profiles.queries, truth: truth, options: options)
        try bench.modes()
        try bench.filters()
        try ChurnPart(vectors: vectors, queries: profiles.queries, options: options).run()
    }

    /// Builds the index and prints its costs.
    private func build(_ vectors: Matrix<Float>) throws -> VectorIndex {
        var index = VectorIndex(
            dimension: vectors.columns, metric: options.metric, layout: options.lists.map { .centroids($0) } ?? .lists)
        let before = ProcessMemory.anonymous.bytes
        let seconds = try Timing.seconds { _ = try index.append(vectors, threads: options.mostThreads) }
        let after = ProcessMemory.anonymous.bytes
        print("### Building\n")
        var table = Table([
            "threads", "seconds", "vectors a second", "lists", "bytes a vector", "allocated memory a vector",
        ])
        let rows = Double(vectors.rows)
        let grown = after.flatMap { after in before.map { Double(after - $0) / rows } }
        table.add([
            "\(options.mostThreads)", seconds.shown, (rows / seconds).shown, "\(index.listCount)",
            (Double(index.byteCount) / rows).shown, grown.map(\.shown) ?? "–",
        ])
        print(table)
        return index
    }
}

/// The file and the figures to measure.
struct IVFBenchOptions: ParsableArguments {
    @Argument(help: "A .npy file of 32-bit floats.")
    var vectors: String

    @Option(positive: "The number of rows at the end of the file that are queries.")
    var queries = 10_000

    @Option(positive: "The number of neighbours.")
    var k = 10

    @Option(help: "The metric.")
    var metric = Metric.squaredL2

    @Option(
        help: "The number of lists, around centroids of k-means. Default: the index chooses.", transform: positive)
    var lists: Int?

    @Option(help: "The modes, separated by commas: exact, recall:R, probes:P.")
    var modes: ValueList<SearchMode> = [
        .exact, .recall(0.9), .recall(0.95), .recall(0.99), .recall(0.999), .probes(1), .probes(8),
    ]

    @Option(help: "The shares of the vectors that filters allow, separated by commas.")
    var shares: ValueList<Double> = [0.5, 0.1, 0.01, 0.001]

    @Option(help: "The numbers of threads for batches, separated by commas; the build uses the largest.")
    var threads: ValueList<Int> = [1, 2]

    @Option(help: "The number of exact searches of each kind that are compared with a scan in double precision.")
    var checked = 5

    @Option(positive: "The seconds for one figure, at least one round.")
    var seconds = 2.0

    @Option(help: "The number of rounds that replace a tenth of half the vectors.")
    var churn = 0

    @Option(help: "The seed of filters and replacements.")
    var seed: UInt64 = 1

    var mostThreads: Int { threads.values.max() ?? 1 }

    func validate() throws {
        guard checked >= 0, churn >= 0 else { throw ValidationError("--checked and --churn must be at least 0.") }
        guard !threads.values.isEmpty, threads.values.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--threads must be numbers of at least 1, separated by commas: 1,2")
        }
        guard shares.values.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
            throw ValidationError("--shares must be numbers above 0 and at most 1, separated by commas.")
        }
    }
}

extension SearchMode: @retroactive ExpressibleByArgument {
    /// Reads `exact`, `recall:0.95` or `probes:8`.
    public init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts[0], parts.count) {
        case ("exact", 1): self = .exact
        case ("recall", 2):
            guard let recall = Double(parts[1]), recall > 0, recall <= 1 else { return nil }
            self = .recall(recall)
        case ("probes", 2):
            guard let lists = Int(parts[1]), lists > 0 else { return nil }
            self = .probes(lists)
        default: return nil
        }
    }

    public var defaultValueDescription: String { name.replacing(" ", with: ":") }

    var name: String {
        switch self {
        case .exact: "exact"
        case .recall(let recall): "recall \(recall)"
        case .probes(let lists): "probes \(lists)"
        }
    }
}
