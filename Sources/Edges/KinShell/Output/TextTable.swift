/// Columns of text, aligned: what a person reads where a program would read JSON.
struct TextTable {
    enum Alignment { case left, right }

    struct Column {
        var title: String
        var alignment: Alignment
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns.map { Column(title: $0.title, alignment: $0.alignment) }
    }

    mutating func append(_ row: [String]) {
        precondition(row.count == columns.count, "a row has one cell per column")
        rows.append(row)
    }

    /// The lines of the table, a title line first unless every title is empty.
    func lines(style: Style) -> [String] {
        let widths = columns.indices.map { index in
            max(columns[index].title.count, rows.map { $0[index].count }.max() ?? 0)
        }
        var lines: [String] = []
        if columns.contains(where: { !$0.title.isEmpty }) {
            lines.append(style.faint(line(columns.map(\.title), widths: widths)))
        }
        for row in rows { lines.append(line(row, widths: widths)) }
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
    func print(_ table: TextTable) {
        for line in table.lines(style: style) { print(line) }
    }
}
