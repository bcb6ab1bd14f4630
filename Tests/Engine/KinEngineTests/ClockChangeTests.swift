import Foundation
import KinEngine
import KinTestSupport
import Testing

/// Logs over nights with a clock change, and the same logs without it.
@Suite("Logs across clock changes") struct ClockChangeTests {
    /// A clock change: the zone, the day of the change, and the hours that the clock is set forward.
    struct Change: Sendable, CustomStringConvertible {
        let zone: String
        let day: String
        let forward: Int

        var description: String { "\(zone) \(day)" }
    }

    static let changes = [
        Change(zone: "Europe/Berlin", day: "2026-10-25", forward: -1),
        Change(zone: "Europe/Berlin", day: "2026-03-29", forward: 1),
        Change(zone: "Pacific/Auckland", day: "2026-04-05", forward: -1),
        Change(zone: "Pacific/Auckland", day: "2026-09-27", forward: 1),
        Change(zone: "America/New_York", day: "2026-11-01", forward: -1),
    ]

    /// A row by the wall clock: days after the change, minutes of the day, length.
    struct Row {
        let type: String
        let start: (day: Int, minute: Int)
        var end: (day: Int, minute: Int)?
    }

    private let engine = Engine()

    /// Regular days from 14 before the change to the day after, by the wall clock: naps at 9, 12 and 15, nights from
    /// 19:30 to 6:30.
    private static let rows: [Row] = (-14...1).flatMap { day -> [Row] in
        let feeds = [420, 600, 780, 960, 1140, 1320].map { Row(type: "feed", start: (day, $0)) }
        let naps = [540, 720, 900].map { Row(type: "sleep", start: (day, $0), end: (day, $0 + 45)) }
        return feeds + naps + [Row(type: "sleep", start: (day, 1170), end: (day + 1, 390))]
    }

    /// Converts a time on the wall clock to an instant.
    private static func instant(_ time: (day: Int, minute: Int), _ change: Change) throws -> Timestamp {
        let day = try LocalDay(parsing: change.day).advanced(by: time.day)
        return try LocalZone(named: change.zone).instant(on: day, at: TimeOfDay(minute: time.minute))
    }

    /// The log of all rows known at an instant, with instants written by a function.
    private static func log(
        upTo now: Timestamp, _ change: Change, zone: String?, _ text: (Timestamp) -> String
    ) throws -> String {
        let events = try rows.enumerated().compactMap { number, row -> String? in
            let start = try instant(row.start, change)
            guard start <= now else { return nil }
            let end = try row.end.map { try instant($0, change) }.flatMap {
                $0 <= now ? ",\"end\":\"\(text($0))\"" : nil
            }
            return "{\"id\":\"\(number)\",\"type\":\"\(row.type)\",\"start\":\"\(text(start))\"\(end ?? "")}"
        }
        let named = zone.map { "\"time_zone\":\"\($0)\"," } ?? ""
        return "{\(named)\"events\":[\(events.joined(separator: ","))]}"
    }

    private func ask(_ method: String, _ log: String, now: String? = nil, _ more: String = "") throws -> [String: Any] {
        let now = now.map { ",\"now\":\"\($0)\"" } ?? ""
        return try jsonObject(engine.call(method, "{\"log\":\(log)\(now)\(more)}"))
    }

