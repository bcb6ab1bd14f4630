import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinFiles

/// Tables of vectors, contexts, pairs and records, in the forms that data frames and spreadsheets write.
@Suite struct TableImportTests {
    private let folder = TemporaryFolder()

    @Test(
        "a data frame's row number is not a dimension",
        arguments: ["", "index", "row", "Unnamed: 0", "Unnamed: 0.1", "Unnamed: 2"])
    func rowNumbersOfVectors(name: String) throws {
        let table = try VectorTable(reading: folder.file("v.csv", "\(name),x,y\n0,.5,1\n1,.25,2\n2,.75,3\n"))
        #expect(table.columns == ["x", "y"] && table.elements == [0.5, 1, 0.25, 2, 0.75, 3])
        #expect(table.notes.contains { $0.contains("numbers the rows") })
        for (rows, areCounted) in [
            ([0, 1], true), ([1, 2], true), ([5, 6], false), ([0, 2], false), ([17, 3], false),
        ] {
            let path = try folder.file("v.csv", "\(name),x,y\n" + rows.map { "\($0),\($0),\(-$0)\n" }.joined())
            let isLeftOut =
                areCounted || ["", "Unnamed: 0", "Unnamed: 0.1"].contains(name) || name == "row" && rows[0] < rows[1]
            #expect(try VectorTable(reading: path).dimension == (isLeftOut ? 2 : 3))
            #expect(try ContextTable(reading: path).features.count == (isLeftOut ? 2 : 3))
        }
        for rows in [["1", "1"], ["1", "2.5"], ["1", "-"]] {
            let text = "\(name),x,y\n" + rows.map { "\($0),.5,1\n" }.joined()
            #expect((try? VectorTable(reading: folder.file("v.csv", text)).dimension) != 2)
        }
        var selection = ColumnSelection()
        selection.only = [name.isEmpty ? "1" : name, "x"]
        #expect(
            try VectorTable(reading: folder.file("v.csv", "\(name),x\n0,.5\n1,.25\n"), columns: selection).dimension
                == 2)
    }

    @Test("all columns that number the rows are left out of vectors and contexts, wherever they are")
    func severalRowNumbers() throws {
        for names in [["", "Unnamed: 0"], ["Unnamed: 0.1", "Unnamed: 0"], ["", "Unnamed: 0", "Unnamed: 0.1", "row"]] {
            for place in 0...1 {
                var header = names.filter { !$0.isEmpty } + ["x"]
                if place == 1 { header.reverse() }
                if names.contains("") { header.insert("", at: 0) }
                let rows = [".5", ".25", ".75"].enumerated().map { number, x in
                    header.map { $0 == "x" ? x : "\(number)" }.joined(separator: ",")
                }
                let path = try folder.file("v.csv", ([header.joined(separator: ",")] + rows).joined(separator: "\n"))
                let (vectors, contexts) = (try VectorTable(reading: path), try ContextTable(reading: path))
                #expect(vectors.columns == ["x"] && contexts.features == ["x"], "\(header)")
                for notes in [vectors.notes, contexts.notes] {
                    #expect(notes.count { $0.contains("numbers the rows") } == names.count, "\(notes)")
                }
                var selection = ColumnSelection()
                selection.id = names[1]
                #expect(try VectorTable(reading: path, columns: selection).columns == ["x"])
            }
        }
    }

    @Test("a column of numbers in any usual writing is one feature, and words with digits stay words")
    func writingsOfNumbers() throws {
        let values: [Double] = (0..<40).map { 1000.25 + 62.25 * Double($0 * 37 % 40) }
        let writings: [(start: String, mark: String, decimal: String, unit: String)] = [
            ("", "", ",", ""), ("", ",", ".", ""), ("", ".", ",", ""), ("", "'", ".", ""), ("", " ", ",", ""),
            ("", "", ".", "%"), ("", "", ".", " kg"), ("$", "", ".", ""), ("€ ", ".", ",", ""),
        ]
        for writing in writings {
            let texts = values.map { value -> String in
                let cents = Int((value * 100).rounded())
                let rest = String(format: "%03d", cents / 100 % 1000)
                let number =
                    "\(cents / 100_000)\(writing.mark)\(rest)\(writing.decimal)" + String(format: "%02d", cents % 100)
                return "\"\(writing.start)\(number)\(writing.unit)\""
            }
            for separator in [",", ";", "\t"] {
                let rows = texts.map { $0 + "\(separator)x" }
                let file = try folder.file(
                    "c.csv", (["a\(separator)label"] + rows).joined(separator: "\n"))
                let table = try ContextTable(reading: file, settingAside: ["label"])
                #expect(table.features == ["a"], "\(writing) \(separator)")
                #expect((0..<40).allSatisfy { abs(table.contexts[$0, 0] - values[$0]) < 1e-9 }, "\(rows[1])")
                let words = try ContextTable(reading: file, settingAside: ["label"], categories: ["a"])
                #expect(words.features.count == 40)
                if separator == "," { #expect(table.notes.contains { $0.contains("column a: fields such as") }) }
            }
        }
        for words in [
            ["1d", "2h"], ["10AM", "2PM"], ["below21", "50plus"], ["2026-01-01", "2026-01-02"], ["room1", "room2"],
            ["1.2.3", "1.2.4"], ["1~3", "4~8"], ["$12500 - $24999", "$25000 - $37499"], ["10:30", "11:30"],
        ] {
            let text = "a,label\n" + (0..<20).map { "\(words[$0 % 2]),x\n" }.joined()
            let table = try ContextTable(reading: folder.file("c.csv", text), settingAside: ["label"])
            #expect(table.features == words.sorted().map { "a=\($0)" }, "\(words)")
        }
    }

    @Test("a column whose texts nearly all differ, such as times and ids, is refused by name")
    func distinctTexts() throws {
        let texts: [(Int) -> String] = [
            { "2026-01-01 10:\($0 + 10)" }, { "\($0)f-\($0 * 7919)-a" }, { "user \($0 % 38) x" }, { "u\($0)" },
        ]
        for text in texts {
            let rows = (0..<40).map { "\(text($0)),\($0),x\n" }.joined()
            let file = try folder.file("c.csv", "seen,a,label\n" + rows)
            #expect(
                kinError { try ContextTable(reading: file, settingAside: ["label"]) }
                    .says("column seen", "different texts", "leave the column out"))
            #expect(try ContextTable(reading: file, settingAside: ["label"], ignoring: ["seen"]).features == ["a"])
            let chosen = try ContextTable(reading: file, settingAside: ["label"], categories: ["seen"])
            #expect(chosen.features.count > 38)
        }
    }

    @Test("ids with leading zeros are texts")
    func codesAsIDs() throws {
        let table = try VectorTable(reading: folder.file("v.csv", "id,x\n007,1\n7,2\n0,3\n"))
        #expect(table.names == ["007", "7", "0"] && table.notes.contains { $0.contains("texts, such as '007'") })
        #expect(try VectorTable(reading: folder.file("v.csv", "id,x\n0,1\n10,2\n0.5e1,2\n")).ids == [0, 10, 5])
        let rows = (1...200_000).map { "\($0),1\n" }.joined()
        #expect(
            kinError { try VectorTable(reading: folder.file("long.csv", "id,x\n\(rows)010,2\n")) }.says(
                "'010' is not an id"))
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

    @Test("a numeric column stays one feature despite missing fields and decimal commas")
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
        let path = folder.path("w.csv")
        #expect(errorCode { try ContextTable(reading: path, settingAside: ["label"]) } == .inputOutput)
        let words = (0..<5000).map { "word\($0),x\n" }.joined()
        #expect(kinError { try read("a,label\n" + words) }.says("column a", "5000 of 5000 fields"))
        #expect(kinError { try read("a,label\n" + words, categories: ["a"]) }.says("column a", "5000 words"))
        #expect(kinError { try read("a,label\n1,x\n2,y\nthree,x\n") }.says("line 4", "'three' is not a number"))
        #expect(throws: KinError.self) {
            try ContextTable(reading: folder.file("c.csv", "a,label\n1,x\n2,y\n"), ignoring: ["b"])
        }
    }

    @Test("pairs are read with any separator, and errors name it")
    func pairs() throws {
        let generator = SoulGenerator(seed: 1)
        let matcher = try SoulMatcher((0..<4).map { generator.soul($0) })
        for separator in [";", "\t", ","] {
            let text = "u0,u1,1\nu2,u3,0\n".replacing(",", with: separator)
            #expect(
                try PairFile(reading: folder.file("pairs.csv", text), of: matcher).pairs.map(\.label) == [true, false])
        }
        for truths in [["true", "false"], ["True", "FALSE"], ["1.0", "0.0"], ["\"1\"", "\"0\""]] {
            let text = "\"a\",\"b\",\"label\"\n\"u0\",\"u1\",\(truths[0])\nu2,\"u3\",\(truths[1])\n"
            let file = try PairFile(reading: folder.file("pairs.csv", text), of: matcher)
            #expect(file.pairs.map(\.label) == [true, false] && file.hasLabels, "\(truths)")
        }
        #expect(
            kinError { try PairFile(reading: folder.file("p.csv", "u0,\"u1\n"), of: matcher) }.says("line 1", "quote"))
        let file = try folder.file("pairs.csv", "u0;u1\nu0;u1;1;1\n")
        #expect(kinError { try PairFile(reading: file, of: matcher) }.says("separated by semicolons"))
    }

    @Test("JSON records are read from lines, lists and formatted text with comments")
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

    @Test("every reader refuses Parquet and Arrow files with a conversion command")
    func columnarFiles() throws {
        for (start, reader) in [("PAR1", "read_parquet"), ("ARROW1", "read_feather")] {
            let path = try folder.file("t.csv", start + String(repeating: "\u{1}", count: 40))
            let matcher = try SoulMatcher([SoulGenerator(seed: 1).soul(0)])
            let readers: [() throws -> Void] = [
                { _ = try VectorTable(reading: path) }, { _ = try VectorTable(reading: path, format: .npy) },
                { _ = try ContextTable(reading: path) }, { _ = try RhythmLogFile.load(path) },
                { _ = try SoulFile.read(path) }, { _ = try PairFile(reading: path, of: matcher) },
            ]
            for (number, read) in readers.enumerated() {
                #expect(kinError { try read() }.says("pandas.\(reader)('\(path)').to_csv("), "\(number)")
            }
        }
    }

    @Test(
        "vectors in JSON are refused with a conversion command",
        arguments: [("json", "False"), ("jsonl", "True"), ("ndjson", "True")])
    func vectorsInJSON(ending: String, lines: String) throws {
        let path = try folder.file("v.\(ending)", "[[1, 2], [3, 4]]\n")
        let error = kinError { _ = try VectorTable(reading: path) }
        #expect(error.says("pandas.read_json('\(path)', lines=\(lines)).to_csv('table.csv'"))
        // The table has a column for each number of a list, or a column of lists.
        for table in ["0,1\n1,2\n3,4\n", "id,vector\n7,\"[1, 2]\"\n9,\"[3, 4]\"\n"] {
            #expect(try VectorTable(reading: folder.file("table.csv", table)).dimension == 2)
        }
    }

    @Test("columns that lose precision as floats are noted, in text and in arrays")
    func precision() throws {
        let seconds = (0..<24).map { 1_790_000_000 + 5 * $0 }
        let text = "t,x\n" + seconds.map { "\($0),\(Double($0 % 7) / 3)" }.joined(separator: "\n")
        let notes = try VectorTable(reading: folder.file("v.csv", text)).notes
        #expect(
            notes.count == 1
                && notes[0].contains("column t: 24 different numbers of the first 24 rows are 2 as 32-bit floats"),
            "\(notes)")
        // No note on fractions in 0…1, whole numbers below 2²⁴ and equal numbers.
        var random = SeededGenerator(seed: 5)
        let plain = "a,b,c\n" + (0..<2000).map { "\(random.uniform()),\($0 * 8000),1790000001" }.joined(separator: "\n")
        #expect(try VectorTable(reading: folder.file("v.csv", plain)).notes.isEmpty)
        let arrays = [
            ("<f8", littleEndian(seconds.map { Double($0).bitPattern })), ("<i8", littleEndian(seconds)),
            ("<i4", littleEndian(seconds.map { Int32($0) })),
            ("<f4", littleEndian(seconds.map { Float($0).bitPattern })),
        ]
        for (code, bytes) in arrays {
            let notes = try VectorTable(reading: folder.file("v.npy", npy(code, "(24, 1)", bytes))).notes
            #expect(
                notes.contains { $0.contains("column 0: 24 different numbers") } == (code != "<f4"), "\(code): \(notes)"
            )
        }
    }

    @Test("mixed and constant columns are noted")
    func notesOnContexts() throws {
        let rows = (0..<12).map { "\($0 % 3 == 0 ? "\($0)" : "w\($0 % 2)"),7,\($0),\($0 % 2)" }
        let file = try folder.file("c.csv", "mixed,same,a,label\n" + rows.joined(separator: "\n"))
        let table = try ContextTable(reading: file, settingAside: ["label"])
        #expect(table.notes.contains { $0.contains("column mixed: 4 of 12 fields are numbers") }, "\(table.notes)")
        #expect(
            table.notes.contains { $0.contains("column same is the same in all rows") }
                && !table.features.contains("same"))
        let chosen = try ContextTable(reading: file, settingAside: ["label"], ignoring: ["same"], categories: ["mixed"])
        #expect(chosen.notes.isEmpty, "\(chosen.notes)")
    }
}
