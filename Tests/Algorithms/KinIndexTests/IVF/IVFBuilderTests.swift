import Foundation
import KinTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import KinIndex

/// The oracle is an index that received all vectors at once: the files must have the same bytes.
@Suite("Building an inverted file from a stream")
struct IVFBuilderTests {
    private let folder = TemporaryFolder()

    /// The names of all files in the folder, including hidden ones.
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path("")).sorted() }
    }

    /// A builder with lists of at most 2^shift vectors, which builds groups of lists within the given memory.
    private func builder(
        _ name: String, dimension: Int = 5, metric: Metric = .squaredL2, partition: IndexLayout = .lists,
        memory: Int = 1 << 14, files: some FileOperations = SystemFiles()
    ) throws -> IndexBuilder {
        let layout = RowLayout(dimension: dimension, metric: metric, chunkShift: 8)
        return try IndexBuilder(
            path: folder.path(name), layout: layout, division: partition, memory: memory, files: files)
    }

    private func whole(
        _ name: String, _ vectors: Matrix<Float>, ids: [VectorID], metric: Metric = .squaredL2,
        partition: IndexLayout = .lists
    ) throws -> VectorIndex {
        var index = VectorIndex(smallListsOf: vectors.columns, metric: metric, partition: partition, shift: 8)
        try index.upsert(vectors, ids: ids)
        try index.save(to: folder.path(name))
        return index
    }

    private func part(_ vectors: Matrix<Float>, _ rows: Range<Int>) -> Matrix<Float> {
        Matrix(rows: rows.map { Array(vectors.row($0)) }, columns: vectors.columns)
    }

    @Test("names make the file of an index that was given all names at once", arguments: [0, 1, 700, 5_000])
    func names(count: Int) throws {
        var random = TestSeed().generator
        let vectors = DataShape.clustered.matrix(rows: count, dimension: 5, random: &random)
        let names = (0..<count).map { "name \($0)" }.shuffled(using: &random)
        var whole = VectorIndex(smallListsOf: 5, partition: .lists, shift: 8)
        try whole.upsert(vectors, names: names)
        try whole.save(to: folder.path("whole.kin"))
        var builder = try builder("built.kin")
        for first in stride(from: 0, to: count, by: 300) {
            let rows = first..<min(first + 300, count)
            try builder.append(part(vectors, rows), names: Array(names[rows]))
            // A refused call adds nothing, not even a name.
            let twice = try Matrix<Float>(rows: [[1, 2, 3, 4, 5], [0, 0, 0, 0, 0]])
            for refused in [["fresh", "fresh"], ["fresh", names[rows.lowerBound]], ["fresh", ""], ["fresh"]] {
                #expect(throws: KinError.self, "\(refused)") { try builder.append(twice, names: refused) }
            }
            #expect(throws: KinError.self) { try builder.append(twice) }
            #expect(builder.count == rows.upperBound)
        }
        let built = try builder.finish(threads: 2)
        #expect(try folder.bytes("built.kin") == folder.bytes("whole.kin"))
        #expect(built.hasNames == (count > 0) && built.ids.allSatisfy { built.name(of: $0) == names[Int($0.rawValue)] })
        var numbered = try self.builder("numbered.kin")
        try numbered.append(Matrix(rows: [[1, 2, 3, 4, 5]]))
        #expect(throws: KinError.self) { try numbered.append(Matrix(rows: [[1, 2, 3, 4, 5]]), names: ["a"]) }
    }

    @Test(
        "a streamed build writes the same bytes as an index built at once", arguments: Metric.allCases,
        [IndexLayout.lists, .centroids(9)])
    func sameBytes(metric: Metric, partition: IndexLayout) throws {
        var random = TestSeed().generator
        for (count, shape) in [(0, DataShape.uniform), (1, .uniform), (700, .clustered), (12_500, .correlated)] {
            let vectors = shape.matrix(rows: count, dimension: 5, random: &random)
            let isNumbered = random.uniform() < 0.5
            let ids = (0..<count).map { VectorID(isNumbered ? UInt64($0) : UInt64($0) << 33 | 7) }
            let given = isNumbered ? ids : ids.shuffled(using: &random)
            let expected = try whole("whole.kin", vectors, ids: given, metric: metric, partition: partition)
            var builder = try builder("built.kin", metric: metric, partition: partition)
            var first = 0
            while first < count {
                let end = min(count, first + 1 + Int(random.next(upperBound: UInt64(count))))
                try builder.append(part(vectors, first..<end), ids: isNumbered ? nil : Array(given[first..<end]))
                first = end
            }
            #expect(builder.count == count)
            let index = try builder.finish(threads: 1 + count % 2)
            #expect(try folder.bytes("built.kin") == folder.bytes("whole.kin"), "\(count)")
            #expect(index.count == count && index.nextID == expected.nextID)
            #expect(try index.recallReport == VectorIndex(opening: folder.path("whole.kin")).recallReport)
            #expect(index.brokenInvariant() == nil)
        }
        #expect(try names == ["built.kin", "whole.kin"])
    }

    /// The rule samples every fourth row, and misses outliers in other rows.
    @Test("outliers and equal vectors do not change the bytes", arguments: [0, 3, 40, 700, 2_900], [false, true])
    func outliers(far: Int, besideTheSample: Bool) throws {
        var random = TestSeed().generator
        var rows: [[Float]] = (0..<4_000).map { r in
            let scale: Float = besideTheSample && r % 4 == 1 && r < 2_000 ? 1e4 : 1
            return (0..<5).map { _ in scale * Float(random.uniform()) }
        }
        for _ in 0..<far {
            let row: [Float] = (0..<5).map { _ in Float(random.gaussian()) * 1e4 }
            rows[Int(random.next(upperBound: UInt64(4_000)))] = row
        }
        let same = [Float](repeating: 0.25, count: 5)
        for r in 1_000..<2_300 { rows[r] = same }
        let vectors = try Matrix(rows: rows)
        _ = try whole("whole.kin", vectors, ids: (0..<4_000).map { VectorID(UInt64($0)) })
        var builder = try builder("built.kin")
        try builder.append(vectors)
        _ = try builder.finish(threads: 2)
        #expect(try folder.bytes("built.kin") == folder.bytes("whole.kin"))
    }

    @Test("rows that arrive out of order are sorted")
    func lateRows() throws {
        let layout = RowLayout(dimension: 2, metric: .squaredL2, chunkShift: 8)
        var spill = try ListSpill(
            beside: folder.path("a"), rows: 10, lists: 4, layout: layout, memory: 1 << 20, files: SystemFiles())
        for number in [0, 2, 3, 1] as [UInt32] {
            let row = [Float](repeating: Float(number), count: layout.stride)
            try unsafe spill.append(row, id: VectorID(UInt64(number)), list: number % 2, number: number)
        }
        let group = try spill.group(0)
        #expect(group.labels == [0, 1, 0, 1])
        let ids = (0..<4).map { unsafe group.rows.ids[$0].rawValue }
        #expect(ids == [0, 1, 2, 3])
    }

    @Test("a repeated id is refused within and across calls, and the file is unchanged")
    func duplicates() throws {
        let vectors = try Matrix<Float>(rows: [[1, 2], [3, 4]])
        _ = try whole("a.kin", vectors, ids: [1, 2])
        let before = try folder.bytes("a.kin")
        let error = kinError {
            var builder = try builder("a.kin", dimension: 2)
            #expect(throws: KinError.self) { try builder.append(vectors, ids: [5, 5]) }
            try builder.append(vectors, ids: [5, 9])
            try builder.append(vectors, ids: [7, 9])
            return try builder.finish()
        }
        #expect(error?.code == .duplicateID && error?.message.contains("9") == true)
        #expect(try folder.bytes("a.kin") == before)
        #expect(try names == ["a.kin"])
    }

    @Test("invalid input is refused, and its call adds nothing")
    func refusals() throws {
        #expect(throws: KinError.self) { _ = try IndexBuilder(path: folder.path("a"), dimension: 0) }
        #expect(throws: KinError.self) { _ = try IndexBuilder(path: folder.path("a"), dimension: 2, memory: 1 << 20) }
        #expect(throws: KinError.self) { _ = try IndexBuilder(path: folder.path("none/a"), dimension: 2) }
        var builder = try builder("a.kin", dimension: 2, metric: .cosine)
        let good = try Matrix<Float>(rows: [[1, 2]])
        try builder.append(good)
        let bad: [[[Float]]] = [[[1, 2], [.nan, 0]], [[0, 0]], [[1, 2, 3]]]
        for rows in bad {
            let matrix = try Matrix(rows: rows)
            #expect(throws: KinError.self) { try builder.append(matrix) }
        }
        #expect(throws: KinError.self) { try builder.append(good, ids: [1, 2]) }
        #expect(throws: KinError.self) { try builder.append(good, ids: [.none]) }
        #expect(builder.count == 1)
        let index = try builder.finish()
        #expect(try index.vector(for: 0) == [1, 2])
    }

    @Test("a relative path survives a change of the process's folder")
    func relativePath() async {
        await #expect(processExitsWith: .success) {
            let (one, two) = (TemporaryFolder(), TemporaryFolder())
            try #require(FileManager.default.changeCurrentDirectoryPath(one.path))
            var builder = try IndexBuilder(path: "a.kin", dimension: 2)
            try builder.append(Matrix(rows: 3, columns: 2, repeating: 1))
            try #require(FileManager.default.changeCurrentDirectoryPath(two.path))
            let index = try builder.finish()
            #expect(index.count == 3)
            #expect(try FileManager.default.contentsOfDirectory(atPath: one.path) == ["a.kin"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: two.path).isEmpty)
        }
    }

    @Test("after any failed system call, only the old file remains and no file is open")
    func faults() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 900, columns: 5)
        _ = try whole("a.kin", vectors, ids: (0..<900).map { VectorID(UInt64($0)) })
        let before = try folder.bytes("a.kin")
        func build(_ files: FaultyFiles) throws -> VectorIndex {
            var builder = try builder("a.kin", files: files)
            try builder.append(part(vectors, 0..<500))
            try builder.append(part(vectors, 500..<900))
            return try builder.finish()
        }
        let calls = {
            let files = FaultyFiles(); _ = try build(files); return files.calls
        }
        let names = try calls()
        for (number, name) in names.enumerated() where name != "close" && name != "remove" {
            let files = FaultyFiles(.fails(.noSpace), at: number)
            let error = kinError { try build(files) }
            #expect(error?.code == .inputOutput, "\(name) \(number)")
            #expect(error?.context.contains { $0.name == "file" } == true, "\(name) \(number)")
            #expect(files.openDescriptors == 0, "\(name) \(number)")
            #expect(try folder.bytes("a.kin") == before && self.names == ["a.kin"], "\(name) \(number)")
        }
        for number in names.indices {
            _ = try build(FaultyFiles(.isShort, at: number))
            #expect(try folder.bytes("a.kin") == before)
        }
    }

    @Test("cancelling a build at any step leaves the old file unchanged")
    func cancellation() throws {
        var random = TestSeed().generator
        let vectors: Matrix<Float> = random.gaussianMatrix(rows: 1_500, columns: 5)
        func build(cancellingAt limit: Int) throws -> Int {
            let steps = Mutex(0)
            _ = try withProgressHandler {
                var builder = try builder("a.kin")
                try builder.append(vectors)
                _ = try builder.finish()
            } onProgress: { _, _ in
                steps.withLock { steps in
                    steps += 1
                    return steps != limit
                }
            }
            return steps.withLock { $0 }
        }
        let steps = try build(cancellingAt: -1)
        #expect(steps > 4)
        let whole = try folder.bytes("a.kin")
        for limit in 1...steps {
            let error = kinError { try build(cancellingAt: limit) }
            #expect(error?.code == .cancelled, "\(limit) of \(steps)")
            #expect(try folder.bytes("a.kin") == whole && names == ["a.kin"])
        }
    }
}
