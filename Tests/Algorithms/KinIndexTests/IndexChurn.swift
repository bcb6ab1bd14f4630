import KinTestSupport
import Testing

@testable import KinIndex

/// An index and a dictionary that receive the same random changes.
///
/// The vectors come from moving clusters, so that some lists fill up while others empty.
struct IndexChurn {
    var index: VectorIndex
    var random: SeededGenerator
    /// The approximate maximum number of vectors.
    let largest: Int
    private(set) var vectors: [VectorID: [Float]] = [:]
    private(set) var mostLists = 1
    private var centre: [Double]

    init(index: VectorIndex, random: SeededGenerator, largest: Int) {
        self.index = index
        self.random = random
        self.largest = largest
        centre = Array(repeating: 0, count: index.dimension)
    }

    /// Makes one random change.
    mutating func change() throws {
        for j in centre.indices { centre[j] += random.gaussian() }
        let grows = vectors.count < largest / 4 || (vectors.count < largest && random.below(5) < 3)
        switch random.below(8) {
        case 0: try upsert(random.below(max(8, vectors.count + 200)) % (largest / 2) + 1)
        case 1...4 where grows: try upsert(random.below(300) + 1)
        case 1...4: remove(random.below(500) + 1)
        case 5: remove(random.below(20) + 1)
        case 6: try overwriteSome()
        default: try mergeSome()
        }
        mostLists = max(mostLists, index.listCount)
    }

    private mutating func freshVector() -> [Float] {
        let spread = random.below(3) == 0 ? 4.0 : 0.3
        return centre.map { Float($0 + spread * random.gaussian()) }
    }

    /// New and existing ids, both small and very large.
    private mutating func freshIDs(_ n: Int) -> [VectorID] {
        var seen = Set<VectorID>()
        for _ in 0..<n {
            let id = random.below(2 * largest)
            seen.insert(VectorID(id % 7 == 0 ? UInt64(id) << 40 : UInt64(id)))
        }
        return seen.sorted().shuffled(using: &random)
    }

    private mutating func upsert(_ n: Int) throws {
        let ids = freshIDs(n)
        let rows = ids.map { _ in freshVector() }
        try index.upsert(Matrix(rows: rows), ids: ids, threads: 1 + random.below(2))
        for (id, row) in zip(ids, rows) { vectors[id] = row }
    }

    private mutating func remove(_ n: Int) {
        let ids = vectors.keys.sorted().shuffled(using: &random).prefix(n)
        if random.below(2) == 0 {
            let removed = index.remove(Array(ids) + [VectorID(1 << 60)])
            #expect(removed == ids.count)
        } else {
            for id in ids {
                let wasThere = index.remove(id)
                #expect(wasThere && !index.contains(id))
            }
        }
        for id in ids { vectors[id] = nil }
    }

    private mutating func overwriteSome() throws {
        for id in vectors.keys.sorted().shuffled(using: &random).prefix(30) {
            let vector = freshVector()
            try index.upsert(vector, id: id)
            vectors[id] = vector
        }
    }

    private mutating func mergeSome() throws {
        let layout: IndexLayout = index.layout.isFlat ? .flat : .lists
        var other = VectorIndex(dimension: index.dimension, metric: index.metric, layout: layout)
        let ids = freshIDs(100).filter { vectors[$0] == nil }
        guard !ids.isEmpty else { return }
        let rows = ids.map { _ in freshVector() }
        try other.upsert(Matrix(rows: rows), ids: ids)
        try index.merge(other)
        for (id, row) in zip(ids, rows) { vectors[id] = row }
    }

    /// Checks the index against the dictionary.
    mutating func check(_ note: String) throws {
        #expect(index.count == vectors.count, "\(note)")
        let ids = vectors.keys.sorted()
        #expect(index.ids.sorted() == ids, "\(note)")
        #expect(try ids.allSatisfy { try index.vector(for: $0) == vectors[$0] }, "\(note)")
        if !index.layout.isFlat {
            #expect(index.brokenInvariant() == nil, "\(note)")
            expectBoundedSpace(note)
        }
        guard !ids.isEmpty else { return }
        let oracle = LaneOracle(
            Matrix(rows: ids.map { vectors[$0]! }, columns: index.dimension), ids: ids, metric: index.metric)
        for query in [freshVector(), vectors[ids[random.below(ids.count)]]!, centre.map { Float($0) }] {
            let ranking = oracle.ranking(of: query)
            for k in [1, 25] { expectSame(try index.search(query, k: k), ranking.prefix(k), "\(note) k \(k)") }
            let allowed = Set(ids.filter { $0.rawValue % 3 == 0 })
            expectSame(
                try index.search(query, k: 9, options: .init(where: .predicate { allowed.contains($0) })),
                ranking.filter { allowed.contains($0.id) }.prefix(9), "\(note) filtered")
        }
    }

    /// On average a list is at least a sixteenth full, and memory is a small multiple of the size of the vectors.
    private func expectBoundedSpace(_ note: String) {
        let layout = index.lists.store.layout
        let lists = index.listCount - index.lists.store.outliers.lists.count
        #expect(lists <= 1 + 16 * index.count / layout.chunkRows, "\(note)")
        let row = layout.stride * 4 + layout.groups * 4 + 8
        let list = 64 * row + 3 * layout.blockBytes + 8 * layout.stride
        #expect(index.byteCount <= 4 * index.count * row + (index.listCount + 1) * 2 * list, "\(note)")
    }
}
