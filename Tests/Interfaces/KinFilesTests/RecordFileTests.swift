import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinFiles

@Suite("Record files")
struct RecordFileTests {
    private let folder = TemporaryFolder()

    @Test func pairsHaveATitleAndLabelsOrNeither() throws {
        let generator = SoulGenerator(seed: 1)
        let matcher = try SoulMatcher((0..<4).map { generator.soul($0) })
        func read(_ text: String) throws -> PairFile {
            try PairFile(reading: folder.file("pairs.csv", text), of: matcher)
        }
        let plain = try read("first,second\nu0, u1\n\nu2,u3\n")
        #expect(plain.pairs == [LabelledPair("u0", "u1", label: true), LabelledPair("u2", "u3", label: true)])
        #expect(!plain.hasLabels)
        let labelled = try read("u0,u1,1\nu2,u3,0")
        #expect(labelled.pairs.map(\.label) == [true, false] && labelled.hasLabels)
        for (text, message) in [
            ("u0,u1\nu0", "a pair must be two ids"), ("u0,u1\nu0,u9", "no soul of \"u9\""),
            ("u0,u1,2", "must be 1 or 0"),
        ] {
            let error = kinError { try read(text) }
            #expect(error.says(message) && error?.fact("line") != nil, "\(text)")
        }
    }

    @Test func idsAreListedWithConditionsOrWithout() throws {
        let table = VectorTable(dimension: 2, elements: (0..<20).map(Float.init))
        let index = try IndexFile(table, metric: .squaredL2, scale: nil).index
        let odd = (1...9_999).filter { $0 % 2 == 1 }.map(String.init).joined(separator: ",")
        for (text, expected) in [
            ("1-18446744073709551614", Array(1...9)), ("0-18446744073709551614", Array(0...9)),
            ("3,0,5-6,3", [0, 3, 5, 6]),
            ("20-30", []), (odd, [1, 3, 5, 7, 9]),
        ] {
            let ids = try #require(IDList(text))
            for condition in [nil, try FilterExpression(parsing: "id < 100")] {
                let filter = SearchFilter(among: ids, where: condition)
                let found = try index.search([0, 0], k: 20, options: .init(mode: .exact, where: filter, threads: 1))
                #expect(found.map(\.id.rawValue) == expected.map(UInt64.init), "\(text.prefix(40))")
            }
        }
    }

    @Test func instantsAreReadLineByLine() throws {
        let instants = try RhythmLogFile.instants(folder.file("at.txt", "2026-01-05T12:00\n\n 2026-01-06T07:30 \n"))
        #expect(instants.map(\.description) == ["2026-01-05T12:00:00", "2026-01-06T07:30:00"])
        let error = kinError { try RhythmLogFile.instants(folder.file("at.txt", "2026-01-05T12:00\nnoon")) }
        #expect(error?.fact("line") == "2")
    }

    @Test func linesThatAreTooLongAreSkippedInPieces() throws {
        let generator = ImageAnalysisGenerator(seed: 1)
        let long = String(repeating: " ", count: ImageAnalysisFiles.longest + 9_000_000)
        let lines = [
            generator.image(0).analysis.json, long, generator.image(1).analysis.json, "{",
            generator.image(2).analysis.json,
        ]
        let file = try folder.file("images.jsonl", lines.joined(separator: "\n"))
        var files = ImageAnalysisFiles()
        try files.read(file)
        #expect(files.reader.collection.ids == ["image-0", "image-1", "image-2"])
        let numbers = files.reader.report.problems.map { $0.context.first { $0.name == "line" }?.value }
        #expect(numbers == ["2", "4"])
    }

    /// Cameras give files of different folders the same name.
    @Test func imagesOfOneNameInSeveralFoldersHaveTheirPathsAsIDs() throws {
        let generator = ImageAnalysisGenerator(seed: 1)
        for (number, name) in ["2024/IMG_1.json", "2025/IMG_1.JSON", "2025/IMG_2.json", "IMG_1.json"].enumerated() {
            let path = folder.path("album/" + (name as NSString).deletingLastPathComponent)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            _ = try folder.file("album/\(name)", generator.image(number).analysis.json)
        }
        var files = ImageAnalysisFiles()
        try files.read(folder.path("album"))
        #expect(files.reader.collection.ids == ["2024/IMG_1", "2025/IMG_1", "IMG_2", "IMG_1"])
        #expect(files.reader.report.problems.isEmpty)
        // Two folders, one after the other.
        var apart = ImageAnalysisFiles()
        for year in ["2024", "2025"] { try apart.read(folder.path("album/\(year)")) }
        #expect(apart.reader.collection.ids == ["IMG_1", "IMG_2"])
        let problem = "\(try #require(apart.reader.report.problems.first))"
        #expect(problem.contains("2025/IMG_1.JSON") && problem.contains("one folder that contains both"), "\(problem)")
    }

