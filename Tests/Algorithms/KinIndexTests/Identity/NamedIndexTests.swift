import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Indexes with names")
struct NamedIndexTests {
    private let folder = TemporaryFolder()
    private static let layouts: [IndexLayout] = [.flat, .lists]

    private func index(_ layout: IndexLayout) -> VectorIndex {
        VectorIndex(smallListsOf: 4, partition: layout)
    }

    /// Compares an index with a plain dictionary of vectors by names.
    private func expect(_ index: VectorIndex, _ vectors: [String: [Float]], _ comment: Comment) throws {
        #expect(index.count == vectors.count, comment)
        #expect(try Set(index.names() ?? []) == Set(vectors.keys), comment)
        for (name, vector) in vectors {
            let id = try #require(index.id(of: name), comment)
            #expect(index.name(of: id) == name, comment)
            #expect(try index.vector(for: id) == vector, comment)
        }
    }

    @Test("random changes, copies and files have the same contents as a dictionary", arguments: layouts)
    func changes(layout: IndexLayout) throws {
        var random = TestSeed().generator
        var index = index(layout)
        var vectors: [String: [Float]] = [:]
        var snapshot = (index: index, vectors: vectors)
        let path = folder.path("a.kin")
        for step in 0..<300 {
            let names = Set((0..<(1 + random.below(40))).map { _ in "name \(random.below(600))" }).sorted()
            switch random.below(10) {
            case 0..<6:
                let rows: Matrix<Float> = random.gaussianMatrix(rows: names.count, columns: 4)
                let ids = try index.upsert(rows, names: names)
                #expect(ids.map { index.name(of: $0) } == names, "\(step)")
                for (row, name) in names.enumerated() { vectors[name] = Array(rows.row(row)) }
            case 6..<8:
                let known = names.filter { vectors.removeValue(forKey: $0) != nil }
                #expect(index.remove(names: names) == known.count, "\(step)")
                #expect(names.allSatisfy { index.id(of: $0) == nil }, "\(step)")
            case 8:
                try expect(snapshot.index, snapshot.vectors, "\(step)")
                snapshot = (index, vectors)
            default:
                try index.save(to: path)
                #expect(try VectorIndex.verify(path).isIntact, "\(step)")
                index = try VectorIndex(opening: path)
                try index.save(to: folder.path("b.kin"))
                #expect(try folder.bytes("a.kin") == folder.bytes("b.kin"), "\(step)")
            }
            if step % 10 == 0 { try expect(index, vectors, "\(step)") }
        }
        try expect(index, vectors, "the last step")
        #expect(vectors.count > 50)
        // Removing everything makes an index without names again.
        #expect(index.remove(names: vectors.keys) == vectors.count)
        #expect(!index.hasNames && index.isEmpty)
        try index.upsert([1, 2, 3, 4], id: 7)
        #expect(index.name(of: 7) == nil && index.ids == [7])
    }

