import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

@Suite("Reading CSV")
struct CSVReaderTests {
    private let folder = TemporaryFolder()

    private func table(_ text: String, _ selection: ColumnSelection = ColumnSelection()) throws(KinError) -> VectorTable
    {
        try VectorTable(reading: file("t.csv", text), columns: selection)
    }

    private func file(_ name: String, _ text: String) -> String {
        do { return try folder.file(name, text) } catch { preconditionFailure("\(error)") }
    }

    private func message(_ text: String, _ selection: ColumnSelection = ColumnSelection()) -> String {
        kinError { try table(text, selection) }?.description ?? "no error"
    }

    @Test("header, ids and numbers are read")
    func plain() throws {
        let read = try table("id,a,b\n7,1,-2.5\n3,1e-3,4\n")
        #expect(read.elements == [1, -2.5, 0.001, 4])
        #expect(read.ids == [7, 3])
        #expect(read.columns == ["a", "b"])
        #expect(read.dimension == 2)
        #expect(read.notes == ["ids are taken from column id"])
    }

    @Test(
        "separators, line ends, quotes and blanks give the same table",
        arguments: [
            "a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a;b\n1;2\n3;4", "a\tb\n1\t2\n3\t4\n",
            "\u{FEFF}a,b\n1,2\n3,4\n",
            "\n\na,b\n\n1,2\n\n3,4\n\n", "\"a\",\"b\"\n\"1\",2\n3,\"4\"\n", " a , b \n 1 , 2 \n3 ,4\n",
        ]
    )
    func dresses(text: String) throws {
        let read = try table(text)
        #expect(read.elements == [1, 2, 3, 4])
        #expect(read.columns == ["a", "b"])
    }

    @Test(
        "spaces separate fields if no other separator is there",
        arguments: [
            "a b\n1 2\n3 4\n", "a  b\n 1  2 \r\n\n3    4", "# a b\n1 2\n3 4\n", "#a,b\n1,2\n3,4",
            "sep=;\na;b\n1;2\n3;4",
        ])
    func spaces(text: String) throws {
        let read = try table(text)
        #expect(read.elements == [1, 2, 3, 4] && read.columns == ["a", "b"])
        #expect(read.notes.isEmpty, "\(read.notes)")
    }

    @Test("numbers as numpy.savetxt writes them are read, and errors have their lines")
    func savetxt() throws {
        let read = try table("6.3696e-01 -2.697e-01\n4.09e-02 1.0e+00\n")
        #expect(read.elements == [0.63696, -0.2697, 0.0409, 1] && read.columns == nil)
        #expect(message("1 2\n3 4\n5\n").contains("line 3: 1 field, where 2 are expected; spaces separate the fields"))
        #expect(message("# made\n# by hand, twice\n1 2\n3 x\n").contains("line 4, column 2: 'x' is not a number"))
        // A single column whose name has a space.
        #expect(try table("my score\n1\n").columns == ["my score"])
        #expect(try table("first name,x\n1,2\n").columns == ["first name", "x"])
    }

    @Test("comments at the start are left out, or name the columns")
    func comments() throws {
        let read = try table("# by hand\n#\n\na,b\n1,2\n")
        #expect(read.elements == [1, 2] && read.columns == ["a", "b"])
        #expect(read.notes == ["comments at the start are left out: 2 lines with #"])
        var selection = ColumnSelection()
        selection.hasHeader = false
        #expect(try table("# a,b\n1,2\n", selection).columns == nil)
        // A column of row numbers that is called #.
        #expect(try table("#,a\n0,5\n1,6\n").elements == [5, 6])
    }

    @Test(
        "one field may hold the vector, as Python writes lists and arrays",
        arguments: [
            "id,embedding\n7,\"[1.5, -2e-1]\"\n9,\"[3,4]\"\n", "id\tembedding\n7\t[1.5, -2e-1]\n9\t[3, 4]\n",
            "id,embedding\n7,[ 1.5  -0.2]\n9,\"[3.\n 4.]\"\n", "id,embedding\n7,\"{1.5,-0.2}\"\n9,\"(3, 4)\"\n",
        ])
    func lists(text: String) throws {
        let read = try table(text)
        #expect(read.elements == [1.5, -0.2, 3, 4] && read.dimension == 2 && read.count == 2)
        #expect(read.ids == [7, 9] && read.columns == nil)
        #expect(read.notes == ["ids are taken from column id"])
    }

