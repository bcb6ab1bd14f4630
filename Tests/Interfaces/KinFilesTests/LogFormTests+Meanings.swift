import Foundation
import KinTestSupport
import Testing

@testable import KinFiles

/// Rows, columns and lists that look like events of one baby and are not.
extension LogFormTests {
    @Test("an amount is milk only in a file that its name or a column says is of feeds")
    func amountsOfOtherThings() throws {
        let text = "Baby,Time,Amount (ml),Note\nMia,2026-03-13 08:00,80,\n"
        for name in ["Mia_medication.csv", "pumping.csv", "water.csv", "Mia_other.csv", "export.csv"] {
            #expect(remarks(text, as: name).contains("name the file by its type"), "\(name)")
        }
        for name in ["Mia_formula.csv", "Mia_expressed.csv", "bottles.csv"] {
            #expect(events(text, as: name) == ["08:00 feed bottle 80"], "\(name)")
        }
        // A name of a different type wins over the columns.
        #expect(events("Baby,Time,Status\nMia,2026-03-13 08:00,x\n", as: "naps.csv") == ["08:00 sleep"])
        let folder = try files([
            "Mia_sleep.csv": "Baby,Time,Duration (min)\nMia,2026-03-13 08:00,60\n",
            "Mia_medication.csv": "Baby,Time,Medication,Amount,Unit\nMia,2026-03-13 08:00,Vitamin D,1,ml\n",
        ])
        let imported = try RhythmLogFile.load(folder)
        #expect(imported.log.records.map(TrackerTests.text) == ["08:00 sleep 09:00"])
        #expect(imported.report.lines.contains { $0.contains("Mia_medication.csv: left out") })
    }

    /// A folder with files.
    func files(_ texts: [String: String]) throws -> String {
        let name = UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        for (file, text) in texts { _ = try folder.file("\(name)/\(file)", text) }
        return folder.path(name)
    }

    private static let children = [
        #"{"Mia":[A],"Tom":[B]}"#, #"{"Mia":{"sleep":[A]},"Tom":{"sleep":[B]}}"#,
        #"{"babies":{"Mia":{"sleeps":[A],"feeds":[]},"Tom":{"sleeps":[B]}}}"#, #"{"miaSleeps":[A],"tomSleeps":[B]}"#,
    ]

