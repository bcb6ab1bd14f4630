/// A Markdown table whose columns also align in a terminal.
public struct Table: Sendable, CustomStringConvertible {
    private var rows: [[String]]

    public init(_ header: [String]) { rows = [header] }

    /// Adds a row with one cell per column.
    public mutating func add(_ row: [String]) {
        precondition(row.count == rows[0].count, "every row must have the number of cells of the header")
        rows.append(row)
    }

    public var description: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([lines[0], rule] + lines.dropFirst())
            .map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }
}

extension Double {
    /// Three significant digits, or more if the whole part has more: 0.0123, 1.23, 12.3, 1234.
    public var shown: String {
        guard isFinite else { return "–" }
        var digits = 2
        var bound = 10.0
        while digits > 0, magnitude >= bound {
            digits -= 1
            bound *= 10
        }
        bound = 1
        while digits < 12, magnitude != 0, magnitude < bound {
            digits += 1
            bound /= 10
        }
        return fixed(digits)
    }

    /// This many decimal places, rounded half away from zero.
    public func fixed(_ places: Int) -> String {
        var unit = 1.0
        for _ in 0..<places { unit *= 10 }
        let scaled = Int64((magnitude * unit).rounded())
        let whole = scaled / Int64(unit)
        let fraction = String(scaled % Int64(unit))
        let sign = self < 0 && scaled != 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
    }
}
