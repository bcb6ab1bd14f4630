import Foundation
import Kin

/// Reads vectors from delimited text.
///
/// The file is split at line ends into blocks of about a megabyte, which are parsed in parallel and joined in order.
/// Memory is a few blocks in addition to the numbers. Reading stops soon after the first error, and the reported error
/// is always the first of the file.
struct CSVVectorReader {
    /// The longest record accepted: a longer one must have an unclosed quote.
    static let longestRecord = 1 << 24

    let bytes: ByteReader
    var selection = ColumnSelection()
    var blockSize = 1 << 20
    var threads = 1
    var progress: (Int) throws(KinError) -> Void = { _ in }

    /// Passes the rows to the body, at least `rows` at a time except at the end.
    ///
    /// Duplicate ids are detected only if all rows are passed at once (`Int.max` rows).
    func forEachBatch(rows: Int, _ body: (VectorTable) throws(KinError) -> Void) throws(KinError) {
        try bytes.removeByteOrderMark()
        var cutter = RecordCutter(longestRecord: CSVVectorReader.longestRecord)
        var join: BlockJoin?
        /// The start of the file, until it contains the header and a row.
        var opening: [UInt8] = []
        var isAtEnd = false
        while !isAtEnd {
            var blocks: [[UInt8]] = []
            var isUnclosed = false
            while blocks.count < threads && !isAtEnd && !isUnclosed {
                let piece = try bytes.read(upTo: blockSize)
                isAtEnd = piece.count < blockSize
                guard let block = cutter.records(adding: piece, isLast: isAtEnd) else {
                    isUnclosed = true
                    break
                }
                if !block.isEmpty { blocks.append(block) }
            }
            if join == nil {
                opening += blocks.joined()
                join = try begin(opening, isAtEnd: isAtEnd)
                blocks = [opening]
            }
            if let started = join {
                for block in parsed(blocks, started) { try join?.append(block, comparingIDs: rows == .max) }
            }
            if let table = join?.table, table.count >= rows {
                try body(table)
                join?.removeRows()
            }
            if isUnclosed {
                throw DelimitedText.openQuote.within("line", cutter.lineOfQuote).within("file", bytes.name)
            }
            try progress(bytes.position)
        }
        guard let join else { throw bytes.malformed("the file is empty") }
        if rows == .max || join.table.count > 0 { try body(join.table) }
    }

    /// Examines the first record: the delimiter, the names and the uses of the columns.
    ///
    /// - Returns: nil until the first row of numbers has been read.
    private func begin(_ block: [UInt8], isAtEnd: Bool) throws(KinError) -> BlockJoin? {
        let separator = DelimitedText.separator(of: block.prefix(1 << 16))
        let hasComma = separator != DelimitedText.comma
        let isNumber = { (field: String) in CSVField.number(field, decimalComma: hasComma) != nil }
        var text = DelimitedText(block, separator: separator)
        guard let first = try next(&text) else { return nil }
        let isHeader = selection.hasHeader ?? first.fields.contains { !isNumber($0) }
        let header = isHeader ? first.fields.map { $0.trimmingCharacters(in: .whitespaces) } : nil
        var selection = selection
        let isNumbered = numbersRows(block, header)
        if isNumbered { selection.except.append("1") }
        var columns = try ResolvedColumns(selection, header: header, width: first.fields.count)
        if isNumbered { columns.notes.append(RowNumbers.note(columns.names[0])) }
        let firstRow = isHeader ? try next(&text) : first
        guard firstRow != nil || isAtEnd else { return nil }
        let sample = Self.sample(block, separator)
        columns.notes += precisionNotes(sample, columns, hasComma: hasComma)
        if let column = columns.id {
            // A number that cannot be an id is an error in its line, unless there are texts.
            let fields = sample.dropFirst(isHeader ? 1 : 0).lazy.filter { $0.fields.count > column }
                .map { $0.fields[column] }
            if let text = fields.first(where: { !isNumber($0) && !$0.allSatisfy(\.isWhitespace) }) {
                columns.hasNames = true
                let shown = CSVField.shown(text.trimmingCharacters(in: .whitespaces))
                columns.notes.append("the ids are texts, such as '\(shown)'")
            }
        }
        if let firstRow { try refuseText(firstRow, columns) }
        return try BlockJoin(
            name: bytes.name,
            parser: CSVBlockParser(separator: separator, columns: columns),
            recordsToSkip: isHeader ? first.number + 1 : 0,
            names: header == nil ? nil : columns.features.map { columns.names[$0] }
        )
    }

    private func next(_ text: inout DelimitedText) throws(KinError) -> CSVTable.Row? {
        do throws(KinError) { return try text.next() } catch {
            throw error.within("line", text.line).within("file", bytes.name)
        }
    }

    /// The records at the start of a file.
    private static func sample(_ block: [UInt8], _ separator: UInt8) -> [CSVTable.Row] {
        var sample = block.prefix(PrecisionNote.sampleBytes)
        if sample.count < block.count, let end = sample.lastIndex(of: 0x0A) { sample = sample[...end] }
        var text = DelimitedText(Array(sample), separator: separator)
        return (try? text.records()) ?? []
    }