    /// A record of each time, in JSON.
    private static func records(_ times: [String]) -> String {
        times.map { #"{"type":"sleep","start":"2026-03-\#($0):00","end":"2026-03-\#($0):50"}"# }.joined(separator: ",")
    }

    @Test("lists of several children are refused or reported, and one of them can be read", arguments: children)
    func listsOfChildren(form: String) {
        func text(_ a: [String], _ b: [String]) -> String {
            form.replacing("[A]", with: "[\(Self.records(a))]").replacing("[B]", with: "[\(Self.records(b))]")
        }
        let twins = text(["01T09", "02T09"], ["01T12"])
        #expect(remarks(twins, as: "log.json").contains("ERROR") && remarks(twins, as: "log.json").contains("--child"))
        #expect(!remarks(twins, as: "log.json").contains("there is no field"))
        for (child, expected) in [("Mia", ["09:00 sleep 09:50", "09:00 sleep 09:50"]), ("tom", ["12:00 sleep 12:50"])] {
            #expect(events(twins, as: "log.json", LogOptions(child: child)) == expected, "\(child)")
        }
        #expect(events(twins, as: "log.json", LogOptions(child: "Ada")).joined().contains("--child"))
        let inTurn = text(["01T09", "02T09"], ["03T12"])
        #expect(events(inTurn, as: "log.json").count == 3)
        #expect(remarks(inTurn, as: "log.json").contains("if they are of several children"))
    }

    @Test("lists of a child are those below its key or its name", arguments: ["name", "babyName", "child_name"])
    func keysAndNamesOfChildren(member: String) {
        func child(_ key: String, _ name: String, _ times: [String]) -> String {
            "\"\(key)\":{\"\(member)\":\"\(name)\",\"naps\":[\(Self.records(times))]}"
        }
        let (a, b) = (child("a1", "Mia", ["01T09", "02T09"]), child("b2", "Tom", ["01T12"]))
        for text in ["{\(a),\(b)}", "{\(a)}", "{\(b),\(a)}"] {
            for form in [text, "{\"babies\":\(text)}", "{\"users\":{\"u1\":{\"babies\":\(text)}}}"] {
                for name in ["Mia", "a1", "mia"] {
                    #expect(events(form, as: "log.json", LogOptions(child: name)).count == 2, "\(name): \(form)")
                }
            }
        }
    }

    @Test("lists of types, months and caregivers' rows are of one child")
    func listsOfOneChild() {
        let (a, b) = (Self.records(["01T09", "02T09"]), Self.records(["01T12"]))
        for form in [
            "{\"sleeps\":[\(a)],\"naps\":[\(b)]}", "{\"data\":{\"sleeps\":[\(a)],\"naps\":[\(b)]}}",
            "{\"2026-03-01\":[\(a)],\"2026-03-02\":[\(b)]}", "{\"sleepLogs\":[\(a)],\"napLogs\":[\(b)]}",
        ] {
            #expect(remarks(form, as: "log.json").contains("child") == false && events(form, as: "log.json").count == 3)
        }
    }

    @Test("files of several children in a folder are refused, and those of one child can be read")
    func filesOfChildren() throws {
        func rows(_ hour: String) -> String { "Start,End\n2026-03-01 \(hour):00,2026-03-01 \(hour):50\n" }
        let path = try files([
            "Mia - sleep.csv": rows("09") + "2026-03-02 09:00,2026-03-02 09:50\n", "Tom - sleep.csv": rows("12"),
        ])
        #expect(throws: KinError.self) { try RhythmLogFile.load(path) }
        #expect(
            try RhythmLogFile.load(path, LogOptions(child: "Tom")).log.records.map(TrackerTests.text) == [
                "12:00 sleep 12:50"
            ])
        for names in [
            ["sleep_child_1", "sleep_child_2"], ["baby1-sleep", "baby2-sleep"], ["twin A sleep", "twin B sleep"],
        ] {
            let path = try files([
                "\(names[0]).csv": rows("09") + "2026-03-02 09:00,2026-03-02 09:50\n", "\(names[1]).csv": rows("12"),
            ])
            #expect(throws: KinError.self, "\(names)") { try RhythmLogFile.load(path) }
        }
        let one = try files(["Mia_sleep.csv": rows("09"), "Mia_naps.csv": rows("12"), "sleep_2026-04.csv": rows("14")])
        #expect(try RhythmLogFile.load(one).report.lines.allSatisfy { !$0.contains("child") })
    }

