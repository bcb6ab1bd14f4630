import Kin

/// The user's choice of columns: vector, id, label, attributes.
struct ColumnSelection {
    /// A column by its name in the header, or by its number from 1.
    var id: String?
    /// The column whose text labels the rows.
    var label: String?
    /// The columns of the vector in this order; empty means all that are left.
    var only: [String] = []
    /// Columns to leave out.
    var except: [String] = []
    /// Columns that are read as attributes, and are no part of the vector.
    var attributes: [AttributeChoice] = []
    /// The columns to take if nothing was chosen and the header has them all: an index's own, when queries are read.
    var preferred: [String] = []
    /// Whether the first line is a header; nil means: if any of its fields is no number.
    var hasHeader: Bool?

    /// Whether anything was chosen at all.
    var isMade: Bool {
        id != nil || label != nil || !only.isEmpty || !except.isEmpty || hasHeader != nil || !attributes.isEmpty
    }
}

/// A selection applied to a real header: column numbers from 0.
struct ResolvedColumns {
    let names: [String]
    let features: [Int]
    let id: Int?
    let label: Int?
    let attributes: [(choice: AttributeChoice, columns: [Int])]
    let notes: [String]
    /// Whether the caller named the feature columns, or they are simply all that were left.
    let featuresAreChosen: Bool

    /// Matches a selection against the columns of a file.
    ///
    /// - Parameters:
    ///   - header: the names, or nil for a file without a header line.
    ///   - width: how many columns there are.
    init(_ selection: ColumnSelection, header: [String]?, width: Int) throws(Failure) {
        let names = header ?? (1...max(1, width)).map { "\($0)" }
        self.names = names
        var notes: [String] = []
        var id: Int?
        if let wanted = selection.id { id = try ResolvedColumns.find(wanted, in: names, option: "--id-column") }
        var label: Int?
        if let wanted = selection.label { label = try ResolvedColumns.find(wanted, in: names, option: "--label") }
        var excluded: Set<Int> = []
        for wanted in selection.except {
            excluded.insert(try ResolvedColumns.find(wanted, in: names, option: "--exclude"))
        }
        var attributes: [(choice: AttributeChoice, columns: [Int])] = []
        for choice in selection.attributes {
            var columns: [Int] = []
            for wanted in choice.columns {
                columns.append(try ResolvedColumns.find(wanted, in: names, option: "--attribute"))
            }
            attributes.append((choice, columns))
        }
        self.attributes = attributes
        var chosen: [Int] = []
        let isPreferred = selection.only.isEmpty && !selection.preferred.isEmpty
        let hasPreferred = isPreferred && selection.preferred.allSatisfy { names.contains($0) }
        for wanted in hasPreferred ? selection.preferred : selection.only {
            let column = try ResolvedColumns.find(wanted, in: names, option: "--columns")
            if chosen.contains(column) { throw .usage("--columns names column \(names[column]) twice") }
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
        if features.isEmpty { throw .usage("no column is left for the vector") }
        if id == nil, let suspect = features.first(where: { names[$0].lowercased().hasSuffix("id") }) {
            notes.append(
                "column \(names[suspect]) is used as a number of the vector; if it names the rows, add --id-column \(names[suspect])"
            )
        }
        self.id = id
        self.label = label
        self.notes = notes
    }

    private static func find(_ wanted: String, in names: [String], option: String) throws(Failure) -> Int {
        if let index = names.firstIndex(of: wanted) { return index }
        if let index = names.firstIndex(where: { $0.lowercased() == wanted.lowercased() }) { return index }
        if let number = Int(wanted), names.indices.contains(number - 1) { return number - 1 }
        if let number = Int(wanted) {
            throw .usage("\(option) \(number): the file has \(NumberText.count(names.count, "column")), counted from 1")
        }
        let hint = Spelling.nearest(to: wanted, in: names).map { "; did you mean \($0)?" } ?? ""
        throw .usage("\(option) \(wanted): no such column\(hint) The columns are \(names.joined(separator: ", "))")
    }
}
