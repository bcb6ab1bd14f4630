/// Lower bounds of the distances from points to all centroids but the nearest. One assignment among few centroids
/// passes them on to the next (Hamerly).
///
/// Let s be the second smallest distance from a point to the centroids of one assignment. In a later assignment, no
/// centroid has moved farther than m, so all centroids but the nearest of then are at least s − m away. If that
/// centroid is nearer, the point keeps its label, and the other distances are not computed. This holds for lengths that
/// obey the triangle inequality: ‖x − c‖, and for cosine distances δ the chord √(2 δ) between unit vectors.
///
/// Many centroids are screened by their codes instead (``CentroidSearch``), which takes less time than their bounds.
///
/// Hamerly, "Making k-means even faster", SDM 2010.
final class CentroidBounds {
    /// The centroids that the bounds hold for.
    private var search: CentroidSearch
    /// The bounds, for reading and writing without reference counts.
    fileprivate var table: Table
    private let arena = Arena()

    @safe
    fileprivate struct Table {
        /// For each point, a lower bound of the length to all centroids but its owner.
        let others: UnsafeMutablePointer<Double>
        /// For each point, the label that the bound belongs to; `.max` without a bound. The bound does not hold for a
        /// point that has been given a different label since.
        let owners: UnsafeMutablePointer<UInt32>
        let lengths: LengthBounds
        /// The movement since the last assignment: the centroid that moved farthest, its movement, and the largest of
        /// the others'.
        var movement = (farthest: UInt32.max, largest: 0.0, second: 0.0)
    }

    /// Creates bounds that hold for no point yet.
    init(count: Int, for search: CentroidSearch) {
        self.search = search
        table = unsafe Table(
            others: arena.allocate(count), owners: arena.allocate(count), lengths: LengthBounds(search))
        unsafe table.others.initialize(repeating: 0, count: count)
        unsafe table.owners.initialize(repeating: .max, count: count)
    }

    /// Measures how far each centroid moved, before the next assignment.
    ///
    /// - Precondition: The numbers of centroids are equal.
    func move(to next: CentroidSearch) {
        table.movement = (.max, 0, 0)
        for c in 0..<next.k {
            var distance = 0.0
            unsafe Kernels.active.distances(
                next.metric, from: search.rows + c * next.stride, to: next.rows + c * next.stride, stride: next.stride,
                count: 1, into: &distance)
            let moved = table.lengths.most(distance)
            if moved > table.movement.largest {
                table.movement = (UInt32(c), moved, table.movement.largest)
            } else {
                table.movement.second = max(table.movement.second, moved)
            }
        }
        search = next
    }
}

extension CentroidBounds.Table {
    /// Whether the bound of a point belongs to its label.
    @inline(__always)
    func hasBound(_ point: Int, label: UInt32) -> Bool { unsafe owners[point] == label }

    /// Whether a point with a bound, at a distance from its label's centroid, is certainly nearer to it than to all
    /// others. Lowers the bound by the movement.
    @inline(__always)
    func keepsLabel(_ point: Int, at distance: Double) -> Bool {
        let moved = unsafe owners[point] == movement.farthest ? movement.second : movement.largest
        unsafe others[point] -= moved
        return unsafe lengths.most(distance) < others[point]
    }

    /// Sets the bound of a point after its distances to all centroids have been computed.
    @inline(__always)
    func set(_ point: Int, label: UInt32, second: Double) {
        unsafe owners[point] = label
        unsafe others[point] = lengths.least(second)
    }
}

/// Bounds of the exact lengths behind computed distances.
///
/// They differ from the rounded length by one part in 2²⁰, which covers the rounding of the lengths and of all their
/// differences.
private struct LengthBounds {
    /// The squared length over the distance.
    private let factor: Double
    private let error: Double

    init(_ search: CentroidSearch) {
        factor = search.metric.boundLaw.factor
        error = search.distanceError
    }

    @inline(__always)
    func most(_ distance: Double) -> Double { (factor * (distance + error)).squareRoot() * (1 + 0x1p-20) }

    @inline(__always)
    func least(_ distance: Double) -> Double { (factor * max(0, distance - error)).squareRoot() * (1 - 0x1p-20) }
}

extension CentroidSearch {
    /// Whether assignments keep bounds: centroids are too few for codes.
    var keepsBounds: Bool { k < Self.minimumCodedCount }

    /// Finds the nearest centroid of each point in a range of a run, with bounds from the last assignment.
    ///
    /// - Returns: The number of labels that changed.
    func assign(_ work: RunPoints, _ range: Range<Int>, bounds: CentroidBounds, scratch: Scratch) -> Int {
        let bounds = bounds.table
        var changes = 0
        for first in Swift.stride(from: range.lowerBound, to: range.upperBound, by: Kernels.tileQueries) {
            let n = min(Kernels.tileQueries, range.upperBound - first)
            let (points, labels, distances) = unsafe (
                work.rows.row(first), work.assignment.labels + first, work.assignment.distances + first
            )
            let isBounded = (0..<n).contains { unsafe bounds.hasBound(first + $0, label: labels[$0]) }
            if isBounded {
                var tile = unsafe AssignmentTile(
                    points: points, stride: stride, count: n, labels: labels, distances: distances,
                    codes: scratch.codes, firstCode: 0)
                measure(&tile)
            }
            for q in 0..<n {
                let label = unsafe labels[q]
                if isBounded, bounds.hasBound(first + q, label: label),
                    unsafe bounds.keepsLabel(first + q, at: distances[q])
                {
                    continue
                }
                let found = unsafe nearestTwo(to: points + q * stride, distances: scratch.distances)
                unsafe labels[q] = found.label
                unsafe distances[q] = found.distance
                bounds.set(first + q, label: found.label, second: found.second)
                if found.label != label { changes += 1 }
            }
        }
        return changes
    }

    /// The nearest centroid of a point, its distance, and the second smallest distance, infinite with one centroid.
    @inline(__always)
    private func nearestTwo(
        to point: UnsafePointer<Float>, distances: UnsafeMutablePointer<Double>
    ) -> (label: UInt32, distance: Double, second: Double) {
        unsafe Kernels.active.distances(metric, from: point, to: rows, stride: stride, count: k, into: distances)
        var (nearest, distance, second) = (0, Double.infinity, Double.infinity)
        for c in 0..<k {
            let other = unsafe distances[c]
            second = min(second, max(distance, other))
            nearest = other < distance ? c : nearest
            distance = min(distance, other)
        }
        return (label(nearest), distance, second)
    }
}
