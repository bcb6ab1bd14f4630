import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Logs whose events begin and end in rows of their own, and sleeps that nothing ends.
extension LogFormTests {
    /// A log of two columns, a row for each time and word.
    private func log(_ name: String, _ rows: [(String, String)]) -> String {
        "time,\(name)\n" + rows.map { "2026-03-01 \($0.0),\($0.1)\n" }.joined()
    }

    @Test(
        "sleeps without ends are refused with a next step",
        arguments: [
            "Start,Score", "Start,Sleep", "timestamp,overall_score", "Start,Total Sleep (min)", "Start,Rest",
        ])
    func openSleeps(header: String) {
        let text = header + "\n2026-03-01 19:30,60\n2026-03-02 19:40,65\n"
        #expect(remarks(text, as: "sleep.csv").contains("2 of 2 sleeps have no end"), "\(header)")
        #expect(remarks(text, as: "sleep.csv").contains("duration_min"))
        let stages = (10..<20).map { "2026-03-01,01:\($0),deep,55\n" }.joined()
        #expect(remarks("date,time,stage,hr\n" + stages, as: "sleep.csv").contains("10 of 10 sleeps have no end"))
        let days = "Date,Hours\n2026-03-01 00:00:00,7.5\n2026-03-02 00:00:00,8\n"
        #expect(remarks(days, as: "sleep.csv").contains("as the totals of days do"))
    }

    @Test("one sleep may be running, and a folder leaves out a file of scores")
    func runningSleeps() throws {
        #expect(events("start\n2026-03-01 19:30\n", as: "sleep.csv") == ["19:30 sleep"])
        let rows = "start,end\n" + "2026-03-01 09:00,2026-03-01 10:00\n" + "2026-03-01 19:30,\n"
        #expect(events(rows, as: "sleep.csv") == ["09:00 sleep 10:00", "19:30 sleep"])
        let scores = "timestamp,score\n2026-03-01 07:00,80\n2026-03-02 07:00,81\n"
        let imported = try RhythmLogFile.load(files(["sleep.csv": rows, "sleep_2.csv": scores]))
        #expect(imported.log.records.count == 2)
        #expect(imported.report.lines.joined().contains("sleep_2.csv: left out, because 2 of 2 sleeps"))
    }

