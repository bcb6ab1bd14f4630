import Foundation
import KinEngine
import KinTestSupport
import Testing

/// A log in wall-clock time and a log in UTC are equal if the zone is named, by the log, by an event, or by the call.
@Suite("Time zones of logs") struct RhythmZoneTests {
    /// Three weeks of sleeps in Berlin, in wall-clock time or in UTC.
    private static func events(inUTC: Bool, from first: String = "2026-04-06") throws -> [String] {
        let zone = try LocalZone(named: "Europe/Berlin")
        return try (0..<21).flatMap { day in
            try [("07:30", "09:00"), ("12:00", "13:30"), ("19:30", "23:30")].enumerated().map { number, span in
                let date = try LocalDay(number: LocalDay(parsing: first).number + day)
                let texts = try [span.0, span.1].map { time in
                    guard inUTC else { return "\(date)T\(time):00" }
                    return "\(zone.instant(on: date, at: try TimeOfDay(parsing: time)))"
                }
                return #"{"id":"\#(day)-\#(number)","type":"sleep","start":"\#(texts[0])","end":"\#(texts[1])"}"#
            }
        }
    }

    /// An answer without the offsets that logs with instants add.
    private static func bare(_ answer: String) -> String {
        answer.replacing(/(T\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)/) { String($0.1) }
    }