    @Test(
        "columns of children have many names, and others that may name children are reported",
        arguments: [
            ("Baby's name", true), ("childUUID", true), ("infant_id", true), ("Twin A/B", true),
            ("Child_First_Name", true),
            ("Name", false), ("Person", false), ("Who", false), ("Kind", false), ("Nome", false), ("person_id", false),
        ] + LogColumns.children.map { ($0.capitalized, true) })
    func columnsOfChildren(name: String, isKnown: Bool) {
        let text = "\(name),Type,Start\nMia,Feed,2026-03-01 09:00\nTom,Feed,2026-03-01 13:30\n"
        #expect(remarks(text).hasPrefix("ERROR") == isKnown && remarks(text).contains("--child \"Mia\""), "\(name)")
        #expect(events(text, as: "log.csv", LogOptions(child: "Tom")) == ["13:30 feed"])
        let words = "\(name),Type,Start\nNap 1,Feed,2026-03-01 09:00\nnight,Feed,2026-03-01 13:30\n"
        if !isKnown { #expect(!remarks(words).contains("--child")) }
    }

    @Test(
        "names and numbers in the rows of events tell children apart",
        arguments: ["babyUuid", "baby_fk", "child.uuid", "babies", "Bebé nombre"].flatMap { name in
            ["\"a\"", "1", "[\"a\"]"].map { (name, $0) }
        })
    func childrenOfRecords(name: String, child: String) {
        func record(_ child: String) -> String {
            let value = name == "child.uuid" ? "{\"uuid\":\(child)}" : child
            let member = name.split(separator: ".")[0]
            return #"{"type":"feed","start":"2026-03-01 09:00","\#(member)":\#(value)}"#
        }
        let other = child.replacing("a", with: "b").replacing("1", with: "2")
        let text = "[\(record(child)),\(record(other))]"
        #expect(remarks(text, as: "log.json").contains("name the child to read: --child"), "\(text)")
        #expect(events(text, as: "log.json", LogOptions(child: child.contains("1") ? "2" : "b")) == ["09:00 feed"])
    }

    @Test(
        "each element of a list with events of its own is a child, unless it has a date or a time",
        arguments: ["babies", "children", "enfants", "profiles", "data", "list"].flatMap { list in
            ["\"id\":%@,", "\"uuid\":\"x%@\",", "\"name\":\"x%@\",", "\"firstName\":\"x%@\",", ""].map { (list, $0) }
        })
    func childrenWithEvents(list: String, id: String) {
        let sleeps = ["01T09", "01T12"].enumerated().map { place, time in
            "{\(id.replacing("%@", with: "\(place + 1)"))\"sleeps\":[\(Self.records([time]))],\"feeds\":[]}"
        }
        let text = "{\"\(list)\":[\(sleeps.joined(separator: ","))]}"
        if id.isEmpty, list == "data" || list == "list" {
            #expect(events(text, as: "log.json") == ["09:00 sleep 09:50", "12:00 sleep 12:50"])
            return
        }
        #expect(remarks(text, as: "log.json").contains("name the child to read: --child"), "\(text)")
        let child = LogOptions(child: id.contains("x") ? "x2" : "2")
        #expect(events(text, as: "log.json", child) == ["12:00 sleep 12:50"], "\(text)")
        #expect(!remarks(text, as: "log.json", child).contains("not a log"))
        let days = text.replacing("{\"id\"", with: "{\"day\":\"2026-03-01\",\"id\"")
        if days != text { #expect(events(days, as: "log.json").count == 2, "\(days)") }
    }

    @Test(
        "times awake or in bed are no sleep",
        arguments: [
            ("Value", "Core", "Awake"), ("Stage", "DEEP", "In Bed"), ("sleep_stage", "light", "AWAKE"),
            ("level", "rem", "wake"), ("stage", "40002", "40001"),
            ("Value", "HKCategoryValueSleepAnalysisAsleepCore", "HKCategoryValueSleepAnalysisInBed"),
            ("state", "asleep", "awake"),
        ])
    func stages(name: String, asleep: String, awake: String) {
        let header = "Start,End,\(name)\n"
        let rows = [("09:00", "09:30", asleep), ("09:30", "09:50", awake), ("09:50", "10:20", asleep)].map {
            "2026-03-01 \($0.0),2026-03-01 \($0.1),\($0.2)\n"
        }
        let text = header + rows.joined()
        #expect(events(text, as: "sleep.csv") == ["09:00 sleep 09:30", "09:50 sleep 10:20"])
        #expect(remarks(text, as: "sleep.csv").contains("1 row of times awake or in bed, by column \(name), left out"))
        #expect(!remarks(text, as: "sleep.csv").contains("not used"))
        #expect(remarks(header + rows[1], as: "sleep.csv").contains("ERROR"))
        #expect(remarks(header + rows[0].replacing(asleep, with: "x"), as: "sleep.csv").contains("is not used"))
    }

    @Test(
        "words for asleep and awake are the start and end of a sleep",
        arguments: [
            ("state", "asleep", "awake"), ("status", "Sleeping", "woke up"), ("value", "1", "0"),
            ("state", "true", "false"),
            ("action", "fell asleep", "wake"), ("State", "on", "off"),
        ])
    func states(name: String, asleep: String, awake: String) {
        let rows = [("09:00", asleep), ("10:10", awake), ("13:00", asleep), ("13:30", "unavailable"), ("14:00", awake)]
        let text = "time,\(name)\n" + rows.map { "2026-03-01 \($0.0),\($0.1)\n" }.joined()
        #expect(events(text, as: "sleep.csv") == ["09:00 sleep 10:10", "13:00 sleep 14:00"])
        #expect(remarks(text, as: "sleep.csv").contains("\"unavailable\" is not one of"))
    }

    @Test("rows that were deleted, planned, skipped or cancelled do not count")
    func rowsThatAreNoEvents() {
        for (name, value, none) in [
            ("deleted_at", "2026-03-01 15:00", ""), ("deletedAt", "2026-03-01T15:00:00Z", "0"),
            ("is_deleted", "true", "0"),
            ("deleted_at", "1772377680", "0000-00-00 00:00:00"), ("status", "planned", "done"),
            ("state", "Skipped", "x"),
            ("Status", "cancelled", ""),
        ] {
            let text =
                "start,end,\(name)\n2026-03-01 09:00,2026-03-01 10:00,\(none)\n2026-03-01 13:00,2026-03-01 14:00,\(value)\n"
            #expect(events(text, as: "sleep.csv") == ["09:00 sleep 10:00"], "\(name) \(value)")
        }
        for name in ["is_deleted", "deleted", "removed", "tombstone"] {
            for (yes, no) in [
                ("t", "f"), ("T", "F"), ("true", "false"), ("True", "False"), ("yes", "no"), ("Y", "N"), ("1", "0"),
                ("1.0", "0.0"), ("x", ""), ("WAHR", "FALSCH"), ("VRAI", "FAUX"), ("VERO", "FALSO"), ("ja", "nein"),
                ("oui", "non"), ("sí", "no"),
            ] {
                let text =
                    "start,end,\(name)\n2026-03-01 09:00,2026-03-01 10:00,\(no)\n2026-03-01 13:00,2026-03-01 14:00,\(yes)\n"
                #expect(events(text, as: "sleep.csv") == ["09:00 sleep 10:00"], "\(name) \(yes)")
            }
        }
    }

    @Test(
        "columns in UTC, and the offset next to a time, are read",
        arguments: [
            ("Start (UTC)", "offset", "2026-03-01 18:30", "+01:00"), ("start_utc", "tz", "2026-03-01 18:30", "+01:00"),
            ("startTimestampGMT", "timezone", "2026-03-01 18:30", "Europe/Berlin"),
            ("start", "utc_offset", "2026-03-01T18:30Z", "+0100"),
            ("start", "utc_offset", "2026-03-01T18:30Z", "60"),
            ("start", "startZoneOffset", "2026-03-01T18:30Z", "+01:00"),
            ("start", "start_utc_offset", "2026-03-01T18:30Z", "1"),
            ("start", "time zone offset", "2026-03-01T18:30Z", "3600"),
            ("start", "offset", "2026-03-01T18:30Z", "3600000"),
        ])
    func offsets(name: String, zone: String, time: String, offset: String) throws {
        let text = "\(name),\(zone),type\n\(time),\(offset),sleep\n"
        #expect(events(text) == ["19:30 sleep"])
        let known = try LogOptions(zone: LocalZone(named: "Europe/Berlin"))
        #expect(events(text, as: "log.csv", known) == ["19:30 sleep"])
        #expect(remarks(text).contains("times are shown by the clocks of") && !remarks(text).contains("not used"))
        // Samsung Health writes UTC without saying so.
        let samsung =
            "start_time,time_offset,end_time,datauuid\n2026-02-26 18:30:00.000,UTC+0100,2026-02-27 05:15:00.000,u\n"
        #expect(events(samsung, as: "samsung_sleep.csv") == ["19:30 sleep 06:15"])
    }

    @Test("amounts of solids are no milk, unless they have its unit")
    func amountsOfSolids() {
        let glow = "Time of feeding,Ingredients,Amount,Unit type\n01/27/2026 7:30:14 PM,Oatmeal,115,g\n"
        #expect(events(glow) == ["19:30 feed solids"] && !remarks(glow).contains("millilitres"))
        let mixed = "type,start,amount\nbottle,2026-03-01 07:00,120\nsolids,2026-03-01 12:00,60\n"
        #expect(
            events(mixed) == ["07:00 feed bottle 120", "12:00 feed solids"]
                && remarks(mixed).contains("amount is not used"))
        #expect(events("type,start,amount\nsolids,2026-03-01 12:00,60 ml\n") == ["12:00 feed solids 60"])
    }

    @Test("a duration over a change of clocks ends by the clocks of the zone")
    func clockChanges() throws {
        let options = try LogOptions(zone: LocalZone(named: "Europe/Berlin"))
        let text = "start,duration (min)\n2026-03-28 19:30,630\n2026-10-24 19:30,630\n"
        #expect(events(text, as: "sleep.csv", options) == ["19:30 sleep 07:00", "19:30 sleep 05:00"])
        #expect(events(text, as: "sleep.csv") == ["19:30 sleep 06:00", "19:30 sleep 06:00"])
        // Each row by its own zone.
        let zones = "start,duration (min),time zone\n2026-03-27 19:30,630,UTC\n2026-03-28 19:30,630,Europe/Berlin\n"
        #expect(events(zones, as: "sleep.csv") == ["19:30 sleep 06:00", "19:30 sleep 07:00"])
    }

    @Test("seconds since 2001 are read and reported")
    func secondsSince2001() throws {
        let text = "start,end\n794000000.0,794004500\n"
        let imported = try load(text, as: "sleep.csv", LogOptions(zone: .utc))
        #expect(imported.log.records[0].start.description.hasPrefix("2026-02-28T19:33:20"))
        #expect(remarks(text, as: "sleep.csv").contains("seconds since 2001") && isRefused(text, as: "sleep.csv"))
        #expect(!remarks("start,end\n1772307200,1772311700\n", as: "sleep.csv").contains("2001"))
    }

    @Test(
        "the names of other columns imply the type next to a start and an end, which is reported",
        arguments: [
            ("Start,End,Sleep score", "09:30 sleep 10:30"), ("Sleep Start,Sleep End,Mood", "09:30 sleep 10:30"),
            ("Bedtime Start,Bedtime End,Efficiency", "09:30 sleep 10:30"), ("from,to,rem (s)", "09:30 sleep 10:30"),
            ("Start,End,Minutes Asleep", "09:30 sleep 10:30"), ("Start,End,Feed Type", "09:30 feed 10:30"),
            ("Start,End,Diaper type", "09:30 diaper both"), ("Start,End,Mood", "ERROR"),
            ("Start,Left breast (ml),Right breast (ml)", "ERROR"),
            ("Start,Sleep score,Mood", "ERROR"),
            ("Start,End,Sleep goal", "ERROR"),
        ])
    func impliedTypes(names: String, expected: String) {
        let text = "\(names)\n2026-03-01 09:30,2026-03-01 10:30,81\n"
        if expected == "ERROR" {
            #expect(remarks(text).hasPrefix("ERROR"))
        } else {
            #expect(events(text) == [expected] && remarks(text).contains("by the name of column"))
        }
    }

    @Test("a column of dates with any name is the date of times of day, also without a name")
    func datesByTexts() {
        for name in ["Night", "Sleep Score 4 Weeks", "", "Wochentag"] {
            let text = "\(name),Score,Bed time,Wake time\n2026-03-05,81,22:45,06:17\n2026-03-06,80,23:05,06:27\n"
            #expect(events(text) == ["22:45 sleep 06:17", "23:05 sleep 06:27"], "\(name)")
            #expect(remarks(text).contains("column number 1"), "\(name)")
        }
        let two = "Night,Exported,Bed time,Wake time\n2026-03-05,2026-04-01,22:45,06:17\n"
        #expect(remarks(two).contains("\"22:45\" is not a time"))
        for text in ["Date,Sleep Score,Hours Slept\n2026-03-05,81,7.5\n", "Date,In bed,Asleep\n2026-03-05,8.1,7.5\n"] {
            #expect(remarks(text).hasPrefix("ERROR") && remarks(text).contains("Date"))
        }
    }

    @Test(
        "a note of only such words has the kind of a diaper and the side of a breastfeed",
        arguments: [
            ("nass", "diaper wet"), ("pee and poo", "diaper both"), ("selles", "diaper dirty"), ("小便", "diaper wet"),
            ("no poo", "diaper both"), ("wet hair", "diaper both"), ("left", "diaper both"),
        ])
    func notesOfDiapers(note: String, expected: String) {
        #expect(events("Type,Start,Note\nDiaper,2026-03-01 09:30,\(note)\n") == ["09:30 \(expected)"])
        for (note, side) in [("left", " left"), ("izquierdo", " left"), ("右", " right"), ("left early", ""), ("", "")] {
            let text = "Type,Start,Note\nBreastfeeding,2026-03-01 09:30,\(note)\n"
            #expect(events(text) == ["09:30 feed breast\(side)"], "\(note)")
        }
    }
}
