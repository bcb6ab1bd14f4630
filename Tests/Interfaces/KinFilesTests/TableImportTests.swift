import Foundation
import Kin
import KinSamples
import KinTestSupport
import Testing

@testable import KinFiles

/// Tables of vectors, contexts, pairs and records, in the forms that data frames and spreadsheets write.
@Suite struct TableImportTests {
    private let folder = TemporaryFolder()

    @Test("a data frame's row number is no dimension", arguments: ["", "index", "Unnamed: 0"])
    func rowNumbersOfVectors(name: String) throws {
        let table = try VectorTable(reading: folder.file("v.csv", "\(name),x,y\n0,.5,1\n1,.25,2\n2,.75,3\n"))
        #expect(table.columns == ["x", "y"] && table.elements == [0.5, 1, 0.25, 2, 0.75, 3])
        #expect(table.notes.contains { $0.contains("numbers the rows") })
        let other = try VectorTable(reading: folder.file("v.csv", "\(name),x,y\n0,.5,1\n2,.25,2\n"))
        #expect(other.dimension == 3)
        var selection = ColumnSelection()
        selection.only = [name.isEmpty ? "1" : name, "x"]
        #expect(
            try VectorTable(reading: folder.file("v.csv", "\(name),x\n0,.5\n1,.25\n"), columns: selection).dimension
                == 2)
    }

    @Test("vectors are read with decimal commas, in UTF-16 and after a byte order mark")
    func textsOfVectors() throws {
        let table = try VectorTable(reading: folder.file("v.csv", "x;y\n1,5;2\n2,25;3\n"))
        #expect(table.columns == ["x", "y"] && table.elements == [1.5, 2, 2.25, 3])
        #expect(try VectorTable(reading: folder.file("v.csv", "1,5;2\n2,25;3\n")).elements == [1.5, 2, 2.25, 3])
        let plain = "id,x,y\n7,1.5,2\n"
        for data in [
            Data([0xFF, 0xFE]) + (plain.data(using: .utf16LittleEndian) ?? Data()),
            Data([0xEF, 0xBB, 0xBF]) + Data(plain.utf8),
        ] {
            try data.write(to: URL(fileURLWithPath: folder.path("u.csv")))
            let table = try VectorTable(reading: folder.path("u.csv"))
            #expect(table.ids == [7] && table.columns == ["x", "y"])
        }
    }

    @Test("a column of numbers stays one feature with missing fields and decimal commas")
    func contexts() throws {
        func read(_ text: String, categories: [String] = []) throws -> ContextTable {
            try ContextTable(reading: folder.file("c.csv", text), settingAside: ["label"], categories: categories)
        }
        let rows = (0..<20).map {
            "\($0),\(Double($0) / 2),\($0 == 3 ? "" : "\($0 * 3)"),\($0 % 2 == 0 ? "red" : "blue"),\($0 % 2)"
        }
        let table = try read(",a,b,colour,label\n" + rows.joined(separator: "\n"))
        #expect(table.features == ["a", "b", "colour=blue", "colour=red"])
        #expect(
            table.notes.count == 2 && table.notes.contains { $0.contains("column b") && $0.contains("1 missing field") }
        )
        #expect(abs(table.contexts[3, 1] - (570.0 - 9) / 19) < 1e-12)
        #expect(try read("a;label\n1,5;x\n2,5;y\n").features == ["a"])
        #expect(try read("a,label\n1,x\n2,y\n", categories: ["a"]).features == ["a=1", "a=2"])
        let message = error { () throws(KinError) in
            try ContextTable(reading: folder.path("w.csv"), settingAside: ["label"])
        }
        #expect(message?.code == .inputOutput)
        let wrong = #expect(throws: KinError.self) { try read("a,label\n1,x\n2,y\nthree,x\n") }
        #expect(
            wrong?.description.contains("line 4") == true && wrong?.message.contains("'three' is not a number") == true)
        #expect(throws: KinError.self) {
            try ContextTable(reading: folder.file("c.csv", "a,label\n1,x\n2,y\n"), ignoring: ["b"])
        }
    }

    @Test("pairs are read with any separator, and an error names it")
    func pairs() throws {
        let generator = SoulGenerator(seed: 1)
        let matcher = try SoulMatcher((0..<4).map { generator.soul($0) })
        for separator in [";", "\t", ","] {
            let text = "u0,u1,1\nu2,u3,0\n".replacing(",", with: separator)
            #expect(
                try PairFile(reading: folder.file("pairs.csv", text), of: matcher).pairs.map(\.label) == [true, false])
        }
        let wrong = #expect(throws: KinError.self) {
            try PairFile(reading: folder.file("pairs.csv", "u0;u1\nu0;u1;1;1\n"), of: matcher)
        }
        #expect(wrong?.message.contains("separated by semicolons") == true)
    }

    @Test("records in JSON are read after a byte order mark, over several lines, in a list and with comments")
    func records() throws {
        let souls = (0..<3).map { SoulGenerator(seed: 2).soul($0) }
        let lines = souls.map(\.json)
        let pretty = lines.map { $0.replacing(",\"", with: ",\n  \"") }.joined(separator: "\n")
        for text in [
            "\u{FEFF}" + lines.joined(separator: "\n"), pretty, "[\(lines.joined(separator: ",\n"))]",
            "// three people\n" + lines.joined(separator: "\n"),
        ] {
            #expect(try SoulFile.read(folder.file("souls.jsonl", text)) == souls)
        }
    }
}