    @Test("lists without a header, of different lengths, and next to other columns")
    func listErrors() throws {
        #expect(try table("\"[1, 2]\"\n\"[3, 4]\"\n").elements == [1, 2, 3, 4])
        #expect(
            message("e\n\"[1,2]\"\n\"[3,4,5]\"\n").contains(
                "line 3, column e: the list has 3 numbers, and the first one has 2"))
        #expect(message("e\n\"[1,2]\"\n\"[3,x]\"\n").contains("line 3, column e: 'x' is not a number"))
        #expect(
            message("e\n\"[1,2]\"\n\"3,4\"\n").contains(
                "line 3, column e: '3,4' is not a list of numbers such as [0.1, 0.2]"))
        #expect(message("e\n\"[1,2]\"\n\"[1,nan]\"\n").contains("line 3, column e: 'nan' is not a finite number"))
        let mixed = "review,e\ngood,\"[1,2]\"\n"
        #expect(message(mixed).contains("columns review, e hold text, not numbers"))
        var selection = ColumnSelection()
        selection.only = ["e"]
        #expect(try table(mixed, selection).elements == [1, 2])
    }

    @Test("hexadecimal numbers are no numbers")
    func hexadecimal() {
        #expect(message("0x10,2\n").contains("column 1 holds text, not numbers (line 1: '0x10')"))
        #expect(message("a,b\n1,2\n3, -0X1p4\n").contains("line 3, column b: ' -0X1p4' is not a number"))
    }

    @Test("Booleans are 1 and 0, with a note", arguments: ["true,1,FALSE", "True,1,False\n", "TRUE,1, false"])
    func booleans(row: String) throws {
        for header in ["a,b,c\n", ""] {
            let read = try table(header + row + "\n0,0.5,1\n")
            #expect(read.elements == [1, 1, 0, 0, 0.5, 1])
            #expect(read.notes.count { $0.contains("true and false are read as 1 and 0") } == 2, "\(read.notes)")
        }
        #expect(message("a,b\n1,2\ntruth,3\n").contains("'truth' is not a number"))
    }

    @Test("points that may separate thousands are noted")
    func thousands() throws {
        let text = "a;b\n1.234;2.345\n4.000;5.125\n"
        #expect(try table(text).elements == [1.234, 2.345, 4, 5.125])
        #expect(try table(text).notes.first?.hasPrefix("numbers such as 1.234 are read with a decimal point") == true)
        for other in ["a;b\n1.234;2.5\n", "a;b\n1.234;0.125\n", "a;b\n1.234;2,5\n", "a,b\n1.234,2.345\n", "a;b\n1;2\n"]
        {
            #expect(try table(other).notes.isEmpty, "\(other)")
        }
    }

    /// A first line, the columns of the vector if it is a header, and whether there is a note.
    @Test(
        "the first line is a header or a vector",
        arguments: [
            (",0,1,2", "0,10.5,20,30", nil, ["0", "1", "2"], false), ("index,1,2", "0,10,20", nil, ["1", "2"], false),
            ("Unnamed: 0,0,1", "0,10,20", nil, ["0", "1"], false), ("id,0,1", "u1,10,20", "id", ["0", "1"], false),
            ("id,1,2", "u1,10,20", nil, ["1", "2"], false), ("word,a,b", "u1,10,20", "1", ["a", "b"], false),
            ("u1,0.1,0.2", "u2,0.3,0.4", "1", nil, true), ("u1,2019,2020", "u2,1,2", "1", nil, true),
            ("0,1,2,3", "0.5,1,2,3", nil, ["0", "1", "2", "3"], true), ("1,2", "0.5,1", nil, ["1", "2"], true),
            ("0,1,2,3", "5,6,7,8", nil, nil, true), ("1,2", "3,4", nil, nil, false), ("0.5,1", "3,4", nil, nil, false),
        ] as [(String, String, String?, [String]?, Bool)])
    func firstLines(first: String, second: String, chosen: String?, names: [String]?, isNoted: Bool) throws {
        var (asID, asLeftOut) = (ColumnSelection(), ColumnSelection())
        asID.id = chosen
        if let chosen { asLeftOut.except = [chosen] }
        for selection in chosen == nil ? [asID] : [asID, asLeftOut] {
            let read = try table("\(first)\n\(second)\n", selection)
            #expect(read.columns == names && read.count == (names == nil ? 2 : 1), "\(read)")
            #expect(read.notes.contains { $0.contains("line 1") } == isNoted, "\(read.notes)")
            let last = second.split(separator: ",").suffix(read.dimension).compactMap { Float($0) }
            #expect(read.elements.suffix(read.dimension) == last[...])
        }
    }

    @Test("a number is the name of a column before it is a place, next to row numbers")
    func numberedNames() throws {
        var selection = ColumnSelection()
        selection.except = ["1"]
        let read = try table(",0,1,2\n0,10.5,20,30\n1,11,21,31\n", selection)
        #expect(read.columns == ["0", "2"] && read.elements == [10.5, 30, 11, 31])
    }

    @Test("ids are texts in files whose first records are long", arguments: [10, 20_000, 70_000])
    func longRecords(length: Int) throws {
        let text = String(repeating: "hello \"\"there\"\"\n", count: length / 16)
        let rows = (0..<max(3, 200_000 / length)).map { "u\($0),\"\(text)\",\($0).5,1" }
        var selection = ColumnSelection()
        selection.except = ["text"]
        let read = try table("id,text,x,y\n" + rows.joined(separator: "\n"), selection)
        #expect(read.names?.first == "u0" && read.count == rows.count)
    }

    @Test("without a header, every line is data")
    func headless() throws {
        let read = try table("1,2\n3,4\n")
        #expect(read.elements == [1, 2, 3, 4])
        #expect(read.columns == nil)
        var selection = ColumnSelection()
        selection.hasHeader = true
        #expect(try table("1,2\n3,4\n", selection).elements == [3, 4])
        selection.hasHeader = false
        selection.id = "2"
        let numbered = try table("1,2\n3,4\n", selection)
        #expect(numbered.elements == [1, 3])
        #expect(numbered.ids == [2, 4])
    }

    @Test("columns can be chosen, ordered, excluded and used as labels")
    func columns() throws {
        var selection = ColumnSelection()
        selection.id = "key"
        selection.label = "kind"
        selection.only = ["c", "1"]
        let text = "a,b,c,key,kind\n1,x,3,9,red\n4,y,6,8,\"blue, dark\"\n"
        let read = try table(text, selection)
        #expect(read.elements == [3, 1, 6, 4])
        #expect(read.ids == [9, 8])
        #expect(read.labels == ["red", "blue, dark"])
        selection.only = []
        selection.except = ["B"]
        #expect(try table(text, selection).columns == ["a", "c"])
    }

    @Test("preferred columns are used only if the file has them all")
    func preferred() throws {
        var selection = ColumnSelection()
        selection.preferred = ["b", "a"]
        #expect(try table("note,a,b\nx,1,2\n", selection).elements == [2, 1])
        #expect(message("note,a\nx,1\n", selection).contains("column note holds text"))
    }

    @Test("ids are unique whole numbers in several spellings")
    func ids() throws {
        #expect(try table("id,a\n 42 ,1\n7.0,2\n18446744073709551614,3\n").ids == [42, 7, VectorID(UInt64.max - 1)])
        #expect(message("id,a\n1,1\n\n1,2\n").contains("line 4, column id: the id 1 is given twice"))
        for bad in ["-1", "1.5", "18446744073709551615", "1e300"] {
            #expect(message("id,a\n\(bad),1\n").contains("line 2, column id: '\(bad)' is not an id"), "\(bad)")
        }
    }

    @Test("ids are texts if one near the start is a text, and they stay unchanged")
    func names() throws {
        let read = try table("id,a\n doc-1 ,1\n42.0,2\n\"a,b\",3\n")
        #expect(read.names == ["doc-1", "42.0", "a,b"] && read.ids == nil)
        #expect(read.notes == ["ids are taken from column id", "the ids are texts, such as 'doc-1'"])
        #expect(read.idText(ofRow: 1) == "42.0" && read.rows(1..<3).names == ["42.0", "a,b"])
        #expect(message("id,a\nx,1\n\nx,2\n").contains("line 4, column id: the id x is given twice"))
        #expect(message("id,a\nx,1\n,2\n").contains("line 3, column id: the id '' is invalid: it is empty"))
        #expect(message("id,a\nx,1\ny\u{202E},2\n").contains("hidden character U+202E"))
        // Far from the start, a text among numbers is a mistake.
        let numbers = (0..<200_000).map { "\($0),1\n" }.joined()
        #expect(message("id,a\n" + numbers + "x7,1\n").contains("line 200002, column id: 'x7' is not an id"))
    }

    @Test(
        "errors name line and column",
        arguments: [
            ("a,energy\n1,2\n3,abc\n", "line 3, column energy: 'abc' is not a number"),
            ("a,b\n1,2\n\n\n3,abc\n", "line 5, column b: 'abc'"),
            ("a,note,b\n1,\"2\n\",3\n4,5,x\n", "line 2: '2⏎'"),
            ("a,b\r\n1,2\r\n3,x\r\n", "line 3, column b: 'x'"),
            ("a,b\n1,2\n3,nan\n", "line 3, column b: 'nan' is not a finite number"),
            ("a,b\n1,2\n3,-inf\n", "line 3, column b: '-inf' is not a finite number"),
            ("a,b\n1,1e39\n", "line 2, column b: '1e39' is too large for a 32-bit float"),
            ("a,b\n1,2\n3,\n", "line 3, column b: the field is empty"),
            ("a,b\n1,2\n3,", "line 3, column b: the field is empty"),
            ("a,b\n1,2\n3\n", "line 3: 1 field, where 2 are expected"),
            ("a,b\n1,2\n3,4,5\n", "line 3: 3 fields, where 2 are expected"),
            ("a,b\n1,2\n3,\"4\n5,6\n", "line 3: a quote is opened here and not closed"),
            ("a,b\n1,2\n3,4\"5\"\n", "line 3: a quote is inside a field"),
            ("a,b\n1,2\n\n\n3,4\"5\"\n", "line 5: a quote is inside a field"),
            ("a\"x\",b\n1,2\n", "line 1: a quote is inside a field"),
            ("a,note\n1,\"2\n\"3\"\"\n", "line 3: a quote is inside a field"),
            ("id,a\n1,2\n3,4\u{0}5\n", "line 3: a byte is 0"),
            ("id,a\n1,2\n3\u{0}7,\"4\"\n", "line 3: a byte is 0"),
            ("id,a\n1,\"2\u{0}9\"\n", "line 2: a byte is 0"),
            ("1,2\n3,x\n", "line 2, column 2: 'x' is not a number"),
            ("a,name,b,kind\n1,Ann,2,red\n", "columns name, kind hold text, not numbers (line 2: 'Ann', 'red')"),
            ("a,b\n", "no vectors"),
            ("", "the file is empty"),
            ("\n\n", "the file is empty"),
        ]
    )
    func mistakes(text: String, message expected: String) {
        let message = message(text)
        #expect(message.contains(expected), "\(message)")
        #expect(message.contains("t.csv"))
    }

    @Test("line ends inside quotes count as lines")
    func quotedLineEnds() {
        var selection = ColumnSelection()
        selection.except = ["the\nnote"]
        #expect(message("a,\"the\nnote\",b\n1,\"2\n\n\",3\n4,5,x\n", selection).contains("line 6, column b: 'x'"))
    }

    @Test("text that is not UTF-8 is refused by name")
    func encoding() throws {
        let path = try folder.file("t.csv", Array("a,b\n1,2\n3,".utf8) + [0xFF, 0xFE, 0x0A])
        let error = kinError { try VectorTable(reading: path) }
        #expect(error?.description.contains("UTF-8") == true)
        #expect(error?.code == .malformedInput)
    }

    @Test("an unknown column is refused with the existing columns")
    func unknownColumn() {
        var selection = ColumnSelection()
        selection.id = "trackid"
        let message = message("track_id,a\n1,2\n", selection)
        #expect(message.contains("no such column; did you mean track_id?"), "\(message)")
        selection.id = "9"
        #expect(self.message("track_id,a\n1,2\n", selection).contains("the file has 2 columns"))
        selection = ColumnSelection()
        selection.only = ["a", "a"]
        #expect(self.message("track_id,a\n1,2\n", selection).contains("twice"))
        #expect(kinError { try table("track_id,a\n1,2\n", selection) }?.code == .invalidArgument)
    }

    @Test("a column with a name like an id is noted")
    func suspect() throws {
        #expect(try table("track_id,a\n1,2\n").notes.first?.contains("track_id is used as a number") == true)
        let notes = try table("a,b,a\n1,2,3\n").notes
        #expect(notes == ["two columns are called a; the later one, number 3, is chosen by its number only"])
    }

    @Test("block size and number of threads do not change the result")
    func blocks() throws {
        for seed in UInt64(1)...40 {
            var generator = SeededGenerator(seed: seed)
            var text = "note,a,b\n"
            let badRow = generator.below(60)
            for row in 0..<40 {
                let note = ["x", "\"two\nlines\"", "\"a,b\"", "\"say \"\"hi\"\"\"", ""][generator.below(5)]
                text += "\(note),\(row == badRow ? "bad" : "\(generator.below(1000))"),\(generator.uniform())\n"
                if generator.below(6) == 0 { text += "\n" }
            }
            let path = try folder.file("t.csv", text)
            var selection = ColumnSelection()
            selection.except = ["note"]
            func outcome(blockSize: Int, threads: Int) -> String {
                do {
                    let bytes = try ByteReader(path: path)
                    let reader = CSVVectorReader(
                        bytes: bytes, selection: selection, blockSize: blockSize, threads: threads
                    )
                    var elements: [Float] = []
                    // In one piece or in several.
                    try reader.forEachBatch(rows: blockSize < 100 ? 2 : .max) { elements += $0.elements }
                    return "\(elements)"
                } catch {
                    return "\(error)"
                }
            }
            let whole = outcome(blockSize: 1 << 20, threads: 1)
            for blockSize in [1, 7, 64, 333] {
                #expect(outcome(blockSize: blockSize, threads: 3) == whole, "seed \(seed), blocks of \(blockSize)")
            }
        }
    }

    @Test("compressed, missing and unreadable files are refused with advice")
    func files() throws {
        let zipped = try folder.file("x.csv.gz", [0x1F, 0x8B, 8, 0, 0])
        let parquet = try folder.file("x.parquet", "PAR1")
        func refusal(_ path: String) -> KinError? { kinError { try VectorTable(reading: path) } }
        #expect(refusal(zipped)?.description.contains("gunzip") == true)
        #expect(refusal(zipped)?.code == .malformedInput)
        for path in [folder.path("none.csv"), folder.path] {
            #expect(refusal(path)?.code == .inputOutput && refusal(path)?.context.map(\.name) == ["input"])
        }
        #expect(refusal(parquet)?.code == .malformedInput && refusal(parquet)?.message.contains("read_parquet") == true)
        let nameless = try folder.file("x.dat", "a\n1\n")
        #expect(refusal(nameless)?.code == .invalidArgument)
    }

    @Test("a link is followed")
    func link() throws {
        _ = try folder.file("t.csv", "a\n1\n")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("l.csv"), withDestinationPath: folder.path("t.csv"))
        #expect(try VectorTable(reading: folder.path("l.csv")).elements == [1])
    }
}
