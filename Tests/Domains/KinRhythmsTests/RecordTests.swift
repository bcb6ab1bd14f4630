import KinSamples
import KinTestSupport
import Testing

@Suite("Logs in JSON and their oddities")
struct RecordTests {
    @Test("a log survives a round trip through JSON")
    func roundTrip() throws {
        let made = BabyGenerator(seed: 3).log(0, days: 5, age: 60)
        let read = try RhythmLog(json: made.json)
        #expect(read.json == made.json)
        #expect(read.baby == made.baby)
        #expect(read.records.map(\.start) == made.records.map(\.start))
    }

    @Test("every field of an event is read, with ounces as millilitres and local times")
    func fields() throws {
        let feed = try RhythmRecord(
            json: """
                {"id":"f1","type":"feed","timestamp":"2026-01-05T10:00:00+02:00","method":"bottle","volume":4,"unit":"oz",
                "minutes":12.5,"author":"dad","created":"2026-01-05T10:01:00Z","notes":"spat"}
                """)
        guard case .feed(let details) = feed.event else { return #expect(Bool(false)) }
        #expect(feed.start == (try LoggedTime(parsing: "2026-01-05T10:00:00+02:00")))
        #expect(details.method == .bottle && abs((details.millilitres ?? 0) - 118.294) < 1e-3)
        #expect(feed.note?.author == "dad" && feed.note?.id == "f1" && feed.note?.text == "spat")
        let nap = try RhythmRecord(
            json: """
                {"type":"sleep","start":"2026-01-05T12:00","end":null,"quality":"good","napNumber":2,"is_night_sleep":false}
                """)
        #expect(
            nap.event == .sleep(RhythmRecord.Sleep(end: nil, quality: .good, napNumber: 2, isNight: false)))
        #expect(try RhythmRecord(json: nap.json) == nap)
    }

