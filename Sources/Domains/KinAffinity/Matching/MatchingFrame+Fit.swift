extension MatchingFrame {
    /// Creates a frame from the principal axes of sampled souls' blocks.
    ///
    /// - Parameters:
    ///   - weights: The weights of the blocks.
    ///   - sample: The slots of the sampled souls.
    ///   - table: The rows of all souls.
    ///   - factors: The factors of goals by feature, and 1 for all other features.
    /// - Complexity: O(sample · f² + f³) for the f ≤ 384 features of a block with the most energy.
    init(weights: AffinityWeights, sample: [Int], of table: SoulTable, goals factors: [Double]) throws(KinError) {
        var axes: [[PrincipalAxis]] = []
        for block in SoulBlock.cosines {
            let rows = sample.map { table[$0] }.filter { $0.mask.has(block) }
            axes.append(try Self.axes(of: rows, block, root: weights[block].squareRoot(), goals: factors))
        }
        self.init(weights: weights, axes: axes)
    }

    /// The largest number of features of a block that its axes combine.
    private static let mostFeatures = 384

    /// The principal axes of a block with nonzero variance, by descending variance.
    private static func axes(
        of rows: [SoulRow], _ block: SoulBlock, root: Double, goals factors: [Double]
    ) throws(KinError) -> [PrincipalAxis] {
        let features = factors.count
        var energy = [Double](repeating: 0, count: features)
        for row in rows {
            BlockFrame.forEachFeature(of: row, block, root: root, goals: factors) { energy[$0] += $1 * $1 }
        }
        let order = energy.indices.filter { energy[$0] > 0 }.sorted { (energy[$1], $0) < (energy[$0], $1) }
        let chosen = order.prefix(Self.mostFeatures).sorted()
        let f = chosen.count
        guard f > 0 else { return [] }
        var place = [Int](repeating: -1, count: features)
        for (i, feature) in chosen.enumerated() { place[feature] = i }
        var points = Matrix<Double>(rows: rows.count, columns: f)
        var sums = [Double](repeating: 0, count: f)
        unsafe points.withUnsafeMutableBufferPointer { points in
            for (r, row) in rows.enumerated() {
                BlockFrame.forEachFeature(of: row, block, root: root, goals: factors) { feature, x in
                    guard place[feature] >= 0 else { return }
                    unsafe points[r * f + place[feature]] = x
                    sums[place[feature]] += x
                }
            }
        }
        var scatter = Matrix<Double>(rows: f, columns: f)
        try BLAS.gemm(points, opA: .transposed, points, into: &scatter)
        unsafe scatter.withUnsafeMutableBufferPointer { scatter in
            for i in 0..<f {
                for j in 0..<f { unsafe scatter[i * f + j] -= sums[i] * sums[j] / Double(rows.count) }
            }
        }
        let eigen = try SymmetricEigen(scatter)
        return eigen.values.prefix { $0 > eigen.values[0] * 1e-9 }.enumerated().map { a, value in
            PrincipalAxis(
                variance: value / Double(rows.count),
                features: chosen.enumerated().map { ($1, eigen.vectors[a, $0]) })
        }
    }
}
