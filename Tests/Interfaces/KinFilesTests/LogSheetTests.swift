import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Sheets that people make by hand: several events in a row, days once, totals, and words of several languages.
@Suite struct LogSheetTests: LogTests {
    let folder = TemporaryFolder()

    private static let threeSleeps = ["09:10 sleep 10:25", "13:05 sleep 14:35", "19:30 sleep 06:15"]

    @Test(
        "a row with several sleeps becomes a sleep for each",
        arguments: [
            ("sleep.csv", "Date,Start,End,Start,End,Start,End", "09:10,10:25,13:05,14:35,19:30,06:15"),
            ("sleep.csv", "Date,Start 1,End 1,Start 2,End 2,Start 3,End 3", "09:10,10:25,13:05,14:35,19:30,06:15"),
            (
                "log.csv", "Date,Nap 1 Start,Nap 1 End,Nap 2 Start,Nap 2 End,Night Start,Night End",
                "09:10,10:25,13:05,14:35,19:30,06:15"
            ),
            (
                "log.csv", "Date,Nap 1 Start,Nap 1 End,Nap 2 Start,Nap 2 End,Bedtime,Wake Up",
                "09:10,10:25,13:05,14:35,19:30,06:15"
            ),
            ("log.csv", "Date,Nap 1,Nap 2,Night", "09:10-10:25,13:05-14:35,19:30-06:15"),
            ("log.csv", "Date,Sleep,Sleep,Sleep", "09:10-10:25,13:05-14:35,19:30-06:15"),
            (
                "log.csv", "Date,Nap start,Nap end,Nap start,Nap end,Night start,Night end",
                "09:10,10:25,13:05,14:35,19:30,06:15"
            ),
            ("log.csv", "Datum,Schlaf 1,Schlaf 2,Nacht", "09:10 - 10:25,13:05 - 14:35,19:30 - 06:15"),
            (
                "log.csv", "Date,Nap 1,,Nap 2,,Night,\n,Start,End,Start,End,Start,End",
                "09:10,10:25,13:05,14:35,19:30,06:15"
            ),
        ])
    func severalSleeps(name: String, header: String, row: String) throws {
        #expect(events("\(header)\n2026-02-26,\(row)\n", as: name) == Self.threeSleeps)
        #expect(!isRefused("\(header)\n2026-02-26,\(row)\n", as: name))
        // A day without naps has none, and a night without a start is left out.
        let sparse = row.split(separator: ",", omittingEmptySubsequences: false).enumerated().map {
            $0.offset * 3 < row.split(separator: ",").count ? "" : String($0.element)
        }
        #expect(
            events("\(header)\n2026-02-26,\(sparse.joined(separator: ","))\n", as: name)
                == Array(Self.threeSleeps.dropFirst()))
    }

    @Test("tables next to each other and columns of amounts and ticks become an event for each kind")
    func severalKinds() throws {
        #expect(
            events(
                """
                Sleep start,Sleep end,,Feed time,ml,,Diaper time,Diaper
                2026-02-26 09:10,2026-02-26 10:25,,2026-02-26 07:05,180,,2026-02-26 07:30,wet
                ,,,2026-02-26 11:05,150,,,
                """) == ["07:05 feed 180", "07:30 diaper wet", "09:10 sleep 10:25", "11:05 feed 150"])
        let ticks = """
            Date,Time,Left (min),Right (min),Bottle (ml),Pee,Poo,Notes
            2026-02-26,07:05,10,12,,TRUE,FALSE,drank well
            2026-02-26,11:06,,,150,FALSE,FALSE,
            2026-02-26,15:07,,,,x,✓,
            """
        #expect(
            events(ticks) == [
                "07:05 diaper wet", "07:05 feed breast both 22 min", "11:06 feed bottle 150", "15:07 diaper both",
            ])
        #expect(try load(ticks).log.records.compactMap { $0.note?.text } == ["drank well"])
        // A column for each breast is not a feed by itself: pumping has them too.
        #expect(
            remarks("Time,Left duration (min),Right duration (min)\n2026-02-26 07:05,10,12\n").hasPrefix("ERROR"))
        // A row without an event is reported.
        let noted = "Date,Time,Wet,Notes\n2026-02-26,07:05,x,\n2026-02-26,07:30,x,\n2026-02-26,08:05,,cried\n"
        #expect(remarks(noted).contains("row 3: has no start of an event; left out"))
        #expect(isRefused(noted))
    }

    @Test(
        "bedtimes and wakings are the start and end of sleeps",
        arguments: [
            "Bedtime,Wake time", "Fell asleep,Woke up", "Asleep,Awake", "Sleep Time,Wake Time", "sleep,wake",
            "Bed,Up", "Einschlafzeit,Aufwachzeit", "Time down,Time up", "Inizio,Fine", "Início,Fim",
            "Begintijd,Eindtijd",
            "Początek,Koniec", "開始,終了", "开始时间,结束时间", "time started,time ended",
        ])
    func bedtimes(header: String) throws {
        let row = "2026-03-01 19:30,2026-03-02 06:15"
        #expect(events("\(header)\n\(row)\n", as: "sleep.csv") == ["19:30 sleep 06:15"])
        let dated = "Date,\(header)\n2026-03-01,19:30,06:15\n"
        #expect(events(dated, as: "sleep.csv") == ["19:30 sleep 06:15"])
    }

    @Test(
        "times between commas in one cell are an event each",
        arguments: [
            "09:10-10:25, 13:05-14:35", "09:10–10:25; 13:05–14:35", "09:10~10:25 & 13:05~14:35",
            "09:10/10:25,13:05/14:35", "9:10 am - 10:25 am, 1:05 pm - 2:35 pm", "09:10 until 10:25\n13:05 to 14:35",
        ], ["Naps", "Nap", "Sleep times"])
    func listsOfTimes(cell: String, name: String) {
        let sleeps = Array(Self.threeSleeps.dropLast())
        let text = "Date,\(name),Feeds\n2026-03-01,\"\(cell)\",\"7:05, 11:05\"\n"
        #expect(events(text) == ["07:05 feed", sleeps[0], "11:05 feed", sleeps[1]] && !isRefused(text))
        #expect(events("Date,\(name)\n2026-03-01,\"\(cell)\"\n") == sleeps)
        // A lone 1:20, and a list of sleeps without ends, may be durations.
        let lengths = "Date,\(name),Night\n2026-03-01,\"1:20, 0:45\",19:30-06:15\n"
        #expect(events(lengths) == ["19:30 sleep 06:15"] || name == "Sleep times")
        #expect(!remarks("Date,\(name)\n2026-03-01,1:20\n2026-03-02,1:30\n").contains("1 sleep"))
    }

    @Test("parts of a night in a row, and durations of several kinds, are an event each")
    func partsOfRows() {
        let night = "Date,Asleep,Awake,Asleep 2,Awake 2\n2026-03-01,19:30,23:10,23:40,06:15\n"
        #expect(events(night) == ["19:30 sleep 23:10", "23:40 sleep 06:15"] && !isRefused(night))
        let kinds =
            "Date,Time,Bottle (ml),Breast (min),Nap (min)\n2026-03-01,07:05,120,,\n2026-03-01,09:10,,,75\n"
            + "2026-03-01,11:05,,15,\n"
        #expect(
            events(kinds) == ["07:05 feed bottle 120", "09:10 sleep 10:25", "11:05 feed breast 15 min 11:20"]
                && !isRefused(kinds))
    }

    @Test("AM and PM in columns of their own, and amounts of pee and poo, are read")
    func splitClocks() {
        let text = "Date,Type,Start,AM/PM,End,\n2026-03-01,Nap,9:10,AM,10:25,AM\n2026-03-01,Nap,1:05,PM,2:35,p.m.\n"
        #expect(events(text) == Array(Self.threeSleeps.dropLast()) && !isRefused(text))
        let diapers = "Date,Time,Pee,Poo\n2026-03-01,07:30,2,none\n2026-03-01,08:30,small,large\n2026-03-01,09:30,0,1\n"
        #expect(events(diapers) == ["07:30 diaper wet", "08:30 diaper both", "09:30 diaper dirty"])
        #expect(events("#,Type,Start,End\n1,Nap,2026-03-01 09:10,2026-03-01 10:25\n") == ["09:10 sleep 10:25"])
    }

    @Test(
        "tables of texts and of databases' tools are read without their rulers",
        arguments: [
            ("| type | start | end |\n|:----|---|---:|\n", "| %@ |\n", ""),
            ("| type | start | end |\n|------+------+-----|\n", "| %@ |\n", ""),
            ("+----+---+---+\n| type | start | end |\n+----+---+---+\n", "| %@ |\n", "+----+---+---+\n"),
            (" type | start | end\n------+-------+-----\n", " %@\n", ""),
        ])
    func textTables(head: String, row: String, foot: String) {
        let rows = ["nap | 2026-03-01 09:10 | 2026-03-01 10:25", "nap | 2026-03-01 13:05 | 2026-03-01 14:35"]
        let text = head + rows.map { row.replacing("%@", with: $0) }.joined() + foot
        #expect(events(text, as: "log.md") == Array(Self.threeSleeps.dropLast()) && !isRefused(text, as: "log.md"))
    }

    @Test("a column named Data is the date only next to words of its languages")
    func data() throws {
        #expect(remarks("type,start,data\nsleep,2026-03-01 19:30,{}\n").contains("column data is not used"))
        #expect(events("Data,Inizio,Fine\n2026-03-01,19:30,06:15\n", as: "sleep.csv") == ["19:30 sleep 06:15"])
    }

    @Test("the wakings of a row may be before its bedtime")
    func reversedBedtimes() throws {
        let text = "Date,Wake time,Bedtime\n2026-03-01,06:15,19:30\n2026-03-02,06:20,19:40\n"
        #expect(events(text) == ["19:30 sleep 06:20", "19:40 sleep"])
        let short = text.replacing("Wake time,Bedtime", with: "Up,Bed")
        #expect(events(short) == ["19:30 sleep 06:20", "19:40 sleep"])
        // In a cell, a bed may be the place.
        let places = "Type,Start,End,Where\nNap,2026-03-01 09:10,2026-03-01 10:25,bed\n"
        #expect(events(places) == ["09:10 sleep 10:25"] && LogWords.kind("bed") == nil && LogWords.kind("up") == nil)
        #expect(
            remarks("Date,Bedtime,Wake time\n2026-03-01,19:30,06:15\n").contains(
                "Date is read as the date of Bedtime"))
    }

    @Test("a date counts for the rows below it")
    func dates() throws {
        let expected = ["09:00 sleep 10:00", "10:30 feed bottle", "09:10 sleep 10:10"]
        for text in [
            "Date,Type,Start,End\n2026-03-01,Sleep,09:00,10:00\n,Bottle,10:30,\n2026-03-02,Sleep,09:10,10:10\n",
            "Type,Start,End\nSunday 1 March 2026,,\nSleep,09:00,10:00\nBottle,10:30,\n2 March 2026,,\nSleep,09:10,10:10\n",
            "Mia's log,,,\n,,,\nDate,Type,Start,End\n2026-03-01,,,\n,Sleep,09:00,10:00\n,Bottle,10:30,\n,,,\n2026-03-02,Sleep,09:10,10:10\n",
        ] {
            let log = try load(text).log
            #expect(log.records.map(TrackerTests.text) == expected, "\(text)")
            #expect(log.records.map(\.start.reading.date) == ["2026-03-01", "2026-03-01", "2026-03-02"], "\(text)")
            #expect(remarks(text).contains("of the date above, such as"), "\(text)")
        }
        // Only a date is not an event.
        #expect(remarks("Start,End\n2026-03-01,\n2026-03-02,\n", as: "sleep.csv").contains("has no time of day"))
    }

    @Test("empty rows and totals are not invalid rows", arguments: [",,,\n", "Total,,,3h\n", "Daily average,,,\n"])
    func rowsWithoutEvents(row: String) throws {
        let text = "Date,Start,End,\n2026-03-01,09:00,10:00,\n" + String(repeating: row, count: 30)
        #expect(events(text, as: "sleep.csv") == ["09:00 sleep 10:00"])
        #expect(remarks(text, as: "sleep.csv").contains("30 rows of totals left out") == !row.hasPrefix(","))
    }

    @Test("hours of a 12-hour clock without AM and PM are refused")
    func halfDays() throws {
        let rows = ["9:10,10:25", "12:30,1:15", "3:30,4:15"].map { "2026-03-13,\($0)" }
        let text = "Date,Start,End\n" + rows.joined(separator: "\n")
        #expect(remarks(text, as: "sleep.csv").contains("line 3: 12:30 to 1:15 is of a clock of 12 hours"))
        #expect(events(text + "\n2026-03-13,19:30,6:15\n", as: "sleep.csv").count == 4)
        #expect(events("Date,Start,End\n\(rows[0])\n", as: "sleep.csv").count == 1)
    }

    @Test("more than a few rows of unknown kinds are counted by kind")
    func unknownKinds() {
        let rows = LogFormTests.sleeps.joined(separator: "\n")
        func counted(_ count: Int) -> String {
            remarks("type,start,end\n\(rows)\n" + String(repeating: "Bath,2026-03-01 19:00,\n", count: count))
        }
        #expect(counted(3).contains("3 of 33 rows are left out") && counted(3).contains("Bath (3)"))
        #expect(!counted(1).contains("rows are left out"))
    }

    @Test(
        "dates of many languages are read",
        arguments: [
            "mar. 3 mars 2026 09:10", "mar, 3 feb 2026 09:10", "3 marca 2026 09:10",
            "ter., 3 de março de 2026 às 09:10",
            "3 mrt. 2026, 09:10", "wt., 3. marca 2026 09:10", "tis, 3. mars 2026 09:10", "3 марта 2026 09:10",
            "3 Mart 2026 09:10", "ti, 3. maaliskuuta 2026 klo 9.10", "2026年3月3日 9:10", "2026年3月3日 9時10分",
            "2026/03/03(火) 09:10", "3/3/2026 9:10 π.μ.", "2026年3月3日 上午9:10", "2026. 3. 3. 오전 9:10",
            "2026. 3. 3 오전 9:10", "2026. 03. 03. 9:10", "2026. 3. 3 09:10", "3. 3. 2026 9:10",
            "2026년 3월 3일 오전 9:10", "03.03.2026 09.10",
        ])
    func writtenDates(text: String) throws {
        let day = text.contains("feb") ? "2026-02-03" : "2026-03-03"
        #expect(WrittenTime(text)?.iso(.dayFirst) == "\(day)T09:10:00")
        for afternoon in ["2026年3月3日 下午9:10", "3/3/2026 9:10 μ.μ."] {
            #expect(WrittenTime(afternoon)?.iso(.dayFirst) == "2026-03-03T21:10:00")
        }
    }

    @Test("durations and amounts of many languages are read")
    func quantities() throws {
        for (text, minutes) in [("75'", 75.0), ("1時間15分", 75), ("1小时15分钟", 75), ("1시간 15분", 75)] {
            #expect(LogQuantity.minutes(text, unit: nil, decimalComma: false) == minutes, "\(text)")
        }
        for (text, value) in [
            ("12 cl", 120), ("5½ oz", 163), ("4.5oz/133ml", 133), ("120ml formula", 120),
            ("~120 ml", 120), ("１２０ｍｌ", 120), ("133 ml (4.5 oz)", 133), ("4½oz (133 ml)", 133),
        ] {
            #expect(
                events("type,start,amount\nbottle,2026-03-01 10:00,\(text)\n") == ["10:00 feed bottle \(value)"],
                "\(text)")
        }
        #expect(LogQuantity.amount("4oz/200ml", decimalComma: false) == nil)
        #expect(remarks("type,start,amount\nbottle,2026-03-01 10:00,4 UK fl oz\n").contains("is not a unit of milk"))
        #expect(
            events("type,start,value,unit\nbottle,2026-03-01 10:00,4,oz\nchange,2026-03-01 11:00,wet,\n") == [
                "10:00 feed bottle 118", "11:00 diaper wet",
            ])
        #expect(
            events(
                "Event,Time,Value\nSleep,2026-03-01 10:00,75 min\nBottle,2026-03-01 12:00,4 oz\nDiaper,2026-03-01 13:00,Wet\n"
            )
                == ["10:00 sleep 11:15", "12:00 feed bottle 118", "13:00 diaper wet"])
        for unit in ["Einheit", "unitAbbr", "Unit type"] {
            #expect(
                events("type,start,amount,\(unit)\nbottle,2026-03-01 10:00,18,oz\n") == ["10:00 feed bottle 532"])
        }
        #expect(
            events("Start,Duration\n2026-03-01 10:00,0.052083333\n", as: "sleep.csv") == ["10:00 sleep 11:15"])
        #expect(events("type,start,end\nsleep,2026-03-01 10:00,\\N\n") == ["10:00 sleep"])
    }

    @Test("columns of events for a child each are refused until a child is chosen")
    func columnsOfChildren() throws {
        let text = """
            Date,Time,Anna,Ben
            2026-02-26,08:00,Bottle 120 ml,Wet diaper
            2026-02-26,09:00,Wet diaper,Bottle 100 ml
            """
        #expect(remarks(text).hasPrefix("ERROR") && remarks(text).contains("--child \"Anna\""), "\(remarks(text))")
        for (child, kinds) in [("Anna", ["feed", "diaper"]), ("ben", ["diaper", "feed"])] {
            let log = try load(text, LogOptions(child: child)).log
            #expect(log.records.map(\.type.rawValue) == kinds, "\(child)")
        }
        #expect(remarks(text, LogOptions(child: "Zoe")).hasPrefix("ERROR"))
        // One column with types is enough.
        #expect(!remarks(text.replacing(",Ben", with: ",Notes")).hasPrefix("ERROR"))
    }

    @Test(
        "decimal hours that may be hours and minutes are noted",
        arguments: [
            ("1.30,0.45,2.05", true), ("1.15,0.5,2", true), ("1.5,0.75,2.25", false), ("1.30,0.45,2.83", false),
            ("1.50,0.25,2.00", false), ("1.333,0.45,2.1", false), ("1:30,0:45,2:05", false),
        ])
    func hoursAndMinutes(durations: String, isNoted: Bool) {
        for header in ["Duration", "Duration (h)"] {
            let rows = durations.split(separator: ",").enumerated().map { "2026-02-2\($0 + 1) 12:00,\($1)" }
            let text = "Start,\(header)\n\(rows.joined(separator: "\n"))\n"
            let found = remarks(text, as: "sleep.csv")
            #expect(
                !found.hasPrefix("ERROR") && found.contains("are decimal hours; if this one is") == isNoted, "\(found)")
        }
    }
}
