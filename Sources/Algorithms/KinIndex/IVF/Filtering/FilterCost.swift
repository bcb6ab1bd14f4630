/// The estimated cost of a search under a filter by each plan, in microseconds.
///
/// Measured with 16 dimensions, a million vectors and k = 10. Looking up and visiting a single row takes 0.1 µs. A
/// traversal of all lists visits more lists the fewer rows the filter allows, and takes about 12 µs (6 for evenly
/// spread data, 25 for tight clusters) for each row passed over before an allowed one. Copying a row into separate
/// lists takes 0.3 µs, and a query in such lists about 20 µs.
struct FilterCost {
    /// The largest number of rows that may be allowed.
    let allowed: Int
    let count: Int

    /// The cost of a query that visits each allowed row.
    var visit: Double { Double(allowed) * 0.1 }

    /// The cost of a query that traverses all lists.
    var traversal: Double { 12 * Double(count) / Double(max(allowed, 1)) }

    /// The smallest number of queries with a filter expression that justifies counting its allowed rows, which takes as
    /// long as a few queries.
    static let manyQueries = 256

    /// Whether few enough rows are allowed that a copy is worth its memory.
    static func isNarrow(_ allowed: Int, of count: Int) -> Bool { allowed <= count / 4 }

    /// Whether queries are cheaper on a copy of the allowed rows, including the cost of copying.
    func subsetPays(queries: Int, threads: Int) -> Bool {
        guard Self.isNarrow(allowed, of: count) else { return false }
        let copying = Double(allowed) * 0.3 / Double(threads)
        return copying + 20 * Double(queries) < min(visit, traversal) * Double(queries)
    }
}
