/// A view of consecutive rows of a float matrix, few enough to fit in the cache during several passes in double
/// precision.
///
/// The loops run along the rows on raw memory, with one pointer per row. The compiler vectorizes this form, but not
/// loops over spans or over indices that are products.
@safe
struct RowBlock {
    let rows: Int
    let columns: Int
    private let base: UnsafePointer<Float>

    /// The number of rows whose doubles take about 128 KiB, at least `least`. That leaves space in a second-level cache
    /// for the results.
    static func rowsInCache(columns: Int, atLeast least: Int) -> Int {
        max(least, 16_384 / max(columns, 1))
    }

    /// Creates a view of the rows `range` of a matrix in the given buffer; the buffer must outlive the view.
    ///
    /// - Precondition: There is at least one row and one column.
    init(_ range: Range<Int>, of matrix: UnsafeBufferPointer<Float>, columns: Int) {
        precondition(!range.isEmpty && columns > 0 && range.lowerBound >= 0)
        precondition(range.upperBound * columns <= matrix.count)
        rows = range.count
        self.columns = columns
        unsafe base = matrix.baseAddress! + range.lowerBound * columns
    }

    /// The mean of each column, in double precision and summed row by row.
    func columnMeans() -> [Double] {
        let d = columns
        var means = [Double](repeating: 0, count: d)
        unsafe means.withUnsafeMutableBufferPointer { buffer in
            let sums = buffer.baseAddress!
            for i in 0..<rows {
                let x = unsafe base + i * d
                for j in 0..<d { unsafe sums[j] += Double(x[j]) }
            }
            for j in 0..<d { unsafe sums[j] /= Double(rows) }
        }
        return means
    }

    /// Writes x − centre for every row, row after row: rows × columns doubles.
    func write(minus centre: [Double], to result: UnsafeMutableBufferPointer<Double>) {
        let d = columns
        precondition(centre.count == d && result.count >= rows * d)
        unsafe centre.withUnsafeBufferPointer { centre in
            let centre = centre.baseAddress!
            for i in 0..<rows {
                let (x, y) = unsafe (base + i * d, result.baseAddress! + i * d)
                for j in 0..<d { unsafe y[j] = Double(x[j]) - centre[j] }
            }
        }
    }
}
