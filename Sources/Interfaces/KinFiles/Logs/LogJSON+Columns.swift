/// Tables in JSON whose names are apart from their cells, as pandas, databases and spreadsheets write them.
extension LogJSON {
    /// The records of columns, `{"type": {"0": …}, "start": {"0": …}}` or `{"type": […], "start": […]}`, of names and rows,
    /// `{"columns": […], "data": [[…]]}`, or of rows below a row of names; nil for other values.
    static func columnar(_ start: JSONReader) -> [Members]? {
        var reader = start
        if reader.isAtArray() {
            let rows = try? reader.list { reader throws(KinError) in
                guard reader.isAtArray() else { throw reader.unexpected("a row") }
                return try cells(&reader)
            }
            return rows?.first.flatMap { records(of: rows?.dropFirst() ?? [], $0) }
        }
        guard reader.isAtObject(), let members = try? reader.rawMembers() else { return nil }
        func value(_ names: [String]) -> (String, Int) { (members.first { names.contains($0.name) }?.value ?? "", 1) }
        if let names = try? JSONText.read(value(["columns", "fields", "header", "headers"]), cells),
            let rows = try? JSONText.read(
                value(["data", "rows", "values"]), { reader throws(KinError) in try reader.list(cells) })
        {
            // A column may be an object with its name.
            return records(of: rows[...], names.filter { !$0.name.contains(".") || $0.name.hasSuffix(".name") })
        }
        guard hasStart(members.map { ($0.name, "") }) else { return nil }
        var (keys, found) = ([String](), [String: Members]())
        for (name, value) in members {
            guard "[{".contains(value.prefix(1)), let cells = try? JSONText.read((value, 1), cells),
                !cells.contains(where: { $0.name.contains(where: \.isLetter) })
            else { return nil }
            for cell in cells {
                if found[cell.name] == nil { keys.append(cell.name) }
                found[cell.name, default: []].append((name, cell.text))
            }
        }
        return keys.compactMap { found[$0] }
    }

    /// The cells of a list by their places, or of an object by their names; null has none.
    private static func cells(_ reader: inout JSONReader) throws(KinError) -> Members {
        var (cells, place) = (Members(), 0)
        guard reader.isAtArray() else {
            try flatten(&reader, "", into: &cells)
            return cells
        }
        try reader.array { reader throws(KinError) in
            try flatten(&reader, "\(place)", into: &cells)
            place += 1
        }
        return cells
    }

    /// The records of rows by the names of their places; nil if no name is of a start.
    private static func records(of rows: ArraySlice<Members>, _ cells: Members) -> [Members]? {
        let names = cells.map(\.text)
        guard hasStart(names.map { ($0, "") }) else { return nil }
        return rows.map { row in
            row.compactMap { cell in
                Int(cell.name).flatMap { names.indices.contains($0) ? (names[$0], cell.text) : nil }
            }
        }
    }
}
