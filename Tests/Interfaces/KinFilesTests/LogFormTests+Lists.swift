import Foundation
import Kin
import KinTestSupport
import Testing

@testable import KinFiles

/// Columns, lists and files whose events are not those of a name, and lists that have none.
extension LogFormTests {
    @Test("a column with words of several kinds is the type, whatever the names of the column and the file")
    func typesByWords() throws {
        let rows = "Nap,2026-03-01 09:30,2026-03-01 10:30\nBottle,2026-03-01 11:30,\nBath,2026-03-01 12:30,\n"
        for name in ["What", "Name", "Title", "Kind", "Action", "Tracker", "Description"] {
            for file in ["Mia sleep and feeding log.csv", "log.csv"] {
                #expect(
                    events("\(name),Start,End\n\(rows)", as: file) == ["09:30 sleep 10:30", "11:30 feed bottle"],
                    "\(name) \(file)")
                #expect(remarks("\(name),Start,End\n\(rows)", as: file).contains("column \(name) is read as the type"))
            }
        }
        let sleeps = "Nap,2026-03-01 09:30,2026-03-01 10:30\nWalk,2026-03-01 11:30,2026-03-01 12:30\n"
        #expect(remarks("Log,Start,End\n\(sleeps)", as: "sleep.csv").contains("rename the column to type"))
        let meals = sleeps.replacing("Nap", with: "Bottle").replacing("Walk", with: "Diaper")
        #expect(remarks("Log,Start,End\n\(meals)", as: "sleep.csv").contains("rename the column to type"))
        // Words of one kind are types in a file without a type.
        for name in ["Subject", "Title", "What", "Project"] {
            #expect(events("\(name),Start,End\nNap,2026-03-01 09:30,2026-03-01 10:30\n") == ["09:30 sleep 10:30"])
        }
        #expect(remarks("Mood,Start,End\ngood,2026-03-01 09:30,2026-03-01 10:30\n").hasPrefix("ERROR"))
        // Details of sleeps and feeds are no types.
        for (column, words, file) in [
            ("Period", ["Nap", "Day"], "sleep.csv"), ("Before", ["Bottle", "Bath"], "sleep.csv"),
            ("Remark", ["nap", ""], "sleep.csv"), ("Pulse", ["72", "71.5"], "sleep.csv"),
            ("Kind", ["wet", "solid"], "diapers.csv"),
            ("Kind", ["Formula", "left"], "feeds.csv"), ("Name", ["Night sleep", "Nap 2"], "sleep.csv"),
        ] {
            let rows = "\(words[0]),2026-03-01 09:30,2026-03-01 10:30\n\(words[1]),2026-03-01 11:30,2026-03-01 12:30\n"
            #expect(events("\(column),Start,End\n\(rows)", as: file).count == 2, "\(column)")
            #expect(!remarks("\(column),Start,End\n\(rows)", as: file).contains("as the type"), "\(column)")
        }
    }

    @Test("only whole words of a file's name are a type, and no numbers, plans or reminders")
    func wordsOfFileNames() {
        let text = "Start,End\n2026-03-01 09:30,2026-03-01 10:30\n"
        for name in [
            "bmi", "changed_rows", "last_72h", "export 72", "mixed", "sens", "sleepPredictions", "planned naps",
            "nap schedule", "feed reminders",
        ] {
            #expect(remarks(text, as: "\(name).csv").contains("a log needs at least type and start"), "\(name)")
        }
        for name in ["naps", "Mia_sleeps", "feeds", "diaper_changes", "bottles"] {
            #expect(events(text, as: "\(name).csv").count == 1, "\(name)")
        }
    }

    private static let others = [
        #""growth":[{"date":"2026-03-01","weight":7}]"#, #""settings":[{"key":"unit","value":"ml"}]"#,
        #""pumping":[{"time":"2026-03-01T12:00:00","amount":90,"unit":"ml"}]"#,
        #""medications":[{"time":"2026-03-01T12:00:00","name":"x","amount":5,"unit":"ml"}]"#,
        #""tummyTime":[{"start":"2026-03-01T12:00:00","end":"2026-03-01T12:30:00"}]"#,
        #""caregivers":[{"name":"Ada","email":"x"}]"#, #""sleepTips":[{"title":"x"}]"#,
        #""sleepPredictions":[{"start":"2026-03-03T09:00:00","end":"2026-03-03T10:00:00"}]"#,
        #""plannedNaps":[{"start":"2026-03-03T09:00:00","end":"2026-03-03T10:00:00"}]"#,
        #""feedReminders":[{"time":"2026-03-02T09:00:00","enabled":true}]"#,
        #""reminders":{"items":[{"time":"2026-03-02T09:00:00","type":"feed"}]}"#,
        #""milkStash":[{"time":"2026-03-01T12:00:00","amount":90,"unit":"ml"}]"#,
        #""diaperStock":[{"time":"2026-03-03T10:00:00","count":40}]"#,
    ]

    @Test("lists that are not logs are left out by name, also next to lists of events", arguments: others)
    func otherLists(list: String) throws {
        let text = """
            {"sleeps":[{"start":"2026-03-01T09:30:00","end":"2026-03-01T10:30:00"}],
            "feedings":[{"time":"2026-03-01T11:30:00","amount":120,"unit":"ml"}],\(list)}
            """
        #expect(events(text, as: "b.json") == ["09:30 sleep 10:30", "11:30 feed 120"])
        let name = list.contains("items") ? "b.json" : String(list.dropFirst().prefix { $0 != "\"" })
        #expect(remarks(text, as: "b.json").contains("\(name): left out, because it is not a log"))
        #expect(isRefused(text, as: "b.json"))
        // The facts next to the lists have several names.
        for (zone, born) in [("timezone", "dob"), ("time_zone", "birthDate"), ("tz", "birthday")] {
            let facts = #"{"\#(zone)":"Europe/Berlin","\#(born)":"2025-10-01",\#(text.dropFirst())"#
            let log = try load(facts, as: "b.json").log
            #expect(log.clock.zone?.name == "Europe/Berlin" && log.baby.born != nil)
        }
        // Without other lists there is no log, and sleeps with times in unknown columns are not left out.
        #expect(remarks("{\(list)}", as: "b.json").hasPrefix("ERROR"))
        let unknown = #"{"naps":[{"onset":"2026-03-01T09:30:00"}],"sleeps":[{"start":"2026-03-01T19:30:00"}]}"#
        #expect(remarks(unknown, as: "b.json").contains("ERROR"))
    }

    @Test("lists of months, times of day, devices and caregivers have the type of the file")
    func generalLists() throws {
        let (a, b) = (
            #"{"start":"2026-03-01T09:30:00","end":"2026-03-01T10:30:00"}"#,
            #"{"start":"2026-03-01T19:30:00","end":"2026-03-02T06:30:00"}"#
        )
        for names in [["day", "night"], ["mum", "dad"], ["2026-03", "2026-04"], ["phone", "watch"]] {
            let text = "{\"\(names[0])\":[\(a)],\"\(names[1])\":[\(b)]}"
            #expect(events(text, as: "sleep.json") == ["09:30 sleep 10:30", "19:30 sleep 06:30"], "\(names)")
        }
        #expect(events("{\"2026-03\":[\(a)],\"2026-04\":[]}", as: "sleep.json") == ["09:30 sleep 10:30"])
        #expect(!remarks("{\"2026-03\":[\(a)],\"2026-04\":[]}", as: "log.json").contains("there is no field"))
        let sleep = "Start,End\n2026-03-01 09:30,2026-03-01 10:30\n"
        let devices = try files([
            "phone_sleep.csv": sleep, "watch_sleep.csv": sleep + "2026-03-01 19:30,2026-03-01 20:30\n",
        ])
        #expect(try RhythmLogFile.load(devices).report.lines.allSatisfy { !$0.contains("child") })
    }

    @Test("minutes of an offset may count in either direction, and are left aside unless the direction is known")
    func offsetsOfMinutes() throws {
        func zone(_ members: String) throws -> (zone: String?, remarks: String) {
            let text = #"{"sleeps":[{"start":1772393400,"duration":39600,\#(members)}]}"#
            let imported = try load(text, as: "b.json")
            return (imported.log.clock.zone?.name, imported.report.lines.joined(separator: "\n"))
        }
        for name in ["offset", "timezoneOffset"] {
            let (found, remarks) = try zone("\"\(name)\":300")
            #expect(found == nil && remarks.contains("to the east or to the west") && remarks.contains("--zone"))
        }
        #expect(try zone(#""offset":300,"end_offset":300"#).zone == "-05:00")
        #expect(try zone(#""utcOffset":300"#).zone == "+05:00" && zone(#""offset":3600"#).zone == "+01:00")
        let feeds =
            #"{"intervals":{"a":{"mode":"breast","start":1772393400,"leftDuration":420,"offset":-60},"#
            + #""b":{"mode":"solids","start":1772402600,"offset":-60}}}"#
        #expect(events(feeds, as: "feed.json") == ["20:30 feed breast left 7 min", "23:03 feed solids"])
    }

    @Test("a backup of Baby Buddy by dumpdata has the types of its models")
    func modelsOfBabyBuddy() {
        let times = #""start":"2026-03-01T09:30:00","end":"2026-03-01T09:50:00","duration":"00:20:00""#
        let text = """
            [{"model":"core.child","pk":1,"fields":{"first_name":"Mia","birth_date":"2025-10-01"}},
            {"model":"core.sleep","pk":1,"fields":{"child":1,\(times),"nap":true}},
            {"model":"core.feeding","pk":1,"fields":{"child":1,\(times),"type":"formula","method":"bottle","amount":120.0}},
            {"model":"core.pumping","pk":1,"fields":{"child":1,\(times),"amount":90.0}},
            {"model":"core.tummytime","pk":1,"fields":{"child":1,\(times)}},
            {"model":"core.diaperchange","pk":1,"fields":{"child":1,"time":"2026-03-01T11:00:00","wet":true,"solid":false}}]
            """
        let expected = ["09:30 sleep 09:50", "09:30 feed bottle 120 20 min", "11:00 diaper wet"]
        #expect(
            Set(events(text, as: "dump.json").map { $0.replacing(" 09:50", with: "") })
                == Set(expected.map { $0.replacing(" 09:50", with: "") }))
        #expect(remarks(text, as: "dump.json").contains("Baby Buddy"))
    }

    @Test("the naps in a cell of each day are events of that day")
    func listsInCells() {
        let json = """
            [{"date":"2026-03-01","naps":[{"start":"09:30","end":"10:30"},{"start":"13:00","end":"14:00"}],
            "bedtime":"19:30","wakeTime":"06:30"},{"date":"2026-03-02","naps":[]}]
            """
        #expect(events(json, as: "days.json") == ["09:30 sleep 10:30", "13:00 sleep 14:00", "19:30 sleep 06:30"])
        let naps = #"[{"date":"2026-03-01","naps":[{"start":"09:30","end":"10:30"}]}]"#
        for name in ["sleep.json", "days.json"] { #expect(events(naps, as: name) == ["09:30 sleep 10:30"]) }
        let csv =
            "date,start,stop,naps\n2026-03-01,2026-03-01 22:00,2026-03-02 06:00,"
            + "\"[{\"\"start\"\":\"\"2026-03-01 13:00\"\",\"\"end\"\":\"\"2026-03-01 13:30\"\"}]\"\n"
        #expect(events(csv, as: "sleep.csv") == ["13:00 sleep 13:30", "22:00 sleep 06:00"])
    }

    @Test("a file of a folder or a list without a row that is read is left out, and days without times too")
    func foreignFiles() throws {
        let sleep = "Start,End\n2026-03-01 09:30,2026-03-01 10:30\n"
        let path = try files([
            "bmi.csv": "id,child_id,bmi,date\n1,1,17,2026-03-02\n", "sleep.csv": sleep,
            "sleep-state.csv": "start,duration,value\n2026-03-01T23:00:00,\"[60,60]\",\"[0,1]\"\n",
        ])
        let imported = try RhythmLogFile.load(path)
        #expect(imported.log.records.map(TrackerTests.text) == ["09:30 sleep 10:30"])
        #expect(imported.report.lines.contains { $0.contains("sleep-state.csv: left out, because no row is read") })
        #expect(imported.report.lines.contains { $0.contains("bmi.csv: left out") })
        // Times that are not understood are no reason to leave out a file.
        let broken = try files(["feeds.csv": "Start,End\nx,y\n", "sleep.csv": sleep])
        #expect(throws: KinError.self) { try RhythmLogFile.load(broken) }
        let dates = try files(["foods.csv": "Date,Calories\n2026-03-01,0\n", "sleep.csv": sleep])
        #expect(try RhythmLogFile.load(dates).log.records.count == 1)
        let only = try files(["growth.csv": "date,weight\n2026-03-01,7\n"])
        #expect(throws: KinError.self) { try RhythmLogFile.load(only) }
        let days =
            #"[{"start":"2026-03-01T22:00","end":"2026-03-02T06:00"},{"start":"2026-03-02T22:00"},{"reason":"off wrist"}]"#
        #expect(events(days, as: "sleep.json").count == 2 && isRefused(days, as: "sleep.json"))
        #expect(remarks(days, as: "sleep.json").contains("row 3: has no start"))
    }

    /// Tables of sleeps, diapers and weights below each other.
    static let sections = [
        "Start,End,Nap\n2026-03-01 09:30,2026-03-01 10:30,true\n", "Time,Wet,Solid\n2026-03-01 11:00,true,false\n",
        "Date,Weight\n2026-03-01,7\n",
    ]

    @Test(
        "tables below each other are read each, with or without titles and blank lines",
        arguments: ["--- %@ ---\n", "%@\n", "%@,,\n", "\n%@:\n"])
    func sections(title: String) {
        let titles = ["SLEEP", "DIAPER CHANGES", "WEIGHT"]
        for gap in ["", "\n", "\n,,,\n"] {
            let text = zip(titles, Self.sections).map { title.replacing("%@", with: $0) + $1 }.joined(separator: gap)
            #expect(events(text) == ["09:30 sleep 10:30", "11:00 diaper wet"], "\(text)")
            #expect(remarks(text).contains("WEIGHT: left out"), "\(text)")
            #expect(events(text.replacing("10:30", with: "x")).joined().contains("line"), "\(text)")
        }
        let head = "Type,Start,End\nSleep,2026-03-01 09:30,2026-03-01 10:30\n"
        let untitled = head + "Activity,Time,Amount (ml)\nBottle,2026-03-01 11:00,120\n"
        #expect(events(untitled) == ["09:30 sleep 10:30", "11:00 feed bottle 120"])
        let repeated = head + head.replacing("-01 ", with: "-02 ")
        #expect(events(repeated).count == 2 && remarks(repeated).contains("row 2: has no start of an event"))
        // Tables with a title for each child.
        let children =
            "Mia\n\(head)\(head.dropFirst(15).replacing("-01 ", with: "-03 "))\nTom\n\(head.replacing("-01 ", with: "-02 "))"
        #expect(remarks(children).contains("--child \"Mia\""), "\(remarks(children))")
        #expect(events(children, LogOptions(child: "Tom")).count == 1)
    }

    @Test(
        "tables in JSON with names apart from the cells are read as tables",
        arguments: [
            #"{"type":{"0":"sleep","1":"feed"},"start":{"0":"S","1":"T"},"end":{"0":"E","1":null}}"#,
            #"{"type":["sleep","feed"],"start":["S","T"],"end":["E",null]}"#,
            #"{"columns":["type","start","end"],"index":[0,1],"data":[["sleep","S","E"],["feed","T",null]]}"#,
            #"{"fields":[{"name":"type"},{"name":"start"},{"name":"end"}],"values":[["sleep","S","E"],["feed","T",null]]}"#,
            #"[["type","start","end"],["sleep","S","E"],["feed","T",null]]"#,
            #"{"0":{"type":"sleep","start":"S","end":"E"},"1":{"type":"feed","start":"T","end":null}}"#,
            #"{"schema":{"fields":[{"name":"type"}]},"data":[{"type":"sleep","start":"S","end":"E"},{"type":"feed","start":"T"}]}"#,
            #"{"log":{"headers":["type","start","end"],"rows":[["sleep","S","E"],["feed","T",null]]}}"#,
            #"{"2026-03-01":[{"type":"sleep","start":"09:30","end":"10:30"},{"type":"feed","start":"11:30"}]}"#,
            #"{"babies":[{"name":"Mia","events":[{"type":"sleep","start":"S","end":"E"},{"type":"feed","start":"T"}]}]}"#,
            #"{"edges":[{"node":{"type":"sleep","start":"S","end":"E"}},{"node":{"type":"feed","start":"T"}}]}"#,
            #"{"Items":[{"type":"sleep","start":{"N":"S"},"end":{"N":"E"}},{"M":{"type":"feed","start":{"N":"T"},"end":{"NULL":true}}}]}"#,
            #"[{"document":{"fields":{"type":{"stringValue":"sleep"},"start":{"timestampValue":"S"},"end":{"timestampValue":"E"}}}},{"document":{"fields":{"type":{"stringValue":"feed"},"start":{"timestampValue":"T"}}}}]"#,
            #"{"records":[{"recordType":"Sleep","fields":{"start":{"value":"S","type":"TIMESTAMP"},"end":{"value":"E","type":"TIMESTAMP"}}},{"recordType":"Feed","fields":{"start":{"value":"T","type":"TIMESTAMP"}}}]}"#,
            #"[{"sleep":{"start":"S","end":"E"}},{"feed":{"start":"T"}}]"#,
            #"[{"event":"sleep","payload":{"start":"S","end":"E"}},{"event":"feed","payload":{"start":"T"}}]"#,
            #"[{"action":"sleep","ts":"S","minutes":60},{"action":"feed","ts":"T"}]"#,
            #"[{"type":"sleep","start":"S","minutes":60},{"type":"feed","start":"T"}]"#,
            #"{"2026-03-01":{"feeds":[{"time":"11:30"}],"nap":{"start":"09:30","end":"10:30"}}}"#,
        ])
    func tablesInJSON(text: String) {
        let times = [("S", "2026-03-01T09:30"), ("E", "2026-03-01T10:30"), ("T", "2026-03-01T11:30")]
        let written = times.reduce(text) { $0.replacing("\"\($1.0)\"", with: "\"\($1.1)\"") }
        #expect(events(written, as: "log.json") == ["09:30 sleep 10:30", "11:30 feed"])
        let seconds = times.reduce(text) {
            $0.replacing("\"\($1.0)\"", with: "\((try? Timestamp(parsing: $1.1 + "Z"))!.microseconds / 1000)")
        }
        #expect(events(seconds, as: "log.json") == ["09:30 sleep 10:30", "11:30 feed"])
    }

    @Test(
        "logs of two children are refused in every form, until one is chosen",
        arguments: [
            "[PiyoLog]Sun, Mar 1, 2026\nMia (0y6m)\n09:30   Sleep\n10:30   Wake-up\n\n[PiyoLog]Sun, Mar 1, 2026\nTom (2y)\n09:40   Sleep\n10:40   Wake-up\n",
            #"{"babies":[{"name":"Mia","events":[{"type":"sleep","start":"2026-03-01T09:30","end":"2026-03-01T10:30"}]},"#
                + #"{"name":"Tom","events":[{"type":"sleep","start":"2026-03-01T09:40","end":"2026-03-01T10:40"}]}]}"#,
            "type,start,end,baby\nsleep,2026-03-01 09:30,2026-03-01 10:30,Mia\nsleep,2026-03-01 09:40,2026-03-01 10:40,Tom\n",
            #"{"child":{"name":"Mia"},"type":"sleep","start":"2026-03-01T09:30","end":"2026-03-01T10:30"}"# + "\n"
                + #"{"child":{"name":"Tom"},"type":"sleep","start":"2026-03-01T09:40","end":"2026-03-01T10:40"}"#,
        ])
    func severalChildren(text: String) throws {
        #expect(
            remarks(text, as: "log.txt").contains("ERROR") && remarks(text, as: "log.txt").contains("--child \"Mia\""))
        #expect(events(text, as: "log.txt", LogOptions(child: "Tom")) == ["09:40 sleep 10:40"])
        #expect(try load(text, as: "log.txt", LogOptions(child: "Mia")).log.baby.name == "Mia")
    }

    @Test("an end that is the zero of a calendar is missing")
    func zeroEnds() {
        for zero in ["1970-01-01T00:00:00Z", "1970-01-01 00:00:00", "0001-01-01T00:00:00Z", "0000-00-00 00:00:00"] {
            let text = "Start,End\n2026-03-01 09:30,2026-03-01 10:30\n2026-03-01 19:30,\(zero)\n"
            #expect(events(text, as: "sleep.csv") == ["09:30 sleep 10:30", "19:30 sleep"], "\(zero)")
        }
    }

    @Test("the export of a store is a log, with the baby's name and birth")
    func exportsOfStores() throws {
        let event = #""event":{"type":"sleep","start":"2026-03-01T09:30:00","end":"2026-03-01T10:30:00"}"#
        let app =
            #"{"type":"sleep","timestamp":"2026-03-01T09:30:00","sleepData":{"startTime":"2026-03-01T09:30:00","endTime":"2026-03-01T10:30:00"}}"#
        for text in [
            #"{"care_event":{"user_id":"u","baby":"b",\#(event)}}"#,
            #"[{"care_event":{"user_id":"u","baby":"b",\#(event)}}]"#,
            #"{"kind":"care_event","baby":"b","user":"u","id":"e","record":\#(app)}"#,
        ] {
            #expect(events(text, as: "export.json") == ["09:30 sleep 10:30"], "\(text)")
        }
        let lines = """
            {"soul":{"uid":"u","valence":0.3}}
            {"baby":{"user_id":"u","id":"b","name":"Mia","date_of_birth":"2025-10-01"}}
            {"care_event":{"user_id":"u","baby":"b",\(event)}}
            """
        let imported = try load(lines, as: "export.jsonl")
        #expect(imported.log.baby.name == "Mia" && imported.log.baby.born?.date == "2025-10-01")
        #expect(imported.log.records.count == 1)
        #expect(imported.report.lines.contains { $0.contains("records of other kinds") })
    }
    @Test("the only baby of a database gives the name and the birth")
    func babyOfADatabase() throws {
        let event =
            #"{"type":"sleep","timestamp":"2026-03-01T09:30:00","sleepData":{"startTime":"2026-03-01T09:30:00"}}"#
        let baby = #""b1":{"name":"Mia","dateOfBirth":"2025-10-01"}"#
        let text = "{\"babies\":{\(baby)},\"events\":{\"b1\":{\"events\":{\"e1\":\(event)}}}}"
        let imported = try load(text, as: "export.json")
        #expect(imported.log.baby.name == "Mia" && imported.log.baby.born?.date == "2025-10-01")
        let two = text.replacing(baby, with: "\(baby),\"b2\":{\"name\":\"Tom\"}")
        #expect(try load(two, as: "export.json").log.baby.name.isEmpty)
    }
}
