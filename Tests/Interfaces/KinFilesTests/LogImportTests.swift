import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Logs as people write them, with their dates, units, encodings and mistakes.
@Suite struct LogImportTests: LogTests {
    let folder = TemporaryFolder()

    @Test("feeds of every method and side survive CSV and JSON; a side that is not named is unknown")
    func feedsOfEverySide() throws {
        let breasts = ([nil] + RhythmRecord.Feed.Side.allCases).map { RhythmRecord.Feed(method: .breast, side: $0) }
        let others = [nil, .bottle, .solids].map { RhythmRecord.Feed(method: $0, millilitres: 60) }
        let rows = try (breasts + others).enumerated().map { number, feed in
            RhythmRecord(start: try LoggedTime(parsing: "2026-01-05T1\(number):00"), event: .feed(feed))
        }
        let log = RhythmLog(rows)
        try RhythmLogFile.write(log, to: folder.path("feeds.csv"))
        let files = try [folder.path("feeds.csv"), folder.file("feeds.json", log.json)]
        for file in files {
            #expect(try RhythmLogFile.read(file).records.map(\.event) == rows.map(\.event), "\(file)")
        }
    }

    @Test(
        "invalid times are refused with line and column",
        arguments: [
            "noon", "2026-02-30 10:00", "25:00 5/14/2026", "2026-05-14 13:30 AM", "14/15/2026 10:00",
            "2026-05-14T03:30Zonk", "5/14",
            "10:30", "2026-05-14 03:30 extra", "Smarch 14 2026 10:00", "99999999999999999999",
        ])
    func notTimes(text: String) {
        let text = remarks("type,start\nsleep,2026-01-01T10:00\nsleep,\"\(text)\"\n")
        #expect(text.contains("line 3") && text.contains("start"), "\(text)")
    }

