import Kin
import KinJSON

/// A log in JSON of any tracker: lists of objects, which may be nested, as tables of a column for each member.
struct LogJSON {
    /// The tables, one for each list.
    private(set) var tables: [LogTable] = []
    /// The texts next to the lists, such as the baby's name.
    private(set) var facts: [(name: String, text: String)] = []

    /// Whether a text is JSON by its first character.
    static func begins(_ text: String) -> Bool { text.first { !$0.isWhitespace }.map { "{[/".contains($0) } ?? false }

    /// Reads the values of a text: an array of records, an object with such arrays, or records one after the other.
    ///
    /// - Throws: `.malformedInput` with line and column; also if there are no records.
    init(_ values: [(text: String, line: Int)], source: String) throws(KinError) {
        var records: [[(name: String, text: String)]] = []
        for value in values {
            try JSONText.read(value) { reader throws(KinError) in
                if reader.isAtArray() {
                    records += try Self.records(&reader)
                } else if values.count == 1, try readLists(reader) {
                    try reader.skip()
                } else {
                    records.append(try Self.record(&reader))
                }
            }
        }
        add(records, source)
        guard tables.contains(where: { !$0.rows.isEmpty }) else {
            throw KinError(
                .malformedInput, "there are no records; a log is a list of objects, each with a type and a start")
        }
    }

    private mutating func add(_ records: [[(name: String, text: String)]], _ source: String, path: [String] = []) {
        var places: [String: Int] = [:]
        var names: [String] = []
        for (name, _) in records.joined() where places[name] == nil {
            places[name] = names.count
            names.append(name)
        }
        guard !names.isEmpty else { return }
        let rows = records.enumerated().map { number, record in
            var fields = [String](repeating: "", count: names.count)
            for (name, text) in record { places[name].map { fields[$0] = text } }
            return LogRow(number: number + 1, line: nil, fields: fields)
        }
        var table = LogTable(source: source, names: names, rows: rows)
        table.path = path
        tables.append(table)
    }

    /// Reads an object's arrays of objects, and its other members as facts.
    ///
    /// - Returns: Whether it has such an array.
    private mutating func readLists(_ start: JSONReader, path: [String] = []) throws(KinError) -> Bool {
        let before = self
        var reader = start
        var facts: [(name: String, text: String)] = []
        try reader.members { reader, name throws(KinError) in
            var inner = reader
            if reader.isAtArray(), let list = try? Self.records(&inner) {
                add(list, name, path: path + [name])
                reader = inner
            } else if reader.isAtObject(), try readLists(reader, path: path + [name]) {
                try reader.skip()
            } else {
                try Self.flatten(&reader, name, into: &facts)
            }
        }
        // An object with a type and a start is a record, whatever lists are in it.
        let columns = LogColumns(facts.map(\.name), of: nil)
        guard tables.count > before.tables.count, columns[.type].isEmpty || columns[.start].isEmpty else {
            self = before
            return false
        }
        self.facts += facts
        return true
    }

    private static func records(_ reader: inout JSONReader) throws(KinError) -> [[(name: String, text: String)]] {
        try reader.list { reader throws(KinError) in try record(&reader) }
    }

    private static func record(_ reader: inout JSONReader) throws(KinError) -> [(name: String, text: String)] {
        var members: [(name: String, text: String)] = []
        guard reader.isAtObject() else { throw reader.unexpected("a record in braces") }
        try flatten(&reader, "", into: &members)
        return members
    }

    /// Appends a value's text, of an object those of its members under names such as `feedData.volume`; null has none.
    private static func flatten(
        _ reader: inout JSONReader, _ name: String, into members: inout [(name: String, text: String)]
    ) throws(KinError) {
        if reader.isAtObject() {
            var inner: [(name: String, text: String)] = []
            try reader.members { reader, member throws(KinError) in
                try flatten(&reader, name.isEmpty ? member : "\(name).\(member)", into: &inner)
            }
            if !name.isEmpty, let instant = instant(inner.map { ($0.name.dropFirst(name.count + 1), $0.text) }) {
                members.append((name, instant))
            } else {
                members += inner
            }
        } else if reader.isAtString() {
            members.append((name, try reader.string()))
        } else {
            let text = try reader.verbatim()
            if text != "null", text != "[]" { members.append((name, text)) }
        }
    }

    /// The text of a Firestore timestamp: its seconds since 1970.
    private static func instant(_ members: [(name: Substring, text: String)]) -> String? {
        func member(_ names: [String]) -> String? { members.first { names.contains(String($0.name)) }?.text }
        guard let seconds = member(["_seconds", "seconds"]), let whole = Double(seconds), members.count <= 2 else {
            return nil
        }
        let part = member(["_nanoseconds", "nanoseconds", "nanos"]).flatMap { Double($0) }
        guard members.count == 1 || part != nil else { return nil }
        return "\(Timestamp.millionths(whole, part ?? 0))"
    }
}

extension Timestamp {
    /// Microseconds since 1970 of seconds and nanoseconds, within the calendar.
    fileprivate static func millionths(_ seconds: Double, _ nanoseconds: Double) -> Int64 {
        Int64(max(-6e16, min(2.5e17, seconds * 1e6 + nanoseconds / 1e3)))
    }
}
