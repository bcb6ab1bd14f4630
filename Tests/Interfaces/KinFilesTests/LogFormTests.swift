import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Tests of logs that are written to a file and loaded.
protocol LogTests {
    var folder: TemporaryFolder { get }
}

extension LogTests {
    func load(_ text: String, as name: String = "log.csv", _ options: LogOptions = LogOptions()) throws
        -> LogImport
    {
        try RhythmLogFile.load(folder.file(name, text), options)
    }

    /// The notes and repairs of a log, or its error.
    func remarks(_ text: String, as name: String = "log.csv", _ options: LogOptions = LogOptions()) -> String {
        do {
            let report = try load(text, as: name, options).report
            return (report.lines + report.repairs.map { "row \($0.row): \($0.text)" }).joined(separator: "\n")
        } catch { return "ERROR \(error)" }
    }

    /// The events of a log, or its error.
    func events(_ text: String, as name: String = "log.csv", _ options: LogOptions = LogOptions()) -> [String] {
        do {
            let records = try load(text, as: name, options).log.records.filter { $0.note?.isRemoved != true }
            return records.map(TrackerTests.text)
        } catch { return ["\(error)"] }
    }

    func isRefused(_ text: String, as name: String = "log.csv") -> Bool {
        remarks(text, as: name, LogOptions(isStrict: true)).hasPrefix("ERROR")
    }
}

/// Logs in the forms of spreadsheets, other languages and general trackers, and logs with a few invalid cells.
@Suite struct LogFormTests: LogTests {
    let folder = TemporaryFolder()

    /// Thirty sleeps of one hour, each at 10:00.
    static let sleeps = (1...30).map { String(format: "sleep,2026-03-%02dT10:00,2026-03-%02dT11:00", $0, $0) }

