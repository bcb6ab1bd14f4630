import KinTestSupport
import Testing

@testable import KinIndex

/// An index with attributes and a dictionary that receive the same random changes.
///
/// The vectors come from moving clusters, so that some lists fill up while others empty.
struct IndexChurn {
    var index: VectorIndex
    var random: SeededGenerator
    /// The approximate maximum number of vectors.
    let largest: Int
    private static let schema: KeyValuePairs<String, AttributeKind> = ["n": .integer, "user": .category, "tags": .tags]
    private(set) var vectors: [VectorID: [Float]] = [:]
    /// The number that gives a vector its attributes. Vectors without attributes are absent.
    private var values: [VectorID: Int] = [:]
    private(set) var mostLists = 1
    private var centre: [Double]

    init(index: VectorIndex, random: SeededGenerator, largest: Int) throws {
        self.index = index
        try self.index.declareAttributes(AttributeSchema(Self.schema))
        self.random = random
        self.largest = largest
        centre = Array(repeating: 0, count: index.dimension)
    }

    /// Makes one random change.
    mutating func change() throws {
        for j in centre.indices { centre[j] += random.gaussian() }
        let grows = vectors.count < largest / 4 || (vectors.count < largest && random.below(5) < 3)
        switch random.below(10) {
        case 0: try upsert(random.below(max(8, vectors.count + 200)) % (largest / 2) + 1)
        case 1...4 where grows: try upsert(random.below(300) + 1)
        case 1...4: remove(random.below(500) + 1)
        case 5: remove(random.below(20) + 1)
        case 6: try overwriteSome()
        case 7: try setSome()
        case 8: try reopen()
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
        let threads = 1 + random.below(2)
        if random.below(2) == 0 {
            // Vectors that were there keep their attributes.
            try index.upsert(Matrix(rows: rows), ids: ids, threads: threads)
        } else {
            let columns = try drawAttributes(of: ids)
            try index.upsert(Matrix(rows: rows), ids: ids, attributes: columns, threads: threads)
        }
        for (id, row) in zip(ids, rows) { vectors[id] = row }
    }

    /// Draws new values for some vectors.
    private mutating func drawAttributes(of ids: [VectorID]) throws -> [String: AttributeColumn] {
        for id in ids { values[id] = random.below(4) == 0 ? nil : random.below(12) }
        let rows = try ids.map { try attributes(of: $0) }
        return [
            "n": .integers(rows.map { if case .integer(let n)? = $0["n"] { n } else { nil } }),
            "user": .categories(rows.map { if case .category(let user)? = $0["user"] { user } else { nil } }),
            "tags": .tags(rows.map { if case .tags(let tags)? = $0["tags"] { tags } else { nil } }),
        ]
    }

    private func attributes(of id: VectorID) throws -> [String: AttributeValue] {
        guard let n = values[id] else { return [:] }
        return [
            "n": .integer(Int64(n)), "user": .category("u\(n % 5)"),
            "tags": .tags(try TagSet(["t\(n % 3)", "t\(n % 4)"])),
        ]
    }

    private mutating func setSome() throws {
        let ids = Array(vectors.keys.sorted().shuffled(using: &random).prefix(40))
        try index.setAttributes(drawAttributes(of: ids), ids: ids)
    }

    /// Saves the index, and goes on with the opened one.
    private mutating func reopen() throws {
        let folder = TemporaryFolder()
        let path = folder.path("saved.kin")
        try index.save(to: path)
        let report = try VectorIndex.verify(path)
        #expect(report.isIntact, "\(String(describing: report.damage))")
        let opened = try VectorIndex(opening: path)
        #expect(opened.ids == index.ids && opened.layout == index.layout && opened.listCount == index.listCount)
        index = opened
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
        for id in ids { (vectors[id], values[id]) = (nil, nil) }
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
        let ids = freshIDs(random.below(4) == 0 ? largest / 2 : 100).filter { vectors[$0] == nil }
        guard !ids.isEmpty else { return }
        let rows = ids.map { _ in freshVector() }
        if random.below(2) == 0 { try other.declareAttributes(AttributeSchema(Self.schema)) }
        let columns = other.attributes.schema.isEmpty ? [:] : try drawAttributes(of: ids)
        try other.upsert(Matrix(rows: rows), ids: ids, attributes: columns)
        try index.merge(other)
        for (id, row) in zip(ids, rows) { vectors[id] = row }
    }

    /// Checks the index against the dictionary.
    mutating func check(_ note: String) throws {
        #expect(index.count == vectors.count, "\(note)")
        let ids = vectors.keys.sorted()
        #expect(index.ids.sorted() == ids, "\(note)")
        #expect(try ids.allSatisfy { try index.vector(for: $0) == vectors[$0] }, "\(note)")
        #expect(try ids.allSatisfy { try index.attributes.values(for: $0) == attributes(of: $0) }, "\(note)")
        #expect(index.attributes.ids.sorted() == ids, "\(note)")
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
            for (filter, allows) in filters {
                let found = try index.search(query, k: 9, options: .init(where: filter))
                expectSame(found, ranking.filter { allows($0.id) }.prefix(9), "\(note) filtered")
            }
        }
    }

    private var filters: [(SearchFilter, (VectorID) -> Bool)] {
        let values = values
        return [
            (.predicate { $0.rawValue % 3 == 0 }, { $0.rawValue % 3 == 0 }),
            (.matching(.equals("user", "u2")), { values[$0].map { $0 % 5 == 2 } ?? false }),
            (.matching(.contains("tags", "t1")), { values[$0].map { $0 % 3 == 1 || $0 % 4 == 1 } ?? false }),
            (.matching(.isMissing("n")), { values[$0] == nil }),
        ]
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
