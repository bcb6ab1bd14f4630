import Foundation
import KinFiles
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Index files and their columns")
struct IndexFileTests {
    private let folder = TemporaryFolder()

    private var table: VectorTable {
        var table = VectorTable(dimension: 3, elements: [1, 100, 5, 2, 300, 5, 3, 200, 5, 6, 0, 5])
        table.columns = ["small", "large", "constant"]
        return table
    }

    @Test("queries use the units of the data, and missing columns use the mean")
    func units() throws {
        let file = try IndexFile(table, metric: .squaredL2, scale: .standard)
        let stored = try #require(try file.index.vector(for: 1))
        #expect(try file.space.stored(.numbers([2, 300, 5]), field: "vector") == stored)
        let raw = file.space.raw(stored)
        for (value, expected) in zip(raw, [2.0, 300, 5]) { #expect(abs(value - expected) < 1e-4) }
        #expect(try file.space.stored(.named([file.space.names[0]: 3]), field: "vector") == [0, 0, 0])
        let plain = try IndexFile(table, metric: .squaredL2, scale: nil)
        #expect(try plain.space.stored(.named([plain.space.names[1]: 7]), field: "vector") == [0, 7, 0])
    }

    @Test("names and scaling are restored with the index", arguments: [ColumnScaling.Kind.standard, .minmax, nil])
    func roundTrip(scale: ColumnScaling.Kind?) throws {
        let path = folder.path("t.kin")
        let file = try IndexFile(table, metric: .cosine, scale: scale)
        try file.save(to: path)
        let opened = try IndexFile(opening: path)
        #expect(opened.space == file.space)
        #expect(opened.index.metric == .cosine)
        #expect(opened.index.count == 4)
    }

    @Test("an index of profiles has no column file, and an old one is removed")
    func noSidecar() throws {
        let path = folder.path("t.kin")
        try IndexFile(table, metric: .squaredL2, scale: nil).save(to: path)
        #expect(FileManager.default.fileExists(atPath: path + ".columns.json"))
        var profiles = VectorTable(dimension: 16, elements: [Float](repeating: 0.5, count: 32))
        profiles.columns = Pleasure.Dimension.names
        let file = try IndexFile(profiles, metric: .squaredL2, scale: nil)
        try file.save(to: path)
        #expect(!FileManager.default.fileExists(atPath: path + ".columns.json"))
        #expect(try IndexFile(opening: path).space.isProfile)
    }

    @Test("a mismatched column file is refused")
    func foreignColumns() throws {
        let path = folder.path("t.kin")
        try IndexFile(table, metric: .squaredL2, scale: .standard).save(to: path)
        let columns = path + ".columns.json"
        let good = try String(contentsOfFile: columns, encoding: .utf8)
        func refusal(_ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: columns))
            do { _ = try IndexFile(opening: path) } catch { return "\(error)" }
            return "none"
        }
        #expect(try refusal("{}").contains("not a file of columns"))
        #expect(
            try refusal(good.replacingOccurrences(of: "\"standard\"", with: "\"log\"")).contains("'log' is not known"))
        #expect(
            try refusal(good.replacingOccurrences(of: "\"factor\" : ", with: "\"factor\" : -")).contains("not positive")
        )
        #expect(try refusal(good.replacingOccurrences(of: "\"name\" : \"small\",", with: "")).contains("no name"))
        let two = #"{"format":"kin columns 1","columns":[{"name":"a"},{"name":"b"}]}"#
        #expect(try refusal(two).contains("2 columns, the index has 3"))
        #expect(try refusal(good) == "none")
    }

    @Test("lists of ids accept ids and ranges")
    func idLists() throws {
        #expect(IDList("1,2,10-19")?.ranges == [1...1, 2...2, 10...19])
        for bad in ["", "1,", "a", "5-3", "1-2-3", "-1", "18446744073709551615"] {
            #expect(IDList(bad) == nil, "\(bad)")
        }
        let file = try IndexFile(table, metric: .squaredL2, scale: nil)
        #expect(IDList("3,0-18446744073709551614,1")?.members(of: file.index) == [3, 0, 1, 2])
        #expect(IDList("7-9")?.members(of: file.index) == [])
        let everything = try #require(IDList("1-18446744073709551614"))
        let found = try file.index.search(
            [0, 0, 0], k: 9, options: .init(mode: .exact, where: everything.filter, threads: 1))
        #expect(Set(found.map(\.id)) == [1, 2, 3])
    }
}