    @Test("a file with only times has the type of its name, or is refused")
    func typesOfFiles() throws {
        for header in ["Begin time,End time", "Baby,Time,Duration (min)", "child_id,start,end"] {
            let row = header.hasPrefix("Beg") ? "03/13/2026 8:00 AM,03/13/2026 8:20 AM" : "1,2026-03-13 08:00,"
            let text = "\(header)\n\(row)\(header.hasPrefix("Baby") ? "20" : "")\n"
            for (name, type) in [
                ("sleep.csv", "sleep"), ("Mia_naps.csv", "sleep"), ("nursing.csv", "feed"), ("feeds.csv", "feed"),
                ("diapers.csv", "diaper"),
            ] {
                #expect(try load(text, as: name).log.records.map(\.type.rawValue) == [type], "\(header) \(name)")
                #expect(remarks(text, as: name).contains("1 \(type)"), "\(header) \(name)")
            }
            for name in [
                "medicine.csv", "tummy_time.csv", "walks.csv", "pumping.csv", "wake_windows.csv", "log.csv",
            ] {
                #expect(remarks(text, as: name).contains("name the file by its type"), "\(header) \(name)")
            }
        }
        #expect(remarks("Ended\n2026-03-13 08:00\n", as: "sleeps.csv").contains("no column is the start"))
        #expect(
            try load("Sleep Started,Sleep Ended\n2026-03-13 08:00,2026-03-13 09:00\n", as: "fb_sleeps.csv").log.records
                .count == 1)
    }

    @Test(
        "a plain duration has the unit of its size, which is reported",
        arguments: [
            ([81.0, 102, 36], "min"), ([4860, 6120, 2160], "s"), ([1.35, 1.7, 0.6], "h"),
            ([4_860_000, 6_120_000, 2_160_000], "ms"),
        ])
    func durations(values: [Double], unit: String) throws {
        let rows = values.map { "sleep,2026-03-01 08:00,\($0)" }.joined(separator: "\n")
        let imported = try load("type,start,duration\n\(rows)\n")
        #expect(imported.log.records.map { $0.end?.time } == ["09:21", "09:42", "08:36"])
        let name = ["min": "minutes", "s": "seconds", "h": "hours", "ms": "milliseconds"][unit] ?? ""
        #expect(imported.report.lines.contains { $0.contains("duration without a unit are \(name)") })
        #expect(
            isRefused("type,start,duration\n\(rows)\n")
                && !isRefused("type,start,duration_min\nsleep,2026-03-01 08:00,81\n"))
        // Minutes at each breast.
        let feeds = values.map { "feed,2026-03-01 08:00,\($0 / 6)" }.joined(separator: "\n")
        #expect(events("type,start,left\n\(feeds)\n").first == "08:00 feed breast left 14 min")
    }

    @Test(
        "durations of other programs and languages are read",
        arguments: [
            ("PT1H21M", 81.0), ("P1DT0H", 1440), ("PT45M30S", 45.5), ("0 days 01:21:00", 81), ("1 day, 0:30:00", 1470),
            ("1 Std. 21 Min.", 81), ("2 heures 5 minutes", 125), ("1h21", 81), ("4200s", 70), ("1 hora", 60),
        ])
    func otherDurations(text: String, minutes: Double) {
        #expect(LogQuantity.minutes(text, unit: nil, decimalComma: false) == minutes)
    }

    @Test(
        "a column named only by a unit is a duration or an amount",
        arguments: [
            ("Minutes", "90", "11:30"), ("mins", "90", "11:30"), ("Hours", "1.5", "11:30"),
            ("Std.", "\"1,5\"", "11:30"),
            ("Duration in minutes", "90", "11:30"), ("Total (min)", "90", "11:30"), ("Total (h)", "1.5", "11:30"),
            ("ml", "120", "120"), ("oz", "4", "118"), ("Total (ml)", "120", "120"), ("Amount in ml", "120", "120"),
            ("Milk (ml)", "120", "120"), ("Formula (ml),Breast Milk (ml)", "80,40", "120"),
        ])
    func columnsOfUnits(name: String, value: String, expected: String) throws {
        let type = expected.contains(":") ? "sleep" : "bottle"
        let text = "type,start,\(name)\n\(type),2026-03-01 10:00,\(value)\n"
        #expect(events(text) == ["10:00 \(type == "sleep" ? "sleep" : "feed bottle") \(expected)"])
        let parts = remarks("type,start,Hours,Minutes\nsleep,2026-03-01 10:00,1,20\n")
        #expect(parts.contains("column Hours is not used") && parts.contains("column Minutes is not used"))
    }

    @Test(
        "durations of minutes and seconds, and of hours with a decimal comma, are told by their sizes",
        arguments: [
            ("type,start,Left", "nursing", "7:30", "feed breast left 8 min"),
            ("type,start,Right (min)", "nursing", "12:00", "feed breast right 12 min"),
            ("type,start,Duration", "sleep", "81:00", "sleep 11:21"),
            ("type,start,Duration", "sleep", "1:21", "sleep 11:21"),
            ("type,start,duration", "sleep", "\"1,35\"", "sleep 11:21"),
            ("type,start,duration", "sleep", "\"0,750\"", "sleep 10:45"),
        ])
    func clocksOfDurations(header: String, type: String, value: String, expected: String) throws {
        let text = "\(header)\n\(type),2026-03-01 10:00,\(value)\n"
        #expect(events(text) == ["10:00 " + expected])
        #expect(isRefused(text) == (value != "1:21"))
    }

    @Test(
        "sleeps are read from rows of their starts and ends",
        arguments: [("start", "end"), ("Started", "Stopped"), ("begin", "stop"), ("on", "off")])
    func rowsOfStates(start: String, end: String) throws {
        let rows = "sleep,2026-03-01 10:00,\(start)\nsleep,2026-03-01 11:00,\(end)\nfeed,2026-03-01 12:00,\(start)\n"
        for name in ["State", "action"] {
            let imported = try load("Event,Time,\(name)\n" + rows)
            #expect(imported.log.records.map(TrackerTests.text) == ["10:00 sleep 11:00", "12:00 feed"])
            #expect(imported.report.parts[0].ignored.map(\.rows) == [1])
        }
        // With a column of ends, a row is a whole sleep.
        let whole = "Event,Time,End,State\nsleep,2026-03-01 10:00,2026-03-01 11:00,start\n"
        #expect(events(whole) == ["10:00 sleep 11:00"])
        #expect(remarks("type,date,time\nsleep,01.03.,10:00\n").contains("\"01.03.\" has no year"))
    }

    @Test("a date without a time of day is refused, or left out if most rows have one")
    func dates() throws {
        for text in ["type,date,duration\nsleep,2026-03-01,81\n", "type,start\nfeed,1 March 2026\n"] {
            #expect(remarks(text).contains("has no time of day") && remarks(text).contains("line 2"))
        }
        let header = "type,start,end\n"
        for row in ["sleep,2026-03-31,2026-03-31T11:00", "sleep,2026-03-31T10:00,2026-03-31"] {
            let imported = try load(header + (Self.sleeps + [row]).joined(separator: "\n"))
            #expect(imported.log.records.count == 30)
            #expect(imported.report.repairs.map(\.row) == [31])
        }
        #expect(try load("type,date,title\nmilestone,2026-03-01,smiles\n").log.records.count == 1)
    }

    @Test(
        "one invalid row of a long log is left out and reported, and many are refused",
        arguments: [
            "sleep,noon,", "sleep,2026-02-30T10:00,", "sleep,2026-13-01T10:00,", "sleep,2026-03-31T10:00,later",
            "sleep,,",
            "sleep,2026-03-31T10:61,",
        ])
    func invalidRows(row: String) throws {
        let text = "type,start,end\n" + (Self.sleeps + [row]).joined(separator: "\n")
        let imported = try load(text)
        #expect(imported.log.records.count == 30)
        #expect(imported.report.repairs.map(\.row) == [31] && imported.report.repairs[0].text.contains("left out"))
        #expect(isRefused(text))
        #expect(remarks("type,start,end\n" + (Self.sleeps + [row, row]).joined(separator: "\n")).contains("ERROR"))
        #expect(!remarks(text).contains("00Z"), "\(remarks(text))")
    }

    @Test("commas in a note without quotes belong to the note, and other rows with too many fields are left out")
    func notesWithCommas() throws {
        let rows = Self.sleeps.map { $0 + ",calm" }
        func lines(_ rows: [String]) -> String { rows.joined(separator: "\n") }
        let joined = try load(lines(["type,start,end,notes"] + rows + [Self.sleeps[0] + ",woke, cried, slept"]))
        #expect(joined.log.records.compactMap(\.note?.text).contains("woke, cried, slept"))
        #expect(!remarks("type,start,notes\nfeed,2026-03-01T10:00,a,b\n").contains("ERROR"))
        let before = Self.sleeps.map { "calm," + $0 }
        let left = try load(lines(["notes,type,start,end"] + before + ["woke, cried," + Self.sleeps[0]]))
        #expect(left.log.records.count == 30 && left.report.repairs.map(\.row) == [31])
        #expect(left.report.repairs[0].text.contains("5 fields, where 4 are expected"))
    }

    @Test("an amount that is not a number is left out, and decimal commas are read")
    func amounts() throws {
        for (text, expected) in [
            ("4,5 oz", "133"), ("\"4,5 oz\"", "133"), ("100-120", ""), ("a lot", ""), ("NaN", ""), ("\"1,200\"", ""),
        ] {
            let quoted = text.hasPrefix("\"") || !text.contains(",") ? text : "\"\(text)\""
            let log = "type,start,amount_ml\nbottle,2026-01-05T10:00,\(quoted)\n"
            #expect(events(log) == ["10:00 feed bottle" + (expected.isEmpty ? "" : " " + expected)], "\(text)")
            #expect(isRefused(log) == (expected.isEmpty && text != "NaN"), "\(text)")
        }
    }

    @Test(
        "the words of programs for missing values are empty fields",
        arguments: ["NaN", "nan", "NaT", "null", "NULL", "None", "N/A", "NA", "#N/A", "#REF!", "#VALUE!"])
    func missing(word: String) throws {
        let text = "type,start,end,amount_ml,note,mood\nfeed,2026-01-05T10:00,\(word),\(word),\(word),\(word)\n"
        #expect(events(text, LogOptions(isStrict: true)) == ["10:00 feed"])
    }

    @Test("lines before the names of the columns are skipped")
    func beginnings() throws {
        let log = "type;start;end\nsleep;2026-03-01 10:00;2026-03-01 11:00\n"
        for (lines, isNoted) in [
            ("sep=;\n", false), ("# exported by X, on 2026-03-21\n", false), ("My Baby Log\n\n", true),
            ("\n# a\nMy Baby\n", true), ("Log of Mia;;\nExported on 1 May;;\n;;\n", true),
        ] {
            let imported = try load(lines + log)
            #expect(imported.log.records.count == 1)
            #expect(imported.report.lines.contains { $0.contains("title") } == isNoted, "\(lines)")
            #expect(isRefused(lines + log) == isNoted)
        }
        #expect(remarks("# a\n" + log + "sleep;noon;\n").contains("line 4"))
        let fitbit = "Sleep\nStart Time,End Time,Minutes REM Sleep\n2026-03-01 8:49AM,2026-03-01 10:10AM,N/A\n"
        #expect(events(fitbit) == ["08:49 sleep 10:10"])
        #expect(remarks("<?xml version=\"1.0\"?>\n<HealthData>\n", as: "export.xml").contains("convert it to CSV"))
    }

    @Test(
        "headers and words in German, French and Spanish are read",
        arguments: [
            ("Typ;Start;Ende", "Schlaf", "Fläschchen", "Windel", "Stillen"),
            ("Aktivität;Beginn;Bis", "Nickerchen", "Flasche", "Wickeln", "Brust"),
            ("Type;Début;Fin", "Sommeil", "Biberon", "Couche", "Tétée"),
            ("Tipo;Inicio;Fin", "Sueño", "Biberón", "Pañal", "Pecho"),
        ])
    func languages(header: String, sleep: String, bottle: String, diaper: String, breast: String) throws {
        let rows = [sleep, bottle, diaper, breast].enumerated().map { "\($1);01.03.2026 0\($0 + 1):00;" }
        #expect(
            events("\(header);Kommentar\n\(rows.joined(separator: "\n"))\n") == [
                "01:00 sleep", "02:00 feed bottle", "03:00 diaper both", "04:00 feed breast",
            ])
        let dated = "Typ;Datum;Von;Bis;Dauer (min)\n\(sleep);13.03.2026;08:49;10:10;81\n"
        #expect(events(dated) == ["08:49 sleep 10:10"])
    }

    @Test("an unknown type in every row is refused with words that are known")
    func unknownTypes() {
        let text = remarks("type,start\nbath,2026-01-05T10:00\n")
        #expect(
            text.contains("\"bath\" is not one of sleep, feed") && text.contains("nursing")
                && !text.contains("left out"))
    }

    @Test("the report has each repaired row, and a strict import refuses it")
    func repairs() throws {
        let header = "type,start,end,duration_min,subtype,amount_ml\n"
        for (row, word) in [
            ("sleep,2026-03-31T14:40,2026-03-31T13:40,,,", "before it begins"),
            ("feed,2026-03-31T14:40,,,bottle,120000", "120000"),
            ("feed,2026-03-31T14:40,,,bottle,-50", "-50"),
            ("sleep,2028-03-31T14:40,2028-03-31T15:40,,,", "more than a year"),
            ("sleep,2026-03-30T10:00,2026-03-30T11:00,,,", "same as"),
            ("sleep,2026-03-31T10:00,2026-04-01T23:00,,,", "37 hours"),
            ("sleep,2026-03-31T14:40,2026-03-31T15:40,90,,", "by its end"),
            ("sleep,2026-03-31T14:40Z,2026-03-31T15:40Z,,,", "offset"),
        ] {
            let text = header + (Self.sleeps.map { $0 + ",,," } + [row]).joined(separator: "\n")
            #expect(remarks(text).contains(word), "\(row): \(remarks(text))")
            #expect(isRefused(text), "\(row)")
        }
        let usual = ["sleep,2026-03-30T11:05,2026-03-30T11:30,,,", "sleep,2026-03-31T10:00,,,,"]
        #expect(!isRefused(header + (Self.sleeps.map { $0 + ",,," } + usual).joined(separator: "\n")))
    }

    @Test("diapers without a kind are counted in one remark")
    func bareDiapers() throws {
        let rows = (1...30).map { String(format: "diaper,2026-03-%02dT10:00", $0) } + ["diaper,2026-03-31T10:00"]
        let imported = try load("type,start\n" + rows.joined(separator: "\n"))
        #expect(imported.report.repairs.isEmpty)
        #expect(imported.report.lines.contains { $0.contains("31 diapers without a kind") })
        #expect(isRefused("type,start\n" + rows.joined(separator: "\n")) && isRefused("type,start\n\(rows[0])\n"))
    }

    @Test("JSON in Kin's form may have more fields, and its list may be in an object")
    func json() throws {
        let event = #"{"type":"sleep","start":"2026-03-01T10:00","end":"2026-03-01T11:00","mood":"calm","quality":3}"#
        for text in [
            "[\(event)]", #"{"data":{"events":[\#(event)]},"status":"ok"}"#, #"{"a":{"b":{"c":[\#(event)]}}}"#,
        ] {
            let imported = try load(text, as: "log.json")
            #expect(imported.log.records.map(TrackerTests.text) == ["10:00 sleep 11:00"])
            #expect(imported.report.parts.flatMap(\.ignored).map(\.column).suffix(2) == ["mood", "quality"])
        }
        #expect(remarks(event.replacing(#","mood":"calm""#, with: ""), as: "log.json").hasPrefix("ERROR"))
    }

    @Test("a day of birth after the log or many years before it is reported")
    func births() throws {
        let text = "type,start,end\n" + Self.sleeps.joined(separator: "\n")
        for (born, word) in [("2027-01-01", "before the day of birth"), ("2000-01-01", "26 years after the birth")] {
            #expect(remarks(text, LogOptions(born: born)).contains(word))
            #expect(remarks(text, LogOptions(born: born, isStrict: true)).hasPrefix("ERROR"))
        }
        #expect(remarks(text, LogOptions(born: "2025-12-01")) == "")
    }
}
