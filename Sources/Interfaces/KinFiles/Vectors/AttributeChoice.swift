import Foundation

/// An attribute that is read from columns of a table.
public struct AttributeChoice: Equatable, Sendable {
    /// The attribute's name in the index.
    public let name: String
    /// The kind of its values.
    public let kind: AttributeKind
    /// The columns of the attribute; two for a time range.
    public let columns: [String]

    /// Creates a choice of columns.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the index.
    ///   - kind: The kind of its values.
    ///   - columns: The columns of the attribute, by name or number from 1; start and end for a time range. Default:
    ///     the column with the attribute's name.
    /// - Throws: `.invalidArgument` unless there is one column, or two for a time range.
    public init(_ name: String, _ kind: AttributeKind, from columns: [String] = []) throws(KinError) {
        self.name = name
        self.kind = kind
        self.columns = columns.isEmpty ? [name] : columns
        guard self.columns.count == (kind == .timeRange ? 2 : 1) else {
            throw KinError(
                .invalidArgument, "attribute \(name): a time range has two columns, \(name):time-range=START,END")
        }
    }

    /// Reads `user:category`, `start:time=began` or `stay:time-range=from,to`: a name, a kind and the columns.
    ///
    /// - Parameter text: `NAME:KIND`, `NAME:KIND=COLUMN` or `NAME:time-range=COLUMN,COLUMN`.
    /// - Throws: `.invalidArgument` with a likely correction.
    public init(_ text: String) throws(KinError) {
        guard let colon = text.firstIndex(of: ":") else {
            throw KinError(
                .invalidArgument,
                "attribute \(text): write a name and a kind, such as \(text.isEmpty ? "user" : text):category")
        }
        let rest = text[text.index(after: colon)...]
        let equals = rest.firstIndex(of: "=") ?? rest.endIndex
        let typed = String(rest[..<equals])
        guard let kind = AttributeKind(rawValue: typed.lowercased()) else {
            let kinds = AttributeKind.allCases.map(\.rawValue)
            let hint = Spelling.nearest(to: typed, in: kinds).map { "; did you mean \($0)?" } ?? ""
            throw KinError(.invalidArgument, "attribute \(text): the kinds are \(kinds.joined(separator: ", "))\(hint)")
        }
        let source = rest[equals...].dropFirst()
        let columns =
            kind == .timeRange ? source.split(separator: ",").map(String.init) : source.isEmpty ? [] : [String(source)]
        try self.init(String(text[..<colon]), kind, from: columns)
    }

    /// Reads a value from the fields of its columns; nil if they are empty. A bar stands between two tags.
    ///
    /// - Throws: An error with the expected form of the field.
    func value(_ fields: [String]) throws(KinError) -> AttributeValue? {
        if fields.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) { return nil }
        let field = fields[0]
        let trimmed = field.trimmingCharacters(in: .whitespaces)
        switch kind {
        case .category: return .category(trimmed)
        case .tags:
            // A list, as Python and JSON write it: ["red", "green"].
            let isList = trimmed.hasPrefix("[") && trimmed.hasSuffix("]") && !trimmed.contains("|")
            let text = isList ? trimmed.dropFirst().dropLast().filter { !"\"'".contains($0) } : field
            let tags = text.split(separator: isList ? "," : "|", omittingEmptySubsequences: false)
            do throws(KinError) {
                return .tags(try TagSet(tags.map { $0.trimmingCharacters(in: .whitespaces) }))
            } catch {
                throw KinError(.malformedInput, error.message)
            }
        case .integer:
            if let value = Int64(trimmed) { return .integer(value) }
            // Spreadsheets and pandas write 42 as 42.0; such a number is exact below 2^53.
            if let value = CSVField.number(trimmed), abs(value) < 0x1p53, let whole = Int64(exactly: value) {
                return .integer(whole)
            }
            throw KinError(.malformedInput, "'\(CSVField.shown(field))' is not an integer")
        case .number:
            if let value = CSVField.number(trimmed), value.isFinite { return .number(value) }
            throw KinError(.malformedInput, "'\(CSVField.shown(field))' is not a finite number")
        case .boolean:
            if let isYes = LogWords.isYes(trimmed) { return .boolean(isYes) }
            throw KinError(.malformedInput, "'\(CSVField.shown(field))' is not true, false, yes, no, 1 or 0")
        case .time: return .time(try Timestamp(parsing: trimmed))
        case .timeRange:
            guard !fields.contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
                throw KinError(.malformedInput, "the range has one end; give both, or none for a missing value")
            }
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
public struct AttributeFields: Sendable {
    /// The names and kinds of the attributes.
    public var schema = AttributeSchema()
    /// For each attribute of the schema, a value for each row; nil if the fields are empty.
    public var values: [[AttributeValue?]] = []

    /// Creates the attributes of rows that have none.
    public init() {}

    /// The attributes by name, in the index's form.
    public var columns: [String: AttributeColumn] {
        var columns: [String: AttributeColumn] = [:]
        for (attribute, values) in zip(schema.attributes, values) {
            columns[attribute.name] = AttributeColumn(attribute.kind, values)
        }
        return columns
    }
}