    /// The end of a skipped line may be the end of a piece.
    @Test(arguments: [-1, 0, 1]) func aSkippedLineMayEndWithAPiece(_ shift: Int) throws {
        let generator = ImageAnalysisGenerator(seed: 1)
        // A piece has 4 MiB: the line feed of the long line is the last byte of the sixth piece, or one byte before or
        // after it.
        let long = String(repeating: " ", count: 6 * (1 << 22) - 1 + shift)
        let file = try folder.file("pieces.jsonl", long + "\n" + generator.image(2).analysis.json)
        var files = ImageAnalysisFiles()
        try files.read(file)
        #expect(files.reader.collection.ids == ["image-2"])
        #expect(files.reader.report.problems.map { $0.context.first { $0.name == "line" }?.value } == ["1"])
    }

    @Test(
        "files that are no text are refused once, with the next step", arguments: ["souls", "images", "log", "vectors"])
    func binaries(reader: String) throws {
        let database = "SQLite format 3" + String(repeating: "\0", count: 53)
        for (start, step) in [
            (database + "\0\0\0\0", "a SQLite database; write the table"),
            (database + "KinS", "kin store export --store"),
            ("%PDF-1.4\n", "a PDF report; export CSV"), ("BEGIN:VCALENDAR\r\n", "a calendar (ICS); export CSV"),
            ("PK\u{3}\u{4}", "unpack it and give the folder"), ("PAR1", "pandas.read_parquet"),
            ("KINFILE\0\u{4}\u{3}", "an index or other data of Kin"),
            ("number\n\0\0\n", "it has zero bytes"),
        ] where reader != "vectors" || !start.hasPrefix("number") {
            // Tables of vectors name the cell with zero bytes instead.
            let file = try folder.file("data.csv", start + "\n{\n{\n")
            let error = #expect(throws: KinError.self) {
                switch reader {
                case "souls": _ = try SoulFile.read(file)
                case "images":
                    var files = ImageAnalysisFiles()
                    try files.read(file)
                case "log": _ = try RhythmLogFile.load(file)
                default: _ = try VectorFile(file).read()
                }
            }
            #expect(error?.message.contains(step) == true, "\(start): \(error?.message ?? "")")
        }
    }

    @Test("souls are read one per line, and errors name the line")
    func souls() throws {
        let souls = (0..<40).map { SoulGenerator(seed: 2, communities: 3).soul($0) }
        let file = try folder.file("souls.jsonl", souls.map(\.json).joined(separator: "\n\n"))
        #expect(try SoulFile.read(file) == souls)
        let wrong = try folder.file("wrong.jsonl", souls[0].json + "\n\n{\"user_id\": 3}\n")
        let message = kinError { try SoulFile.read(wrong) }?.description ?? ""
        #expect(message.contains("wrong.jsonl") && message.contains("line 3"), "\(message)")
    }

    @Test("souls are read from an export of a store, from a list, and with other names of the id")
    func formsOfSouls() throws {
        let souls = (0..<3).map { SoulGenerator(seed: 2, communities: 3).soul($0) }
        let lines = souls.map(\.json)
        for text in [
            lines.map { "{\"soul\":\($0)}" }.joined(separator: "\n"), "{\"souls\":[\(lines.joined(separator: ","))]}",
            lines.map { $0.replacing("\"uid\"", with: "\"userId\"") }.joined(separator: "\n"),
            lines.map { $0.replacing("\"uid\"", with: "\"user_id\"") }.joined(separator: "\n"),
        ] {
            #expect(try SoulFile.read(folder.file("forms.jsonl", text)) == souls, "\(text.prefix(80))")
        }
    }

    @Test("analyses are read from lines in a file named as JSON, and from a list in an object")
    func formsOfAnalyses() throws {
        let images = (0..<3).map { ImageAnalysisGenerator(seed: 1).image($0).analysis.json }
        for text in [images.joined(separator: "\n"), "{ \"images\": [\(images.joined(separator: ","))]}"] {
            var files = ImageAnalysisFiles()
            try files.read(folder.file("images.json", text))
            #expect(files.reader.collection.ids == ["image-0", "image-1", "image-2"], "\(text.prefix(80))")
        }
    }

    @Test("a log survives a round trip through CSV, JSON and the export of a store")
    func logs() throws {
        let log = BabyGenerator(seed: 5).log(0, days: 40, age: 60)
        try RhythmLogFile.write(log, to: folder.path("log.csv"))
        let read = try RhythmLogFile.read(folder.path("log.csv"), born: "2025-11-02")
        #expect(
            read.records.map(\.start) == log.records.map(\.start) && read.records.map(\.end) == log.records.map(\.end))
        #expect(read.baby.born == log.baby.born)
        let again = try folder.file("log.json", log.json)
        #expect(try RhythmLogFile.read(again).records.count == log.records.count)
        let lines = log.records.map { "{\"care_event\":{\"user_id\":\"u\",\"baby\":\"b\",\"event\":\($0.json)}}" }
        let exported = try RhythmLogFile.read(folder.file("export.jsonl", lines.joined(separator: "\n")))
        #expect(exported.records.map(\.event) == log.records.map(\.event))
        #expect(log.records.contains { $0.type == .milestone })
    }

    @Test("a log with UTC offsets uses its zone or the clock of its first row")
    func offsetsOfLogs() throws {
        let header = "type,start,end,duration_min,subtype,amount_ml"
        func log(_ lines: [String], in zone: String? = nil) throws -> RhythmLog {
            let file = try folder.file("log.csv", ([header] + lines).joined(separator: "\n"))
            return try RhythmLogFile.read(file, zone: zone.map { try LocalZone(named: $0) })
        }
        let events = [
            ("sleep", "2026-03-05T13:00+02:00", "2026-03-05T12:00Z"), ("bath", "2026-03-05T12:30+05:00", ""),
            ("feed", "2026-03-05T12:00Z", "2026-03-05T12:20Z"), ("diaper", "2026-03-05T14:30+02:00", ""),
            ("sleep", "2026-03-05T13:00Z", "2026-03-05T16:00+02:00"), ("feed", "2026-03-05T16:30", ""),
        ]
        let lines = events.map { "\($0.0),\($0.1),\($0.2),,\($0.0 == "diaper" ? "wet" : "")," }
        func times(_ log: RhythmLog) -> [String] {
            log.records.map { "\($0.start.time) \($0.end?.time ?? "")" }
        }
        let mixed = try log(lines)
        #expect(times(mixed) == ["13:00 14:00", "14:00 14:20", "14:30 ", "15:00 16:00", "16:30 "])
        #expect(mixed.repairs.filter { $0.problem == .otherOffset }.map(\.row) == [3, 5])
        #expect(Set(mixed.repairs.filter { $0.problem != .otherOffset }.map(\.problem)) == [.unknownType, .noOffset])
        let placed = try log(lines, in: "America/New_York")
        #expect(times(placed) == ["06:00 07:00", "07:00 07:20", "07:30 ", "08:00 09:00", "16:30 "])
        #expect(!placed.repairs.contains { $0.problem == .otherOffset })
        // The same rows in JSON, in a log with or without a named zone.
        let rows = events.map { type, start, end in
            #"{"type":"\#(type)","start":"\#(start)"\#(end.isEmpty ? "" : #","end":"\#(end)""#)}"#
        }.joined(separator: ",")
        let file = try folder.file("log.json", "[\(rows)]")
        #expect(try times(RhythmLogFile.read(file)) == times(mixed))
        #expect(
            try RhythmLogFile.read(file).repairs.map(\.problem) == mixed.repairs.map(\.problem))
        let zone = try LocalZone(named: "America/New_York")
        #expect(try times(RhythmLogFile.read(file, zone: zone)) == times(placed))
        let named = try folder.file("zone.json", #"{"events":[\#(rows)],"time_zone":"America/New_York"}"#)
        #expect(try times(RhythmLogFile.read(named, zone: LocalZone(named: "Asia/Tokyo"))) == times(placed))
        // Instants are read as written.
        let at = try folder.file("at.txt", "2026-03-05T12:00Z\n2026-03-05T12:00+01:00\n2026-03-05T12:00")
        let instants = try RhythmLogFile.instants(at)
        #expect(instants.map(\.time) == ["12:00", "12:00", "12:00"])
        #expect(instants.map(mixed.clock.asked).map(\.time) == ["14:00", "12:00", "12:00"])
        #expect(instants.map(placed.clock.asked).map(\.time) == ["07:00", "06:00", "12:00"])
    }

    @Test("types and subtypes are read in any case, and titles stay unchanged")
    func wordsInAnyCase() throws {
        let lines = [
            "sleep,2026-01-05T12:00,2026-01-05T13:00,,,", "feed,2026-01-05T14:00,,,bottle-formula,120",
            "feed,2026-01-05T15:00,,,breast-left,", "feed,2026-01-05T16:00,,,unspecified,",
            "feed,2026-01-05T17:00,,,solids,", "diaper,2026-01-05T18:00,,,wet,", "diaper,2026-01-05T18:30,,,dirty,",
            "diaper,2026-01-05T19:00,,,dry,", "diaper,2026-01-05T19:30,,,mixed,",
        ]
        let header = "type,start,end,duration_min,subtype,amount_ml"
        func read(_ lines: [String]) throws -> RhythmLog {
            try RhythmLogFile.read(folder.file("log.csv", ([header] + lines).joined(separator: "\n")))
        }
        let lower = try read(lines)
        #expect(!lower.repairs.contains { $0.problem == .unknownWord || $0.problem == .unknownType })
        #expect(try read(lines.map { $0.uppercased() }) == lower)
        #expect(
            try read(
                lines.map { line in
                    line.split(separator: ",", omittingEmptySubsequences: false)
                        .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: ",")
                }) == lower)
        let odd = try read(lines + ["Milestone,2026-01-05T20:00,,,First Steps,", "Pumping,2026-01-05T21:00,,,,"])
        #expect(odd.records.last?.event == .milestone(title: "First Steps", category: .physical))
        #expect(odd.repairs.contains { $0.problem == .unknownType && $0.text.contains("\"Pumping\"") })
    }

    @Test("a row's line number counts quoted line ends and blank lines")
    func linesOfTables() throws {
        let text = "\n a , b\n1,\"two\nlines\"\n\n2,x\n3\n"
        let message = kinError { try CSVTable(text, columns: "a,b") }?.description
        #expect(message == "line 7: 1 field, where 2 are expected; commas separate the fields")
        let table = try CSVTable(String(text.dropLast(2)), columns: "a,b")
        #expect(table.header == ["a", "b"] && table.headerLine == 2)
        #expect(table.rows.map(\.line) == [3, 6] && table.rows.map(\.number) == [2, 4])
        #expect(kinError { try table.column("bb") }?.message.contains("did you mean b?") == true)
        for empty in ["", "\n\n"] {
            #expect(
                kinError { try CSVTable(empty, columns: "a,b") }?.message.contains("a,b") == true)
        }
    }

    @Test("a file is written completely or not at all")
    func wholeFiles() throws {
        let path = try folder.file("x.txt", "old")
        #expect(throws: KinError.self) {
            try withOverwriting {
                try WholeFile.make(path) { file in
                    try file.write([1, 2, 3])
                    throw KinError(.malformedInput, "half-way")
                }
            }
        }
        #expect(try folder.bytes("x.txt") == Array("old".utf8))
        try withOverwriting { try WholeFile.make(path, text: "new") }
        #expect(try folder.bytes("x.txt") == Array("new".utf8))
        // Two writers at the same time, and a file with the name that unfinished files had in 0.2.0.
        _ = try folder.file("x.txt.part", "mine")
        try withOverwriting {
            try WholeFile.make(path) { file in
                try file.write([1])
                try WholeFile.make(path, text: "between")
                #expect(try folder.bytes("x.txt") == Array("between".utf8))
                try file.write([2])
            }
        }
        #expect(try folder.bytes("x.txt") == [1, 2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["x.txt", "x.txt.part"])
        do {
            try WholeFile.make(folder.path("no/such/folder.txt"), text: "")
            Issue.record("there is no such folder")
        } catch let error as KinError {
            #expect(error.code == .inputOutput && error.context.map(\.name) == ["output"])
        }
    }

    @Test func categoriesHaveOneMeaningInEverySpelling() throws {
        for names in [
            ["potted plant", "potted_plant", "Potted-Plant", "pottedplant"], ["dog", "DOG"], ["Zebra", "zebra"],
        ] {
            let analyses = try names.map { name in
                let boxes = try folder.file("b.csv", "image_id,category_id,x,y,w,h\n1,1,0,0,9,9\n")
                let categories = try folder.file("c.csv", "category_id,category,supercategory\n1,\(name),Animal\n")
                let image = try BoxTable(reading: boxes, categories: categories).images[0]
                return try BoxConverter().analysis(image: image.id, boxes: image.boxes)
            }
            #expect(Set(analyses.map(\.values)).count == 1 && Set(analyses.map(\.realmTypes)).count == 1, "\(names)")
        }
    }

    /// Apps name the person in different ways; only the name of the member changes, and exports have other records.
    @Test func soulsAreReadWithTheirNamesInAnyForm() throws {
        let soul = "\"goals\":{\"user_id\":1},\"note\":\"\\\"user_id\\\"\""
        for name in ["uid", "user_id", "userId", "userID"] {
            for form in ["{\"\(name)\":\"a\",\(soul)}", "{\"soul\":{\"\(name)\":\"a\",\(soul)}}"] {
                var others = 0
                let text = form + "\n{\"session\":{\"id\":\"s\"}}\n{\"profile\":{\"a\":1},\"since\":\"2026\"}\n"
                let souls = try SoulFile.read(folder.file("souls.jsonl", text)) { others = $0 }
                #expect(souls.map(\.userID) == ["a"] && others == 2, "\(form)")
                #expect(souls[0].note == "\"user_id\"" && souls[0].json.contains("\"user_id\":1"))
            }
        }
        #expect(errorCode { try SoulFile.read(folder.file("souls.jsonl", "{\"goals\":{\"a\":1}}")) } == .malformedInput)
    }
}
