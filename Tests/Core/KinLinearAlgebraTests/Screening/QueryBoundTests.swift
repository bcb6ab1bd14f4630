import KinCore
import KinTestSupport
import Testing

@testable import KinLinearAlgebra

/// The bound itself, without kernels and indexes. For rows and queries of every kind, a row within a distance never has
/// a code sum above the limit for that distance. Its distance is always in the range that its sum allows.
@Suite("Screening never loses a row")
struct QueryBoundTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Spread of the rows, spread of the queries around them, and offset of the queries from the rows.
        let spread: Double
        let offset: Double
        let push: Double
    }

    static let scenes = [
        Scene(testDescription: "queries among the rows", spread: 1, offset: 0, push: 0),
        Scene(testDescription: "queries just outside", spread: 1, offset: 0, push: 1),
        Scene(testDescription: "queries outside", spread: 1, offset: 0, push: 10),
        Scene(testDescription: "queries far away", spread: 1, offset: 0, push: 1e6),
        Scene(testDescription: "rows far from the origin", spread: 1e-3, offset: 1e5, push: 1e-3),
        Scene(testDescription: "tiny rows", spread: 1e-40, offset: 0, push: 1e-40),
        Scene(testDescription: "huge rows", spread: 1e37, offset: 0, push: 1e37),
    ]

    @Test("no row is lost for any metric or precision", arguments: scenes, Metric.allCases)
    func certified(scene: Scene, metric: Metric) throws {
        var random = TestSeed().generator
        for dimension in [1, 2, 4, 7, 16, 33] {
            for _ in 0..<6 {
                let grid = try CodedRows(
                    rows: random.matrix(rows: 64, columns: dimension) {
                        scene.offset + scene.spread * $0.gaussian()
                    }, metric: metric)
                let query = (0..<dimension).map { _ in
                    Float(scene.offset + scene.spread * random.gaussian() + scene.push * random.gaussian())
                }
                for precision in [CodePrecision.eightBits, .sixBits] {
                    grid.check(query, precision: precision, note: "dimension \(dimension) \(precision)")
                }
            }
        }
    }
}

/// Rows coded by plain arithmetic, without the kernels.
struct CodedRows {
    let rows: Matrix<Float>
    let metric: Metric
    let grid: CodeGrid
    private(set) var codes: [[Int]] = []
    private(set) var errors = CodeErrors()

    /// - Parameter margin: The share of each dimension's width that is beyond the grid, on either side.
    init(rows: Matrix<Float>, metric: Metric, margin: Double = 0) throws {
        self.rows = rows
        self.metric = metric
        let points = (0..<rows.rows).map { Self.point(Array(rows.row($0)), metric) }
        let low = (0..<rows.columns).map { j in points.map { $0[j] }.min()! }
        let high = (0..<rows.columns).map { j in points.map { $0[j] }.max()! }
        let scale = max((1 - 2 * margin) * zip(low, high).map { $1 - $0 }.max()! / 254, .leastNormalMagnitude)
        let padding = [Double](repeating: 0, count: (rows.columns + 3) / 4 * 4 - rows.columns)
        grid = CodeGrid(offsets: zip(low, high).map { $0 + margin * ($1 - $0) - scale } + padding, scale: scale)
        for point in points {
            var eight = 0.0
            var six = 0.0
            var row: [Int] = []
            for j in 0..<rows.columns {
                let t = (point[j] - grid.offsets[j]) / scale
                let u = min(max(t.rounded(.toNearestOrEven), 1), 255)
                eight += (t - u) * (t - u)
                let centre = Double(4 * (Int(u) / 4)) + 1.5
                six += (t - centre) * (t - centre)
                row.append(Int(u))
            }
            row += padding.map { _ in 1 }
            codes.append(row)
            // The same slack for rounding as in the kernels' bounds.
            let slack = 1 + 0x1p-40
            errors.formUnion(
                CodeErrors(
                    eightBits: eight.squareRoot() * slack + 1e-9, sixBits: six.squareRoot() * slack + 1e-9))
        }
    }

    private static func point(_ row: [Float], _ metric: Metric) -> [Double] {
        let row = row.map(Double.init)
        guard metric == .cosine else { return row }
        let length = row.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return row.map { $0 / length }
    }

    /// For every row: computes the limit at the row's exact distance, and checks the row's sum against it.
    func check(_ query: [Float], precision: CodePrecision, note: String) {
        var weights = [Int8](repeating: 0, count: (query.count + 3) / 4 * 4)
        let bound = unsafe weights.withUnsafeMutableBufferPointer { weights in
            let padding = [Float](repeating: 0, count: 7)
            return unsafe (query + padding).withUnsafeBufferPointer { padded in
                unsafe QueryBound(
                    coding: padded.baseAddress!, dimension: query.count, metric: metric, grid: grid.view,
                    precision: precision,
                    weights: weights.baseAddress!)
            }
        }
        let largest = Int(precision.largestWeight)
        #expect(weights.allSatisfy { abs(Int($0)) <= largest }, "\(note)")
        for r in 0..<rows.rows {
            let distance = plainDistance(metric, rows.row(r).map(Double.init), query.map(Double.init))
            let limit = Int(bound.limit(distance: distance, errors: errors))
            let sum = sum(codes[r], weights, precision)
            #expect(sum <= limit, "\(note) row \(r)")
        }
        guard !metric.comparesProducts else { return }
        checkCoded(query, precision: precision, note: note)
        if precision == .eightBits { checkOuter(query, bound, note: note) }
    }