    @Test("the dates of a file decide between day-first and month-first, or are refused")
    func datesOfEitherOrder() throws {
        func log(_ dates: [String]) -> String {
            "type,start\n" + dates.map { "feed,\($0) 10:00" }.joined(separator: "\n")
        }
        let days = try load(log(["03/04/2026", "25/04/2026"]))
        #expect(days.log.records.map(\.start.reading.date) == ["2026-04-03", "2026-04-25"])
        #expect(
            days.report.lines.contains { $0.contains("day-first") && $0.contains("25/04/2026") && $0.contains("row 2") }
        )
        #expect(
            try load(log(["03/04/2026", "04/25/2026"])).log.records.map(\.start.reading.date) == [
                "2026-03-04", "2026-04-25",
            ])
        let open = remarks(log(["03/04/2026", "05/06/2026"]))
        #expect(open.contains("--dates day-first") && open.contains("row 1"))
        #expect(remarks(log(["25/04/2026", "04/25/2026"])).contains("row 1 has the day first"))
        for order in DateOrder.allCases {
            let first = try load(log(["03/04/2026"]), LogOptions(dates: order)).log.records[0].start.reading.date
            #expect(first == (order == .dayFirst ? "2026-04-03" : "2026-03-04"))
        }
        #expect(try load(log(["03.04.2026"])).log.records[0].start.reading.date == "2026-04-03")
    }

    @Test("amounts without a unit are millilitres only if they cannot be ounces")
    func unitsOfAmounts() throws {
        func log(_ amounts: [String], _ name: String = "amount") -> String {
            "type,start,\(name)\n"
                + amounts.enumerated().map { "bottle,2026-01-0\($0 + 1)T10:00,\"\($1)\"" }.joined(separator: "\n")
        }
        func millilitres(_ text: String, _ options: LogOptions = LogOptions()) throws -> [Int] {
            try load(text, options).log.records.map { record in
                guard case .feed(let feed) = record.event else { return -1 }
                return Int((feed.millilitres ?? -1).rounded())
            }
        }
        #expect(try millilitres(log(["120ml", "4 oz", "4FLOZ", "4 fl. oz.", "0.1 l"])) == [120, 118, 118, 118, 100])
        #expect(try millilitres(log(["120", "90", "10"])) == [120, 90, 10])
        #expect(remarks(log(["120"])).contains("millilitres"))
        let open = remarks(log(["4.5", "3", "6"]))
        #expect(open.contains("--unit oz") && open.contains("row 1"))
        #expect(try millilitres(log(["4.5", "3"]), LogOptions(unit: .ounces)) == [133, 89])
        #expect(try millilitres(log(["4.5"]), LogOptions(unit: .millilitres)) == [5])
        #expect(try millilitres(log(["4.5"], "Amount (oz.)")) == [133])
        #expect(try millilitres(log(["4.5"], "amount_ml")) == [5])
        #expect(try millilitres("type;start;amount_ml\nfeed;2026-01-05T10:00;90,5\n") == [91])
        // JSON in Kin's own form.
        func json(_ feed: String) -> String { #"[{"type":"feed","start":"2026-01-05T10:00",\#(feed)}]"# }
        #expect(remarks(json(#""volume":4.5"#), as: "log.json").contains("ounces or millilitres"))
        #expect(try load(json(#""volume":4.5"#), as: "log.json", LogOptions(unit: .ounces)).log.records.count == 1)
        #expect(remarks(json(#""volume":120"#), as: "log.json").contains("volumes without a unit are millilitres"))
        #expect(try load(json(#""volume":4.5,"unit":"FLOZ""#), as: "log.json").log.records.count == 1)
    }

    @Test("durations are minutes, hours and minutes, or have units")
    func durations() throws {
        for (text, end) in [
            ("45", "10:45"), ("0:45", "10:45"), ("1:05:00", "11:05"), ("1h 20m", "11:20"), ("90 min", "11:30"),
            ("1.5 hours", "11:30"),
        ] {
            #expect(try load("type,start,duration\nnap,2026-01-05T10:00,\(text)\n").log.records.first?.end?.time == end)
        }
        #expect(
            try load("type,start,Duration (Seconds)\nnap,2026-01-05T10:00,600\n").log.records.first?.end?.time
                == "10:10")
        #expect(
            remarks("type,start,duration\nnap,2026-01-05T10:00,long\n").contains("'long' is not a number of minutes"))
    }

    @Test("separators, encodings and short rows are detected and named")
    func texts() throws {
        let semicolons = "type;start;end\nsleep;2026-03-05 06:40;2026-03-05 08:10\nfeed;2026-03-05 08:30;\n"
        #expect(try load(semicolons).log.records.count == 2)
        #expect(
            remarks("type;start;end\nsleep;2026-03-05 06:40;2026-03-05 08:10;;x\n").contains(
                "semicolons separate the fields"))
        #expect(remarks("a;b\n1;2\n").contains("separated by semicolons"))
        let latin = Data("type,start,note\nsleep,2026-03-05T10:00,m".utf8) + Data([0xFC]) + Data("de\n".utf8)
        let path = folder.path("latin.csv")
        try latin.write(to: URL(fileURLWithPath: path))
        let imported = try RhythmLogFile.load(path)
        #expect(imported.log.records.first?.note?.text == "müde")
        #expect(imported.report.lines.contains { $0.contains("Windows-1252") })
        #expect(remarks("type,start,end\nsleep,2026-03-05 06:40\n").contains("without the last fields"))
        let bits = Data([0x50, 0x41, 0x52, 0x31, 0, 0])
        try bits.write(to: URL(fileURLWithPath: path))
        #expect(throws: KinError.self) { try RhythmLogFile.load(path) }
    }

    @Test("JSON is read as a list, as lines, over several lines and with comments")
    func json() throws {
        let record = #"{"type": "nap", "start_time": 1772463600, "end_time": 1772467200, "mood": "calm"}"#
        for text in [
            "[\(record)]", record, "\(record)\n\(record.replacing("1772", with: "1773"))",
            #"{"name":"Mia","logs":[\#(record)]}"#,
            "// my log\n[\n\(record.replacing(",", with: ",\n"))\n/* end */\n]",
        ] {
            let imported = try load(text, as: "log.json")
            #expect(
                imported.log.records.allSatisfy { TrackerTests.text($0).contains("sleep") }
                    && !imported.log.records.isEmpty)
            #expect(imported.report.parts.flatMap(\.ignored).map(\.column) == ["mood"])
        }
        #expect(
            try load(#"{"name":"Mia","date_of_birth":"2026-01-02","logs":[\#(record)]}"#, as: "log.json").log.baby.name
                == "Mia")
        #expect(
            remarks(#"{"name":"Mia"}"#, as: "log.json").contains("event"))
    }

    @Test("a strict import refuses data that a normal one reports")
    func strict() throws {
        let strict = LogOptions(isStrict: true)
        #expect(throws: Never.self) { try load("type,start,end\nsleep,2026-01-05T10:00,2026-01-05T11:00\n", strict) }
        for text in [
            "type,start,mood\nsleep,2026-01-05T10:00,calm\n",
            "type,start\nbath,2026-01-05T10:00\nsleep,2026-01-05T10:00\n",
            "type,start\nsleep,25/01/2026 10:00\n",
        ] {
            #expect(throws: Never.self) { try load(text) }
            #expect(throws: KinError.self) { try load(text, strict) }
        }
    }

    @Test("rows of several children are refused unless one child is chosen")
    func children() throws {
        let text =
            "type,start,child\nsleep,2026-01-05T10:00,Mia\nsleep,2026-01-05T11:00,Leo\nfeed,2026-01-05T12:00,Leo\n"
        let refusal = remarks(text)
        #expect(refusal.contains("Mia and of Leo") && refusal.contains("--child \"Mia\""), "\(refusal)")
        let imported = try load(text, LogOptions(child: "leo"))
        #expect(imported.log.records.count == 2 && imported.log.baby.name == "Leo")
        #expect(imported.report.lines.joined().contains("1 row of other children left out"))
        #expect(remarks(text, LogOptions(child: "Ann")).contains("no row of Ann, but of Mia and of Leo"))
        let unnamed = remarks("type,start\nsleep,2026-01-05T10:00\n", LogOptions(child: "Ann"))
        #expect(unnamed.contains("known to name a child"))
        // A row without a name is of the only child, or of an unknown one.
        let nameless = try load(text + "feed,2026-01-05T13:00,\n", LogOptions(child: "Mia"))
        #expect(nameless.log.records.count == 1 && nameless.report.lines.joined().contains("row 4: names no child"))
        let alone =
            "type,start,child\nfeed,2026-01-05T10:00,Mia\nsleep,2026-01-05T11:00,\nfeed,2026-01-05T12:00,mia \n"
        for child in [nil, "Mia ", "MIA"] { #expect(try load(alone, LogOptions(child: child)).log.records.count == 3) }
    }

    @Test("the children of JSON are told apart by name and number, and sleeps of several at once are reported")
    func childrenInJSON() throws {
        func events(_ minutes: Int, _ fields: String = "") -> String {
            (1...9).map {
                let (start, end) = ("2026-01-0\($0)T10:\(minutes)", "2026-01-0\($0)T11:\(minutes)")
                return #"{"type":"sleep","startTime":"\#(start)","endTime":"\#(end)"\#(fields)}"#
            }.joined(separator: ",")
        }
        for (first, second) in [
            (#","babyName":"Mia""#, #","babyName":"Leo""#), (#","babyId":"Mia""#, #","babyId":"Leo""#),
            (#","baby_id":7,"baby_name":"Mia""#, #","baby_id":8,"baby_name":"Leo""#),
            (#","baby":{"id":7,"name":"Mia"}"#, #","baby":{"id":8,"name":"Leo"}"#),
        ] {
            let text = #"{"events":[\#(events(10, first)),\#(events(40, second))]}"#
            #expect(
                remarks(text, as: "log.json").contains("rows of Mia and of Leo"), "\(remarks(text, as: "log.json"))")
            for child in ["leo"] + (first.contains("7") ? ["8"] : []) {
                let imported = try load(text, as: "log.json", LogOptions(child: child))
                #expect(imported.log.records.count == 9 && imported.log.baby.name == "Leo")
                #expect(imported.report.parts.flatMap(\.ignored).isEmpty)
            }
        }
        let text = "[\(events(10)),\(events(40, #","who":"Leo""#))]"
        #expect(remarks(text, as: "log.json").contains("9 of 18 sleeps begin during another"))
        #expect(throws: KinError.self) { try load(text, as: "log.json", LogOptions(isStrict: true)) }
        #expect(!remarks("[\(events(10))]", as: "log.json").contains("during another"))
    }

    @Test(
        "an error of a tracker's JSON is that of its values, not that Kin has no such fields",
        arguments: [
            (#"[{"type":"sleep","startTime":"03/04/2026 10:00"}]"#, "--dates"),
            (#"{"events":[{"type":"bottle","startTime":"2026-03-04T10:00","amount":4}]}"#, "--unit"),
            (#"[{"activity":"bath","startTime":"2026-03-04T10:00"}]"#, "\"bath\" is not one of"),
            (#"[{"type":"sleep","startTime":"2026-03-04T10:00","timezone":"Mars"}]"#, "no time zone \"Mars\""),
            (#"[{"type":"sleep","start":"noon"}]"#, "line 1, column"),
        ])
    func errorsOfJSON(text: String, expected: String) {
        #expect(remarks(text, as: "log.json").contains(expected), "\(remarks(text, as: "log.json"))")
        #expect(!remarks(text, as: "log.json").contains("there is no field"))
    }

    @Test(
        "a diaper's contents are read in any order and with any separator",
        arguments: [
            ("Dirty Wet", RhythmRecord.Diaper.both), ("wet + dirty", .both), ("Pee/Poo", .both),
            ("Wet and Dirty", .both),
            ("Mixed", .both), ("BM", .dirty), ("wet", .wet), ("Diaper: Poop", .dirty),
        ])
    func diapers(type: String, expected: RhythmRecord.Diaper) throws {
        let imported = try load("time,type\n2026-01-05 10:00,\"\(type)\"\n", LogOptions(isStrict: true))
        #expect(imported.log.records.map(\.event) == [.diaper(expected)])
    }

    @Test("JSON that ends too early or is invalid is refused at that place, not for the fields that it has")
    func invalidJSON() {
        let sleep = "{\"start\":\"2026-03-01T08:12\",\"end\":\"2026-03-01T09:12\"}"
        let feed = "{\"type\":\"bottle\",\"start\":\"2026-03-01T10:12\",\"amount_ml\":100}"
        let texts = [
            "{\"sleeps\":[\(sleep)],\n\"feeds\":[\(feed)]}", "[\(feed),\(feed)]",
            "{\"babies\":[{\"name\":\"Mia\",\"sleeps\":[\(sleep)]}]}",
        ]
        for text in texts {
            #expect(!remarks(text, as: "log.json").hasPrefix("ERROR"), "\(text)")
            let ends = text.indices.dropFirst().map { String(text[..<$0]) }
            let changed = [("}]", "},]"), ("100}", "1e400}"), ("100}", "NaN}"), ("\"}", "\",}"), ("\"}", "'}")].map {
                text.replacing($0.0, with: $0.1)
            }
            for wrong in ends + changed.filter({ $0 != text }) {
                let error = remarks(wrong, as: "log.json")
                #expect(error.hasPrefix("ERROR") && error.contains("line "), "\(wrong): \(error)")
                #expect(!error.contains("there is no"), "\(wrong): \(error)")
            }
        }
    }

    @Test("damaged exports neither crash nor drop data without a report")
    func damaged() throws {
        var generator = TestSeed().generator
        let exports = TrackerTests.exports
        let pieces = [
            "\"", ",", ";", "\t", "\n", "\r", "{", "}", "[", "]", ":", "oz", "-1", "1e9", "99/99/9999", "\u{FEFF}",
            "null", "é", "//", "0",
        ]
        // The long form in .ci/trust damages a million exports.
        let rounds = repetitions("KIN_DAMAGED_EXPORTS", standard: 3_000)
        var accepted = 0
        for round in 0..<rounds {
            let export = exports[round % exports.count]
            var bytes = Array(export.text.utf8)
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &generator) }
                case 1:
                    bytes.insert(
                        contentsOf: Array(pieces[Int.random(in: 0..<pieces.count, using: &generator)].utf8), at: place)
                case 2:
                    bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...20, using: &generator)))
                default: bytes = Array(bytes[..<place]) + bytes[(place / 2)...]
                }
            }
            guard let imported = try? RhythmLogFile.load(bytes, name: export.file, export.options) else { continue }
            accepted += 1
            // A damaged header may become a title, and times awake are left out, which is reported.
            let remarks = ["is taken as a title", "left out; the first is row"]
            guard export.file.hasSuffix(".csv"),
                imported.report.parts.count == 1,
                !imported.report.lines.contains(where: { line in remarks.contains { line.contains($0) } }),
                let table = try? CSVTable(TextEncoding.decode(bytes).text.plain, columns: "", isPadded: true)
            else { continue }
            let part = imported.report.parts[0]
            let known = Set(
                part.columns.map(\.column) + part.ignored.map(\.column)
                    + imported.report.repairs.map { "row \($0.row)" })
            for (index, name) in table.header.enumerated()
            where !known.contains(name) && !known.contains("number \(index + 1)") {
                let rows = table.rows.filter {
                    index < $0.fields.count && !$0.fields[index].trimmed.isEmpty && !LogRow.isMissing($0.fields[index])
                        && !known.contains("row \($0.number)")
                }
                #expect(rows.isEmpty, "round \(round): \(name)")
            }
        }
        #expect(accepted > rounds / 10, "\(accepted)")
    }
}
