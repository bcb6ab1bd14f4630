import Foundation
import KinCore
import KinEngine
import KinRhythms
import Testing

/// A log in wall-clock time and a log in UTC are equal if the zone is named, by the log, by an event, or by the call.
@Suite("Time zones of logs") struct RhythmZoneTests {
    /// Three weeks of sleeps in Berlin, in wall-clock time or in UTC.
    private static func events(inUTC: Bool) throws -> [String] {
        let zone = try LocalZone(named: "Europe/Berlin")
        return try (0..<21).flatMap { day in
            try [("07:30", "09:00"), ("12:00", "13:30"), ("19:30", "23:30")].enumerated().map { number, span in
                let date = try LocalDay(number: LocalDay(parsing: "2026-04-06").number + day)
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

    @Test("give the answers of the wall's clock from instants in UTC")
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

    @Test("are shown by the zone of the baby or of the person's preferences, and are the same instants after a move")
    func preferences() throws {
        let berlin = #"{"challenge_preferences":{"user_id":"u","time_zone":"Europe/Berlin"}}"#
        func put(_ events: [String], baby: String, zone: String = "", before: String = "", to engine: Engine) throws {
            let records = events.map {
                "{\"care_event\":{\"user_id\":\"u\",\"baby\":\"\(baby)\",\"event\":\($0)\(zone)}}"
            }
            let all = (before.isEmpty ? [] : [before]) + records
            _ = try engine.call("put", "{\"records\":[\(all.joined(separator: ","))]}")
        }
        func answers(_ baby: String, _ engine: Engine) throws -> [String] {
            try Self.questions.map { try Self.bare(engine.call($0.0, "{\"user\":\"u\",\"baby\":\"\(baby)\"\($0.1)}")) }
        }
        let (wall, utc) = try (Self.events(inUTC: false), Self.events(inUTC: true))
        let engine = Engine()
        try put(utc, baby: "utc", to: engine)
        try put(wall, baby: "wall", to: engine)
        try put(wall, baby: "named", zone: #","time_zone":"Europe/Berlin""#, to: engine)
        let expected = try answers("wall", engine)
        #expect(try answers("utc", engine) != expected)
        // Setting the zone later changes the readings of the clock.
        _ = try engine.call("put", "{\"records\":[\(berlin)]}")
        #expect(try answers("utc", engine) == expected && answers("named", engine) == expected)
        #expect(try answers("wall", engine) == expected)
        func forecast(_ now: String, _ baby: String, _ more: String = "") throws -> String {
            try engine.call("forecast", "{\"user\":\"u\",\"baby\":\"\(baby)\",\"now\":\"\(now)\"\(more)}")
        }
        #expect(try forecast("2026-04-26T12:00:00Z", "wall") == forecast("2026-04-26T14:00:00", "wall"))
        let text = try engine.call("export", #"{"user":"u"}"#)
        #expect(text.contains("T05:30:00Z") && text.contains("T07:30:00+02:00"))
        let tokyo = berlin.replacing("Europe/Berlin", with: "Asia/Tokyo")
        _ = try engine.call("put", "{\"records\":[\(tokyo)]}")
        #expect(try answers("wall", engine) == expected)
        let moved = try forecast("2026-04-26T12:00:00Z", "utc")
        #expect(moved.contains("\"now\":\"2026-04-26T21:00:00+09:00\""))
        // The baby's zone takes precedence.
        let baby = #"{"baby":{"user_id":"u","id":"utc","time_zone":"Europe/Berlin"}}"#
        _ = try engine.call("put", "{\"records\":[\(baby)]}")
        #expect(try answers("utc", engine) == expected)
        #expect(try forecast("2026-04-26T12:00:00Z", "utc").contains("\"now\":\"2026-04-26T14:00:00+02:00\""))
        let again = Engine()
        _ = try again.call("put", "{\"records\":\(text.replacing("Asia/Tokyo", with: "Europe/Berlin"))}")
        #expect(try answers("utc", again) == expected)
    }

    @Test("times of a request go by the clock of a given log")
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

    @Test("are read beside events that are put in, and an unknown one is named")
    func stored() throws {
        let engine = Engine()
        func put(_ events: [String], baby: String, zone: String) throws {
            let records = events.map {
                "{\"care_event\":{\"user_id\":\"u\",\"baby\":\"\(baby)\",\"event\":\($0)\(zone)}}"
            }
            _ = try engine.call("put", "{\"records\":[\(records.joined(separator: ","))]}")
        }
        try put(Self.events(inUTC: false), baby: "wall", zone: "")
        try put(Self.events(inUTC: true), baby: "utc", zone: ",\"time_zone\":\"Europe/Berlin\"")
        for (method, more) in Self.questions {
            let answers = try ["wall", "utc"].map {
                try Self.bare(engine.call(method, "{\"user\":\"u\",\"baby\":\"\($0)\"\(more)}"))
            }
            #expect(answers[0] == answers[1], "\(method)")
        }
        let error = #expect(throws: KinError.self) {
            try put(Self.events(inUTC: true), baby: "x", zone: ",\"time_zone\":\"Europe/Berln\"")
        }
        #expect("\(error!)".contains("Europe/Berln"))
    }
}
