import Foundation
import Kin

/// An attribute that is read from a table, as the user said it: `user:category`, `start:time=began` or `stay:time-range=from,to`.
struct AttributeChoice: Equatable {
    let name: String
    let kind: AttributeKind
    /// The columns it is read from; two for a time range.
    let columns: [String]

    /// Reads `NAME:KIND`, `NAME:KIND=COLUMN` or `NAME:time-range=COLUMN,COLUMN`.
    init(_ text: String) throws(Failure) {
        guard let colon = text.firstIndex(of: ":") else {
            throw .usage(
                "--attribute \(text): write a name and a kind, such as \(text.isEmpty ? "user" : text):category")
        }
        name = String(text[..<colon])
        let rest = text[text.index(after: colon)...]
        let equals = rest.firstIndex(of: "=") ?? rest.endIndex
        let typed = String(rest[..<equals])
        guard let kind = AttributeKind(rawValue: typed.lowercased()) else {
            let kinds = AttributeKind.allCases.map(\.rawValue)
            let hint = Spelling.nearest(to: typed, in: kinds).map { "; did you mean \($0)?" } ?? ""
            throw .usage("--attribute \(text): the kinds are \(kinds.joined(separator: ", "))\(hint)")
        }
        self.kind = kind
        let source = rest[equals...].dropFirst()
        columns =
            source.isEmpty
            ? [name] : kind == .timeRange ? source.split(separator: ",").map(String.init) : [String(source)]
        guard columns.count == (kind == .timeRange ? 2 : 1) else {
            throw .usage("--attribute \(text): a time range has two columns, \(name):time-range=START,END")
        }
    }

    /// Reads a value from the fields of its columns; nil when they are empty.
    ///
    /// - Throws: What the field is not.
    func value(_ fields: [String]) throws(KinError) -> AttributeValue? {
        if fields.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { return nil }
        let field = fields[0]
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        switch kind {
        case .category: return .category(field)
        case .integer:
            if let value = Int64(trimmed) { return .integer(value) }
            // 42.0 is what a spreadsheet or pandas makes of 42; it is exact below 2^53.
            if let value = Double(trimmed), abs(value) < 0x1p53, let whole = Int64(exactly: value) {
                return .integer(whole)
            }
            throw KinError(.malformedInput, "'\(CSVBlockParser.shown(field))' is not an integer")
        case .number:
            if let value = Double(trimmed), value.isFinite { return .number(value) }
            throw KinError(.malformedInput, "'\(CSVBlockParser.shown(field))' is not a finite number")
        case .boolean:
            switch trimmed.lowercased() {
            case "true", "yes", "1": return .boolean(true)
            case "false", "no", "0": return .boolean(false)
            default:
                throw KinError(.malformedInput, "'\(CSVBlockParser.shown(field))' is not true, false, yes, no, 1 or 0")
            }
        case .time: return .time(try Timestamp(parsing: trimmed))
        case .timeRange:
            let ends = try fields.map { (field) throws(KinError) in
                try Timestamp(parsing: field.trimmingCharacters(in: .whitespaces))
            }
            guard let range = TimeRange(from: ends[0], to: ends[1]) else {
                throw KinError(.malformedInput, "the range ends at \(ends[1]), before it begins at \(ends[0])")
            }
            return .timeRange(range)
        }
    }
}

/// The attributes of a table's rows.
struct AttributeFields: Sendable {
    var schema = AttributeSchema()
    /// For each attribute a value for each row.
    var values: [[AttributeValue?]] = []

    /// As an index takes them.
    var columns: [String: AttributeColumn] {
        var columns: [String: AttributeColumn] = [:]
        for (attribute, values) in zip(schema.attributes, values) {
            columns[attribute.name] = AttributeColumn(attribute.kind, values)
        }
        return columns
    }
}
