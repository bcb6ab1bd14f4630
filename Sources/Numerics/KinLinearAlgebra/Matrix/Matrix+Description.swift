extension Matrix: CustomStringConvertible {
    /// The shape and the top left corner of the matrix on one line: `1000 × 16 [[0.5, 0.25, 1.0, …], …]`.
    public var description: String {
        let shown = (0..<min(rows, 3)).map { i in
            "[" + Self.list(row(i).prefix(3).map { "\($0)" }, of: columns) + "]"
        }
        return "\(rows) × \(columns) [" + Self.list(shown, of: rows) + "]"
    }

    /// The items separated by commas, with an ellipsis when `count` is larger.
    private static func list(_ items: [String], of count: Int) -> String {
        (items.count < count ? items + ["…"] : items).joined(separator: ", ")
    }
}
