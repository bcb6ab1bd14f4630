import Kin

/// The rows of a log as in the file, before they are interpreted.
struct LogTable {
    /// The name of the file, or of the list in it.
    let source: String
    var encoding = TextEncoding.utf8
    /// The separator of a delimited text in words; nil for JSON.
    var separator: String?
    let names: [String]
    let rows: [LogRow]

    /// Reads the rows of delimited text whose first line names the columns.
    ///
    /// - Throws: `.malformedInput` with the line.
    init(delimited text: String, encoding: TextEncoding, source: String) throws(KinError) {
        let table = try CSVTable(text, columns: "type,start,end,duration_min,subtype,amount_ml", isPadded: true)
        self.init(
            source: source, names: table.header,
            rows: table.rows.map { LogRow(number: $0.number, line: $0.line, fields: $0.fields) })
        (self.encoding, separator) = (encoding, table.separator)
    }

    /// Creates a table from rows.
    init(source: String, names: [String], rows: [LogRow]) {
        (self.source, self.names, self.rows) = (source, names, rows)
    }

    /// Whether a comma is a decimal mark in its numbers.
    var hasDecimalComma: Bool { separator.map { $0 != "commas" } ?? false }
}
