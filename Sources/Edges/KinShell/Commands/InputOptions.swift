import ArgumentParser
import Foundation
import Kin
import KinFiles

/// Options of reading a file of vectors: shared by every command that reads one.
struct InputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The column that holds the ids, by name or number from 1.", valueName: "column"))
    var idColumn: String?

    @Option(
        help: ArgumentHelp("The columns of the vector, in this order; all others are left out.", valueName: "a,b,…"))
    var columns: String?

    @Option(help: ArgumentHelp("Columns to leave out.", valueName: "a,b,…"))
    var exclude: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether the first line names the columns; found out by itself unless said."
    )
    var header: Bool?

    @Option(
        help: ArgumentHelp("csv, npy, fvecs, bvecs or ivecs, where the name does not tell.", valueName: "format"),
        transform: VectorFormat.init(argument:))
    var format: VectorFormat?

    /// A reader as the options say.
    func reader(
        label: String? = nil, preferred: [String] = [], attributes: [AttributeChoice] = []
    ) -> VectorFileReader {
        var selection = ColumnSelection()
        selection.id = idColumn
        selection.label = label
        selection.only = InputOptions.list(columns)
        selection.except = InputOptions.list(exclude)
        selection.preferred = preferred
        selection.attributes = attributes
        selection.hasHeader = header
        return VectorFileReader(selection: selection, format: format)
    }

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// Reads files of vectors on every core, with a bar on the terminal.
struct VectorFileReader {
    var selection = ColumnSelection()
    var format: VectorFormat?

    func read(_ path: String, console: Console) throws(KinError) -> VectorTable {
        let bar = ProgressBar("reading \((path as NSString).lastPathComponent)", on: console)
        defer { bar.finish() }
        return try VectorTable(
            reading: path, format: format, columns: selection, threads: ProcessInfo.processInfo.activeProcessorCount
        ) { bar.update(done: $0, of: $1, unit: NumberText.bytes) }
    }
}

extension VectorFormat {
    /// The format of an option.
    init(argument: String) throws {
        guard let format = VectorFormat(rawValue: argument.lowercased()) else {
            throw ValidationError("the formats are \(VectorFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = format
    }
}

extension Scaling.Kind: ExpressibleByArgument {}

extension Console {
    /// Passes on what a reader noticed.
    func note(_ notes: [String]) {
        for text in notes { note("note: \(text)") }
    }
}

/// The metric by which vectors are compared.
struct MetricOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("l2 (squared Euclidean), ip (inner product) or cosine.", valueName: "metric"),
        transform: MetricOption.metric
    )
    var metric: Metric = .squaredL2

    private static func metric(named name: String) throws -> Metric {
        if let metric = Metric(rawValue: name.lowercased()) { return metric }
        throw ValidationError("the metrics are \(Metric.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}

/// As many threads to build with as the machine has cores, by default.
struct BuildThreadOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Threads to build with (default: every core). The index never depends on it.", valueName: "n"))
    var threads: Int?

    func validate() throws {
        if let threads, threads < 1 { throw ValidationError("--threads must be at least 1") }
    }

    var count: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }
}

/// As many threads as the machine has cores, by default.
struct ThreadOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Threads to search with (default: every core). Results never depend on it.", valueName: "n"))
    var threads: Int?

    func validate() throws {
        if let threads, threads < 1 { throw ValidationError("--threads must be at least 1") }
    }

    var count: Int { threads ?? ProcessInfo.processInfo.activeProcessorCount }
}
