import Foundation

/// Tables below each other in one sheet, such as one for each activity or child.
extension LogTable {
    /// The tables, each with the names of its columns and maybe a title above them; the table itself if it is the only one.
    /// Repeated names of the same columns are left out.
    func sections() -> [LogTable] {
        var (sections, above) = ([self], LogRow?.none)
        var (number, isApart) = (0, false)
        sections[0].rows = []
        for row in rows where !row.fields.allSatisfy(\.trimmed.isEmpty) {
            let (last, names) = (sections.count - 1, row.fields.map(\.trimmed))
            let isHeader = row.isHeader(isBelowTitle: above != nil, isApart: isApart)
            // A title without the names of a start below it is below a blank line.
            defer {
                above = row.fields.count { !$0.isEmpty } == 1 ? row : nil
                (number, isApart) = (row.number, above != nil && number > 0 && row.number > number + 1)
            }
            if sections[last].rows.isEmpty || !isHeader {
                sections[last].rows.append(row)
            } else if above == nil, names == sections[last].names {
                sections[last].leftOut.append(row)
            } else {
                if above != nil { sections[last].rows.removeLast() }
                var next = LogTable(source: "table in row \(row.number)", names: names, rows: [])
                (next.encoding, next.separator, next.path) = (encoding, separator, path)
                next.title = above?.fields.first { !$0.isEmpty }
                sections.append(next)
            }
        }
        // Titles are names of types or of children.
        for place in sections.indices where sections.count > 1 {
            guard let title = sections[place].title else { continue }
            sections[place].source = title.trimmingCharacters(in: CharacterSet(charactersIn: "-=#*: "))
            sections[place].path.append(sections[place].source)
            sections[place].title = nil
        }
        return sections
    }
}

extension LogRow {
    /// Whether a row has the names of columns, one of them of a time or below a title after a blank line, and not an event.
    fileprivate func isHeader(isBelowTitle: Bool, isApart: Bool) -> Bool {
        let cells = fields.filter { !$0.isEmpty }
        guard !cells.contains(where: { $0.first?.isNumber == true }) else { return false }
        guard cells.count > 1, !isApart else { return isApart }
        let known = cells.map {
            LogColumns.field(of: $0) ?? (isBelowTitle && LogWords.bedtime($0) == .asleep ? .start : nil)
        }
        return known.contains { $0 == .start || $0 == .date }
            && (isBelowTitle || known.count { $0 != nil } * 2 >= max(cells.count, 4))
    }
}
