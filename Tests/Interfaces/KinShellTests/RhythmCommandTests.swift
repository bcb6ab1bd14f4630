import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Rhythm commands")
struct RhythmCommandTests {
    private let folder = TemporaryFolder()

    /// Three weeks with four naps a day, at the same times within a few minutes.
    private func rows(earlier hours: Int = 0, zone: String = "") -> [String] {
        var generator = SeededGenerator(seed: 4)
        return (1...21).flatMap { day in
            [9, 12, 15, 19].flatMap { hour in
                let minute = generator.below(20)
                func time(_ hour: Int, _ minute: Int) -> String {
                    String(format: "2026-03-%02dT%02d:%02d:00%@", day, hour - hours, minute, zone)
                }
                let end = time(hour + 1, minute)
                return [
                    "sleep,\(time(hour, minute)),\(end),60.0,,",
                    "feed,\(end),\(time(hour + 1, minute + 25)),25.0,bottle,120",
                ]
            }
        }
    }

    /// Nights that begin after the last row of each day.
    private func nights(_ days: Int = 20) -> [String] {
        (1...days).map { day in
            "sleep,\(String(format: "2026-03-%02dT21:00:00,2026-03-%02dT06:30:00", day, day + 1)),570.0,,"
        }
    }

    private static let header = "type,start,end,duration_min,subtype,amount_ml"