    private static let questions = [
        ("forecast", #","now":"2026-04-26T14:00:00""#), ("days", ""), ("wake_windows", ""), ("rhythm", ""),
    ]

    @Test("UTC instants with a zone give the answers of local times")
    func utc() throws {
        let (wall, utc) = try (Self.events(inUTC: false), Self.events(inUTC: true))
        #expect(utc[0].contains("T05:30:00Z") && utc.last!.contains("T17:30:00Z"))
        let engine = Engine()
        for (method, more) in Self.questions {
            let expected = try engine.call(method, "{\"log\":[\(wall.joined(separator: ","))]\(more)}")
            let list = utc.joined(separator: ",")
            #expect(
                try Self.bare(engine.call(method, "{\"log\":[\(list)],\"zone\":\"Europe/Berlin\"\(more)}")) == expected)
            // The zone of the log, before or after its events.
            for log in [
                "{\"time_zone\":\"Europe/Berlin\",\"events\":[\(list)]}",
                "{\"events\":[\(list)],\"time_zone\":\"Europe/Berlin\"}",
            ] {
                #expect(try Self.bare(engine.call(method, "{\"log\":\(log)\(more)}")) == expected, "\(method)")
            }
        }
        // Without a zone the log uses its own clock.
        let shifted = "{\"log\":[\(utc.joined(separator: ","))],\"now\":\"2026-04-26T14:00:00\""
        #expect(
            try engine.call("forecast", shifted + "}")
                != engine.call("forecast", shifted + ",\"zone\":\"Europe/Berlin\"}"))
        #expect(
            try Self.bare(
                engine.call(
                    "forecast",
                    "{\"log\":[\(utc.joined(separator: ","))],\"zone\":\"Europe/Berlin\",\"now\":\"2026-04-26T12:00:00Z\"}"
                ))
                == engine.call("forecast", "{\"log\":[\(wall.joined(separator: ","))],\"now\":\"2026-04-26T14:00:00\"}")
        )
    }

    @Test("the baby's zone or the person's preference applies, and a move keeps instants")
    func preferences() throws {
        let berlin = #"{"challenge_preferences":{"user_id":"u","time_zone":"Europe/Berlin"}}"#
        func answers(_ baby: String, _ engine: Engine) throws -> [String] {
            try Self.questions.map { try Self.bare(engine.call($0.0, "{\"user\":\"u\",\"baby\":\"\(baby)\"\($0.1)}")) }
        }
        let (wall, utc) = try (Self.events(inUTC: false), Self.events(inUTC: true))
        let engine = Engine()
        try engine.putEvents(utc, of: "u", baby: "utc")
        try engine.putEvents(wall, of: "u", baby: "wall")
        try engine.putEvents(wall, of: "u", baby: "named", #","time_zone":"Europe/Berlin""#)
        let expected = try answers("wall", engine)
        #expect(try answers("utc", engine) != expected)
        // Setting the zone later changes the readings of the clock.
        try engine.put([berlin])
        #expect(try answers("utc", engine) == expected && answers("named", engine) == expected)
        #expect(try answers("wall", engine) == expected)
        func forecast(_ now: String, _ baby: String, _ more: String = "") throws -> String {
            try engine.call("forecast", "{\"user\":\"u\",\"baby\":\"\(baby)\",\"now\":\"\(now)\"\(more)}")
        }
        #expect(try forecast("2026-04-26T12:00:00Z", "wall") == forecast("2026-04-26T14:00:00", "wall"))
        let text = try engine.call("export", #"{"user":"u"}"#)
        #expect(text.contains("T05:30:00Z") && text.contains("T07:30:00+02:00"))
        let tokyo = berlin.replacing("Europe/Berlin", with: "Asia/Tokyo")
        try engine.put([tokyo])
        #expect(try answers("wall", engine) == expected)
        let moved = try forecast("2026-04-26T12:00:00Z", "utc")
        #expect(moved.contains("\"now\":\"2026-04-26T21:00:00+09:00\""))
        // The baby's zone takes precedence.
        let baby = #"{"baby":{"user_id":"u","id":"utc","time_zone":"Europe/Berlin"}}"#
        try engine.put([baby])
        #expect(try answers("utc", engine) == expected)
        #expect(try forecast("2026-04-26T12:00:00Z", "utc").contains("\"now\":\"2026-04-26T14:00:00+02:00\""))
        let again = Engine()
        _ = try again.call("put", "{\"records\":\(text.replacing("Asia/Tokyo", with: "Europe/Berlin"))}")
        #expect(try answers("utc", again) == expected)
    }

    @Test("request times use the clock of the given log")
    func requests() throws {
        let engine = Engine()
        let (wall, utc) = try (Self.events(inUTC: false), Self.events(inUTC: true))
        let list = utc.joined(separator: ",")
        let ahead = wall.map { $0.replacing("\",\"end", with: "+02:00\",\"end") }
        for log in [
            #"{"events":[\#(list)],"time_zone":"Europe/Berlin"}"#,
            "[\(ahead.joined(separator: ","))]",
        ] {
            for (method, field) in [
                ("forecast", "now"), ("predictions", "now"), ("sleep_state", "now"), ("backtest", "at"),
            ] {
                let answers = try ["2026-04-26T12:00:00Z", "2026-04-26T14:00:00", "2026-04-26T21:00:00+09:00"].map {
                    let time = field == "at" ? "[\"\($0)\"]" : "\"\($0)\""
                    return try engine.call(method, "{\"log\":\(log),\"\(field)\":\(time)}")
                }
                #expect(answers[0] == answers[1] && answers[0] == answers[2], "\(method)")
            }
        }
    }

    @Test("zones are read from stored events, and an unknown zone is named")
    func stored() throws {
        let engine = Engine()
        try engine.putEvents(Self.events(inUTC: false), of: "u", baby: "wall")
        try engine.putEvents(Self.events(inUTC: true), of: "u", baby: "utc", ",\"time_zone\":\"Europe/Berlin\"")
        for (method, more) in Self.questions {
            let answers = try ["wall", "utc"].map {
                try Self.bare(engine.call(method, "{\"user\":\"u\",\"baby\":\"\($0)\"\(more)}"))
            }
            #expect(answers[0] == answers[1], "\(method)")
        }
        let error = #expect(throws: KinError.self) {
            try engine.putEvents(Self.events(inUTC: true), of: "u", baby: "x", ",\"time_zone\":\"Europe/Berln\"")
        }
        #expect("\(error!)".contains("Europe/Berln"))
    }

    /// Ten days in Berlin and six in New York, in wall-clock time: naps at 9:00, 12:00 and 15:00, nights from 19:30 to
    /// 6:30.
    private static func journey(write: (LocalDateTime, LocalZone) -> (text: String, zone: String?)) throws -> [String] {
        let first = try LocalDay(parsing: "2026-05-01")
        return try (0..<16).flatMap { day -> [String] in
            let zone = try LocalZone(named: day < 10 ? "Europe/Berlin" : "America/New_York")
            func time(_ minute: Int) throws -> (text: String, zone: String?) {
                write(
                    try LocalDateTime(
                        parsing: "\(first.advanced(by: day + minute / 1440))T\(TimeOfDay(minute: minute % 1440))"), zone
                )
            }
            let sleeps = [(540, 585), (720, 780), (900, 940), (1170, 1830)]
            return try sleeps.enumerated().map { number, span in
                let (start, end) = (try time(span.0), try time(span.1))
                let own = start.zone.map { ",\"time_zone\":\"\($0)\"" } ?? ""
                return
                    #"{"id":"\#(day)-\#(number)","type":"sleep","start":"\#(start.text)","end":"\#(end.text)"\#(own)}"#
            }
        }
    }

    /// Converts a reading of a zone's clock to an instant in UTC.
    private static func instant(_ reading: LocalDateTime, _ zone: LocalZone) throws -> String {
        let day = try LocalDay(parsing: reading.date)
        return "\(zone.instant(on: day, at: try TimeOfDay(parsing: reading.time)))"
    }

    @Test(
        "events with the log's zone as their own follow its change of clocks",
        arguments: [("2026-03-08", "2026-03-29"), ("2026-10-04", "2026-10-25")])
    func ownZoneOfTheLog(first: String, change: String) throws {
        let events = try Self.events(inUTC: true, from: first)
        let own = events.map { $0.replacing("\"type\"", with: "\"time_zone\":\"Europe/Berlin\",\"type\"") }
        let engine = Engine()
        for kind in ["nap", "bedtime"] {
            let answers = try [events, own].map { events in
                try engine.call(
                    "forecast",
                    "{\"log\":[\(events.joined(separator: ","))],\"zone\":\"Europe/Berlin\",\"kind\":\"\(kind)\",\"now\":\"\(change)T05:00\"}"
                )
            }
            #expect(
                answers[0] == answers[1] && answers[0].contains(first < "2026-06" ? "05:00:00+02:00" : "05:00:00+01:00")
            )
        }
    }

    @Test("events of a journey use their own zones, and queries use the latest")
    func journeys() throws {
        let wall = try Self.journey { reading, _ in ("\(reading)", nil) }
        let ways: [[String]] = [
            // As instants, as readings in their zone, and with a zone only on the journey.
            try Self.journey { reading, zone in ((try? Self.instant(reading, zone)) ?? "", zone.name) },
            try Self.journey { reading, zone in ("\(reading)", zone.name) },
            try Self.journey { reading, zone in
                zone.name == "Europe/Berlin" ? ("\(reading)+02:00", nil) : ("\(reading)-04:00", zone.name)
            },
        ]
        let engine = Engine()
        func days(_ request: String) throws -> [[String: Any]] {
            try jsonList(engine.call("days", request))
        }
        let expected = try days("{\"log\":[\(wall.joined(separator: ","))]}")
        for (number, events) in ways.enumerated() {
            try engine.put([#"{"baby":{"user_id":"u","id":"\#(number)","time_zone":"Europe/Berlin"}}"#])
            try engine.putEvents(events, of: "u", baby: "\(number)")
            let log = "{\"time_zone\":\"Europe/Berlin\",\"events\":[\(events.joined(separator: ","))]}"
            for request in ["\"log\":\(log)", "\"user\":\"u\",\"baby\":\"\(number)\""] {
                let told = try days("{\(request)}")
                #expect(told.map { $0["date"] as? String } == expected.map { $0["date"] as? String })
                // The day of the flight and the night before it are longer.
                for (day, other) in zip(told, expected) where day["date"] as? String != "2026-05-11" {
                    for name in ["asleep_minutes", "naps", "nap_minutes", "longest_night_stretch"] {
                        #expect(day[name] as? Double == other[name] as? Double, "\(number) \(name) \(day)")
                    }
                }
                #expect(try engine.call("repairs", "{\(request)}") == "[]", "\(number)")
                for (now, offset) in [("2026-05-08T14:00:00", "+02:00"), ("2026-05-16T14:00:00", "-04:00")] {
                    let plain = try jsonObject(
                        engine.call(
                            "forecast", "{\"log\":[\(wall.joined(separator: ","))],\"kind\":\"nap\",\"now\":\"\(now)\"}"
                        ))
                    let point = try LocalDateTime(parsing: #require(plain["point"] as? String))
                    for now in [now, now + offset] {
                        let told = try jsonObject(
                            engine.call("forecast", "{\(request),\"kind\":\"nap\",\"now\":\"\(now)\"}"))
                        let text = try #require(told["point"] as? String)
                        #expect(
                            text.hasSuffix(offset) && (told["now"] as? String)?.hasSuffix(offset) == true, "\(told)")
                        let reading = try LocalDateTime(parsing: String(text.dropLast(6)))
                        #expect(
                            abs(reading.microseconds - point.microseconds) <= 120_000_000, "\(now): \(text), \(point)")
                    }
                }
            }
        }
        // Export and import preserve the events' clocks, even if the baby's zone changes.
        let text = try engine.call("export", #"{"user":"u"}"#)
        #expect(text.contains(#""time_zone":"-04:00""#))
        let again = Engine()
        _ = try again.call("put", "{\"records\":\(text.replacing("Europe/Berlin", with: "Asia/Tokyo"))}")
        for baby in ["0", "1"] {
            let request = #"{"user":"u","baby":"\#(baby)"}"#
            #expect(try again.call("days", request) == engine.call("days", request))
        }
        // UTC does not count as an event's own zone.
        let utc = try Self.journey { reading, zone in ((try? Self.instant(reading, zone)) ?? "", "UTC") }
        let plain = try Self.journey { reading, zone in ((try? Self.instant(reading, zone)) ?? "", nil) }
        let answers = try [utc, plain].map {
            try engine.call(
                "days", "{\"log\":{\"time_zone\":\"Europe/Berlin\",\"events\":[\($0.joined(separator: ","))]}}")
        }
        #expect(answers[0] == answers[1])
    }
}
