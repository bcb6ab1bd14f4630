import CKinKernels
import KinCore
import Testing

@Suite("Norms of rows times a triangle in 16 bits")
struct TriangleTests {
    @Test("are those of exact sums of codes", arguments: KernelTable.all)
    func norms(table: KernelTable) {
        for seed in 0..<UInt64(80) {
            var random = SeededGenerator(seed: 9100 + seed)
            // One number, blocks that are full or not, an odd and an even number of blocks and of rows.
            let order = [1, 2, 9, 16, 17, 32, 33, 48, 65, 100][Int(seed % 10)]
            var columns = [[Int16]](repeating: [Int16](repeating: 0, count: order), count: order)
            for c in 0..<order { for j in 0...c { columns[c][j] = Int16(random.below(4000) - 2000) } }
            let factors = (0..<order - 1).map { _ in random.uniform() + 0.1 }
            let last = [0, 0.5, -3][random.below(3)]
            let count = random.below(20)
            var rows = (0..<count * (order - 1)).map { _ in random.uniform() * 2 - 1 }
            // Rows that are all 0, rows too large or too small to be coded, and one number that is all of a row.
            for row in 0..<count where order > 1 && row % 3 == 0 {
                let scale = [0, 1e150, 1e-150, 1e100, 1e300][random.below(5)]
                for j in 0..<order - 1 { rows[row * (order - 1) + j] *= j == 0 ? scale : min(scale, 1e-5) }
            }
            let expected = (0..<count).map { i in
                reference(Array(rows[i * (order - 1)..<(i + 1) * (order - 1)]), factors, last, columns)
            }
            let found = norms(table, rows, factors, last, columns, count)
            for i in 0..<count {
                #expect(found[i].length.bitPattern == expected[i].length.bitPattern, "row \(i), seed \(9100 + seed)")
                #expect(found[i].square == expected[i].square, "row \(i), seed \(9100 + seed)")
            }
        }
    }

    /// The lengths and sums of squares of the header, in plain loops.
    private func reference(
        _ row: [Double], _ factors: [Double], _ last: Double, _ columns: [[Int16]]
    ) -> (length: Double, square: Float) {
        let z = zip(row, factors).map(*)
        var lanes = [Double](repeating: 0, count: 8)
        for (j, z) in z.enumerated() { lanes[j % 8] += z * z }
        let even = (lanes[0] + lanes[4]) + (lanes[2] + lanes[6])
        let odd = (lanes[1] + lanes[5]) + (lanes[3] + lanes[7])
        let sum = (even + odd) + last * last
        let steps = 32_766 / sum.squareRoot()
        let codes = (z + [last]).map { z in
            sum >= 1e-200 && sum <= 1e200 ? Int((z * steps).rounded(.toNearestOrEven)) : 0
        }
        let padding = (16 - columns.count % 16) % 16
        var sums = [Float](repeating: 0, count: 16)
        for (c, column) in columns.enumerated() {
            let product = Float(Int32(zip(codes, column).reduce(0) { $0 + $1.0 * Int($1.1) }))
            sums[(c + padding) % 16] += product * product
        }
        for half in [8, 4, 2, 1] { for lane in 0..<half { sums[lane] += sums[lane + half] } }
        return (sum.squareRoot(), sums[0])
    }

    private func norms(
        _ table: KernelTable, _ rows: [Double], _ factors: [Double], _ last: Double, _ columns: [[Int16]], _ count: Int
    ) -> [(length: Double, square: Float)] {
        let order = columns.count
        let (blocks, pairs) = ((order + 15) / 16, (order + 1) / 2)
        var weights = [Int16](repeating: 0, count: blocks * pairs * 32)
        for c in 0..<order {
            let place = c + 16 * blocks - order
            for j in 0...c { weights[(place / 16 * pairs + j / 2) * 32 + place % 16 * 2 + j % 2] = columns[c][j] }
        }
        var codes = [Int16](repeating: -1, count: Int(KIN_TRIANGLE_ROWS) * 2 * pairs)
        var lengths = [Double](repeating: -1, count: count)
        var squares = [Float](repeating: -1, count: count)
        unsafe weights.withUnsafeBufferPointer { weights in
            unsafe factors.withUnsafeBufferPointer { factors in
                unsafe codes.withUnsafeMutableBufferPointer { codes in
                    var job = unsafe kin_triangle_job(
                        weights: weights.baseAddress, factors: factors.baseAddress, last: last, columns: order - 1,
                        codes: codes.baseAddress)
                    unsafe table.functions.triangle_norms(&job, rows, count, &lengths, &squares)
                }
            }
        }
        return zip(lengths, squares).map { ($0, $1) }
    }
}
