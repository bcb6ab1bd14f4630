import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// The times of logs: their forms, starts and ends in one column or in several, zones and the order of dates.
extension LogFormTests {
    @Test(
        "times in UTC are reported unless a zone is known",
        arguments: [
            "2026-03-01T15:08:00Z", "1772377680", "1772377680000", "2026-03-01 15:08 UTC", "2026-03-01 3:08 PM GMT",
        ])
    func timesInUTC(time: String) throws {
        let text = "type,start\nsleep,\(time)\n"
        #expect(remarks(text).contains("--zone Europe/Berlin") && isRefused(text))
        let zone = try LocalZone(named: "America/Los_Angeles")
        #expect(try load(text, LogOptions(zone: zone)).report.lines.allSatisfy { !$0.contains("UTC") })
        #expect(try load(text, LogOptions(zone: zone)).log.records[0].start.time == "07:08")
        for other in ["2026-03-01T15:08", "2026-03-01T15:08+01:00"] {
            #expect(remarks("type,start\nsleep,\(other)\n") == "")
        }
        let json = #"[{"type":"sleep","start":"2026-03-01T15:08:00Z"}]"#
        #expect(remarks(json, as: "log.json").contains("--zone") && isRefused(json, as: "log.json"))
    }

    @Test(
        "times in every common form and of other programs and languages are read",
        arguments: [
            ("2026-05-14 03:30:01 -0700", "2026-05-14T03:30:01"), ("2026-05-14T03:30", "2026-05-14T03:30:00"),
            ("2026/05/14 3:30 PM", "2026-05-14T15:30:00"), ("2026-05-14, 12:05 am", "2026-05-14T00:05:00"),
            ("5/14/26, 3:30 PM", "2026-05-14T15:30:00"), ("14.05.2026 15:30", "2026-05-14T15:30:00"),
            ("14 May 2026 at 3:30 p.m.", "2026-05-14T15:30:00"),
            ("Thursday, May 14, 2026 03:30:05", "2026-05-14T03:30:05"),
            ("14-May-2026 03:30", "2026-05-14T03:30:00"), ("1778729401", "2026-05-14T03:30:01"),
            ("1778729401000", "2026-05-14T03:30:01"), ("1778729401.5", "2026-05-14T03:30:01.5"),
            ("2026-05-14T03:30:01.25+02:00", "2026-05-14T03:30:01.25"), ("03:30:05 05-14-2026", "2026-05-14T03:30:05"),
            ("2026-05-14 03:30:01 UTC", "2026-05-14T03:30:01"), ("11/25/2018 21:15 PM", "2018-11-25T21:15:00"),
            ("5/14/2026 3:30\u{202F}PM", "2026-05-14T15:30:00"),
            ("202603010708", "2026-03-01T07:08:00"), ("20260301070809", "2026-03-01T07:08:09"),
            ("20260301T070809", "2026-03-01T07:08:09"), ("20260301T0708Z", "2026-03-01T07:08:00"),
            ("20260301 0708", "2026-03-01T07:08:00"), ("20260301 07:08", "2026-03-01T07:08:00"),
            ("01. März 2026 07:08", "2026-03-01T07:08:00"), ("1er mars 2026 7h08", "2026-03-01T07:08:00"),
            ("1 de marzo de 2026 7:08", "2026-03-01T07:08:00"), ("3 déc. 2026 07:08", "2026-12-03T07:08:00"),
            ("01.03.2026, 07:08 Uhr", "2026-03-01T07:08:00"), ("2026-03-01 07:08 CET", "2026-03-01T07:08:00"),
            ("2026-03-01 07:08 EST", "2026-03-01T07:08:00"), ("2026-02-28T24:00", "2026-03-01T00:00:00"),
            ("2026-12-31T24:00:00Z", "2027-01-01T00:00:00"),
            ("01-Mar-26 07:08", "2026-03-01T07:08:00"), ("01.03.2026 7:08 a. m.", "2026-03-01T07:08:00"),
            ("So., 01.03.2026 07:08", "2026-03-01T07:08:00"), ("Sonntag, 1. März 2026 07:08", "2026-03-01T07:08:00"),
            ("dimanche 01 mars 2026 à 07:08", "2026-03-01T07:08:00"),
            ("domingo, 1 de marzo de 2026 7:08 p. m.", "2026-03-01T19:08:00"),
            ("2026-03-01T07:08:00-05:00[America/New_York]", "2026-03-01T07:08:00"),
            ("March 1, 2026 7:08 AM (GMT-5)", "2026-03-01T07:08:00"),
            ("Sun Mar 01 2026 07:08:00 GMT-0500 (Eastern Standard Time)", "2026-03-01T07:08:00"),
            ("639143262010000000", "2026-05-14T03:30:01"), ("134232030010000000", "2026-05-14T03:30:01"),
            ("1778729401000000000", "2026-05-14T03:30:01"), ("/Date(1778729401000)/", "2026-05-14T03:30:01"),
            ("/Date(1778729401000+0200)/", "2026-05-14T03:30:01"),
            ("2026-05-14 03:30:01,250", "2026-05-14T03:30:01.25"),
            ("٢٠٢٦-٠٥-١٤ ٠٣:٣٠", "2026-05-14T03:30:00"), ("२०२६-०५-१४ ०३:३०", "2026-05-14T03:30:00"),
            ("２０２６／０５／１４　０３：３０", "2026-05-14T03:30:00"),
            ("\u{200F}2026-05-14\u{00A0}03:30\u{200E}", "2026-05-14T03:30:00"),
        ])
    func times(text: String, expected: String) throws {
        let log = try load("type;start\nsleep;\"\(text)\"\n").log
        #expect(log.records.map(\.start.reading.description) == [expected])
        let offsets = ["CET": "+01:00", "EST": "-05:00"]
        if let offset = offsets[String(text.suffix(3))] { #expect(log.records[0].start.description.hasSuffix(offset)) }
        if text.contains(/[\[(]/), !text.hasPrefix("/") {
            #expect(log.records[0].start.description.hasSuffix("-05:00"))
        }
    }

    @Test(
        "the time of an entry is not the start of its event",
        arguments: [
            "Timestamp,Type,Start,End", "Logged at,Activity,Start time,End time", "Time,Type,Begin,Finish",
            "Zeit,Typ,Beginn,Ende", "Heure,Type,Début,Fin", "datetime,type,sleep_start,sleep_end",
        ])
    func entries(header: String) throws {
        let text = "\(header)\n2026-03-01 14:00,sleep,2026-03-01 10:00,2026-03-01 11:00\n"
        #expect(events(text) == ["10:00 sleep 11:00"])
        let name = String(header.prefix { $0 != "," })
        #expect(remarks(text).contains("column \(name) is not used") && isRefused(text))
        // Without a column for the start, it is the start.
        let alone = "\(name),type\n2026-03-01 14:00,sleep\n"
        #expect(events(alone) == ["14:00 sleep"] && !isRefused(alone))
    }

    @Test(
        "a start and an end are read from one column, from columns of dates and times, and past midnight",
        arguments: [
            ("Date,type,time", "2026-03-01,sleep,22:00-01:30"), ("Date,type,time", "2026-03-01,sleep,10:00pm–1:30am"),
            ("Date,type,time", "2026-03-01,sleep,22:00 - 1:30 AM"),
            ("Day,type,time", "2026-03-01,sleep,22:00 to 01:30"),
            ("type,Date", "sleep,1 March 2026 10:00 PM → 2 March 2026 1:30 AM"),
            ("type,start", "sleep,2026-03-01 22:00 - 2026-03-02 01:30"),
            ("Type,Start Date,Start Time,End Date,End Time", "sleep,2026-03-01,22:00,2026-03-02,01:30"),
            ("Type,Date,Time,End Date,End Time", "sleep,03/01/2026,10:00 PM,03/02/2026,1:30 AM"),
            ("Day,type,start,end", "Sunday,sleep,2026-03-01 22:00,2026-03-02 01:30"),
            ("Date,type,start,end", "1,sleep,2026-03-01 22:00,2026-03-02 01:30"),
            ("Date,type,start,end", "2026-03-01,sleep,22:00,01:30 +1"),
            ("type,Date,end", "sleep,2026-03-01 22:00,01:30"),
            ("type,start,end", "sleep,2026-03-01 22:00,01:30"), ("type,start,end", "sleep,2026-03-01 22:00:00,1:30 am"),
        ])
    func startsAndEnds(header: String, row: String) throws {
        let options = LogOptions(dates: row.contains("/") ? .monthFirst : nil)
        let log = try load("\(header)\n\(row)\n", options).log
        #expect(log.records.map(TrackerTests.text) == ["22:00 sleep 01:30"], "\(log.records)")
        #expect(log.records.first?.end?.minutes(since: log.records[0].start) == 210)
    }

    @Test(
        "an offset that no clock has is not a time, and a range has an order of dates",
        arguments: [
            "2026-03-01T08:49[Europe/Berlin]", "2026-03-01 08:49-10:10", "2026-03-01 08:49+99:99",
            "2026-03-01T08:49:00+15:30",
        ])
    func offsets(text: String) {
        #expect(remarks("type,start\nsleep,\(text)\n").contains("is not a time"))
        #expect(!remarks("type,start\nsleep,2026-03-01T08:49:00+05:45\n").contains("ERROR"))
        #expect(remarks("type,start\nsleep,03/04/2026 08:49 - 10:10\n").contains("--dates"))
    }

    @Test(
        "a row of a table with several starts and ends has a sleep for each start",
        arguments: [
            (",10:00,13:00,14:30", ["13:00 sleep 14:30"]),
            ("09:00,,13:00,14:30", ["09:00 sleep", "13:00 sleep 14:30"]),
            ("09:00,10:00,13:00,14:30", ["09:00 sleep 10:00", "13:00 sleep 14:30"]),
            (",,13:00,14:30", ["13:00 sleep 14:30"]),
        ])
    func pairs(row: String, expected: [String]) throws {
        let text = "Date,Start,End,Start,End\n2026-03-01,\(row)\n"
        #expect(events(text, as: "naps.csv") == expected)
        #expect(isRefused(text, as: "naps.csv") == row.hasPrefix(",10"))
    }

    @Test("dates with a year of two digits may have it first, if days vary and years do not")
    func shortYears() throws {
        func dates(_ texts: [String], _ options: LogOptions = LogOptions()) throws -> [String] {
            try load("type,start\n" + texts.map { "feed,\($0) 10:00" }.joined(separator: "\n"), options)
                .log.records.map(\.start.reading.date)
        }
        let expected = ["2026-03-05", "2026-03-06", "2026-03-07", "2026-03-31"]
        #expect(try dates(["26-03-05", "26-03-06", "26-03-07", "26-03-31"]) == expected)
        #expect(try dates(["05-03-26", "06-03-26", "07-03-26", "31-03-26"]) == expected)
        #expect(try dates(["25/12/31", "26/01/01", "26/01/02"]) == ["2025-12-31", "2026-01-01", "2026-01-02"])
        #expect(try dates(["26-03-05"], LogOptions(dates: .yearFirst)) == ["2026-03-05"])
        #expect(remarks("type,start\n" + (5...8).map { "feed,26-03-0\($0) 10:00\n" }.joined()).contains("year-first"))
    }

    @Test(
        "the days of spreadsheets are read and noted",
        arguments: [
            ("start,\n", "45999.5,", "2025-12-08T12:00:00"), ("start,\n", "45999.3541666667,", "2025-12-08T08:30:00"),
            ("date,time\n", "45999,10:15", "2025-12-08T10:15:00"),
        ])
    func spreadsheetDays(header: String, row: String, expected: String) throws {
        let text = "type,\(header)sleep,\(row)\n"
        #expect(try load(text).log.records.map(\.start.reading.description) == [expected])
        #expect(
            remarks(text).contains("if the dates are four years early, the workbook counts from 1904")
                && isRefused(text))
        for other in ["36525.5", "54789.5", "4e4", "+45999", "45999.5.1"] {
            #expect(remarks("type,start\nsleep,\(other)\n").contains("ERROR"), "\(other)")
        }
    }

    @Test(
        "a column of zones may have offsets and short names",
        arguments: [
            ("PST", "-08:00"), ("GMT+1", "+01:00"), ("UTC+0100", "+01:00"), ("-0800", "-08:00"), ("CET", "+01:00"),
        ])
    func zones(name: String, offset: String) throws {
        let log = try load("type,start,time zone\nsleep,2026-03-01T12:00Z,\(name)\n").log
        #expect(log.records[0].start.description.hasSuffix(offset))
        // In parentheses, the name may be the offset.
        let written = offset == "+01:00" ? "(\(name))" : "\(offset) (\(name))"
        #expect(WrittenTime("2026-03-01 12:00 \(written)")?.iso(.dayFirst)?.hasSuffix(offset) == true, "\(written)")
        for other in ["(45)", "(14)", "(Sat)", "(nap)"] { #expect(WrittenTime("12:00 \(other)") == nil, "\(other)") }
        #expect(remarks("type,start,time zone\nsleep,2026-03-01T12:00Z,Pacific Time\n").hasPrefix("ERROR"))
    }

    @Test("the dates of a folder's files decide the order of all, and an empty file is left out")
    func foldersOfDates() throws {
        func remarks(_ files: [String: String]) throws -> String {
            let folder = TemporaryFolder()
            for (name, text) in files { _ = try folder.file(name, text) }
            do { return try RhythmLogFile.load(folder.path("")).report.lines.joined(separator: "\n") } catch {
                return "ERROR \(error)"
            }
        }
        let open = "Diaper time,In the diaper\n01/03/2026 07:28,pee\n"
        let days = "Begin time,End time\n13/03/2026 08:49,13/03/2026 10:10\n"
        let text = try remarks(["diaper.csv": open, "sleep.csv": days, "z.csv": "\n"])
        #expect(
            text.contains("day-first, as in other files of the folder")
                && text.contains("left out, because it is empty"))
        #expect(try remarks(["diaper.csv": open]).contains("month-first, as Glow Baby"))
        // Files that differ decide for themselves.
        let months = "Start,End\n03/13/2026 08:49,03/13/2026 10:10\n"
        let both = try remarks(["diaper.csv": open, "sleep.csv": days, "nap.csv": months])
        #expect(both.contains("month-first, as Glow Baby") && both.contains("day-first, by 13/03/2026"))
        #expect(try remarks(["nap.csv": "Start,End\n03/04/2026 08:49,\n", "sleep.csv": days]).contains("1 sleep"))
    }

    @Test(
        "the years of other calendars, and years without a century, are refused", arguments: ["1404", "2569", "0026"])
    func otherCalendars(year: String) {
        let text = "type,start,end\nsleep,\(year)-03-01 09:10,\(year)-03-01 10:25\n"
        #expect(remarks(text).contains("the log is of the year \(year)") && remarks(text).contains("Gregorian"))
    }

    @Test(
        "an event whose end is a dash or a word for the present is running",
        arguments: [
            "-", "--", "—", "...", "?", "0", "ongoing", "Now", "still asleep", "running", "in progress",
            "Still running", "not finished",
        ])
    func runningEvents(end: String) throws {
        let text = "type,start,end\n\(Self.sleeps[0])\nsleep,2026-03-01T15:50,\(end)\n"
        #expect(events(text) == ["10:00 sleep 11:00", "15:50 sleep"])
        #expect(!isRefused(text))
    }

    @Test(
        "dates without a year are refused with the next step",
        arguments: ["11/3 14:05", "Mar 5, 2:10 PM", "5 March 14:10", "5.3. 14:10", "3月5日 14:10", "03-05 14:10"])
    func datesWithoutYear(text: String) {
        #expect(remarks("Start,End\n\"\(text)\",\n", as: "sleep.csv").contains("\"\(text)\" has no year; write it"))
        let day = text.split(separator: " ").dropLast(text.hasSuffix("PM") ? 2 : 1).joined(separator: " ")
        #expect(remarks("Date,Start\n\"\(day)\",14:10\n", as: "sleep.csv").contains("has no year; write it"))
        for other in ["Monday", "14/30/2026 10:00", "25.10", "1930"] {
            #expect(remarks("Start\n\(other)\n", as: "sleep.csv").contains("is not a time"), "\(other)")
        }
    }

    @Test(
        "times of day that a spreadsheet writes on the first day of its calendar are of the row's date",
        arguments: [
            "1899-12-30 %@:00", "1900-01-01 %@:00", "1899-12-31T%@:00", "12/30/1899 %@", "30.12.1899 %@", "1/0/1900 %@",
        ])
    func spreadsheetClocks(form: String) {
        let (start, end) = (form.replacing("%@", with: "09:30"), form.replacing("%@", with: "10:30"))
        let text = "Date,Start,End\n2026-03-01,\(start),\(end)\n2026-03-02,\(start),\(end)\n"
        #expect(events(text, as: "sleep.csv") == ["09:30 sleep 10:30", "09:30 sleep 10:30"])
        #expect(!remarks(text, as: "sleep.csv").contains("1899"))
    }

    @Test("the length of a sleep over a change of clocks is that of the zone, and is reported")
    func changesOfClocks() throws {
        let zone = LogOptions(zone: try LocalZone(named: "Europe/Berlin"))
        for (start, end, minutes) in [
            ("2026-03-28 20:00", "2026-03-29 06:00", 540), ("2026-10-24 20:00", "2026-10-25 06:00", 660),
            ("2026-05-24 20:00", "2026-05-25 06:00", 600),
        ] {
            let text = "type,start,end,duration_min\nsleep,\(start),\(end),\(minutes)\n"
            #expect(remarks(text, zone).contains("takes \(minutes) minutes over a change") == (minutes != 600))
            #expect(!remarks(text, zone).contains("by its end and"), "\(start)")
            #expect(remarks(text).contains("by its end and") == (minutes != 600), "\(start)")
        }
    }

    @Test(
        "bytes of other encodings are refused with the name of the encoding",
        arguments: [
            // 種類,開始\n睡眠,2026-03-01 08:00
            ("SHIFT_JIS", [0x8E, 0xED, 0x97, 0xDE, 0x2C, 0x8A, 0x4A, 0x8E, 0x6E, 0x0A, 0x90, 0x87, 0x96, 0xB0]),
            ("EUC-JP", [0xA5, 0xE1, 0xA5, 0xE2, 0x2C, 0xB3, 0xAB, 0xBB, 0xCF, 0x0A, 0xBF, 0xE7, 0xCC, 0xB2]),
            // 类型,开始时间\n睡眠
            ("GBK", [0xC0, 0xE0, 0xD0, 0xCD, 0x2C, 0xBF, 0xAA, 0xCA, 0xBC, 0x0A, 0xCB, 0xAF, 0xC3, 0xDF]),
            // 종류,시작\n수면
            ("EUC-KR", [0xC1, 0xBE, 0xB7, 0xF9, 0x2C, 0xBD, 0xC3, 0xC0, 0xDB, 0x0A, 0xBC, 0xF6, 0xB8, 0xE9]),
            // тип,начало\nсон
            ("WINDOWS-1251", [0xF2, 0xE8, 0xEF, 0x2C, 0xED, 0xE0, 0xF7, 0xE0, 0xEB, 0xEE, 0x0A, 0xF1, 0xEE, 0xED]),
            // Début;fatigué à côté, in the encodings of old Macs and of DOS
            ("MACINTOSH", [0x44, 0x8E, 0x62, 0x75, 0x74, 0x3B, 0x88, 0x20, 0x63, 0x99, 0x74, 0x8E]),
            ("CP850", [0x44, 0x82, 0x62, 0x75, 0x74, 0x3B, 0x85, 0x20, 0x63, 0x93, 0x74, 0x82]),
            // müde;früh;Schläfchen
            ("MACINTOSH", [0x6D, 0x9F, 0x64, 0x65, 0x3B, 0x66, 0x72, 0x9F, 0x68, 0x3B, 0x6C, 0x8A, 0x66]),
            ("CP850", [0x6D, 0x81, 0x64, 0x65, 0x3B, 0x66, 0x72, 0x81, 0x68, 0x3B, 0x6C, 0x84, 0x66]),
            // niño
            ("MACINTOSH", [0x6E, 0x69, 0x96, 0x6F, 0x3B, 0x74, 0x8E, 0x6E]), ("CP850", [0x6E, 0x69, 0xA4, 0x6F]),
            // l’été;sœur;4€;“hm…”;a b
            (
                "",
                [
                    0x6C, 0x92, 0xE9, 0x74, 0xE9, 0x3B, 0x73, 0x9C, 0x75, 0x72, 0x3B, 0x34, 0x80, 0x3B, 0x93, 0x68,
                    0x6D, 0x85, 0x94, 0x3B, 0x61, 0xA0, 0x62,
                ]
            ),
            // Duração;Observações
            (
                "",
                [0x44, 0x75, 0x72, 0x61, 0xE7, 0xE3, 0x6F, 0x3B, 0x4F, 0x62, 0x73, 0x65, 0x72, 0x76, 0x61, 0xE7, 0xF5]
            ),
            // Début;Schläfchen
            (
                "",
                [0x44, 0xE9, 0x62, 0x75, 0x74, 0x3B, 0x53, 0x63, 0x68, 0x6C, 0xE4, 0x66, 0x0A, 0x41, 0xC4, 0xD6, 0x41]
            ),
        ] as [(String, [UInt8])])
    func encodings(name: String, bytes: [UInt8]) {
        do throws(KinError) {
            let encoding = try TextEncoding.decode(bytes).encoding
            #expect(encoding == .windows1252 && name.isEmpty, "\(name)")
        } catch { #expect(error.message.contains("iconv -f \(name) ") && !name.isEmpty, "\(error)") }
    }
}
