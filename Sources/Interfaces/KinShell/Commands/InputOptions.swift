import Foundation
import Kin
import KinDrawings
import KinEngine
import KinFiles

/// The options for reading a file of vectors, shared by all commands that read one.
enum InputOptions {
    static let parameters: [ParameterDescription] = [
        .option("id_column", .text, "The column that holds the ids, by name or number from 1."),
        .option("columns", .list("column"), "The columns of the vector, in this order; all others are left out."),
        .option("exclude", .list("column"), "Columns to leave out."),
        .option("header", .boolean, "Whether the first line names the columns. Default: detected."),
        .option("format", .choice(VectorFormat.allCases.map(\.rawValue)), "The format. Default: by the file name."),
        strict,
    ]
    static let strict = ParameterDescription.flag("strict", "Refuse a file that would be read with a note.")
    static let scale = ParameterDescription.option(
        "scale", .choice(ColumnScaling.Kind.allCases.map(\.rawValue)),
        "standard (mean 0, deviation 1) or minmax (0 to 1), per column.")
}

extension MethodRequest {
    var format: VectorFormat? { choice("format") }
    var scale: ColumnScaling.Kind? { choice("scale") }

    /// A reader of vectors with the request's options.
    func reader(
        label: String? = nil, preferred: [String] = [], attributes: [AttributeChoice] = []
    ) -> VectorFileReader {
        var selection = ColumnSelection()
        selection.id = text("id_column")
        selection.label = label
        selection.only = texts("columns")
        selection.except = texts("exclude")
        selection.preferred = preferred
        selection.attributes = attributes
        selection.hasHeader = optionalFlag("header")
        return VectorFileReader(selection: selection, format: format)
    }
}

/// Reads files of vectors on every core, with a progress bar on the terminal.
struct VectorFileReader {
    var selection = ColumnSelection()
    var format: VectorFormat?

    func read(_ path: String, console: Console) throws(KinError) -> VectorTable {
        try reading(path, console: console) { file throws(KinError) in try file.read() }
    }

    /// Reads a file in pieces of some rows.
    func forEachBatch(
        of rows: Int, in path: String, console: Console, _ body: (VectorTable) throws(KinError) -> Void
    ) throws(KinError) {
        try reading(path, console: console) { file throws(KinError) in try file.forEachBatch(of: rows, body) }
    }

    /// Shows a progress bar while a file is read.
    private func reading<Result>(
        _ path: String, console: Console, _ read: (VectorFile) throws(KinError) -> Result
    ) throws(KinError) -> Result {
        let bar = ProgressBar("reading \((path as NSString).lastPathComponent)", on: console)
        defer { bar.finish() }
        let threads = ProcessInfo.processInfo.activeProcessorCount
        return try read(
            VectorFile(path, format: format, columns: selection, threads: threads) {
                bar.update(done: $0, of: $1, unit: NumberText.bytes)
            })
    }
}

extension Console {
    /// Prints the notes of a reader.
    func note(_ notes: [String]) { for text in notes { note("note: \(text)") } }

    /// Prints a reader's notes. With `--strict`, throws the first of them as an error.
    func note(_ notes: [String], of request: MethodRequest) throws(KinError) {
        if request.isOn("strict") { try KinError.refuse(notes) }
        note(notes)
    }
}