    /// An instant as the zone's clock shows it, with its offset.
    private static func local(_ zone: LocalZone) -> (Timestamp) -> String {
        { instant in
            let seconds = zone.offsetSeconds(at: instant)
            let parts = [abs(seconds) / 3600, abs(seconds) / 60 % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
            return "\(LocalDateTime(instant, in: zone))\(seconds < 0 ? "-" : "+")\(parts[0]):\(parts[1])"
        }
    }

    @Test("a baby is asleep in exactly the minutes of its sleep, all night", arguments: changes)
    func asleep(change: Change) throws {
        let zone = try LocalZone(named: change.zone)
        let (from, to) = (try Self.instant((-1, 1165), change), try Self.instant((0, 400), change))
        let (asleep, awake) = (try Self.instant((-1, 1170), change), try Self.instant((0, 390), change))
        #expect((awake.microseconds - asleep.microseconds) / 3_600_000_000 == Int64(11 - change.forward))
        for (number, microseconds) in stride(from: from.microseconds, through: to.microseconds, by: 60_000_000)
            .enumerated()
        {
            // Each minute about falling asleep and waking, and each 17th one between them.
            let near = [asleep, awake].contains { abs($0.microseconds - microseconds) <= 120_000_000 }
            guard near || number % 17 == 0 else { continue }
            let now = try Timestamp(microseconds: microseconds)
            // One of the logs with a zone is in UTC; logs without a zone have offsets.
            let logs = [
                try Self.log(upTo: now, change, zone: change.zone) { "\($0)" },
                try Self.log(upTo: now, change, zone: nil, Self.local(zone)),
            ]
            for log in logs {
                let state = try ask("sleep_state", log, now: "\(now)")
                #expect(state["is_asleep"] as? Bool == (asleep <= now && now < awake), "\(now)")
            }
        }
    }

    @Test("forecasts by day are the same with and without a clock change", arguments: changes)
    func forecasts(change: Change) throws {
        let zone = try LocalZone(named: change.zone)
        let wall: (Timestamp) -> String = { "\(LocalDateTime($0, in: zone))" }
        for (day, minute) in [-1, 0, 1].flatMap({ day in [395, 435, 600, 800, 960, 1100].map { (day, $0) } }) {
            let now = try Self.instant((day, minute), change)
            let plain = try Self.log(upTo: now, change, zone: nil, wall)
            let logs = [
                (try Self.log(upTo: now, change, zone: change.zone) { "\($0)" }, "\(now)"),
                (try Self.log(upTo: now, change, zone: change.zone, Self.local(zone)), wall(now)),
                (try Self.log(upTo: now, change, zone: nil, Self.local(zone)), Self.local(zone)(now)),
            ]
            // Until the first feed of the day, the real time since the last feed differs from the wall clock's.
            for kind in minute < 420 ? ["nap", "bedtime"] : ["nap", "feed", "bedtime"] {
                let expected = try ask("forecast", plain, now: wall(now), ",\"kind\":\"\(kind)\"")
                let point = try LocalDateTime(parsing: #require(expected["point"] as? String))
                for (log, now) in logs {
                    let told = try ask("forecast", log, now: now, ",\"kind\":\"\(kind)\"")
                    let text = try #require(told["point"] as? String)
                    let difference = try LocalDateTime(parsing: text).microseconds - point.microseconds
                    #expect(abs(difference) <= 120_000_000, "\(kind) at \(now): \(told), \(expected)")
                    #expect(told["kind"] as? String == expected["kind"] as? String)
                    // The offset is the one at the forecast's instant.
                    let instant = try Timestamp(parsing: text)
                    if log.contains("time_zone") { #expect(text == Self.local(zone)(instant)) }
                }
            }
        }
    }

    @Test("tomorrow's bedtime keeps its clock time across a change", arguments: changes)
    func tomorrow(change: Change) throws {
        let now = try Self.instant((-1, 1200), change)
        let log = try Self.log(upTo: now, change, zone: change.zone) { "\($0)" }
        let told = try ask("forecast", log, now: "\(now)", ",\"kind\":\"bedtime\"")
        let point = try LocalDateTime(parsing: #require(told["point"] as? String))
        let expected = try LocalDay(parsing: change.day).microseconds + 1170 * 60_000_000
        #expect(abs(point.microseconds - expected) <= 120_000_000, "\(told)")
    }

    @Test("days have their true lengths, and backtest errors equal those without a change", arguments: changes)
    func daysAndBacktests(change: Change) throws {
        let zone = try LocalZone(named: change.zone)
        let end = try Self.instant((2, 380), change)
        let log = try Self.log(upTo: end, change, zone: change.zone) { "\($0)" }
        let plain = try Self.log(upTo: end, change, zone: nil) { "\(LocalDateTime($0, in: zone))" }
        func days(_ log: String) throws -> [[String: Any]] {
            try jsonList(engine.call("days", "{\"log\":\(log)}"))
        }
        let (told, expected) = (try days(log), try days(plain))
        #expect(told.map { $0["date"] as? String } == expected.map { $0["date"] as? String })
        for (day, other) in zip(told, expected) {
            let isChange = day["date"] as? String == change.day
            let minutes =
                try #require(other["asleep_minutes"] as? Double) - (isChange ? Double(60 * change.forward) : 0)
            #expect(day["asleep_minutes"] as? Double == minutes, "\(day)")
            for name in ["naps", "nap_minutes", "meals", "night_wakings"] {
                #expect(day[name] as? Double == other[name] as? Double, "\(name) \(day)")
            }
        }
        for kind in ["nap", "feed", "bedtime"] {
            let tests = try [log, plain].map { log in
                try #require(
                    jsonObject(engine.call("backtest", "{\"log\":\(log),\"kind\":\"\(kind)\"}"))["measures"]
                        as? [String: Any])
            }
            #expect(tests[0]["count"] as? Int == tests[1]["count"] as? Int)
            let errors = try tests.map { try #require($0["mean_absolute_error"] as? Double) }
            #expect(abs(errors[0] - errors[1]) < 1, "\(kind): \(errors)")
        }
        #expect(try !engine.call("repairs", "{\"log\":\(log)}").contains("clock_shift"))
    }

    @Test("events in the repeated hour are distinct, and naps across it have true lengths")
    func repeatedHour() throws {
        func log(_ rows: [(String, String, String?)]) -> String {
            let events = rows.map { type, start, end in
                "{\"type\":\"\(type)\",\"start\":\"\(start)\"" + (end.map { ",\"end\":\"\($0)\"}" } ?? "}")
            }
            return "{\"time_zone\":\"Europe/Berlin\",\"events\":[\(events.joined(separator: ","))]}"
        }
        let two = log([
            ("feed", "2026-10-25T02:15:00+02:00", nil), ("feed", "2026-10-25T02:15:00+01:00", nil),
            ("diaper", "2026-10-25T02:20:00+02:00", nil), ("diaper", "2026-10-25T02:20:00+01:00", nil),
        ])
        let day = try engine.call("days", "{\"log\":\(two)}")
        #expect(day.contains(#""meals":2"#) && day.contains(#""diapers":2"#), "\(day)")
        #expect(try engine.call("repairs", "{\"log\":\(two)}") == "[]")
        let naps = log([
            ("sleep", "2026-10-25T02:10:00+02:00", "2026-10-25T02:50:00+02:00"),
            ("sleep", "2026-10-25T02:20:00+01:00", "2026-10-25T03:00:00+01:00"),
        ])
        #expect(try engine.call("days", "{\"log\":\(naps)}").contains(#""asleep_minutes":80"#))
        #expect(try engine.call("repairs", "{\"log\":\(naps)}") == "[]")
        let gap = log([("sleep", "2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00")])
        #expect(try engine.call("days", "{\"log\":\(gap)}").contains(#""asleep_minutes":60"#))
    }

    @Test("a nap with a wrong end hides neither the naps nor the night")
    func wrongEnd() throws {
        let zone = try LocalZone(named: "Europe/Berlin")
        let change = Self.changes[0]
        let plain = try Self.log(upTo: Self.instant((-1, 0), change), change, zone: nil) {
            "\(LocalDateTime($0, in: zone))"
        }
        let slips = [("11:30", "23:50"), ("08:00", "20:10"), ("17:30", "05:50")]
        for (start, end) in slips {
            let day = start > end ? "2026-10-20" : "2026-10-19"
            let slip = #"{"id":"slip","type":"sleep","start":"2026-10-19T\#(start)","end":"\#(day)T\#(end)"},"#
            let log = plain.replacing("\"events\":[", with: "\"events\":[" + slip)
            #expect(try engine.call("days", "{\"log\":\(log)}") == engine.call("days", "{\"log\":\(plain)}"))
            let repairs = try engine.call("repairs", "{\"log\":\(log)}")
            #expect(repairs.contains(#""id":"slip""#) && repairs.contains("wrong_end"), "\(repairs)")
        }
        #expect(try !engine.call("repairs", "{\"log\":\(plain)}").contains("wrong_end"))
        // Feeds within a night that is logged as one sleep, and the pieces of one night, are no evidence.
        let night = #"{"type":"sleep","start":"2026-10-19T19:30","end":"2026-10-20T06:30"}"#
        let inner = [
            #"{"type":"feed","start":"2026-10-19T23:30"},{"type":"feed","start":"2026-10-20T03:30"}"#,
            #"{"type":"sleep","start":"2026-10-19T19:40","end":"2026-10-20T01:00"}"#,
        ]
        for rows in inner {
            #expect(try !engine.call("repairs", "{\"log\":[\(night),\(rows)]}").contains("wrong_end"))
        }
    }
}
