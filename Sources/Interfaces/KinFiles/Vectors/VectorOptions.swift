import Foundation

/// The options for reading a file of vectors by `kin_vectors_read`.
package struct VectorOptions {
    private var format: VectorFormat?
    private var columns = ColumnSelection()
    /// Whether anything to note is an error.
    private var isStrict = false

    package init() {}

    /// Reads the JSON object that kin_engine.h describes.
    ///
    /// - Throws: `.malformedInput` naming the member.
    package init(json: String) throws(KinError) {
        try JSONReader.read(json) { reader throws(KinError) in
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: columns.id = try reader.optionalString()
                case 1: columns.label = try reader.optionalString()
                case 2: columns.only = try reader.strings()
                case 3: columns.except = try reader.strings()
                case 4:
                    columns.attributes = try reader.strings().map { text throws(KinError) in try AttributeChoice(text) }
                case 5: columns.hasHeader = try reader.optional { reader throws(KinError) in try reader.boolean() }
                case 6: format = try reader.optionalWord("format")
                default: isStrict = try reader.boolean()
                }
            }
        }
    }

    private static let keys = JSONKeys(
        ["id", "label", "columns", "exclude", "attributes", "header", "format", "strict"], required: [])

    /// Reads a whole file, on every core.
    ///
    /// - Throws: As ``VectorTable/init(reading:format:columns:threads:progress:)``, and `.malformedInput` for the first
    ///   note of a strict reading.
    package func read(_ path: String) throws(KinError) -> VectorTable {
        let threads = ProcessInfo.processInfo.activeProcessorCount
        let table = try VectorTable(reading: path, format: format, columns: columns, threads: threads)
        if isStrict { try KinError.refuse(table.notes) }
        return table
    }
}

extension KinError {
    /// Refuses a file that would be read with notes.
    ///
    /// - Throws: `.malformedInput` with the first note.
    package static func refuse(_ notes: [String]) throws(KinError) {
        guard let first = notes.first else { return }
        throw KinError(.malformedInput, "\(first); correct the file, or read it without strict")
    }
}
