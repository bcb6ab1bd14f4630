extension Lloyd {
    /// Moves one point to each empty cluster: the points with the largest w δ to their own centroids; of equal ones,
    /// the first.
    ///
    /// A point is taken only from a cluster that still has a different point, and no two equal points are taken:
    /// otherwise a cluster would become empty again. A point with its own centroid lowers the inertia by at least its w
    /// δ.
    ///
    /// - Parameter empty: The clusters without weight, ascending.
    /// - Returns: The number of clusters that received a point.
    /// - Complexity: O(n) for each time the number of points examined grows eightfold, usually once.
    func repair(_ work: RunPoints, empty: [Int]) -> Int {
        var repair = Repair(work)
        var size = 8 * empty.count
        var seen = 0
        while true {
            let worst = worst(size, of: work)
            let candidates = work.positions(of: worst[seen...])
            repair.noteMembers(ofDonorsOf: candidates, clusters: k)
            for position in candidates where repair.filled < empty.count {
                repair.move(position, for: empty[repair.filled])
            }
            guard repair.filled < empty.count, worst.count == size else { return repair.finish() }
            seen = worst.count
            size *= 8
        }
    }

    /// The points with the largest w δ > 0, largest first.
    private func worst(_ size: Int, of work: RunPoints) -> [Int] {
        let capacity = min(size, points.count)
        let distances = unsafe work.assignment.distances
        let best = unsafe [Neighbor](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            var top = unsafe TopK(UnsafeMutableBufferPointer(rebasing: buffer[..<capacity]))
            for position in 0..<points.count {
                let loss = unsafe work.pointWeights.weight(position) * distances[position]
                if loss > 0 { top.insert(VectorID(UInt64(work.point(at: position))), -loss) }
            }
            initialized = unsafe top.finish().count
        }
        return best.map { Int($0.id.rawValue) }
    }
}

/// The state of one repair: the points moved, and those that may still be moved.
private struct Repair {
    private let work: RunPoints
    /// The positions of the points of positive weight, by cluster, for clusters with a candidate.
    private var members: [UInt32: [Int]] = [:]
    /// The clusters whose points are all equal.
    private var uniform = Set<UInt32>()
    private var taken = Set<[Float]>()
    /// The positions of the moved points. Their distances stay until the end, since they determine the order of the
    /// others.
    private var positions: [Int] = []

    var filled: Int { positions.count }

    init(_ work: RunPoints) { self.work = work }

    /// Collects the members of clusters that occur for the first time.
    mutating func noteMembers(ofDonorsOf candidates: [Int], clusters k: Int) {
        let labels = unsafe work.assignment.labels
        var isNew = [Bool](repeating: false, count: k)
        for position in candidates where unsafe members[labels[position]] == nil {
            unsafe isNew[Int(labels[position])] = true
            unsafe members[labels[position]] = []
        }
        for position in 0..<work.rows.count
        where unsafe isNew[Int(labels[position])] && work.pointWeights.weight(position) > 0 {
            unsafe members[labels[position]]!.append(position)
        }
    }

    /// Moves the point at a position to an empty cluster, if its own cluster still has a different point.
    mutating func move(_ position: Int, for cluster: Int) {
        let labels = unsafe work.assignment.labels
        let donor = unsafe labels[position]
        guard !uniform.contains(donor), let members = members[donor] else { return }
        guard members.contains(where: { unsafe labels[$0] == donor && !isEqual($0, position) }) else {
            uniform.insert(donor)
            return
        }
        guard taken.insert(vector(position)).inserted else { return }
        unsafe labels[position] = UInt32(cluster)
        positions.append(position)
    }

    /// Ends the repair: the moved points have their own centroids, at distance 0.
    ///
    /// - Returns: The number of points moved.
    func finish() -> Int {
        for position in positions { unsafe work.assignment.distances[position] = 0 }
        return positions.count
    }

    private func vector(_ position: Int) -> [Float] {
        unsafe Array(UnsafeBufferPointer(start: work.rows.row(position), count: work.rows.dimension))
    }

    private func isEqual(_ i: Int, _ j: Int) -> Bool {
        let (x, y) = unsafe (work.rows.row(i), work.rows.row(j))
        return (0..<work.rows.dimension).allSatisfy { unsafe x[$0] == y[$0] }
    }
}
