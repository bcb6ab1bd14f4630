import Foundation

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
        let comments = try bytes.removeComments()
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
                join = try begin(opening, comments, isAtEnd: isAtEnd)
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
    /// - Parameter comments: The lines before it that begin with `#` or `sep=`.
    /// - Returns: nil until the first row of numbers has been read.
    private func begin(_ block: [UInt8], _ comments: [String], isAtEnd: Bool) throws(KinError) -> BlockJoin? {
        let separator =
            comments.first { $0.hasPrefix("sep=") }?.utf8.dropFirst(4).first
            ?? (DelimitedText.isDividedBySpaces(block)
                ? DelimitedText.space : DelimitedText.separator(of: block.prefix(1 << 16)))
        let hasComma = separator != DelimitedText.comma
        let isNumber = { (field: String) in CSVField.number(field, decimalComma: hasComma) != nil }
        var text = DelimitedText(block, separator: separator)
        guard let first = try next(&text) else { return nil }
        let commented = Self.names(comments.last, separator, above: first.fields)
        var following = text
        let (isHeader, doubt) =
            commented == nil ? readsHeader(first.fields, above: try? following.next()?.fields, isNumber) : (false, nil)
        let header =
            selection.hasHeader == false ? nil : commented ?? (isHeader ? first.fields.map(\.trimmed) : nil)
        var selection = selection
        let numbering = rowNumbers(DelimitedText(block, separator: separator), header, isFirst: isHeader)
        // By their names: names that are numbers come before the columns' numbers.
        selection.except += numbering
        var columns = try ResolvedColumns(selection, header: header, width: first.fields.count)
        columns.notes += numbering.map(RowNumbers.note)
        if let doubt { columns.notes.append(doubt) }
        let firstRow = isHeader ? try next(&text) : first
        guard firstRow != nil || isAtEnd else { return nil }
        if let fields = firstRow?.fields, fields.count == columns.names.count, columns.features.count == 1 {
            columns.listLength = CSVField.list(fields[columns.features[0]])?.count
        }
        let sample = Self.sample(block, separator)
        if columns.listLength == nil, !columns.isScaled {
            columns.notes += precisionNotes(sample, columns, hasComma: hasComma)
        }
        let truths = columns.features.filter { column in
            sample.contains { column < $0.fields.count && CSVField.truth($0.fields[column]) != nil }
        }
        columns.notes += truths.map { "column \(columns.names[$0]): true and false are read as 1 and 0" }
        if separator == UInt8(ascii: ";") {
            columns.notes += Self.thousandsNotes(sample.dropFirst(isHeader ? 1 : 0), columns)
        }
        let leftOut = comments.count { $0.hasPrefix("#") } - (commented == nil ? 0 : 1)
        if leftOut > 0 {
            columns.notes.append("comments at the start are left out: \(Plural.count(leftOut, "line")) with #")
        }
        if let column = columns.id {
            // A number that cannot be an id is an error in its line, unless there are texts. A leading zero is part of a
            // text.
            let fields = sample.dropFirst(isHeader ? 1 : 0).lazy.filter { $0.fields.count > column }
                .map { $0.fields[column] }
            if let text = fields.first(where: {
                CSVField.isCode($0) || (!isNumber($0) && !$0.allSatisfy(\.isWhitespace))
            }) {
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
            names: header == nil || columns.listLength != nil ? nil : columns.features.map { columns.names[$0] }
        )
    }

    private func next(_ text: inout DelimitedText) throws(KinError) -> CSVTable.Row? {
        do throws(KinError) { return try text.next() } catch {
            throw error.within("line", text.line).within("file", bytes.name)
        }
    }

    /// The whole records at the start of a file, at least one.
    private static func sample(_ block: [UInt8], _ separator: UInt8) -> [CSVTable.Row] {
        var text = DelimitedText(block, separator: separator)
        var rows: [CSVTable.Row] = []
        while text.offset < PrecisionNote.sampleBytes, let row = try? text.next() { rows.append(row) }
        return rows
    }

    /// Whether the first record names the columns, and a remark if it is not certain: a field of the vector is not a number,
    /// or the fields count the columns, as a data frame names those of an array.
    private func readsHeader(
        _ fields: [String], above second: [String]?, _ isNumber: (String) -> Bool
    ) -> (Bool, doubt: String?) {
        if let chosen = selection.hasHeader { return (chosen, nil) }
        // A hexadecimal number is an error, not a name.
        let isName = { (field: String) in
            !isNumber(field) && Double(field.trimmed) == nil && CSVField.truth(field) == nil
                && CSVField.list(field) == nil
        }
        let others = selection.apart.filter { !fields.contains($0) }.compactMap { Int($0) }
        let vector = fields.indices.filter { !others.contains($0 + 1) }.map { fields[$0] }
        if vector.contains(where: isName) { return (true, nil) }
        let numbers = vector.compactMap { Int($0.trimmed) }
        let start = numbers.first ?? -1
        let isCount =
            vector.count > 1 && (0...1).contains(start) && numbers == Array(start..<start + vector.count)
        if vector.count < fields.count, fields.contains(where: isName) {
            let note =
                "line 1 is read as a vector, since its numbers do not name columns; if it is a header, say so (header)"
            return isCount ? (true, nil) : (false, note)
        }
        guard isCount, let second else { return (false, nil) }
        // Whole numbers are as likely a vector.
        guard second.contains(where: { isNumber($0) && Int($0.trimmed) == nil }) else {
            let note = "line 1 is read as a vector, and counts the columns; if it is a header, say so (header)"
            return (false, numbers.count > 3 ? note : nil)
        }
        return (
            true, "line 1 counts the columns and is read as the header; if it is a vector, say that there is no header"
        )
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

    /// The names of the columns in a comment above the first row of numbers; nil for other comments.
    private static func names(_ comment: String?, _ separator: UInt8, above row: [String]) -> [String]? {
        guard let comment, comment.hasPrefix("#"),
            row.contains(where: { CSVField.number($0, decimalComma: true) != nil })
        else {
            return nil
        }
        var text = DelimitedText(Array(comment.dropFirst().utf8), separator: separator)
        guard let names = try? text.next()?.fields.map(\.trimmed), names.count == row.count else { return nil }
        return names
    }

    /// A note on numbers such as 1.234, whose point may separate thousands; none if a number shows that it does not.
    private static func thousandsNotes(_ rows: ArraySlice<CSVTable.Row>, _ columns: ResolvedColumns) -> [String] {
        let fields = rows.flatMap { row in columns.features.filter { $0 < row.fields.count }.map { row.fields[$0] } }
        let pointed = fields.filter { $0.contains(".") }
        let mayBeThousands = pointed.allSatisfy { field in
            let parts = field.trimmed.split(separator: ".", omittingEmptySubsequences: false)
            let digits = parts[0].drop { "+-".contains($0) }
            return parts.count == 2 && (1...3).contains(digits.count) && digits.first != "0" && parts[1].count == 3
                && parts[1].allSatisfy(\.isNumber)
        }
        guard let example = pointed.first, mayBeThousands, !fields.contains(where: { $0.contains(",") }) else {
            return []
        }
        return [
            "numbers such as \(example.trimmed) are read with a decimal point; if it separates thousands, remove it"
        ]
    }

    /// The names of the columns that number the rows at the start and have no chosen use.
    ///
    /// - Parameter isFirst: Whether the header is the first record of the text.
    private func rowNumbers(_ text: DelimitedText, _ header: [String]?, isFirst: Bool) -> [String] {
        guard let header, header.count > 1, selection.only.isEmpty else { return [] }
        // A column named 1 is not the first one.
        let open = header.indices.filter { column in
            RowNumbers.isNamed(column, of: header)
                && !(selection.apart + selection.preferred).contains {
                    $0 == header[column] || $0 == "\(column + 1)" && !header.contains($0)
                }
        }
        var text = text
        guard !open.isEmpty, let records = try? text.records(), records.count > 1 else { return [] }
        return RowNumbers.columns(open, of: header, records.dropFirst(isFirst ? 1 : 0)).map { header[$0] }
    }

    /// Reports all columns with text at once, not only the first.
    private func refuseText(_ row: CSVTable.Row, _ columns: ResolvedColumns) throws(KinError) {
        let fields = row.fields
        guard fields.count == columns.names.count, !columns.featuresAreChosen, columns.listLength == nil else { return }
        let text = columns.features.filter {
            CSVField.number(fields[$0], decimalComma: true) ?? CSVField.truth(fields[$0]) == nil
                && !fields[$0].allSatisfy(\.isWhitespace)
        }
        guard !text.isEmpty else { return }
        let names = text.map { columns.names[$0].isEmpty ? "\($0 + 1)" : columns.names[$0] }
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
        table = VectorTable(dimension: parser.columns.dimension)
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
        table.remainders += block.remainders
        table.ids? += block.ids
        table.names? += block.names
        table.labels? += block.labels
        for (index, values) in block.attributes.enumerated() { table.attributes.values[index] += values }
        line += block.lines
    }

    private func twice(_ id: String, _ block: CSVBlock, _ row: Int) -> KinError {
        let error = KinError(.duplicateID, "the id \(id) is given twice; give each vector its own id")
        let column = parser.columns.id.map { parser.columns.names[$0] }
        return located(column.map { error.within("column", $0) } ?? error, block.rowLines[row])
    }

    /// An error with the file and the line, given the number of lines before it in the next block.
    private func located(_ error: KinError, _ lines: Int) -> KinError {
        error.within("line", line + lines).within("file", name)
    }
}
