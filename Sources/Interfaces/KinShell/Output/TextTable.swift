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

    /// The lines of the table, with a title line unless every title is empty. A last column of words is wrapped to the
    /// width of the terminal.
    func lines(style: Style) -> [String] {
        let widths = columns.indices.map { index in
            max(columns[index].title.count, rows.map { $0[index].count }.max() ?? 0)
        }
        var lines: [String] = []
        if columns.contains(where: { !$0.title.isEmpty }) {
            lines.append(style.faint(line(columns.map(\.title), widths: widths)))
        }
        let isLastLeft = columns.last?.alignment == .left
        let margin = 2 + widths.dropLast().reduce(0) { $0 + $1 + 3 }
        for row in rows {
            let last = isLastLeft ? style.lines(row[row.count - 1], behind: margin) : [row[row.count - 1]]
            lines.append(line(row.dropLast() + [last[0]], widths: widths))
            for more in last.dropFirst() { lines.append(String(repeating: " ", count: margin) + more) }
        }
        return lines
    }

    private func line(_ cells: [String], widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - cell.count)
            text += index == 0 ? "  " : "   "
            text += columns[index].alignment == .left ? cell + padding : padding + cell
        }
        while text.last == " " { text.removeLast() }
        return text
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
