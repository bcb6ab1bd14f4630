/// The adjusted Rand index of two partitions of the same items: 1 if they are equal, about 0 if they are independent
/// (Hubert and Arabie 1985, doi:10.1007/BF01908075).
func adjustedRand(_ a: [Int], _ b: [Int]) -> Double {
    precondition(a.count == b.count && a.count > 1, "the divisions are of the same things")
    func pairs(_ n: Int) -> Double { Double(n) * Double(n - 1) / 2 }
    var cells: [[Int]: Int] = [:]
    var (rows, columns): ([Int: Int], [Int: Int]) = ([:], [:])
    for (x, y) in zip(a, b) {
        cells[[x, y], default: 0] += 1
        rows[x, default: 0] += 1
        columns[y, default: 0] += 1
    }
    let index = cells.values.reduce(0) { $0 + pairs($1) }
    let (rowPairs, columnPairs) = (
        rows.values.reduce(0) { $0 + pairs($1) }, columns.values.reduce(0) { $0 + pairs($1) }
    )
    let expected = rowPairs * columnPairs / pairs(a.count)
    let most = (rowPairs + columnPairs) / 2
    return most == expected ? 1 : (index - expected) / (most - expected)
}
