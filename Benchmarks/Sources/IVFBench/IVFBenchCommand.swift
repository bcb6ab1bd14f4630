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
        abstract: "Time the inverted file: building, searching in every mode, filters, memory; the ids are checked.",
        discussion: """
            Reads vectors that `kin generate` wrote; the last rows of the file are the queries, which the index never \
            sees. Prints Markdown tables. Ids of exact searches are checked against a scan in double precision; a \
            difference ends the run with an error.

              kin generate clustered --count 1010000 --clusters 2000 --seed 1 -o clustered.npy
              ivf-bench clustered.npy
              ivf-bench clustered.npy --modes exact --shares 0.01 --churn 30
            """
    )

    @OptionGroup var options: IVFBenchOptions

    func run() throws {
        let file = try NumPyFile(options.vectors)
        guard file.rows > options.queries else {
            throw ValidationError(
                "\(options.vectors) has \(file.rows) rows, of which --queries takes \(options.queries).")
        }
        print("\n## \(file.rows - options.queries) vectors of \(file.columns) dimensions, k = \(options.k)\n")
        let queries = try file.matrix(file.rows - options.queries..<file.rows)
        let (index, vectors) = try BuildPart(options).run(file)
        let truth = vectors.map { DoublePrecisionScan(vectors: $0, metric: options.metric) }
        let bench = SearchBench(index: index, queries: queries, truth: truth, options: options)
        try bench.modes()
        try bench.filters()
        if let vectors { try RecommendPart(index, vectors, queries: queries, options: options).run() }
        try ChurnPart(file, queries: queries, options: options).run()
    }
}

/// The file and the figures to measure.
struct IVFBenchOptions: ParsableArguments {
    @Argument(help: "A .npy file of 32-bit floats.")
    var vectors: String

    @Option(positive: "Rows at the end of the file that are queries.")
    var queries = 10_000

    @Option(positive: "Neighbours asked for.")
    var k = 10

    @Option(help: "The metric.")
    var metric = Metric.squaredL2

    @Option(
        help: "Lists around this many centroids of k-means; without it the index chooses.", transform: positive)
    var lists: Int?

    @Option(help: "Rows appended at once; 0 appends all at once.")
    var piece = 0

    @Option(help: "Modes, comma-separated: exact, recall:R, probes:P.")
    var modes: ValueList<SearchMode> = [
        .exact, .recall(0.9), .recall(0.95), .recall(0.99), .recall(0.999), .probes(1), .probes(8),
    ]

    @Option(help: "Shares of the vectors that filters allow, comma-separated.")
    var shares: ValueList<Double> = [0.5, 0.1, 0.01, 0.001]

    @Option(help: "Thread counts of batches, comma-separated; the largest builds.")
    var threads: ValueList<Int> = [1, 2]

    @Option(
        help:
            "Exact searches of every kind checked against the scan in double precision, whose vectors are kept for it.")
    var checked = 5

    @Option(positive: "Seconds spent on one figure, at least one round.")
    var seconds = 2.0

    @Option(help: "Rounds of replacing a tenth of half the vectors.")
    var churn = 0

    @Option(help: "Seed of the filters and of what is replaced.")
    var seed: UInt64 = 1

    var mostThreads: Int { threads.values.max() ?? 1 }

    func validate() throws {
        guard checked >= 0, piece >= 0, churn >= 0 else {
            throw ValidationError("--checked, --churn and --piece must be at least 0.")
        }
        guard !threads.values.isEmpty, threads.values.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--threads takes positive numbers, comma-separated: 1,2")
        }
        guard shares.values.allSatisfy({ $0 > 0 && $0 <= 1 }) else {
            throw ValidationError("--shares takes numbers above 0 and at most 1, comma-separated.")
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