    /// The same for the sums with outer terms. From a query hundreds of steps away, a row also fails the limit for a
    /// distance that is smaller by its error and about one step per dimension.
    private func checkOuter(_ query: [Float], _ bound: QueryBound, note: String) {
        let groups = (query.count + 3) / 4
        let memory = Arena()
        let blocks: UnsafeMutablePointer<UInt8> = unsafe memory.allocate(256 * groups)
        for (r, row) in codes.enumerated() {
            for (j, code) in row.enumerated() {
                unsafe blocks[codeOffset(row: r, group: j / 4, groups: groups) + j % 4] = UInt8(code)
            }
        }
        let weights: UnsafeMutablePointer<Int8> = unsafe memory.allocate(16 * groups)
        let padded = query + [Float](repeating: 0, count: 7)
        let outer = unsafe padded.withUnsafeBufferPointer {
            unsafe bound.outerTerms(
                $0.baseAddress!, dimension: query.count, metric: metric, grid: grid.view, weights: weights)
        }
        let centre: UnsafeMutablePointer<UInt8> = unsafe memory.allocate(4 * groups)
        var sums = [Int32](repeating: 0, count: 64)
        unsafe outer.sum(block: 0, codes: blocks, groups: groups, weights: weights, centre: centre, into: &sums)
        for r in 0..<rows.rows {
            let distance = plainDistance(metric, rows.row(r).map(Double.init), query.map(Double.init))
            #expect(sums[r] <= bound.limit(distance: distance, errors: errors, with: outer), "\(note) row \(r)")
            // Metrics with centroids are a multiple of the squared length.
            let factor = metric == .cosine ? 2.0 : 1
            let steps = (factor * distance).squareRoot() / grid.scale
            guard metric.hasCentroids, steps > 300, steps < 1e5, grid.scale > 1e-6 else { continue }
            let shorter = (steps - 2 * errors.eightBits - Double(query.count) - 2) * grid.scale
            let limit = bound.limit(distance: shorter * shorter / factor, errors: errors, with: outer)
            #expect(sums[r] > limit, "\(note) row \(r) at \(steps)")
        }
    }

    /// The same for queries that are coded once. There are seven equal queries, and the last four are checked. Their
    /// limits are hardly above the limits of the bound in double precision.
    private func checkCoded(_ query: [Float], precision: CodePrecision, note: String) {
        let stride = (query.count + 7) / 8 * 8
        let padded = (0..<7).flatMap { _ in query + [Float](repeating: 0, count: stride - query.count) }
        let coded = CodedQueries(count: 9, dimension: query.count, metric: metric, precision: precision)
        unsafe padded.withUnsafeBufferPointer {
            unsafe coded.encode($0.baseAddress!, count: 7, stride: stride, grid: grid, first: 2)
        }
        let weights = (0..<(query.count + 3) / 4 * 4).map { unsafe coded.weights(from: 5)[$0] }
        var reference = [Int8](repeating: 0, count: weights.count)
        let bound = unsafe QueryBound(
            coding: padded, dimension: query.count, metric: metric, grid: grid.view, precision: precision,
            weights: &reference)
        let largest = Int(precision.largestWeight)
        #expect(weights.allSatisfy { abs(Int($0)) <= largest }, "\(note)")
        for r in 0..<rows.rows {
            let distance = plainDistance(metric, rows.row(r).map(Double.init), query.map(Double.init))
            var limits = [Int32](repeating: 0, count: 5)
            let distances = [Double](repeating: distance, count: 5)
            unsafe coded.limits(
                from: 4, count: 5, distances: distances, grid: grid, errors: errors, into: &limits)
            #expect(limits[1...].allSatisfy { $0 == limits[0] }, "\(note) row \(r)")
            #expect(sum(codes[r], weights, precision) <= Int(limits[0]), "\(note) row \(r)")
            // Only equal floats give so small a scale, and GridFit replaces the scale for them.
            guard grid.scale > 1e-100 else { continue }
            let other = Double(bound.limit(distance: distance, errors: errors))
            #expect(Double(limits[0]) <= other + 3 + 1e-4 * abs(other), "\(note) row \(r)")
        }
    }

    /// The sum that the kernels compute for a row, by its definition in kin_kernels.h.
    private func sum(_ codes: [Int], _ weights: [Int8], _ precision: CodePrecision) -> Int {
        let shift = precision == .sixBits ? 2 : 0
        let middle = Int(precision.middle)
        let u = codes.map { $0 >> shift }
        let product = zip(u, weights).reduce(0) { $0 + $1.0 * Int($1.1) }
        guard !metric.comparesProducts else { return product }
        let term = u.reduce(0) { $0 + $1 * ($1 - 2 * middle) }
        return (term >> 1) + product
    }
}
