import Foundation
import KinTestSupport
import Testing

@testable import KinCore

/// Zones against Foundation's, which reads the same database by code of its own.
@Suite("Time zones")
struct LocalZoneTests {
    private static let names = ZoneDatabase().names()

    @Test("every zone of the system goes as Foundation says, through a year and at samples of a century")
    func everyZone() throws {
        try #require(Self.names.count > 300, "the system has no time zone database")
        let year = 1_767_225_600  // 2026-01-01
        var compared = 0
        for name in Self.names {
            guard let theirs = TimeZone(identifier: name) else { continue }
            let zone = try LocalZone(named: name)
            compared += 1
            for hour in stride(from: 0, to: 366 * 24, by: 25) {
                let second = year + 3600 * hour
                let ours = zone.offsetSeconds(at: try Timestamp(seconds: Double(second)))
                #expect(
                    ours == theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))), "\(name) \(second)"
                )
            }
            // Both sides of every change of the year.
            var instant = Date(timeIntervalSince1970: Double(year))
            while let next = theirs.nextDaylightSavingTimeTransition(after: instant),
                next.timeIntervalSince1970 < Double(year + 366 * 86_400)
            {
                let second = Int(next.timeIntervalSince1970)
                for near in (second - 2)...(second + 1) {
                    let ours = zone.offsetSeconds(at: try Timestamp(seconds: Double(near)))
                    #expect(
                        ours == theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double(near))), "\(name) \(near)"
                    )
                }
                instant = next
            }
        }
        #expect(compared > 300)
    }

    @Test(
        "past and far future of zones with a history",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Tehran",
            "Pacific/Apia",
            "Africa/Casablanca", "Europe/Dublin", "America/St_Johns", "Asia/Gaza", "Antarctica/Troll", "America/Nuuk",
        ])
    func centuries(name: String) throws {
        guard let theirs = TimeZone(identifier: name), let zone = try? LocalZone(named: name) else { return }
        for day in 0..<30_000 {
            let second = 86_400.0 * Double(day) + 12_345 - 5_000 * 86_400
            let ours = zone.offsetSeconds(at: try Timestamp(seconds: second))
            #expect(ours == theirs.secondsFromGMT(for: Date(timeIntervalSince1970: second)), "\(name) \(second)")
        }
    }

    @Test("days begin when Foundation's calendar says so, and follow one another")
    func days() throws {
        for name in Self.names {
            guard let theirs = TimeZone(identifier: name) else { continue }
            let zone = try LocalZone(named: name)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = theirs
            let first = try LocalDay(parsing: "2026-01-01")
            var last: Timestamp?
            for number in stride(from: 0, to: 366, by: 1) {
                let day = first.advanced(by: number)
                let start = zone.start(of: day)
                #expect(zone.day(at: start) == day)
                #expect(
                    zone.day(at: Timestamp(unchecked: start.microseconds - 1)) == day.advanced(by: -1), "\(name) \(day)"
                )
                if let last { #expect(last < start) }
                last = start
                if number % 9 == 0 || zone.minute(at: start).minutes != 0 {
                    let noon = Date(timeIntervalSince1970: Double(start.microseconds) / 1e6 + 12 * 3600)
                    #expect(
                        Timestamp(unchecked: Int64(calendar.startOfDay(for: noon).timeIntervalSince1970 * 1e6))
                            == start, "\(name) \(day)")
                }
            }
        }
    }

    @Test("readings that are skipped, come twice, or belong to no day")
    func oddReadings() throws {
        let berlin = try LocalZone(named: "Europe/Berlin")
        func instant(_ zone: LocalZone, _ day: String, _ minute: String) throws -> String {
            zone.instant(on: try LocalDay(parsing: day), at: try MinuteOfDay(parsing: minute)).description
        }
        #expect(try instant(berlin, "2026-03-29", "02:30") == "2026-03-29T01:00:00Z")
        #expect(try instant(berlin, "2026-10-25", "02:30") == "2026-10-25T00:30:00Z")
        #expect(try instant(berlin, "2026-07-01", "00:00") == "2026-06-30T22:00:00Z")
        // Clocks go forward at midnight.
        let cairo = try LocalZone(named: "Africa/Cairo")
        #expect(try cairo.start(of: LocalDay(parsing: "2026-04-24")).description == "2026-04-23T22:00:00Z")
        #expect(try cairo.minute(at: cairo.start(of: LocalDay(parsing: "2026-04-24"))).description == "01:00")
        // Samoa had no 30 December 2011.
        let apia = try LocalZone(named: "Pacific/Apia")
        let missing = try LocalDay(parsing: "2011-12-30")
        #expect(apia.start(of: missing) == apia.start(of: missing.advanced(by: 1)))
        #expect(apia.day(at: apia.start(of: missing)) == missing.advanced(by: 1))
        #expect(try LocalZone(named: "+05:30").offsetSeconds(at: Timestamp(seconds: 0)) == 19_800)
        #expect(try LocalZone(named: "-03:00").offsetSeconds(at: Timestamp(seconds: 0)) == -10_800)
    }

    @Test(
        "names that there are not say what there is",
        arguments: [
            "Europe/Berlim", "../../etc/passwd", "/etc/passwd", "", "Europe", "+25:00", "Europe/Ber\u{0}lin",
            "zone.tab",
        ])
    func unknownNames(name: String) {
        let error = #expect(throws: KinError.self) { try LocalZone(named: name) }
        #expect(
            error.map { [.unknownID, .corruptFile].contains($0.code) } == true, "\(name): \(String(describing: error))")
        if name == "Europe/Berlim" { #expect("\(error!)".contains("did you mean Europe/Berlin?")) }
    }

    @Test("any bytes give a zone or an error")
    func hostileBytes() throws {
        let seed: UInt64 = 29
        var generator = SeededGenerator(seed: seed)
        let database = ZoneDatabase()
        for name in ["Europe/Berlin", "Asia/Kathmandu", "Africa/Casablanca"] {
            let good = try database.bytes(of: name)
            for length in 0..<good.count {
                #expect(throws: KinError.self) { try LocalZone(name: "cut", tzif: Array(good[..<length])) }
            }
            for round in 0..<3000 {
                var bytes = good
                for _ in 0...generator.below(4) {
                    bytes[generator.below(min(bytes.count, round % 2 == 0 ? bytes.count : 80))] = UInt8(
                        generator.below(256))
                }
                guard let zone = try? LocalZone(name: "damaged", tzif: bytes) else { continue }
                let day = LocalDay(unchecked: generator.below(40_000) - 10_000)
                let start = zone.start(of: day)
                #expect(zone.day(at: start) >= day, "seed \(seed)")
                #expect(zone.nextTransition(after: start.second).map { $0.second > start.second } ?? true)
            }
        }
    }

    @Test(
        "rules in the POSIX notation",
        arguments: [
            ("EST5EDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -14_400),
            ("EST5EDT,M3.2.0,M11.1.0", "2026-12-01T00:00:00Z", -18_000),
            ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600),
            ("XXX3YYY2,0/0,J365/25", "2026-12-31T23:59:59Z", -7200),
            ("XXX3YYY2,0/0,J365/25", "2026-06-30T12:00:00Z", -7200),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T00:00:00Z", 0),
            ("UTC0", "2026-01-15T00:00:00Z", 0),
        ])
    func rules(text: String, instant: String, offset: Int) throws {
        #expect(try ClockRule(parsing: text).offset(atSecond: Timestamp(parsing: instant).second) == offset)
        for broken in ["", "E5", "EST", "EST5EDT", text + ",", text + "x"] {
            #expect(throws: KinError.self) { try ClockRule(parsing: broken) }
        }
    }
}
