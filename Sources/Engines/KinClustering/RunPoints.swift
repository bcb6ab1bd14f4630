import KinLinearAlgebra

/// The points of one run in the order in which it visits them: as they were given, or sorted by cluster.
///
/// Points of one cluster have the same centroids near them. Side by side they pass the same blocks of a screen, which makes
/// its branches predictable, and they are added to the same sum.
@safe
final class RunPoints {
    /// The points as they were given.
    private let given: PointRows
    private let givenMasses: PointMasses
    /// The point at each place; nil while they are as given.
    private var order: [UInt32]?
    /// The sorted rows.
    private var memory: UnsafeMutablePointer<Float>?

    /// The point of each place.
    private(set) var rows: PointRows
    private(set) var masses: PointMasses
    /// By place.
    let assignment: Assignment
    /// What the assignment is worth.
    var knowledge = CentroidSearch.Knowledge.nothing
    /// By place, on ``grid``.
    let codes: CodedQueries
    /// What the points are coded for; nil when they are not.
    var grid: CodeGrid?

    init(_ points: PointRows, masses: PointMasses, metric: Metric) {
        given = points
        givenMasses = masses
        rows = points
        self.masses = masses
        assignment = Assignment(count: points.count)
        codes = CodedQueries(
            count: points.count, dimension: points.dimension, metric: metric, reading: Kernels.active.reading)
    }

    deinit { unsafe memory?.deallocate() }

    /// The point as given at a place.
    func point(at place: Int) -> Int { order.map { Int($0[place]) } ?? place }

    /// The places of points as given.
    func places(of points: some Sequence<Int>) -> [Int] {
        guard let order else { return Array(points) }
        var inverse = [UInt32](repeating: 0, count: order.count)
        for (place, i) in order.enumerated() { inverse[Int(i)] = UInt32(place) }
        return points.map { Int(inverse[$0]) }
    }

    /// Σ w δ of each cluster.
    func inertias(clusters k: Int) -> [Double] {
        var sums = [Double](repeating: 0, count: k)
        for place in 0..<rows.count {
            sums[unsafe Int(assignment.labels[place])] += unsafe masses.weight(place) * assignment.distances[place]
        }
        return sums
    }

    /// The cluster of each point as given.
    var labels: [Int] {
        guard let order else { return assignment.labelArray }
        return unsafe [Int](unsafeUninitializedCapacity: order.count) { labels, initialized in
            for (place, i) in order.enumerated() {
                unsafe (labels.baseAddress! + Int(i)).initialize(to: Int(assignment.labels[place]))
            }
            initialized = order.count
        }
    }
}

extension RunPoints {
    /// Longer rows take too much memory twice, and their distances more time than anything that order can save.
    static let longestRow = 64

    /// Sorts the places by label, those of one label as they were; distances and codes are then unknown.
    ///
    /// - Complexity: O(n dimension + k).
    func sort(clusters k: Int, threads: Int) {
        let blocks = PointBlocks(count: rows.count, clusters: k)
        var ends = [Int](repeating: 0, count: blocks.count * k)
        let labels = unsafe assignment.labels
        unsafe ends.withUnsafeMutableBufferPointer { counts in
            let counts = counts.baseAddress!
            blocks.forEach(threads: threads, memory: {}) { block, _ in
                for i in blocks.range(block) { unsafe counts[block * k + Int(labels[i])] += 1 }
            }
            var sum = 0
            for c in 0..<k {
                for block in 0..<blocks.count {
                    let size = unsafe counts[block * k + c]
                    unsafe counts[block * k + c] = sum
                    sum += size
                }
            }
        }
        let sorted = unsafe [UInt32](unsafeUninitializedCapacity: rows.count) { sorted, initialized in
            let sorted = sorted.baseAddress!
            unsafe ends.withUnsafeMutableBufferPointer { places in
                let places = places.baseAddress!
                blocks.forEach(threads: threads, memory: {}) { block, _ in
                    for i in blocks.range(block) {
                        let cell = unsafe block * k + Int(labels[i])
                        unsafe (sorted + places[cell]).initialize(to: UInt32(i))
                        unsafe places[cell] += 1
                    }
                }
            }
            initialized = rows.count
        }
        // Each block now ends where the next one begins, and a label where its last block does.
        var place = 0
        for c in 0..<k {
            let end = ends[(blocks.count - 1) * k + c]
            unsafe (labels + place).update(repeating: UInt32(c), count: end - place)
            place = end
        }
        let places = order.map { before in sorted.map { before[Int($0)] } } ?? sorted
        order = places
        masses = PointMasses(givenMasses, order: places)
        gather(places, threads: threads)
        grid = nil
    }

    /// Copies the rows into their order.
    private func gather(_ order: [UInt32], threads: Int) {
        let stride = given.stride
        let target = unsafe memory ?? .allocate(capacity: rows.count * stride)
        unsafe memory = target
        unsafe order.withUnsafeBufferPointer { order in
            let blocks = PointBlocks(count: given.count, clusters: 1)
            blocks.forEach(threads: threads, memory: {}) { block, _ in
                for place in blocks.range(block) {
                    unsafe (target + place * stride).initialize(from: given.row(Int(order[place])), count: stride)
                }
            }
        }
        rows = unsafe PointRows(count: given.count, dimension: given.dimension, stride: stride, base: target)
    }
}
