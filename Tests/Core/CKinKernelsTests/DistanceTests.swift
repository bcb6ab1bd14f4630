import CKinKernels
import KinCore
import Testing

/// Random rows of floats in the layout that the kernels read: `dimension` numbers, then zeros up to the stride.
struct Rows {
    let count: Int
    let dimension: Int
    let stride: Int
    var elements: [Float]

    init(count: Int, dimension: Int, using random: inout SeededGenerator, magnitude: Double = 1) {
        self.count = count
        self.dimension = dimension
        stride = (dimension + 7) / 8 * 8
        elements = []
        for i in 0..<(count * stride) {
            let value = (random.uniform() - 0.5) * magnitude
            elements.append(i % stride < dimension ? Float(value) : 0)
        }
    }

    func row(_ i: Int) -> ArraySlice<Float> { elements[(i * stride)..<(i * stride + dimension)] }
}

@Suite("Exact distances")
struct DistanceTests {
    static let metrics = (0..<KIN_METRICS).map { kin_metric(UInt32($0)) }

    private func distances(
        _ table: KernelTable,
        _ metric: kin_metric,
        _ query: [Float],
        _ rows: Rows,
        picks: [UInt32]? = nil
    ) -> [Double] {
        let n = picks?.count ?? rows.count
        var found = [Double](repeating: .nan, count: n)
        if let picks {
            unsafe table.functions.distances(metric, query, rows.elements, rows.stride, picks, n, &found)
        } else {
            unsafe table.functions.distances(metric, query, rows.elements, rows.stride, nil, n, &found)
        }
        return found
    }

    /// A sum in the order defined in the header, written in Swift.
    private func lanes(_ n: Int, _ term: (Int) -> Double) -> Double {
        var lane = [Double](repeating: 0, count: 8)
        for j in 0..<n { lane[j % 8] += term(j) }
        return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]))
    }

    /// The cosine distance before it is clipped to 0…2.
    private func cosineDistance(_ query: ArraySlice<Float>, _ row: ArraySlice<Float>) -> Double {
        let (q, x) = (query.map(Double.init), row.map(Double.init))
        let squares = lanes(x.count) { x[$0] * x[$0] } * lanes(x.count) { q[$0] * q[$0] }
        return 1 - lanes(x.count) { x[$0] * q[$0] } / squares.squareRoot()
    }

    private func expected(_ metric: kin_metric, _ query: ArraySlice<Float>, _ row: ArraySlice<Float>) -> Double {
        let q = query.map(Double.init)
        let x = row.map(Double.init)
        switch metric {
        case KIN_SQUARED_L2: return lanes(x.count) { (x[$0] - q[$0]) * (x[$0] - q[$0]) }
        case KIN_INNER_PRODUCT: return -lanes(x.count) { x[$0] * q[$0] }
        default: return min(max(cosineDistance(query, row), 0), 2)
        }
    }

    @Test(
        "every kernel table matches the definition bit for bit",
        arguments: KernelTable.all,
        [1, 2, 7, 8, 9, 15, 16, 17, 24, 48, 100, 128, 512]
    )
    func bits(table: KernelTable, dimension: Int) {
        for (trial, magnitude) in [1, 1e30, 1e-30, 1e-44].enumerated() {
            var random = SeededGenerator(seed: 6000 + UInt64(trial))
            let rows = Rows(count: 23, dimension: dimension, using: &random, magnitude: magnitude)
            var query = Rows(count: 1, dimension: dimension, using: &random, magnitude: magnitude)
            query.elements[0] = 1  // never the zero vector, which has no cosine
            let nonzero = (0..<rows.count).filter { i in rows.row(i).contains { $0 != 0 } }
            let picks = nonzero.map(UInt32.init).reversed() + nonzero.prefix(3).map(UInt32.init)
            for metric in Self.metrics {
                let found = distances(table, metric, query.elements, rows, picks: picks)
                for (distance, i) in zip(found, picks) {
                    let reference = expected(metric, query.row(0), rows.row(Int(i)))
                    #expect(
                        distance.bitPattern == reference.bitPattern,
                        "\(table.name), metric \(metric.rawValue), row \(i), dimension \(dimension), seed \(6000 + trial)"
                    )
                }
            }
            let all = distances(table, KIN_SQUARED_L2, query.elements, rows)
            #expect(all == (0..<rows.count).map { expected(KIN_SQUARED_L2, query.row(0), rows.row($0)) })
        }
    }

    @Test("the cosine distance is 0 to the same row and at most 2", arguments: KernelTable.all)
    func cosineOfTwins(table: KernelTable) {
        var random = SeededGenerator(seed: 6100)
        for dimension in [3, 16, 40] {
            var rows = Rows(count: 50, dimension: dimension, using: &random)
            let query = Array(rows.elements[..<rows.stride])
            for j in 0..<rows.stride { rows.elements[rows.stride + j] = -query[j] }
            let found = distances(table, KIN_COSINE, query, rows)
            #expect(found[0] == 0)
            #expect(found[1] == 2)
            #expect(found.allSatisfy { (0...2).contains($0) })
        }
    }

    @Test("multiples of a row are at cosine distance 0 or 2, despite rounding", arguments: KernelTable.all)
    func cosineOfMultiples(table: KernelTable) {
        var random = SeededGenerator(seed: 6150)
        var isBeyond = false
        for dimension in [2, 16, 40] {
            for factor in [-3, -0.75, 0.3, 7] as [Float] {
                var rows = Rows(count: 60, dimension: dimension, using: &random)
                // Values of every magnitude, so that sums of products are rounded.
                rows.elements = rows.elements.map { $0 * Float(1 << random.below(24)) }
                for i in 0..<rows.count {
                    let query = rows.elements[(i * rows.stride)..<((i + 1) * rows.stride)].map { $0 * factor }
                    let distance = distances(table, KIN_COSINE, query, rows, picks: [UInt32(i)])[0]
                    let side = factor < 0 ? 2.0 : 0
                    #expect((0...2).contains(distance) && abs(distance - side) < 1e-12, "row \(i)")
                    let raw = cosineDistance(query[..<dimension], rows.row(i))
                    if raw < 0 || raw > 2 { isBeyond = true }
                }
            }
        }
        #expect(isBeyond, "some cosine is rounded to more than 1, or this test says nothing")
    }

    @Test("no rows give no distances", arguments: KernelTable.all)
    func nothing(table: KernelTable) {
        var random = SeededGenerator(seed: 6200)
        let rows = Rows(count: 1, dimension: 16, using: &random)
        for metric in Self.metrics {
            #expect(distances(table, metric, rows.elements, rows, picks: []).isEmpty)
        }
    }
}