    @Test("a failed load leaves no names behind")
    func failures() throws {
        var index = VectorIndex(dimension: 2)
        try index.upsert(try Matrix(rows: [[1, 2], [3, 4]]), names: ["a", "b"])
        let before = (index.ids, index.byteCount)
        let good = try Matrix<Float>(rows: [[5, 6], [7, 8]])
        #expect(errorCode { try index.upsert(good, names: ["c", "c"]) } == .duplicateID)
        let twice = kinError { try index.upsert(good, names: ["a", "a"]) }
        #expect(twice?.code == .duplicateID && twice?.fact("row") == "1" && twice?.message.contains("id a") == true)
        #expect(errorCode { try index.upsert(good, names: ["c"]) } == .invalidArgument)
        #expect(
            errorCode { try index.upsert(try Matrix(rows: [[5, .nan], [7, 8]]), names: ["c", "d"]) } == .notFinite)
        #expect(errorCode { try index.upsert([1, 2, 3], name: "c") } == .dimensionMismatch)
        let columns = ["missing": AttributeColumn.integers([1, 2])]
        #expect(errorCode { try index.upsert(good, names: ["c", "d"], attributes: columns) } == .invalidArgument)
        for name in ["", "a\u{0}", "a\nb", "\t", "a\u{202E}b", String(repeating: "é", count: 513)] {
            let error = kinError { try index.upsert(good, names: ["c", name]) }
            #expect(error?.code == .invalidArgument && error?.fact("row") == "1", "\(String(describing: error))")
        }
        #expect((index.ids, index.byteCount) == before && index.id(of: "c") == nil)
        try index.upsert([5, 6], name: String(repeating: "é", count: 512))
    }

    @Test("numeric and text ids do not mix")
    func mixing() throws {
        var (named, plain) = (VectorIndex(dimension: 2), VectorIndex(dimension: 2))
        try named.upsert([1, 2], name: "a")
        try plain.upsert([1, 2], id: 3)
        #expect(errorCode { try named.upsert([1, 2], id: 3) } == .invalidArgument)
        #expect(errorCode { try named.upsert(Matrix(rows: [[1, 2]]), ids: [0]) } == .invalidArgument)
        #expect(errorCode { try named.append(Matrix(rows: [[1, 2]])) } == .invalidArgument)
        #expect(errorCode { try plain.upsert([1, 2], name: "a") } == .invalidArgument)
        #expect(errorCode { try named.merge(plain) } == .invalidArgument)
        #expect(errorCode { try plain.merge(named) } == .invalidArgument)
        #expect(plain.ids == [3] && named.count == 1 && plain.id(of: "a") == nil && plain.name(of: 3) == nil)
    }

    @Test("merging preserves names and attributes and refuses a shared name", arguments: layouts)
    func merge(layout: IndexLayout) throws {
        let schema = try AttributeSchema(["city": .category])
        var (a, b) = (index(layout), index(layout))
        try a.declareAttributes(schema)
        try b.declareAttributes(schema)
        let cities = { (city: String, n: Int) in ["city": AttributeColumn.categories(Array(repeating: city, count: n))]
        }
        let rows = try Matrix<Float>(rows: (0..<6).map { [Float($0), 1, 1, 1] })
        try a.upsert(rows, names: ["a", "b", "c", "d", "e", "f"], attributes: cities("Rome", 6))
        try b.upsert(rows, names: ["u", "v", "w", "x", "y", "a"], attributes: cities("Oslo", 6))
        let error = kinError { try a.merge(b) }
        #expect(error?.code == .duplicateID && error?.message.contains("a vector a:") == true)
        b.remove(names: ["a", "w"])
        let before = b
        try a.merge(b)
        #expect(try a.names()?.sorted() == ["a", "b", "c", "d", "e", "f", "u", "v", "x", "y"])
        for name in ["u", "y", "f"] {
            let id = try #require(a.id(of: name))
            #expect(a.attributes.values(for: id)?["city"] == .category(name == "f" ? "Rome" : "Oslo"))
        }
        // An empty index takes over the names.
        var empty = index(layout)
        try empty.merge(before)
        #expect(try empty.names()?.sorted() == ["u", "v", "x", "y"])
    }

    @Test("rebuilt and projected copies keep names and never reuse an id")
    func rebuilt() throws {
        var index = VectorIndex(dimension: 2)
        try index.upsert(try Matrix(rows: [[1, 2], [3, 4], [5, 6]]), names: ["a", "b", "c"])
        try index.save(to: folder.path("a.kin"))
        index = try VectorIndex(opening: folder.path("a.kin"))
        let last = try #require(index.id(of: "c"))
        index.remove(last)
        for var copy in [try index.rebuilt(under: .cosine, threads: 1), try index.projected(to: [1], threads: 1)] {
            #expect(try copy.names()?.sorted() == ["a", "b"])
            let new = try copy.upsert([Float](repeating: 1, count: copy.dimension), name: "d")
            #expect(new > last && copy.name(of: new) == "d" && copy.id(of: "c") == nil)
        }
    }
}
