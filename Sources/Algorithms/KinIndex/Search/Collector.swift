/// Receives the rows that a scan finds; its radius limits the scan.
protocol Collector {
    /// The largest distance of a row that can still enter the result. A row at exactly this distance may enter.
    var radius: Double { get }

    /// The largest distance of a result, regardless of the rows found: the initial radius of a search.
    var limit: Double { get }

    /// The largest number of rows in the result.
    var capacity: Int { get }

    /// Adds a row to the result if it belongs there given the rows offered so far.
    ///
    /// - Precondition: The distance is at most ``limit``: a scan has compared it with ``radius`` before reading the id.
    mutating func offer(_ id: VectorID, at distance: Double)

    /// Whether ``prefetch(_:)`` is called several rows ahead of ``offer(_:at:)``, for collectors that read their own
    /// memory for each row.
    static var prefetches: Bool { get }

    /// Prefetches the collector's memory for a row that may be offered soon.
    func prefetch(_ id: VectorID)
}

extension Collector {
    static var prefetches: Bool { false }

    var limit: Double { .infinity }

    func prefetch(_ id: VectorID) {}
}

/// Collects the k nearest rows within a distance; they are in the caller's memory after ``finish()``.
struct NearestCollector: Collector {
    private var best: TopK
    let limit: Double
    /// The limit, or a distance found on a sample before the scan within which there are at least k allowed rows.
    private var seed: Double

    /// Creates a collector for rows within a distance. The size of the memory is the largest number of rows.
    init(into memory: UnsafeMutableBufferPointer<Neighbor>, within limit: Double = .infinity) {
        unsafe best = TopK(memory)
        self.limit = limit
        seed = limit
    }

    var radius: Double { min(seed, best.worst) }

    var capacity: Int { best.capacity }

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) {
        assert(distance <= limit)
        best.insert(id, distance)
    }

    /// Removes the rows found, and uses the distance of the k-th as a bound for a scan that offers the same rows again.
    mutating func rewind() {
        seed = min(limit, best.worst)
        best.removeAll()
    }

    /// Limits the scan to a distance within which there are at least k allowed rows.
    mutating func tighten(to distance: Double) { seed = min(seed, distance) }

    /// Sorts the rows found, nearest first, and returns their number.
    mutating func finish() -> Int { unsafe best.finish().count }
}

/// Collects every row within a radius.
struct RangeCollector: Collector {
    let radius: Double
    private(set) var found: [Neighbor] = []

    var capacity: Int { .max }

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) {
        assert(distance <= radius)
        found.append(Neighbor(id: id, distance: distance))
    }
}
