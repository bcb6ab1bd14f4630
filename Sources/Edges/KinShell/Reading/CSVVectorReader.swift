import Foundation
import Kin
import SwiftCSV

/// Reads vectors from delimited text.
///
/// The file is cut at line ends into blocks of about a megabyte, and SwiftCSV parses each block: memory stays at one
/// block beside the numbers themselves, reading stops at the first mistake, and progress can be shown.
final class CSVVectorReader {
    /// The longest record accepted: beyond this a quote was surely opened and never closed.
    static let longestRecord = 1 << 24

    private let bytes: ByteReader
    private let selection: ColumnSelection
    private let progress: (Int) -> Void
    private let blockSize: Int

    private var table = VectorTable(dimension: 0)
    private var columns: ResolvedColumns?
    private var seen: Set<VectorID> = []
    private var line = 1
    private var failure: Failure?

    init(
        bytes: ByteReader,
        selection: ColumnSelection,
        blockSize: Int = 1 << 20,
        progress: @escaping (Int) -> Void = { _ in }
    ) {
        self.bytes = bytes
        self.selection = selection
        self.blockSize = blockSize
        self.progress = progress
    }

    func read() throws(Failure) -> VectorTable {
        var delimiter: CSVDelimiter?
        var cutter = RecordCutter(longestRecord: CSVVectorReader.longestRecord)
        while true {
            let piece = try bytes.read(upTo: blockSize)
            let isLast = piece.count < blockSize
            guard let block = cutter.records(adding: piece, isLast: isLast) else {
                throw bytes.malformed("line \(line): a quote is opened here or soon after, and never closed")
            }
            if !block.isEmpty {
                guard let text = String(validating: block, as: UTF8.self) else {
                    throw bytes.malformed("the text after line \(line) is not UTF-8: convert the file to UTF-8 first")
                }
                let known = delimiter ?? CSVDelimiter.guessed(string: String(text.prefix(1 << 16)))
                delimiter = known
                try parse(text, delimiter: known)
            }
            progress(bytes.position)
            if isLast { break }
        }
        if let columns { table.notes += columns.notes }
        return table
    }

    private func parse(_ text: String, delimiter: CSVDelimiter) throws(Failure) {
        do {
            let csv = try CSV<RecordsOnDemand>(string: text, delimiter: delimiter, loadColumns: false)
            try csv.enumerateAsArray(startAt: 0, rowLimit: nil) { fields in self.take(fields) }
        } catch {
            throw bytes.malformed("line \(line): a quote stands inside a field; double it or quote the whole field")
        }
        if let failure { throw failure }
    }

    /// Takes one record, unless an earlier one was wrong: the parser cannot be stopped half-way through a block.
    private func take(_ fields: [String]) {
        guard failure == nil else { return }
        do {
            try use(fields)
        } catch {
            failure = error
        }
        line += 1
        for field in fields { line += field.utf8.contains(0x0A) ? field.count { $0.isNewline } : 0 }
    }

    private func use(_ fields: [String]) throws(Failure) {
        if fields.count == 1 && fields[0].allSatisfy(\.isWhitespace) { return }
        if columns == nil {
            let isHeader = selection.hasHeader ?? fields.contains { CSVVectorReader.number($0) == nil }
            try begin(fields, isHeader: isHeader)
            if isHeader { return }
        }
        guard let columns else { return }
        guard fields.count == columns.names.count else {
            throw bytes.malformed(
                "line \(line) has \(NumberText.count(fields.count, "field")), \(columns.names.count) are expected"
            )
        }
        if table.elements.isEmpty && !columns.featuresAreChosen { try refuseText(fields, columns) }
        for column in columns.features {
            table.elements.append(try coordinate(fields[column], column: columns.names[column]))
        }
        if let column = columns.id {
            let id = try identifier(fields[column], column: columns.names[column])
            guard seen.insert(id).inserted else {
                let error = KinError(.duplicateID, "line \(line), column \(columns.names[column]): the id \(id) was given before")
                throw Failure(error.within("file", bytes.name))
            }
            table.ids?.append(id)
        }
        if let column = columns.label { table.labels?.append(fields[column]) }
    }

    private func begin(_ fields: [String], isHeader: Bool) throws(Failure) {
        let header = isHeader ? fields.map { $0.trimmingCharacters(in: .whitespaces) } : nil
        let resolved = try ResolvedColumns(selection, header: header, width: fields.count)
        columns = resolved
        table.dimension = resolved.features.count
        table.columns = isHeader ? resolved.features.map { resolved.names[$0] } : nil
        if resolved.id != nil { table.ids = [] }
        if resolved.label != nil { table.labels = [] }
    }

    /// Says at once which columns hold text, rather than at the first of them.
    private func refuseText(_ fields: [String], _ columns: ResolvedColumns) throws(Failure) {
        let text = columns.features.filter { CSVVectorReader.number(fields[$0]) == nil && !fields[$0].isEmpty }
        guard !text.isEmpty else { return }
        let names = text.map { columns.names[$0] }
        let examples = text.prefix(3).map { "'\(fields[$0])'" }.joined(separator: ", ")
        throw bytes.malformed(
            "\(names.count == 1 ? "column" : "columns") \(names.joined(separator: ", ")) "
                + "\(names.count == 1 ? "holds" : "hold") text, not numbers (line \(line): \(examples)); "
                + "leave out with --exclude \(names.joined(separator: ",")), or choose with --columns"
        )
    }

    private func coordinate(_ field: String, column: String) throws(Failure) -> Float {
        if let value = Float(field), value.isFinite { return value }
        if let value = Float(field.trimmingCharacters(in: .whitespaces)), value.isFinite { return value }
        throw malformedField(field, column: column, what: "a number")
    }

    private func identifier(_ field: String, column: String) throws(Failure) -> VectorID {
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        if let value = UInt64(trimmed), VectorID(value) != .none { return VectorID(value) }
        // 42.0 is what a spreadsheet or pandas makes of 42; it is exact below 2^53.
        if let value = Double(trimmed), let whole = UInt64(exactly: value), value < 0x1p53 { return VectorID(whole) }
        throw malformedField(field, column: column, what: "an id: ids are whole numbers from 0 to 2^64 - 2")
    }

    private func malformedField(_ field: String, column: String, what: String) -> Failure {
        let place = "line \(line), column \(column)"
        if field.allSatisfy(\.isWhitespace) {
            return bytes.malformed("\(place): the field is empty; fill it in or remove the line")
        }
        let shown = field.count > 40 ? field.prefix(40) + "…" : field[...]
        let value = CSVVectorReader.number(field)
        guard let value, what == "a number" else { return bytes.malformed("\(place): '\(shown)' is not \(what)") }
        let reason = value.isFinite ? "is too large for a 32-bit float" : "is not a finite number"
        let error = KinError(.notFinite, "\(place): '\(shown)' \(reason); correct it or remove the line")
        return Failure(error.within("file", bytes.name))
    }

    private static func number(_ field: String) -> Double? {
        Double(field.trimmingCharacters(in: .whitespaces))
    }
}

/// A view that keeps no rows, so that SwiftCSV's records are only ever enumerated, never stored twice.
private struct RecordsOnDemand: CSVView {
    var rows: [[String]] { [] }
    var columns: [[String]]? { nil }

    init(header: [String], text: String, delimiter: CSVDelimiter, loadColumns: Bool, rowLimit: Int?) {}

    func serialize(header: [String], delimiter: CSVDelimiter) -> String { "" }
}
