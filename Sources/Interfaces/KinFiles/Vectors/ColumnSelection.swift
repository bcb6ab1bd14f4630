/// The columns of a CSV file for the vector, the id, the label and the attributes, by name or number from 1.
public struct ColumnSelection: Sendable {
    /// The column of the ids; nil: the column named `id`, if there is one.
    public var id: String?
    /// The column whose text labels the rows.
    public var label: String?
    /// The columns of the vector, in this order; empty: all remaining columns.
    public var only: [String] = []
    /// Columns to leave out.
    public var except: [String] = []
    /// Columns that are attributes and not part of the vector.
    public var attributes: [AttributeChoice] = []
    /// The default columns if nothing was chosen and the header has them all; for queries, the index's columns.
    public var preferred: [String] = []
    /// Whether the first line is a header; nil: detected.
    public var hasHeader: Bool?
    /// Whether the numbers will be scaled, and are read in double precision.
    public var isScaled = false

    /// Creates a selection of all columns.
    public init() {}

    /// The columns that were chosen for a different use than the vector, or to be left out.
    var apart: [String] { [id, label].compactMap { $0 } + except + attributes.flatMap(\.columns) }

    /// Whether any column was chosen; preferred columns do not count.
    var isMade: Bool {
        !apart.isEmpty || !only.isEmpty || hasHeader != nil
    }
}

/// A selection applied to a real header: column numbers from 0.
struct ResolvedColumns {
    let names: [String]
    let features: [Int]
    let id: Int?
    /// Whether the ids are texts.
    var hasNames = false
    let label: Int?
    let attributes: [(choice: AttributeChoice, columns: [Int])]
    var notes: [String]
    /// Whether the caller chose the feature columns, as opposed to all remaining columns.
    let featuresAreChosen: Bool
    /// Whether numbers are read in double precision.
    let isScaled: Bool
    /// The count of numbers in a row's only field of the vector, if it is a list such as `[0.1, 0.2]`.
    var listLength: Int?

    /// The count of numbers in a row.
    var dimension: Int { listLength ?? features.count }

    /// Matches a selection against the columns of a file.
    ///
    /// - Parameters:
    ///   - header: The names; nil for a file without a header line.
    ///   - width: The number of columns.
    init(_ selection: ColumnSelection, header: [String]?, width: Int) throws(KinError) {
        let names = header ?? (1...max(1, width)).map { "\($0)" }
        self.names = names
        isScaled = selection.isScaled
        func find(_ use: String) -> (String) throws(KinError) -> Int {
            { wanted throws(KinError) in try Self.find(wanted, in: names, as: use) }
        }
        var notes: [String] = []
        var id = try selection.id.map(find("the ids"))
        let label = try selection.label.map(find("the labels"))
        let excluded = Set(try selection.except.map(find("those to leave out")))
        let attributes = try selection.attributes.map { choice throws(KinError) in
            (choice: choice, columns: try choice.columns.map(find("an attribute")))
        }
        self.attributes = attributes
        var chosen: [Int] = []
        let isPreferred = selection.only.isEmpty && !selection.preferred.isEmpty
        let hasPreferred = isPreferred && selection.preferred.allSatisfy { names.contains($0) }
        for wanted in hasPreferred ? selection.preferred : selection.only {
            let column = try find("the vector")(wanted)
            if chosen.contains(column) {
                throw KinError(.invalidArgument, "the column \(names[column]) is chosen for the vector twice")
            }
            chosen.append(column)
        }
        if id == nil, let column = names.firstIndex(where: { $0.lowercased() == "id" }),
            !excluded.contains(column), !chosen.contains(column), column != label
        {
            id = column
            notes.append("ids are taken from column \(names[column])")
        }
        featuresAreChosen = !chosen.isEmpty
        let attributeColumns = chosen.isEmpty ? Set(attributes.flatMap(\.columns)) : []
        features =
            (chosen.isEmpty ? Array(names.indices) : chosen).filter {
                $0 != id && $0 != label && !excluded.contains($0) && !attributeColumns.contains($0)
            }
        if features.isEmpty {
            throw KinError(.invalidArgument, "no column is left for the vector; exclude fewer columns")
        }
        if id == nil, let suspect = features.first(where: { names[$0].lowercased().hasSuffix("id") }) {
            notes.append(
                "column \(names[suspect]) is used as a number of the vector; if it names the rows, choose it as the column of the ids"
            )
        }
        self.id = id
        self.label = label
        self.notes = notes
        let twice = features.first { column in features.contains { $0 < column && names[$0] == names[column] } }
        if let twice {
            self.notes.append(
                "two columns are called \(names[twice]); the later one, number \(twice + 1), is chosen by its number only"
            )
        }
    }

    /// The index of a column; errors name its use.
    private static func find(_ wanted: String, in names: [String], as use: String) throws(KinError) -> Int {
        if let index = names.firstIndex(of: wanted) { return index }
        if let index = names.firstIndex(where: { $0.lowercased() == wanted.lowercased() }) { return index }
        if let number = Int(wanted), names.indices.contains(number - 1) { return number - 1 }
        if let number = Int(wanted) {
            let count = Plural.count(names.count, "column")
            throw KinError(.invalidArgument, "column \(number) for \(use): the file has \(count), counted from 1")
        }
        let hint = Spelling.nearest(to: wanted, in: names).map { "; did you mean \($0)?" } ?? "."
        throw KinError(
            .invalidArgument,
            "column \(wanted) for \(use): no such column\(hint) The columns are \(names.joined(separator: ", "))")
    }
}
