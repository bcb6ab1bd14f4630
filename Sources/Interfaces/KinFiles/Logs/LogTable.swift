/// The rows of a log as in the file, before they are interpreted.
struct LogTable {
    /// The name of the file, or of the list in it.
    var source: String
    /// The names of the list and of the objects around it, or of the file in a folder, which may be of a child.
    var path: [String] = []
    var encoding = TextEncoding.utf8
    /// The separator of a delimited text in words; nil for JSON.
    var separator: String?
    var names: [String]
    var rows: [LogRow]
    /// The title before the names of the columns; nil if there is none.
    var title: String?
    /// The remarks on how rows were brought to one event each.
    var notes: [String] = []
    /// The names of a column's sources in the file, by the column's place.
    var originals: [Int: [String]] = [:]
    /// The rows of the file that are not events.
    var leftOut: [LogRow] = []

    /// Reads the rows of delimited text. The first line names the columns, after lines of comments (`#`), Excel's
    /// `sep=;` and a title.
    ///
    /// - Throws: `.malformedInput` with the line.
    init(delimited text: String, encoding: TextEncoding, source: String) throws(KinError) {
        if let table = try Self.ofApp(text, source) {
            self = table
            self.encoding = encoding
            return
        }
        let (body, title) = Self.body(of: text)
        let table = try CSVTable(body, columns: "type,start,end,duration_min,subtype,amount_ml", isPadded: true)
        // HatchBaby divides its rows by lines such as === BEGIN Feedings ===, and text tables by rulers.
        var rows = table.rows.filter {
            !($0.fields.first ?? "").hasPrefix("=== ") && !$0.fields.joined().allSatisfy(Self.isOfRuler)
        }
        // ClickHouse writes the types of the columns below their names.
        let types = [
            "String", "Date", "Nullable(", "Int", "UInt", "Float", "LowCardinality(", "Decimal", "Bool", "UUID",
        ]
        if let row = rows.first, row.fields.allSatisfy({ types.contains(where: $0.hasPrefix) }) { rows.removeFirst() }
        self.init(
            source: source, names: table.header.map(Self.name(ofSamsung:)),
            rows: rows.map { LogRow(number: $0.number, line: $0.line, fields: $0.fields) })
        (self.encoding, separator, self.title) = (encoding, table.separator, title)
        // InfluxDB's _start and _stop are of the query, if a row has a time.
        if names.contains("_time") { names = names.map { ["_start", "_stop"].contains($0) ? "query\($0)" : $0 } }
        joinRecordsOfSleepAsAndroid()
    }

    private static func isOfRuler(_ character: Character) -> Bool { "-+|=: ".contains(character) }

    /// A text with blank lines in place of the lines before the names of the columns, and the titles among them.
    private static func body(of text: String) -> (text: String, title: String?) {
        var (rest, titles, count) = (text[...], [String](), 0)
        func divides(_ line: Substring) -> Bool { line.contains { "\t;|,".contains($0) } }
        while let end = rest.firstIndex(where: \.isNewline) {
            let (line, next) = (rest[..<end], rest[rest.index(after: end)...])
            let words = line.split { "\t;|,".contains($0) || $0.isWhitespace }
            if !words.isEmpty, line.first != "#" || divides(line.prefix(2)), !line.allSatisfy(isOfRuler),
                !line.lowercased().hasPrefix("sep="),
                !isMetadata(ofSamsung: line)
            {
                let following = next.drop { "\t;|,".contains($0) || $0.isWhitespace }.prefix { !$0.isNewline }
                // A title may have separators after it, for the other cells of its row.
                let text = line.reversed().drop { "\t;|,".contains($0) }.reversed()
                guard !text.contains(where: { "\t;|,\"".contains($0) }), divides(following) else { break }
                titles.append(String(text))
            }
            (rest, count) = (next, count + 1)
        }
        let body = count == 0 ? text : String(repeating: "\n", count: count) + rest
        return (body, titles.isEmpty ? nil : titles.joined(separator: " – "))
    }

    /// Creates a table from rows.
    init(source: String, names: [String], rows: [LogRow]) {
        (self.source, self.names, self.rows) = (source, names, rows)
    }

    /// Creates a table with a column for each member of records in JSON.
    init(records: [[(name: String, text: String)]], source: String) {
        var places: [String: Int] = [:]
        var names: [String] = []
        for (name, _) in records.joined() where places[name] == nil {
            places[name] = names.count
            names.append(name)
        }
        let rows = records.enumerated().map { number, record in
            var fields = [String](repeating: "", count: names.count)
            for (name, text) in record { places[name].map { fields[$0] = text } }
            return LogRow(number: number + 1, line: nil, fields: fields)
        }
        self.init(source: source, names: names, rows: rows)
    }

    /// The texts of columns with times, and the numbers of their rows.
    func times(_ columns: LogColumns) -> [(text: String, row: Int)] {
        let timed = columns[.start] + columns[.end] + columns[.date]
        return rows.flatMap { row in timed.map { (row.text($0), row.number) } }
    }

    /// Whether a comma is a decimal mark in its numbers.
    var hasDecimalComma: Bool { separator.map { $0 != "commas" } ?? false }
}
