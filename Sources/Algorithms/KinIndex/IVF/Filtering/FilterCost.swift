/// The estimated cost of a search under a filter by each plan, in microseconds.
///
/// Measured at 16 dimensions, a million vectors and k = 10: a row that is looked up and visited by itself takes 0.1 µs; a
/// traversal of all lists that tests the filter visits more lists the less is allowed, and takes some 12 µs (6 where data are even, 25 in
/// tight clusters) for each row that has to be passed over on the way to an allowed one; a row copied into lists of its own takes 0.3 µs, and a query through
/// such lists about 20.
struct FilterCost {
    /// The largest number of rows that are allowed.
    let allowed: Int
    let count: Int

    /// The cost of a query that visits each allowed row.
    var visit: Double { Double(allowed) * 0.1 }

    /// The cost of a query that traverses all lists.
    var traversal: Double { 12 * Double(count) / Double(max(allowed, 1)) }

    /// After so many queries under a filter in words it pays to find out how much it allows, which takes as long as a few.
    static let manyQueries = 256

    /// Whether so little is allowed that a copy of it is worth its memory.
    static func isNarrow(_ allowed: Int, of count: Int) -> Bool { allowed <= count / 4 }

    /// Whether queries come cheaper through a copy of what is allowed, the copying included.
    func subsetPays(queries: Int, threads: Int) -> Bool {
        guard Self.isNarrow(allowed, of: count) else { return false }
        let copying = Double(allowed) * 0.3 / Double(threads)
        return copying + 20 * Double(queries) < min(visit, traversal) * Double(queries)
    }
}
