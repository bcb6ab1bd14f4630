import KinCore
import KinLinearAlgebra

/// What a scan gives the rows it finds to, and what tells the scan how far it has to look.
protocol Collector {
    /// No row farther than this will be taken; rows at just this distance may be.
    var radius: Double { get }

    /// How many rows the result holds at most.
    var capacity: Int { get }

    /// Offers a row; taken when it belongs to the result as far as is known.
    mutating func offer(_ id: VectorID, at distance: Double)

    /// Whether it wants to know of rows a little before they are offered, because it reads memory of its own for each.
    static var prefetches: Bool { get }

    /// Is told of a row that may be offered soon.
    func prefetch(_ id: VectorID)
}

extension Collector {
    static var prefetches: Bool { false }

    func prefetch(_ id: VectorID) {}
}

/// Keeps the k nearest.
struct NearestCollector: Collector {
    private var best: TopK
    /// A distance within which k allowed rows are known to lie, found on a sample before the scan.
    private var seed = Double.infinity

    init(into memory: UnsafeMutableBufferPointer<Neighbor>) {
        unsafe best = TopK(memory)
    }

    var radius: Double { min(seed, best.worst) }

    var capacity: Int { best.capacity }

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) {
        best.insert(id, distance)
    }

    /// Keeps only the knowledge of how far the k-th row found so far is, for a scan that meets the same rows again.
    mutating func rewind() {
        seed = best.worst
        best.removeAll()
    }

    /// Sorts what was found, nearest first, and says how much it is.
    mutating func finish() -> Int {
        unsafe best.finish().count
    }
}

/// Keeps every row within a radius.
struct RangeCollector: Collector {
    let radius: Double
    private(set) var found: [Neighbor] = []

    init(radius: Double) { self.radius = radius }

    var capacity: Int { .max }

    @inline(__always)
    mutating func offer(_ id: VectorID, at distance: Double) {
        if distance <= radius { found.append(Neighbor(id: id, distance: distance)) }
    }
}
