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

    /// The lines of the table, with a title line unless every title is empty; "none" for titles without rows.
    ///
    /// The numbers of a column have equally many decimals. On a terminal that is too narrow, words wrap within their
    /// columns, and long names after underscores and slashes. Nothing is cut: a table that still does not fit has a
    /// paragraph for each row. The names in the first column of words stay whole, because they are typed again.
    func lines(style: Style) -> [String] {
        let rows = withEqualDecimals
        guard let (widths, gap) = layout(of: rows, within: style.width) else { return paragraphs(rows, style: style) }
        let isUntitled = columns.allSatisfy(\.title.isEmpty)
        guard isUntitled || !rows.isEmpty else { return ["  none"] }
        let titles = isUntitled ? [] : line(columns.map(\.title), widths: widths, gap: gap)
        return titles.map(style.faint) + rows.flatMap { line($0, widths: widths, gap: gap) }
    }

    /// The rows with zeros at the end of numbers, up to the most decimals in a column of numbers. Ids stay as they are:
    /// `1.5` may be a text.
    private var withEqualDecimals: [[String]] {
        var rows = rows
        for index in columns.indices where columns[index].alignment == .right && columns[index].title != "id" {
            let numbers = rows.indices.filter { !["", "-"].contains(rows[$0][index]) }
            let decimals = numbers.map { row in
                let parts = rows[row][index].split(separator: ".", omittingEmptySubsequences: false)
                let isNumber = parts.count <= 2 && parts.joined().allSatisfy { "+-0123456789".contains($0) }
                return isNumber ? parts.dropFirst().first?.count ?? 0 : nil
            }
            guard !decimals.contains(nil), let most = decimals.compactMap(\.self).max(), most > 0 else { continue }
            for case (let row, let count?) in zip(numbers, decimals) where count < most {
                rows[row][index] += (count == 0 ? "." : "") + String(repeating: "0", count: most - count)
            }
        }
        return rows
    }

    /// The columns' widths and the spaces between them; nil if the table does not fit.
    private func layout(of rows: [[String]], within limit: Int?) -> (widths: [Int], gap: Int)? {
        let cells = columns.indices.map { index in rows.map { Style.columns($0[index]) }.max() ?? 0 }
        let natural = zip(columns, cells).map { max(Style.columns($0.title), $1) }
        guard let limit, 2 + natural.reduce(0, +) + 3 * (columns.count - 1) > limit else { return (natural, 3) }
        var widths = zip(columns, cells).map { column, width in
            max(column.title.split(separator: " ").map { Style.columns($0) }.max() ?? 0, width)
        }
        let room = limit - 2 * columns.count
        // Columns are narrowed to their longest words, and then, if necessary, to the parts of these.
        let words = columns.indices.map { index in rows.flatMap { $0[index].split(separator: " ") } }
        let pieces = words.indices.map { index in words[index].flatMap { parts(of: $0, inColumn: index) } }
        for least in [words, pieces].map({ $0.map { max(Self.leastWidth, $0.map { Style.columns($0) }.max() ?? 0) } }) {
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
        let wrapped = cells.indices.map { index in
            Style.wrapped(cells[index], to: widths[index]).flatMap { line in
                guard Style.columns(line) > widths[index] else { return [line] }
                return parts(of: line[...], inColumn: index).reduce(into: [""]) { lines, part in
                    let fits = Style.columns(lines[lines.count - 1] + part) <= widths[index]
                    if fits { lines[lines.count - 1] += part } else { lines.append(String(part)) }
                }
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

    /// The first column of words, which has the names of the rows.
    private var nameColumn: Int { columns.firstIndex { $0.alignment == .left } ?? 0 }

    /// The parts into which a long word may be broken: after wide characters, underscores and slashes.
    private func parts(of word: Substring, inColumn index: Int) -> [Substring] {
        let marks = index == nameColumn ? "" : "_/"
        var (parts, start) = ([Substring](), word.startIndex)
        for position in word.indices where marks.contains(word[position]) || TextWidth.columns(word[position]) == 2 {
            parts.append(word[start...position])
            start = word.index(after: position)
        }
        return parts + (start < word.endIndex ? [word[start...]] : [])
    }

    /// A paragraph for each row: the cells up to the first words, and then the others with their titles.
    private func paragraphs(_ rows: [[String]], style: Style) -> [String] {
        let start = nameColumn + 1
        return rows.flatMap { row -> [String] in
            let others = zip(columns, row).dropFirst(start).filter { !$1.isEmpty }.map { column, cell in
                let text = column.title.isEmpty ? cell : "\(column.title) \(cell)"
                // The indent of further lines is six columns.
                let fits = style.width.map { Style.columns(text) <= $0 - 6 } != false
                return fits ? text.replacing(" ", with: "\u{A0}") : text
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
