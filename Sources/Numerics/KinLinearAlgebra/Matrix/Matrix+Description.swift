extension Matrix: CustomStringConvertible {
    /// The shape and the corner of the matrix, short enough for one line: `1000 × 16 [[0.5, 0.25, 1.0, …], …]`.
    public var description: String {
        let shown = (0..<min(rows, 3)).map { i in
            "[" + Self.list(row(i).prefix(3).map { "\($0)" }, of: columns) + "]"
        }
        return "\(rows) × \(columns) [" + Self.list(shown, of: rows) + "]"
    }

    /// The items, with an ellipsis when there are more than these.
    private static func list(_ items: [String], of count: Int) -> String {
        (items.count < count ? items + ["…"] : items).joined(separator: ", ")
    }
}