    /// Notes on features whose different numbers at the file's start become equal as floats.
    private func precisionNotes(
        _ rows: [CSVTable.Row], _ columns: ResolvedColumns, hasComma: Bool
    ) -> [String] {
        PrecisionNote.notes(
            on: columns.features.map { column in
                let fields = rows.lazy.filter { $0.fields.count > column }.map { $0.fields[column] }
                return (columns.names[column], fields.compactMap { CSVField.number($0, decimalComma: hasComma) })
            })
    }

    /// Whether the first column, without a name or named `index`, numbers the rows at the start and has no chosen use.
    private func numbersRows(_ block: [UInt8], _ header: [String]?) -> Bool {
        guard let header, header.count > 1, RowNumbers.isNamed(header[0]), selection.only.isEmpty else { return false }
        let used = [selection.id, selection.label] + selection.attributes.flatMap(\.columns)
        guard !used.contains(header[0]), !used.contains("1"),
            !selection.except.contains(where: { $0 == header[0] || $0 == "1" })
        else { return false }
        var text = DelimitedText(block)
        guard let records = try? text.records(), records.count > 1 else { return false }
        return RowNumbers.count(records.dropFirst().map { $0.fields[0] })
    }

    /// Reports all columns with text at once, not only the first.
    private func refuseText(_ row: CSVTable.Row, _ columns: ResolvedColumns) throws(KinError) {
        let fields = row.fields
        guard fields.count == columns.names.count, !columns.featuresAreChosen else { return }
        let text = columns.features.filter {
            CSVField.number(fields[$0], decimalComma: true) == nil && !fields[$0].allSatisfy(\.isWhitespace)
        }
        guard !text.isEmpty else { return }
        let names = text.map { columns.names[$0] }
        let examples = text.prefix(3).map { "'\(CSVField.shown(fields[$0]))'" }.joined(separator: ", ")
        throw bytes.malformed(
            "\(names.count == 1 ? "column" : "columns") \(names.joined(separator: ", ")) "
                + "\(names.count == 1 ? "holds" : "hold") text, not numbers (line \(row.line): \(examples)); "
                + "leave out (exclude) \(names.joined(separator: ",")), or choose the columns of the vector"
        )
    }

    private func parsed(_ blocks: [[UInt8]], _ join: BlockJoin) -> [CSVBlock] {
        concurrentMap(blocks.count, blocks.count, memory: {}) { index, _ in
            join.parser.parse(blocks[index], skipping: index == 0 ? join.recordsToSkip : 0)
        }
    }
}

/// Joins parsed blocks in order, and computes line numbers in the file.
private struct BlockJoin {
    private(set) var table: VectorTable
    let parser: CSVBlockParser
    /// The number of records at the start of the next block that are not data.
    private(set) var recordsToSkip: Int
    /// The first line of the next block, from 1.
    private(set) var line = 1
    private let name: String
    private var seen: Set<VectorID> = []
    private var seenNames: Set<String> = []

    init(name: String, parser: CSVBlockParser, recordsToSkip: Int, names: [String]?) throws(KinError) {
        self.name = name
        self.parser = parser
        self.recordsToSkip = recordsToSkip
        table = VectorTable(dimension: parser.columns.features.count)
        table.columns = names
        table.notes = parser.columns.notes
        if parser.columns.id != nil {
            if parser.columns.hasNames { table.names = [] } else { table.ids = [] }
        }
        if parser.columns.label != nil { table.labels = [] }
        do throws(KinError) {
            for (choice, _) in parser.columns.attributes {
                try table.attributes.schema.append(choice.name, choice.kind)
                table.attributes.values.append([])
            }
        } catch {
            throw KinError(.invalidArgument, "attributes: \(error)")
        }
    }

    mutating func removeRows() { table.removeRows() }

    mutating func append(_ block: CSVBlock, comparingIDs: Bool) throws(KinError) {
        recordsToSkip = 0
        if comparingIDs {
            for (row, id) in block.ids.enumerated() where !seen.insert(id).inserted { throw twice("\(id)", block, row) }
            for (row, name) in block.names.enumerated() where !seenNames.insert(name).inserted {
                throw twice(CSVField.shown(name), block, row)
            }
        }
        if let problem = block.problem { throw located(problem, block.lines) }
        table.elements += block.elements
        table.ids? += block.ids
        table.names? += block.names
        table.labels? += block.labels
        for (index, values) in block.attributes.enumerated() { table.attributes.values[index] += values }
        line += block.lines
    }

    private func twice(_ id: String, _ block: CSVBlock, _ row: Int) -> KinError {
        let error = KinError(.duplicateID, "the id \(id) was given before; ids name one vector each")
        let column = parser.columns.id.map { parser.columns.names[$0] }
        return located(column.map { error.within("column", $0) } ?? error, block.rowLines[row])
    }

    /// An error with the file and the line, given the number of lines before it in the next block.
    private func located(_ error: KinError, _ lines: Int) -> KinError {
        error.within("line", line + lines).within("file", name)
    }
}
