import KinCore

/// Aligned columns of text, for people; programs read JSON.
struct TextTable {
    enum Alignment { case left, right }

    let columns: [(title: String, alignment: Alignment)]
    private(set) var rows: [[String]] = []

    /// Creates a table without rows.
    init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    /// Creates a table with rows; a title that starts with `>` marks a column of numbers, which is aligned to the
    /// right.
    init(_ titles: [String], _ rows: [[String]] = []) {
        columns = titles.map { $0.hasPrefix(">") ? (String($0.dropFirst()), .right) : ($0, .left) }
        for row in rows { append(row) }
    }

    /// Creates a table with a row for each element.
    init<Element>(_ titles: [String], of elements: some Sequence<Element>, row: (Element) -> [String]) {
        self.init(titles, elements.map(row))
    }

    /// Creates a table of facts, one per line, without facts that have no value.
    init(facts: KeyValuePairs<String, String?>) {
        self.init(["", ""], facts.compactMap { name, value in value.map { [name, $0] } })
    }

    mutating func append(_ row: [String]) {
        precondition(row.count == columns.count, "a row has one cell per column")
        rows.append(row.map(VisibleText.escapedLine))
    }

    /// The lines of the table, with a title line unless every title is empty.
    ///
    /// On a terminal that is too narrow, words wrap within their columns, and longer words end with an ellipsis. A
    /// table with too many columns for that has a paragraph for each row.
    func lines(style: Style) -> [String] {
        guard let (widths, gap) = layout(within: style.width) else { return paragraphs(style: style) }
        let titles = columns.allSatisfy(\.title.isEmpty) ? [] : line(columns.map(\.title), widths: widths, gap: gap)
        return titles.map(style.faint) + rows.flatMap { line($0, widths: widths, gap: gap) }
    }

    /// The columns' widths and the spaces between them; nil if the table does not fit.
    private func layout(within limit: Int?) -> (widths: [Int], gap: Int)? {
        let cells = columns.indices.map { index in rows.map { Style.columns($0[index]) }.max() ?? 0 }
        let natural = zip(columns, cells).map { max(Style.columns($0.title), $1) }
        guard let limit, 2 + natural.reduce(0, +) + 3 * (columns.count - 1) > limit else { return (natural, 3) }
        var widths = zip(columns, cells).map { column, width in
            max(column.title.split(separator: " ").map { Style.columns($0) }.max() ?? 0, width)
        }
        let room = limit - 2 * columns.count
        // Columns are narrowed to their longest words, and then, if necessary, to less.
        let words = columns.indices.map { index in
            max(Self.leastWidth, rows.flatMap { $0[index].split(separator: " ").map { Style.columns($0) } }.max() ?? 0)
        }
        for least in [words, words.map { _ in Self.leastWidth }] {
            while widths.reduce(0, +) > room,
                let widest = columns.indices.filter({ columns[$0].alignment == .left && widths[$0] > least[$0] })
                    .max(by: { widths[$0] <= widths[$1] })
            { widths[widest] -= 1 }
        }
        return widths.reduce(0, +) > room ? nil : (widths, 2)
    }

    /// The least width to which a column of words is narrowed.
    private static let leastWidth = 8

    /// The lines of a row.
    private func line(_ cells: [String], widths: [Int], gap: Int) -> [String] {
        let wrapped = zip(cells, widths).map { cell, width in
            Style.wrapped(cell, to: width).map {
                Style.columns($0) > width ? TextWidth.prefix($0, columns: width - 1) + "…" : $0
            }
        }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { number in
            var text = ""
            for (index, lines) in wrapped.enumerated() {
                let cell = number < lines.count ? lines[number] : ""
                text += String(repeating: " ", count: index == 0 ? 2 : gap)
                text += TextWidth.padded(cell, to: widths[index], isRight: columns[index].alignment == .right)
            }
            return TextWidth.trimmed(text)
        }
    }

    /// A paragraph for each row: the cells up to the first words, and then the others with their titles.
    private func paragraphs(style: Style) -> [String] {
        let start = (columns.firstIndex { $0.alignment == .left } ?? 0) + 1
        return rows.flatMap { row -> [String] in
            let others = zip(columns, row).dropFirst(start).filter { !$1.isEmpty }.map { column, cell in
                (column.title.isEmpty ? cell : "\(column.title) \(cell)").replacing(" ", with: "\u{A0}")
            }
            return style.fitted("  " + style.strong(row.prefix(start).joined(separator: "   ")))
                + style.fitted("    " + others.joined(separator: "   ")).map { $0.replacing("\u{A0}", with: " ") }
        }
    }
}

extension Console {
    func print(_ table: TextTable) { print(table.lines(style: style)) }

    /// Prints a table with a row for each element.
    func print<Element>(_ titles: [String], of elements: some Sequence<Element>, row: (Element) -> [String]) {
        print(TextTable(titles, of: elements, row: row))
    }

    func print(_ lines: [String]) { for line in lines { print(line) } }
}
