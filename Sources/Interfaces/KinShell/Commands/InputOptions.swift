import Foundation

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

    /// A file of vectors, read with the request's options.
    func vectors(
        _ path: String, on console: Console, preferred: [String] = [],
        attributes: [AttributeChoice] = [], isScaled: Bool = false
    ) -> VectorFile {
        var selection = ColumnSelection()
        selection.id = text("id_column")
        selection.only = texts("columns")
        selection.except = texts("exclude")
        selection.preferred = preferred
        selection.attributes = attributes
        selection.hasHeader = optionalFlag("header")
        selection.isScaled = isScaled
        return VectorFile(path, format: format, columns: selection, on: console)
    }
}

extension VectorFile {
    /// A file that is read on every core, with a progress bar on the terminal.
    init(_ path: String, format: VectorFormat? = nil, columns: ColumnSelection, on console: Console) {
        let bar = ProgressBar("reading \((path as NSString).lastPathComponent)", on: console)
        self.init(path, format: format, columns: columns, threads: ProcessInfo.processInfo.activeProcessorCount) {
            bar.update(done: $0, of: $1, unit: NumberText.bytes)
        }
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
