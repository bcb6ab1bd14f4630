import KinClustering

/// A partition into the Voronoi regions of k-means centroids: each vector belongs to the list of the nearest centroid
/// (the inverted file of Sivic and Zisserman 2003, doi:10.1109/ICCV.2003.1238663; Jégou et al. 2011,
/// doi:10.1109/TPAMI.2010.57).
///
/// The centroids are themselves an index, in lists by median splits. With a hundred centroids a search compares all of
/// them; with thousands it skips most, so the coarse step has two levels.
struct CentroidLists: Sendable {
    let dimension: Int
    /// The single index of centroids. It is in an array because an index has a partition, so a direct property would
    /// make the type contain itself.
    private var boxed: [VectorIndex]

    /// The centroids; the id of each is the number of its list.
    var centroids: VectorIndex { boxed[0] }

    var listCount: Int { boxed[0].count }

    /// Trains k-means on a sample of checked rows.
    ///
    /// - Throws: `.cancelled`.
    init(
        lists: Int, sample: UnsafePointer<Float>, count: Int, layout: RowLayout, threads: Int
    ) throws(KinError) {
        dimension = layout.dimension
        let k = max(1, min(lists, count))
        let points = unsafe Matrix<Float>(rows: count, columns: dimension) { elements in
            for r in 0..<count {
                let row = unsafe UnsafeBufferPointer(start: sample + r * layout.stride, count: layout.dimension)
                _ = unsafe elements[(r * layout.dimension)...].initialize(fromContentsOf: row)
            }
        }
        boxed = [VectorIndex(exactlySearched: dimension, metric: .squaredL2)]
        // Swaps lower the inertia but hardly change which lists a search probes, and the build is faster without them.
        let recipe = KMeans(k: k, swaps: false, maximumIterations: 10, seed: 1, threads: threads)
        try boxed[0].append(recipe.fit(points).centroids)
    }

    /// Creates the partition from centroids in a file.
    ///
    /// - Parameter numbers: lists × dimension coordinates.
    /// - Returns: nil unless all are finite.
    init?(dimension: Int, centroids numbers: [Float]) {
        self.dimension = dimension
        boxed = [VectorIndex(exactlySearched: dimension, metric: .squaredL2)]
        let n = numbers.count / dimension
        guard let rows = try? Matrix<Float>(rows: n, columns: dimension, elements: numbers),
            (try? boxed[0].append(rows)) != nil
        else { return nil }
    }

    /// The centroid of a list.
    func centroid(_ list: Int) -> [Float] {
        guard let centroid = boxed[0].storedVector(for: VectorID(UInt64(list))) else {
            preconditionFailure("every list has a centroid")
        }
        return centroid
    }

    func list(of z: UnsafePointer<Float>) -> Int {
        var label: UInt32 = 0
        unsafe assign(z, count: 1, into: &label)
        return Int(label)
    }

    func assign(_ z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>) {
        unsafe boxed[0].nearestCentroids(to: z, count: count, into: labels)
    }

    /// Divides a list at the median of its widest coordinate, with a centroid at the mean of each half.
    mutating func split(
        _ list: Int, rows: UnsafePointer<Float>, count: Int, isMoved: UnsafeMutablePointer<Bool>
    ) {
        var tree = MedianTree(dimension: dimension)
        unsafe tree.split(0, rows: rows, count: count, isMoved: isMoved)
        let new = VectorID(UInt64(listCount))
        for (id, side) in [(VectorID(UInt64(list)), false), (new, true)] {
            let mean = unsafe mean(of: rows, count: count) { unsafe isMoved[$0] == side }
            // Means of finite coordinates in double precision are finite floats.
            guard (try? boxed[0].upsert(mean, id: id)) != nil else { preconditionFailure("the mean is finite") }
        }
    }

    mutating func addList(at z: UnsafePointer<Float>) {
        // Coordinates that are not finite belong to a vector whose list is always visited, regardless of its centroid.
        let centroid = (0..<dimension).map { j in unsafe z[j].isFinite ? z[j] : 0 }
        guard (try? boxed[0].upsert(centroid, id: VectorID(UInt64(listCount)))) != nil else {
            preconditionFailure("the centroid is finite")
        }
    }

    private func mean(of rows: UnsafePointer<Float>, count: Int, where isCounted: (Int) -> Bool) -> [Float] {
        let stride = (dimension + 7) & ~7
        var sums = [Double](repeating: 0, count: dimension)
        var n = 0.0
        for r in 0..<count where isCounted(r) {
            n += 1
            for j in 0..<dimension { unsafe sums[j] += Double(rows[r * stride + j]) }
        }
        return sums.map { Float($0 / n) }
    }

    mutating func remove(_ list: Int) {
        let last = VectorID(UInt64(listCount - 1))
        let moved = boxed[0].storedVector(for: last)
        boxed[0].remove(last)
        guard UInt64(list) != last.rawValue, let moved else { return }
        guard (try? boxed[0].upsert(moved, id: VectorID(UInt64(list)))) != nil else {
            preconditionFailure("the centroid is finite")
        }
    }
}

extension VectorIndex {
    /// Finds the number of the nearest centroid for each point; the lowest number of equally near ones.
    fileprivate func nearestCentroids(
        to z: UnsafePointer<Float>, count: Int, into labels: UnsafeMutablePointer<UInt32>
    ) {
        guard let lists = rows.lists else { preconditionFailure("centroids are in lists") }
        let store = lists.store
        var nearest = Neighbor(id: .none, distance: .infinity)
        unsafe withUnsafeMutablePointer(to: &nearest) { nearest in
            ListScan.with(store) { scan, memory in
                for r in 0..<count {
                    let found = unsafe UnsafeMutableBufferPointer(start: nearest, count: 1)
                    let n = unsafe scan.nearest(to: z + r * store.layout.stride, into: found, memory: memory)
                    // A row with NaN, possible in a damaged file, has no nearest centroid.
                    unsafe labels[r] = n > 0 ? UInt32(nearest.pointee.id.rawValue) : 0
                }
            }
        }
    }
}