    @Test(
        "durations and ends of sleeps have many names",
        arguments: [
            ("Duration (hh:mm)", "1:00"), ("Duration (h:mm)", "1:00"), ("Duration (s)", "3600"), ("duration_s", "3600"),
            ("Duration (m)", "60"), ("sleep_duration", "60"), ("sleep_minutes", "60"), ("minutes_asleep", "60"),
            ("Time asleep", "60"), ("Nap length", "60"), ("Hours slept", "1.0"), ("Elapsed", "60"), ("dur", "60"),
            ("Schlafdauer", "60"), ("Durata", "60"), ("Duração", "60"), ("Czas trwania", "60"), ("Длительность", "60"),
            ("時間", "60"), ("时长", "60"), ("stopped", "2026-03-01 10:30"), ("finishedAt", "2026-03-01 10:30"),
            ("wakeTime", "2026-03-01 10:30"), ("Woke up at", "2026-03-01 10:30"), ("Réveil", "2026-03-01 10:30"),
        ])
    func namesOfEnds(name: String, text: String) {
        #expect(
            events("start,\(name)\n2026-03-01 09:30,\(text)\n", as: "sleep.csv") == ["09:30 sleep 10:30"], "\(name)")
    }

    @Test(
        "falling asleep and waking have rows of their own",
        arguments: [
            ("Sleep", "Wake"), ("Nap", "Awake"), ("Nap", "Woke up"), ("Went to sleep", "Woke up"),
            ("Start nap", "End nap"), ("Sleep started", "Sleep ended"), ("Nap start", "Up from nap"),
            ("Eingeschlafen", "Aufgewacht"), ("Dormido", "Despierto"), ("睡觉", "起床"), ("Nap begins", "Nap ends"),
            ("Start of nap", "End of nap"), ("Schlaf Beginn", "Schlaf Ende"), ("Début sieste", "Fin sieste"),
        ])
    func boundsOfSleeps(asleep: String, awake: String) {
        let rows = [("09:00", asleep), ("10:10", awake), ("12:00", "Feed"), ("13:00", asleep), ("14:00", awake)]
        let text = log("event", rows)
        #expect(events(text) == ["09:00 sleep 10:10", "12:00 feed", "13:00 sleep 14:00"], "\(asleep) \(awake)")
        #expect(!remarks(text).contains("not in the log"))
        #expect(remarks(log("event", [("08:00", awake)] + rows)).contains("a sleep whose start is not in the log"))
    }

    @Test(
        "a waking at the end of a sleep is no end of another, and values of Apple Health have no prefix in some files")
    func wakingsOfEndedSleeps() {
        let text = "type,start,end\nNap,2026-03-01 09:00,2026-03-01 10:00\nWoke up,2026-03-01 10:00,\n"
        #expect(events(text) == ["09:00 sleep 10:00"] && !remarks(text).contains("not in the log"))
        let rows = [("09:00", "10:00", "AsleepCore"), ("08:50", "10:10", "inBed"), ("10:00", "10:05", "Awake")]
        let health = rows.map { "sleepAnalysis,Watch,2026-03-01 \($0.0):00,2026-03-01 \($0.1):00,\($0.2)\n" }
        #expect(events("type,sourceName,startDate,endDate,value\n" + health.joined()) == ["09:00 sleep 10:00"])
        let russian = "Тип,Начало,Конец,Длительность,Количество\nСон,2026-03-01 09:00,2026-03-01 09:20,20 мин,\n"
        #expect(events(russian) == ["09:00 sleep 09:20"])
    }

    @Test("a log of only times awake has the sleeps between them, and one without an event is refused")
    func timesAwake() {
        for (type, others) in [("Awake", ""), ("Wake window", ""), ("awake", "feed,2026-03-01 10:00,\n")] {
            let rows = [("06:15", "09:10"), ("10:25", "13:05"), ("14:35", "19:30")].map {
                "\(type),2026-03-01 \($0.0),2026-03-01 \($0.1)\n"
            }
            let text = "type,start,end\n" + rows.joined() + others
            let sleeps = ["09:10 sleep 10:25", "13:05 sleep 14:35", "19:30 sleep"]
            #expect(
                events(text).filter { $0.contains("sleep") } == sleeps && events(text).count == (others.isEmpty ? 3 : 4)
            )
            #expect(remarks(text).contains("the times between times awake are read as sleeps"))
        }
        #expect(remarks("type,start\nWake,2026-03-01 06:15\n").contains("no row is an event; row 1 ends a sleep"))
    }

    @Test("columns that say whether the child sleeps", arguments: ["asleep", "sleeping", "is_asleep", "isSleeping"])
    func sleepStates(name: String) {
        for (yes, no) in [("true", "false"), ("1", "0")] {
            let text = log(name, [("09:00", yes), ("10:10", no), ("13:00", yes), ("14:00", no)])
            for file in ["sleep.csv", "log.csv"] {
                #expect(events(text, as: file) == ["09:00 sleep 10:10", "13:00 sleep 14:00"])
            }
        }
    }

    @Test("a repeated state of sleep goes on, and another state ends it")
    func repeatedStates() {
        let stages = [
            ("19:00", "awake"), ("20:00", "light"), ("21:00", "deep_sleep"), ("22:00", "rem"), ("23:00", "awake"),
        ]
        #expect(events(log("stage", stages), as: "sleep.csv") == ["20:00 sleep 23:00"])
        #expect(!remarks(log("stage", stages), as: "sleep.csv").contains("row before"))
        let grid = (0..<20).map { (String(format: "09:%02d", $0), (5..<15).contains($0) ? "1" : "0") }
        #expect(events(log("sleeping", grid), as: "sleep.csv") == ["09:05 sleep 09:15"])
        #expect(!remarks(log("sleeping", grid), as: "sleep.csv").contains("not in the log"))
        // The start of a sleep twice is two sleeps.
        let starts = [("09:00", "start"), ("13:00", "start"), ("14:00", "stop")]
        #expect(events(log("state", starts), as: "sleep.csv") == ["09:00 sleep", "13:00 sleep 14:00"])
        let sensor = [("09:00", "on"), ("09:30", "unavailable"), ("09:31", "on"), ("10:00", "off")]
        #expect(events(log("state", sensor), as: "sleep.csv") == ["09:00 sleep 10:00"])
        #expect(
            remarks(log("state", sensor), as: "sleep.csv").contains("1 row with the state of the row before"))
        let others = [("09:00", "sleeping"), ("09:30", "paused"), ("09:40", "sleeping"), ("10:00", "none")]
        #expect(events(log("state", others), as: "sleep.csv") == ["09:00 sleep 09:30", "09:40 sleep 10:00"])
        #expect(remarks(log("state", others), as: "sleep.csv").contains("\"paused\", \"none\" end a sleep"))
    }

    @Test("the states of Home Assistant's sensors are of one sensor, also in JSON without its name in each record")
    func sensors() {
        func record(_ hour: String, _ state: String, _ name: String = "") -> String {
            #"{\#(name)"state":"\#(state)","last_changed":"2026-03-01T\#(hour):00"}"#
        }
        let name = #""entity_id":"binary_sensor.mia_asleep","#
        let json = "[[\(record("09", "on", name)),\(record("10", "off")),\(record("11", "on")),\(record("12", "off"))]]"
        #expect(events(json, as: "history.json") == ["09:00 sleep 10:00", "11:00 sleep 12:00"])
        let two = "[\(record("09", "on", name)),\(record("10", "on", name.replacing("mia", with: "tom")))]"
        #expect(remarks(two, as: "history.json").contains("both have states of sleep"))
        let feeds = two.replacing("asleep", with: "feeding")
        #expect(remarks(feeds, as: "history.json").contains("both have states of feed;"))
        let feed = "[\(record("09", "on", name.replacing("asleep", with: "feeding"))),\(record("10", "off"))]"
        #expect(events("[\(feed)]", as: "history.json") == ["09:00 feed 10:00"])
    }

    @Test("the start and the stop of a feed are one feed")
    func boundsOfFeeds() {
        let text = "type,action,time\nfeed,start,2026-03-01 07:30\nfeed,stop,2026-03-01 07:50\nfeed,,2026-03-01 09:00\n"
        #expect(events(text) == ["07:30 feed 07:50", "09:00 feed"])
        #expect(events(log("event", [("07:30", "Feed start"), ("07:50", "Feed end")])) == ["07:30 feed 07:50"])
    }

    @Test(
        "words around a nap, feed or bottle that are no event are reported",
        arguments: [
            "Planned nap", "Cancelled nap", "Declined nap", "Fighting sleep", "Mom sleep", "Water bottle",
            "Clean bottle", "Medicine bottle", "Rejected bottle", "End nap", "Stop feed",
        ])
    func wordsOfNoEvent(type: String) {
        let text = "type,start,end\nSleep,2026-03-01 09:00,2026-03-01 10:00\n\(type),2026-03-01 12:00,\n"
        #expect(events(text) == ["09:00 sleep 10:00"], "\(type)")
        #expect(remarks(text).contains("row 2: "))
    }

    @Test(
        "times of day without a colon are read next to a date",
        arguments: [
            ("7pm", "8.15 PM", "19:00 sleep 20:15"), ("19.30", "20.15", "19:30 sleep 20:15"),
            ("1930", "2015", "19:30 sleep 20:15"), ("730", "845", "07:30 sleep 08:45"),
            ("noon", "1 pm", "12:00 sleep 13:00"), ("~19:30", "~20:15", "19:30 sleep 20:15"),
            ("0.8125", "0.84375", "19:30 sleep 20:15"),
        ])
    func clocksWithoutColons(start: String, end: String, expected: String) {
        #expect(events("Date,Start,End\n2026-03-01,\(start),\(end)\n", as: "sleep.csv") == [expected])
        #expect(
            remarks("start\n\(start)\n", as: "sleep.csv").contains("is not a time") || start == "noon" || start == "7pm"
                || start.hasPrefix("~"))
        for text in ["0.25", "2560", "25.10"] {
            #expect(remarks("Date,Start\n2026-03-01,\(text)\n", as: "sleep.csv").contains("\"\(text)\" is not a time"))
        }
    }

    @Test("PiyoLog's text of a day has its date in the first line, and a diary after the totals")
    func piyoLogDay() {
        let text =
            "【ぴよログ】2026/3/1(日)\nミア (0歳6か月)\n\n09:00   寝る\n10:10   起きる (1時間10分)\n11:00   ミルク 100ml\n\n"
            + "睡眠合計 1時間10分\n\n13:00 寝る時間が短い\n"
        #expect(events(text, as: "day.txt") == ["09:00 sleep 10:10", "11:00 feed bottle 100"])
        let english =
            "[PiyoLog]Sun, Mar 1, 2026\nMia (0y6m)\n\n09:00 AM   Sleep\n10:10 AM   Wake-up (1h10m)\n\nTotal sleep 1h10m\n"
        #expect(events(english, as: "day.txt") == ["09:00 sleep 10:10"])
        #expect(remarks("[PiyoLog]\nMia\n\n09:00   Sleep\n", as: "day.txt").contains("no day with events"))
    }
}
