import KinCore
import KinLinearAlgebra

/// The receiver of the rows that a scan finds; its radius limits the scan.
protocol Collector {
    /// The largest distance at which a row can still enter the result; rows at this very distance may.
    var radius: Double { get }

    /// The distance beyond which no row is wanted, whatever has been found: the radius that a search begins with.
    var limit: Double { get }

    /// The largest number of rows in the result.
    var capacity: Int { get }

    /// Takes a row into the result when it belongs there as far as rows were offered.
    ///
    /// - Precondition: The distance is at most ``limit``: a scan has compared it with ``radius``, to spare reading an id.
    mutating func offer(_ id: VectorID, at distance: Double)

    /// Whether ``prefetch(_:)`` is called some rows ahead of ``offer(_:at:)``, for collectors that read memory of their own for each
    /// row.
    static var prefetches: Bool { get }

    /// Prefetches the collector's memory for a row that may be offered soon.
    func prefetch(_ id: VectorID)
}

extension Collector {
    static var prefetches: Bool { false }

    var limit: Double { .infinity }

    func prefetch(_ id: VectorID) {}
}

/// A collector of the k nearest rows within a distance, which are in memory of the caller's when it has finished.
struct NearestCollector: Collector {
    private var best: TopK
    let limit: Double
    /// The limit, or a distance within which at least k allowed rows lie, found on a sample before the scan.
    private var seed: Double

    /// Creates a collector of rows within a distance. The size of the memory is the largest number of rows.
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

    /// Removes the rows found and keeps the distance of the k-th as a bound, for a scan that offers the same rows again.
    mutating func rewind() {
        seed = min(limit, best.worst)
        best.removeAll()
    }

    /// Sorts the rows found, nearest first, and returns their number.
    mutating func finish() -> Int { unsafe best.finish().count }
}

/// A collector of every row within a radius.
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