    @Test("a plan of the day is a table of naps and sentences")
    func dayPlan() throws {
        let log = BabyGenerator(seed: 1).log(0, days: 40, age: 120)
        let now = try LoggedTime(parsing: "2026-02-08T12:00")
        let late = try SleepAssumption(
            start: LoggedTime(parsing: "2026-02-08T16:00"), end: LoggedTime(parsing: "2026-02-08T17:30"))
        let plain = try DayPlanText.lines(log.dayPlan(at: now), style: Style(colour: false))
        let assumed = try DayPlanText.lines(log.dayPlan(at: now, given: [late]), style: Style(colour: false))
        #expect(plain[0].contains("nap") && plain.contains { $0.contains("bedtime ") && $0.contains("–") }, "\(plain)")
        #expect(
            !plain.contains { $0.contains("assumption") } && assumed.contains { $0.contains("with the assumption: ") })
        #expect(assumed.contains { $0.contains("16:00") && $0.contains("17:30") }, "\(assumed)")
        #expect((plain + assumed).allSatisfy { !$0.contains("{") }, "\(assumed)")
        let evening = try LoggedTime(parsing: "2026-02-08T23:30")
        let night = try DayPlanText.lines(log.dayPlan(at: evening), style: Style(colour: false))
        #expect(night.count == 1 && night[0].contains("no plan: "), "\(night)")
    }

    @Test(
        "a log in a store gives the same forecasts as its file, and the same file again adds nothing",
        arguments: ["", "Z"])
    func importedLog(offset: String) throws {
        let whole = [Self.header] + rows(zone: offset)
        let store = ["--store", folder.path("log\(offset).db")]
        for count in [whole.count - 9, whole.count, whole.count] {
            let log = try folder.file("log.csv", whole.prefix(count).joined(separator: "\n") + "\n")
            let options = ["--zone", "Europe/Rome"]
            answered(kin(["store", "import_log", "ada", "mia", log, "--born", "2025-12-01"] + options + store), "mia")
            answered(kin(["store", "import_log", "ada", "mia", log] + options + store), "\(count - 1) events")
            let answers = [["--user", "ada", "--baby", "mia"] + store, [log, "--born", "2025-12-01"] + options].map {
                kin(["forecast", "--kind", "nap", "--now", "2026-03-21T17:00", "--json"] + $0).results
            }
            #expect(answers[0] == answers[1] && !answers[0].isEmpty)
            let lines = kin(["store", "export"] + store).results.split(separator: "\n")
            #expect(lines.count == count && lines.contains { $0.contains(#""date_of_birth":"2025-12-01""#) })
        }
    }

    @Test("backtest at instants prints the forecast of each")
    func instants() throws {
        let log = try folder.file("log.csv", ([Self.header] + rows()).joined(separator: "\n") + "\n")
        let at = try folder.file("at.txt", "2026-03-20T03:00:00\n2026-03-22T12:00:00")
        let lines = kin("backtest", log, "--kind", "nap", "--at", at, "--jsonl").results.split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("2026-03-20T03:00"), "\(lines)")
        // The second instant is after the log.
        let told = kin("forecast", log, "--now", "2026-03-22T12:00:00", "--kind", "nap", "--json")
        #expect(told.results == "\(lines[1])\n")
    }

    @Test("forecasts, backtests and rhythms are printed and drawn")
    func words() throws {
        let log = try folder.file("log.csv", ([Self.header] + rows()).joined(separator: "\n"))
        let told = kin("forecast", log, "--now", "2026-03-21T13:30:00", "--kind", "nap")
        #expect(told.results.hasPrefix("next nap about 15:"), "\(told.results)")
        #expect(told.results.contains("in 10 within half an hour") && told.results.contains("because awake since 13:"))
        let plot = folder.path("naps.svg")
        answered(kin("backtest", log, "--plot", plot), "against same-hour 7-day median")
        #expect(String(decoding: try folder.bytes("naps.svg"), as: UTF8.self).hasSuffix("</svg>\n"))
        let whole = try folder.file("whole.csv", ([Self.header] + rows() + nights()).joined(separator: "\n"))
        answered(kin("rhythm", whole, "--plot", folder.path("days.svg"), "--repairs"), "awake before sleep 2")
    }

    @Test("days and repairs are in the rhythm's JSON on request")
    func rhythmInJSON() throws {
        let odd = ["diaper,2026-03-21T08:10:00,,,banana,", "feed,2026-03-21T08:30:00,,,bottle,-50"]
        let log = try folder.file("log.csv", ([Self.header] + rows() + nights() + odd).joined(separator: "\n"))
        func answer(_ options: String...) throws -> [String: Any] {
            let run = kin(["rhythm", log, "--json"] + options)
            #expect(run.status == 0, "\(run.notes)")
            return try run.object()
        }
        func list(_ name: String, of answer: [String: Any]) throws -> [[String: Any]] {
            try #require(answer[name] as? [[String: Any]])
        }
        let plain = try answer()
        #expect(Array(plain.keys) == ["insights"])
        let titles = try list("insights", of: plain).map { $0["title"] as? String }
        #expect(!titles.isEmpty)
        let read = try RhythmLogFile.read(log)
        for count in [0, 1, 5, 400] {
            let days = try answer("--days", "\(count)")
            #expect(days.keys.sorted() == ["days", "insights"])
            #expect(try list("insights", of: days).map { $0["title"] as? String } == titles)
            #expect(
                try list("days", of: days).compactMap { $0["date"] as? String }
                    == read.days.suffix(count).map { $0.date.dateOrDateTime })
        }
        let both = try answer("--repairs", "--days", "2")
        #expect(both.keys.sorted() == ["days", "import", "insights", "repairs"])
        let repairs = try list("repairs", of: both)
        #expect(repairs.count == read.repairs.count)
        #expect("\(repairs)".contains("banana") && "\(repairs)".contains("-50"))
    }

    @Test("a log in UTC with a zone equals the log in local time", arguments: ["forecast", "backtest", "rhythm"])
    func zone(command: String) throws {
        let wall = try folder.file("wall.csv", ([Self.header] + rows()).joined(separator: "\n"))
        // In Berlin the clocks are an hour ahead until the end of the log.
        let utc = try folder.file("utc.csv", ([Self.header] + rows(earlier: 1, zone: "Z")).joined(separator: "\n"))
        let expected = kin(command, wall)
        #expect(expected.status == 0 && kin(command, utc, "--zone", "Europe/Berlin").results == expected.results)
        refused(kin(command, utc, "--zone", "Europe/Berln"), nil, "Europe/Berln")
        guard command == "forecast" else { return }
        #expect(kin(command, utc).results != expected.results)
        let now = ["--now", "2026-03-20T13:00:00Z"]
        #expect(
            kin(["forecast", utc, "--zone", "Europe/Berlin"] + now).results
                == kin("forecast", wall, "--now", "2026-03-20T14:00:00").results)
        // An instant is read as the local time of a log that has no instants.
        #expect(kin(["forecast", wall] + now).notes.contains("--now is read as 2026-03-20T13:00:00;"))
        #expect(!kin(["forecast", wall, "--zone", "Europe/Berlin"] + now).notes.contains("--now is read"))
    }

    @Test("odd rows are listed by number, and the others are read")
    func oddRows() throws {
        let odd = [
            "bath,2026-03-21T08:00:00,,,,", "diaper,2026-03-21T08:10:00,,,banana,", "feed,2026-03-21T08:20:00,,,spoon,",
            "feed,2026-03-21T08:30:00,,,bottle,-50", "feed,2026-03-21T08:40:00,,,bottle,1e308",
            "feed,2026-03-21T08:50:00,2026-03-23T04:50:00,,bottle,",
            "feed,2026-03-21T08:55:00,2026-03-21T08:00:00,,bottle,",
            "sleep,2026-03-21T22:00:00,,55,,", "sleep,2026-03-21T23:30:00,2026-03-22T00:30:00,90,,",
        ]
        let rows = rows()
        let log = try folder.file("odd.csv", ([Self.header] + rows + odd).joined(separator: "\n") + "\n")
        let told = kin("rhythm", log, "--repairs")
        let first = rows.count + 1
        for (place, word) in [
            "bath", "banana", "spoon", "-50", "1e+308", "44 hours", "before it begins", "55", "duration_min",
        ].enumerated() {
            let lines = told.results.split(separator: "\n").filter { $0.contains("  row \(first + place): ") }
            #expect(lines.contains { $0.contains(word) }, "row \(first + place) \(word): \(lines)")
        }
        let forecast = kin("forecast", log)
        #expect(
            forecast.status == 0 && forecast.notes.contains("and 8 more, which kin rhythm --repairs lists"),
            "\(forecast.notes)")
        // The sleep's duration determines its end, and the feed of 44 hours does not move the log's end.
        #expect(kin("forecast", log, "--json").results.hasPrefix(#"[{"now":"2026-03-22T00:30:00""#))
    }

    @Test("a forecast names its moment and the repaired rows, and --strict refuses these")
    func notes() throws {
        let rows = rows()
        let log = try folder.file("log.csv", ([Self.header] + rows).joined(separator: "\n") + "\n")
        let told = kin("forecast", log)
        #expect(told.notes.contains("the forecasts are for 2026-03-21 20:"), "\(told.notes)")
        #expect(!kin("forecast", log, "--now", "2026-03-21T13:30").notes.contains("the forecasts are for"))
        let odd = "sleep,2026-03-21T14:40,2026-03-21T13:40,,,"
        let bad = try folder.file("bad.csv", ([Self.header] + rows + [odd]).joined(separator: "\n") + "\n")
        for command in ["forecast", "backtest", "rhythm"] {
            #expect(kin(command, log, "--strict").status == 0)
            #expect(kin(command, bad).notes.contains("row \(rows.count + 1): ends before it begins"))
            refused(kin(command, bad, "--strict"), 65, "ends before it begins")
        }
    }

    @Test("a log without sleeps and feeds has no forecast, and is not called empty")
    func logsWithoutSleeps() throws {
        for (rows, count) in [([], "0 rows"), (["diaper,2026-03-21T14:40,,,wet,"], "1 row")] {
            let log = try folder.file("log.csv", ([Self.header] + rows).joined(separator: "\n") + "\n")
            refused(kin("forecast", log), 64, "no sleep and no feed in \(count)")
            #expect(kin("forecast", log, "--now", "2026-03-21T15:00").results.contains("no sleep has been logged yet"))
        }
    }

    @Test("bedtime is called bedtime, and an ended log names its end")
    func kindsAndSilence() throws {
        let nights = (1...20).flatMap { day in
            let date = String(format: "2026-03-%02d", day)
            let next = String(format: "2026-03-%02d", day + 1)
            return ["sleep,\(date)T12:00:00,\(date)T13:30:00,,,", "sleep,\(date)T19:00:00,\(next)T06:30:00,,,"]
        }
        let log = try folder.file("nights.csv", ([Self.header] + nights).joined(separator: "\n") + "\n")
        let bedtime = kin("forecast", log, "--now", "2026-03-20T14:00:00", "--kind", "nap").results
        #expect(bedtime.hasPrefix("bedtime about 1") && bedtime.contains("lasting about 11 h 30"), "\(bedtime)")
        let evening = kin("forecast", log, "--now", "2026-03-20T14:00:00", "--kind", "bedtime").results
        #expect(
            evening.hasPrefix("bedtime about 19:0") && evening.contains("because last awoken at 13:30"), "\(evening)")
        let asleep = kin("forecast", log, "--now", "2026-03-20T12:30:00").results
        #expect(asleep.contains("\nwakes about 13:") && asleep.contains("because asleep since 12:00"), "\(asleep)")
        #expect(asleep.contains(/^bedtime about (18:5|19:0)/) && !asleep.contains("night waking"), "\(asleep)")
        #expect(asleep.split(separator: "bedtime about").count == 1, "\(asleep)")
        let awake = kin("forecast", log, "--now", "2026-03-20T14:00:00")
        #expect(!awake.results.contains("wakes about") && awake.results.contains("bedtime about"), "\(awake.results)")
        let nightly = kin("backtest", log, "--kind", "bedtime").results
        #expect(nightly.contains("of the next bedtime") && nightly.contains("not asleep after"), "\(nightly)")
        let nap = kin("forecast", log, "--now", "2026-03-20T08:00:00", "--kind", "nap").results
        #expect(nap.hasPrefix("next nap about 1") && nap.contains("lasting about 1 h 30"), "\(nap)")
        let ended = kin("forecast", log, "--now", "2036-03-20T14:00:00", "--kind", "nap").results
        #expect(ended.contains("ended 3652 days before, at 2026-03-21T06:30:00"), "\(ended)")
    }

    /// The required measures on real logs: coverage, calibration error, and the ratio to the same-hour median.
    @Test(
        .enabled(if: RealData.has("baby-logs"), "skipped: no data"),
        arguments: [("c", "nap", 0.96), ("c", "feed", 0.96), ("g", "nap", 0.95)])
    func realLogsReachTheRequiredAccuracy(baby: String, kind: String, bound: Double) throws {
        let log = try #require(RealData.place(of: "baby-logs/baby-\(baby).csv"))
        let measures = try kin("backtest", log.path, "--kind", kind, "--json").object()
        let coverage = try #require(measures["coverage80"] as? Double)
        #expect((0.77...0.83).contains(coverage))
        #expect(try #require(measures["calibration_error"] as? Double) <= 0.05)
        let baselines = try #require(measures["baselines"] as? [String: [String: Double]])
        #expect(try #require(baselines["same_hour_median"]?["ratio"]) <= bound)
    }

    @Test("drawings are SVG, and other formats are refused with advice")
    func formats() throws {
        let log = BabyGenerator(seed: 8).log(0, days: 5, age: 40)
        try RhythmLogFile.write(log, to: folder.path("log.csv"))
        for name in ["days.png", "days.pdf", "days"] {
            refused(
                kin("rhythm", folder.path("log.csv"), "--plot", folder.path(name)), 64,
                "call it \(folder.path("days")).svg")
            #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
        }
        #expect(kin("rhythm", folder.path("log.csv"), "--plot", folder.path("days.SVG")).status == 0)
    }

    @Test("every line of a forecast names its kind, for any log")
    func kinds() throws {
        let rows = rows()
        for count in [1, 2, 3, 8, rows.count] {
            let log = try folder.file("log.csv", ([Self.header] + rows.prefix(count)).joined(separator: "\n") + "\n")
            let lines = kin("forecast", log, "--json-lines").results.split(separator: "\n")
            #expect(lines.count == RhythmKind.allCases.count)
            for (line, kind) in zip(lines, RhythmKind.allCases) {
                let names = kind == .nap ? ["nap", "bedtime", "night"] : [kind.rawValue]
                #expect(names.contains { line.contains("\"kind\":\"\($0)\"") }, "\(line)")
                let alone = kin("forecast", log, "--json", "--kind", kind.rawValue).results
                #expect(alone == line + "\n")
            }
        }
    }

    @Test("a log too short for nights has no nap count, and a longer one has")
    func shortLogs() throws {
        let rows = rows()
        let short = try folder.file("short.csv", ([Self.header] + rows.prefix(6)).joined(separator: "\n") + "\n")
        let table = kin("rhythm", short).results
        #expect(table.contains(#/2026-03-01 \(in part\) +3 h 00 +- +- +- +- +3 /#), "\(table)")
        let ten = [Self.header] + rows.prefix(80) + nights(9)
        let tenDays = try folder.file("ten.csv", ten.joined(separator: "\n") + "\n")
        let rhythm = kin("rhythm", tenDays).results
        #expect(rhythm.contains(" of 10 days") && !rhythm.contains("of 28 days"), "\(rhythm)")
        #expect(rhythm.contains(#/2026-03-05 +13 h 30 +\d +\d/#), "\(rhythm)")
    }
}
