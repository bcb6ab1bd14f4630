import CAllocationCounter
import Ceilings
import Kin
import Measuring

/// The allocations and times of single changes, by kind of change and index, and the cost of a copy for the first
/// change after it.
struct UpdatePart {
    let data: ClusteredData
    let changes: Int

    init(data: ClusteredData, changes: Int) {
        precondition(allocation_counter_works() == 1, "allocations are not counted on this system")
        self.data = data
        self.changes = changes
    }

    // MARK: Single changes

    private enum Change: String, CaseIterable {
        case near = "same list"
        case far = "anywhere"
        case new = "new id"
        case removal = "removal"
    }

    func singleChanges() throws {
        print("### \(changes) changes of each kind, one by one\n")
        var table = Table([
            "index", "change", "allocations, mean", "share that allocates", "bytes, mean", "µs p50", "p99", "p99.9",
        ])
        let schema = try AttributeSchema(["price": .integer, "kind": .category])
        for attributes in [AttributeSchema(), schema] {
            let suffix = attributes.isEmpty ? "" : ", attributes"
            var flat = VectorIndex(dimension: ClusteredData.dimension, layout: .flat, attributes: attributes)
            try flat.upsert(data.vectors, ids: ids)
            try measure("flat\(suffix)", &flat, into: &table)
            for partition in [IndexLayout.medianSplits, .centroids(data.vectors.rows / 2_000)] {
                var index = VectorIndex(dimension: ClusteredData.dimension, layout: partition, attributes: attributes)
                try index.upsert(data.vectors, ids: ids, threads: 2)
                try measure("\(partition == .medianSplits ? "splits" : "centroids")\(suffix)", &index, into: &table)
            }
        }
        print(table)
    }

    /// Shuffled ids, so that none equals the number of its slot.
    private func id(_ i: Int) -> VectorID { VectorID(UInt64(i) &* 0x9E37_79B9_7F4A_7C15 >> 1) }

    private var ids: [VectorID] { (0..<data.vectors.rows).map(id) }

    private func measure(
        _ name: String, _ index: inout VectorIndex, into table: inout Table
    ) throws {
        var random = SeededGenerator(seed: 7)
        for change in Change.allCases {
            var seconds: [Double] = []
            var (allocations, bytes, some): (UInt64, UInt64, Int) = (0, 0, 0)
            for i in 0..<changes {
                let old = id(change == .removal ? data.vectors.rows + i : random.below(data.vectors.rows))
                let id = change == .new ? id(data.vectors.rows + i) : old
                var row = data.fresh(&random)
                if change == .near, let vector = try index.vector(for: old) {
                    row = vector
                    row[i % 16] += 1e-4
                }
                let before = (allocation_count(), allocated_bytes())
                var counted = before
                seconds.append(
                    try Timing.seconds {
                        if change == .removal { index.remove(id) } else { try index.upsert(row, id: id) }
                        counted = (allocation_count(), allocated_bytes())
                    })
                allocations += counted.0 - before.0
                bytes += counted.1 - before.1
                some += counted.0 > before.0 ? 1 : 0
            }
            let times = CallTimes(seconds)
            table.add(
                [
                    name, change.rawValue, (Double(allocations) / Double(changes)).fixed(3),
                    (Double(some) / Double(changes)).fixed(4), "\(bytes / UInt64(changes))",
                ] + [0.5, 0.99, 0.999].map { (1e6 * times.quantile($0)).shown })
        }
    }

    // MARK: Everything

    func replacements() throws {
        print("### Every vector replaced\n")
        var table = Table(["partition", "build s", "one call", "calls of 10,000", "row by row"])
        for partition in [IndexLayout.medianSplits, .centroids(data.vectors.rows / 2_000)] {
            var index = VectorIndex(dimension: ClusteredData.dimension, layout: partition)
            let (n, ids) = (data.vectors.rows, ids)
            let build = try Timing.seconds { try index.upsert(data.vectors, ids: ids) }
            var random = SeededGenerator(seed: 9)
            let other = try Matrix<Float>(
                rows: n, columns: ClusteredData.dimension, elements: (0..<n).flatMap { _ in data.fresh(&random) })
            let rows = other.arrays()
            let pieces = try stride(from: 0, to: n, by: 10_000).map { first in
                try Matrix(rows: Array(rows[first..<min(n, first + 10_000)]))
            }
            let one = try Timing.seconds { try index.upsert(other, ids: ids) }
            let some = try Timing.seconds {
                for (p, piece) in pieces.enumerated() {
                    try index.upsert(piece, ids: Array(ids[p * 10_000..<p * 10_000 + piece.rows]))
                }
            }
            let each = try Timing.seconds { for i in 0..<n { try index.upsert(rows[(i + 1) % n], id: ids[i]) } }
            table.add([
                partition == .medianSplits ? "splits" : "centroids", build.shown, one.shown, some.shown, each.shown,
            ])
        }
        print(table)
    }

    // MARK: Copies

    /// The first change after a copy, and the one after that.
    func firstWrites() throws {
        print("### The first change after a copy\n")
        var table = Table(["index", "lists", "bytes, median", "allocations", "µs, median", "µs in place"])
        var index = VectorIndex(dimension: ClusteredData.dimension)
        try index.upsert(data.vectors, ids: ids, threads: 2)
        try firstWrites("splits", lists: index.listCount, &index, into: &table)
        index = VectorIndex(dimension: 2)
        var flat = VectorIndex(dimension: ClusteredData.dimension, layout: .flat)
        try flat.upsert(data.vectors, ids: ids)
        try firstWrites("flat", lists: 0, &flat, into: &table)
        print(table)
    }

    private func firstWrites(
        _ name: String, lists: Int, _ index: inout VectorIndex, into table: inout Table
    ) throws {
        var random = SeededGenerator(seed: 8)
        var first: [(bytes: UInt64, allocations: UInt64, seconds: Double)] = []
        var second: [Double] = []
        for i in 0..<200 {
            let id = id(random.below(data.vectors.rows))
            guard var row = try index.vector(for: id) else { continue }
            row[i % 16] += 1e-5
            let copy = index
            let before = (allocation_count(), allocated_bytes())
            let seconds = try Timing.seconds { try index.upsert(row, id: id) }
            first.append((allocated_bytes() - before.1, allocation_count() - before.0, seconds))
            second.append(try Timing.seconds { try index.upsert(row, id: id) })
            precondition(copy.count == index.count, "the copy must live until here")
        }
        func median<T: Comparable>(_ values: [T]) -> T { values.sorted()[values.count / 2] }
        table.add([
            name, "\(lists)", "\(median(first.map(\.bytes)))", "\(median(first.map(\.allocations)))",
            (1e6 * median(first.map(\.seconds))).shown, (1e6 * median(second)).shown,
        ])
    }
}