    @Test(
        "parse errors name their location",
        arguments: [
            ("[{\"type\":\"nap\",\"start\":\"2026-01-01\"}]", ["event 1", "\"nap\" is not one of sleep"]),
            ("{\"events\":[\n{\"type\":\"sleep\",\"start\":\"noon\"}]}", ["event 1", "start", "line 2"]),
            ("[{\"type\":\"sleep\",\"start\":\"2026-01-01\"},{\"type\":\"feed\"}]", ["event 2", "start"]),
            (
                "[{\"type\":\"feed\",\"start\":\"2026-01-01\"},{\"type\":\"Sleep\",\"start\":\"noon\"}]",
                ["event 2", "start"]
            ),
            ("{\"events\":[", ["line 1"]),
            ("{\"event\":[]}", ["event"]),
        ])
    func errors(text: String, words: [String]) {
        let error = kinError { try RhythmLog(json: text) }
        #expect(error?.code == .malformedInput, "\(text)")
        for word in words { #expect(error?.description.contains(word) == true, "\(error!)") }
    }

    @Test(
        "events during a clock change have their true length",
        arguments: [
            ("Europe/Berlin", "2026-10-25T01:00:00Z"), ("Europe/Berlin", "2026-03-29T01:00:00Z"),
            ("America/New_York", "2026-11-01T06:00:00Z"), ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
        ])
    func clocksAreSet(name: String, change: String) throws {
        let (zone, change) = (try LocalZone(named: name), try Timestamp(parsing: change))
        for (from, length) in stride(from: -660, through: 120, by: 15).flatMap({ from in
            [10, 30, 90, 240, 600].map { (from, $0) }
        }) {
            let start = try Timestamp(microseconds: change.microseconds + Int64(from) * 60_000_000)
            let end = try Timestamp(microseconds: start.microseconds + Int64(length) * 60_000_000)
            for type in ["sleep", "feed"] {
                let (first, last) = (#""start":"\#(start)""#, #""end":"\#(end)""#)
                for span in [first + "," + last, last + "," + first] {
                    let events = #""events":[{"type":"\#(type)",\#(span)}]"#
                    let log = try RhythmLog(json: #"{\#(events),"time_zone":"\#(name)"}"#)
                    let row = try #require(log.records.first)
                    #expect(row.start.description == LoggedTime(start, in: zone).description)
                    #expect(row.end?.description == LoggedTime(end, in: zone).description)
                    let taken = try #require(row.end).minutes(since: row.start)
                    #expect(taken == Double(length), "\(type) from \(start) to \(end)")
                    #expect(!log.repairs.contains { $0.problem == .endsBeforeItBegins })
                    let asleep = log.days.map(\.asleepMinutes).reduce(0, +)
                    #expect(asleep == (type == "sleep" ? Double(length) : 0))
                }
            }
        }
    }

    @Test("an end in local time stays as it was read, whatever the start")
    func endsByTheWall() throws {
        for (start, end, expected) in [
            ("2026-10-24T19:00:00Z", "2026-10-25T06:00:00", "2026-10-25T06:00:00"),
            ("2026-10-24T21:00:00", "2026-10-25T05:00:00Z", "2026-10-25T06:00:00"),
        ] {
            let event = #"{"type":"sleep","start":"\#(start)","end":"\#(end)"}"#
            let log = try RhythmLog(json: #"{"events":[\#(event)],"time_zone":"Europe/Berlin"}"#)
            #expect(log.records[0].start.reading.description == "2026-10-24T21:00:00")
            #expect(log.records[0].end?.reading.description == expected)
            #expect(log.repairs.contains { $0.problem == .noOffset } == !start.hasSuffix("Z"))
        }
    }

    /// Rows at successive instants, each written with an offset in minutes.
    private static func rows(_ offsets: [Int]) throws -> [(start: Timestamp, text: String)] {
        let first = try Timestamp(parsing: "2026-03-05T06:00:00Z").microseconds
        return try offsets.enumerated().map { row, offset -> (Timestamp, String) in
            func text(_ minute: Int) throws -> String {
                let reading = first + Int64(minute + offset) * 60_000_000
                let sign = offset < 0 ? "-" : "+"
                let (hours, minutes) = (abs(offset) / 60 + 100, abs(offset) % 60 + 100)
                return try LocalDateTime(microseconds: reading).description
                    + (offset == 0 ? "Z" : sign + "\(hours)".dropFirst() + ":" + "\(minutes)".dropFirst())
            }
            let minute = row * 180
            let span = #""start":"\#(try text(minute))","end":"\#(try text(minute + 60))""#
            return (
                try Timestamp(microseconds: first + Int64(minute) * 60_000_000), #"{"type":"sleep",\#(span)}"#
            )
        }
    }

    @Test(
        "rows with several offsets and no zone are ordered and listed",
        arguments: [
            ([120, 0, 120], [1]), ([0, 120, 120, 0, 120], [1, 4]), ([-300, 0, 0, 330, -300], [1, 3]), ([0, 345], [1]),
            ([120, 120, 120], []), ([60, 120, 120], [1]), ([120, 60, 60, 120], [1]), ([0, 60, 0], [1]),
            ([120, 60, 0, 120], [1, 2]),
        ])
    func offsetsWithoutZone(offsets: [Int], listed: [Int]) throws {
        let rows = try Self.rows(offsets)
        let text = rows.map(\.text).joined(separator: ",")
        for json in ["[\(text)]", #"{"events":[\#(text)]}"#] {
            let log = try RhythmLog(json: json)
            // A difference of at most one hour is summer time, and the wall clock has the written reading. With a
            // larger one, the first row's offset applies.
            let clocks = offsets.map { abs($0 - offsets[0]) > 60 ? offsets[0] : $0 }
            #expect(
                Dictionary(uniqueKeysWithValues: log.records.map { ($0.row, $0.start.microseconds) })
                    == Dictionary(
                        uniqueKeysWithValues: zip(rows, clocks).enumerated().map {
                            ($0 + 1, $1.0.start.microseconds + Int64($1.1) * 60_000_000)
                        }))
            #expect(log.records.map(\.row) == Array(1...rows.count))
            #expect(log.records.allSatisfy { $0.end!.minutes(since: $0.start) == 60 })
            let repairs = log.repairs.filter { $0.problem == .otherOffset }
            #expect(repairs.map(\.row) == listed.map { $0 + 1 }, "\(repairs)")
            #expect(log.repairs.allSatisfy { $0.problem == .otherOffset || $0.problem == .utc })
            // A different date of birth changes nothing that was read, and with a zone no repair is needed.
            #expect(log.with(born: log.records[0].start.reading).repairs.map(\.row) == log.repairs.map(\.row))
            let placed = try RhythmLog(json: #"{"events":[\#(text)],"time_zone":"Asia/Kathmandu"}"#)
            #expect(placed.repairs.isEmpty)
            #expect(
                try placed.records.map(\.start)
                    == rows.map { LoggedTime($0.start, in: try LocalZone(named: "Asia/Kathmandu")) })
        }
    }

    @Test("start and end may have different offsets, and a malformed offset is refused")
    func offsetsOfOneRow() throws {
        for (start, end, expected) in [
            ("2026-03-05T13:00+02:00", "2026-03-05T12:00Z", "2026-03-05T14:00:00"),
            ("2026-03-05T23:00-05:00", "2026-03-06T05:00Z", "2026-03-06T00:00:00"),
            ("2026-03-05T12:00Z", "2026-03-05T15:00+02:00", "2026-03-05T13:00:00"),
            ("2026-03-05T12:00+02:00", "2026-03-05T13:00", "2026-03-05T13:00:00"),
            ("2026-03-05T12:00", "2026-03-05T13:00+02:00", "2026-03-05T13:00:00"),
        ] {
            let event = #"{"type":"sleep","start":"\#(start)","end":"\#(end)"}"#
            let log = try RhythmLog(json: "[\(event)]")
            #expect(log.records[0].end?.reading.description == expected, "\(start) to \(end)")
            #expect(log.records[0].start.description.hasPrefix(start.prefix(16)))
            #expect(log.repairs.allSatisfy { $0.problem == .noOffset || $0.problem == .utc })
            // A single row is read as written.
            #expect(try RhythmRecord(json: event).end?.description.hasPrefix(end.prefix(16)) == true)
        }
        for time in ["2026-03-05T12:00+x", "2026-03-05T13:00+99:99"] {
            let error = kinError { try RhythmLog(json: #"[{"type":"sleep","start":"\#(time)"}]"#) }
            #expect(error?.code == .malformedInput)
        }
        let spaced = try RhythmLog(json: #"[{"type":"feed","start":"2026-05-14 03:30:01 -0700"}]"#)
        #expect(spaced.records[0].start.description == "2026-05-14T03:30:01-07:00")
    }

    @Test("words are read in any case")
    func wordsInAnyCase() throws {
        let events = [
            #"{"type":"sleep","start":"2026-01-05T12:00","quality":"good"}"#,
            #"{"type":"feed","start":"2026-01-05T14:00","method":"bottle","volume":4,"unit":"oz","side":"left"}"#,
            #"{"type":"diaper","start":"2026-01-05T15:00","kind":"wet"}"#,
            #"{"type":"diaper","start":"2026-01-05T16:00","kind":"dry"}"#,
            #"{"type":"milestone","start":"2026-01-05T17:00","title":"x","category":"social"}"#,
        ]
        let words = ["sleep", "good", "feed", "bottle", "oz", "left", "diaper", "wet", "dry", "milestone", "social"]
        let lower = "[\(events.joined(separator: ","))]"
        for change in [{ $0.uppercased() }, { $0.prefix(1).uppercased() + $0.dropFirst() }] as [(String) -> String] {
            var changed = lower
            for word in words {
                changed = changed.split(separator: "\"\(word)\"", omittingEmptySubsequences: false)
                    .joined(separator: "\"\(change(word))\"")
            }
            #expect(changed != lower)
            #expect(try RhythmLog(json: changed) == RhythmLog(json: lower))
        }
    }

    @Test("an hour's shift of the clock is found with its day, without false alarms", arguments: UInt64(1)...4)
    func clockShift(seed: UInt64) {
        let log = RhythmLog(SampleLog.records(days: 60, seed: seed))
        func shifts(_ records: [RhythmRecord]) -> [RhythmRepair] {
            RhythmLog(records).repairs.filter { $0.problem == .clockShift }
        }
        #expect(shifts(log.records).isEmpty)
        let day = SampleLog.at(30 * 1440).microseconds
        let moved = log.records.map { $0.start.microseconds < day ? $0 : SampleLog.moved($0, by: 60) }
        let found = shifts(moved)
        #expect(found.count == 1, "\(found)")
        for shift in found {
            #expect(abs(shift.start.microseconds - day) <= 2 * 86_400_000_000)
            #expect([40, 50, 60, 70].contains { shift.text.contains("\($0) minutes later") }, "\(shift.text)")
        }
    }

    @Test("sleeps of ten minutes to sixteen hours are valid")
    func shortestAndLongest() {
        func problems(_ minutes: Double) -> [RhythmRepair.Problem] {
            RhythmLog([SampleLog.sleep(600, minutes)]).repairs.map(\.problem)
        }
        #expect(problems(10).isEmpty && problems(9) == [.tooShort])
        #expect(problems(16 * 60).isEmpty && problems(16 * 60 + 1) == [.forgottenTimer])
    }
}
