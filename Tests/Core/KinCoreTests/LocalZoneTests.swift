import KinTestSupport
import Testing

@testable import KinCore

/// Compares zones with Python's `zoneinfo` on the same files, and checks the laws of days in all zones of the system.
///
/// No other implementation on a machine uses the same version of the zone files, least of all Foundation's zones.
@Suite("Time zones")
struct LocalZoneTests {
    @Test("fat and slim zone files agree with zoneinfo from 1970 to 2049", arguments: PinnedZones.Form.allCases)
    func pinned(form: PinnedZones.Form) throws {
        for reference in PinnedZones.references {
            let zone = try PinnedZones.zone(reference.name, form)
            var second: Int64 = 0
            for (place, change) in reference.changes.enumerated() {
                #expect(zone.offset(atSecond: change.second) == change.offset, "\(zone.name) \(change.second)")
                let next = place + 1 < reference.changes.count ? reference.changes[place + 1].second : PinnedZones.end
                #expect(zone.offset(atSecond: next - 1) == change.offset, "\(zone.name) before \(next)")
                // From every instant between two changes, the later one is the next transition.
                for from in [second, (second + next) / 2, next - 1] where next < PinnedZones.end {
                    let found = zone.nextTransition(after: from)
                    #expect(found?.second == next, "\(zone.name) after \(from)")
                    #expect(found?.offset == reference.changes[place + 1].offset, "\(zone.name) after \(from)")
                }
                second = next
            }
            let last = try #require(reference.changes.last)
            #expect(
                zone.nextTransition(after: last.second).map { $0.second >= PinnedZones.end } ?? true, "\(zone.name)")
        }
        #expect(PinnedZones.references.count == 29)
    }

    @Test("slim zone files are shorter and agree with fat ones for centuries")
    func forms() throws {
        var shorter = 0
        for reference in PinnedZones.references {
            let fat = try PinnedZones.zone(reference.name, .fat)
            let slim = try PinnedZones.zone(reference.name, .slim)
            if slim.transitions.count < fat.transitions.count { shorter += 1 }
            // Every twenty days from 1870 to 2200.
            for day in stride(from: -36_500, to: 84_000, by: 20) {
                let second = Int64(day) * 86_400 + 12_345
                #expect(fat.offset(atSecond: second) == slim.offset(atSecond: second), "\(fat.name) \(second)")
            }
        }
        #expect(shorter > 10)
    }

    @Test("the footer applies after the last transition, even one that changes no offset")
    func footer() throws {
        // The rule alone would put Nuuk an hour later in summer 2023, and Ojinaga an hour later in November 2022.
        for (name, day, offset) in [
            ("America/Nuuk", "2023-07-01", -7200), ("America/Nuuk", "2024-07-01", -3600),
            ("America/Ojinaga", "2022-11-03", -21_600), ("America/Ojinaga", "2023-07-01", -18_000),
        ] {
            for form in PinnedZones.Form.allCases {
                let zone = try PinnedZones.zone(name, form)
                let noon = try LocalDay(parsing: day).microseconds / 1_000_000 + 12 * 3600
                #expect(zone.offset(atSecond: noon) == offset, "\(form) \(name) \(day)")
            }
        }
        // Nothing changes until the rule takes effect.
        let nuuk = try PinnedZones.zone("America/Nuuk", .slim)
        let (start, end) = (try Timestamp(parsing: "2023-03-27"), try Timestamp(parsing: "2024-03-30"))
        #expect(nuuk.isSteady(from: start, to: end))
    }

    @Test("in every pinned zone, days start when clocks first show them and are contiguous")
    func pinnedDays() throws {
        for reference in PinnedZones.references {
            let zone = try PinnedZones.zone(reference.name)
            try checkDays(of: zone, from: "2022-01-01", count: 3 * 365, step: 1)
            for change in reference.changes.dropFirst() {
                let day = zone.day(at: Timestamp(unchecked: change.second * 1_000_000)).advanced(by: -1)
                try checkDays(of: zone, from: day.description, count: 3, step: 1)
            }
        }
    }

    @Test("every zone of the system opens, and its days are contiguous")
    func everyZone() throws {
        let names = ZoneDatabase().names()
        try #require(names.count > 300, "the system has no time zone database")
        for (place, name) in names.enumerated() {
            let zone = try LocalZone(named: name)
            try checkDays(of: zone, from: "2026-01-01", count: 366, step: place % 8 == 0 ? 1 : 7)
        }
    }

    /// Checks that the clock reaches each day's midnight at the day's start and not before.
    private func checkDays(of zone: LocalZone, from first: String, count: Int, step: Int) throws {
        let first = try LocalDay(parsing: first)
        func shown(_ second: Int64) -> Int64 { second + Int64(zone.offset(atSecond: second)) }
        for number in stride(from: 0, to: count, by: step) {
            let day = first.advanced(by: number)
            let (start, midnight) = (zone.start(of: day), day.microseconds / 1_000_000)
            #expect(start.microseconds % 1_000_000 == 0 && shown(start.second) >= midnight, "\(zone.name) \(day)")
            for earlier in [1, 60, 1800, 3600, 7200, 86_400, 100_000] as [Int64] {
                #expect(shown(start.second - earlier) < midnight, "\(zone.name) \(day) \(earlier)")
            }
            let next = zone.start(of: day.advanced(by: 1))
            // A skipped day begins with the day after it.
            #expect(start <= next)
            #expect(zone.day(at: start) == (start < next ? day : day.advanced(by: 1)), "\(zone.name) \(day)")
            #expect(zone.day(at: Timestamp(unchecked: start.microseconds - 1)) < day, "\(zone.name) \(day)")
            #expect(zone.day(at: Timestamp(unchecked: next.microseconds - 1)) <= day, "\(zone.name) \(day)")
        }
    }

    @Test("skipped and repeated times and skipped days have an instant")
    func oddReadings() throws {
        let berlin = try PinnedZones.zone("Europe/Berlin")
        func instant(_ zone: LocalZone, _ day: String, _ minute: String) throws -> String {
            zone.instant(on: try LocalDay(parsing: day), at: try TimeOfDay(parsing: minute)).description
        }
        #expect(try instant(berlin, "2026-03-29", "02:30") == "2026-03-29T01:00:00Z")
        #expect(try instant(berlin, "2026-10-25", "02:30") == "2026-10-25T00:30:00Z")
        #expect(try instant(berlin, "2026-07-01", "00:00") == "2026-06-30T22:00:00Z")
        // Clocks go forward at midnight.
        let cairo = try PinnedZones.zone("Africa/Cairo")
        #expect(try cairo.start(of: LocalDay(parsing: "2026-04-24")).description == "2026-04-23T22:00:00Z")
        #expect(try cairo.timeOfDay(at: cairo.start(of: LocalDay(parsing: "2026-04-24"))).description == "01:00")
        // Samoa had no 30 December 2011.
        let apia = try PinnedZones.zone("Pacific/Apia")
        let missing = try LocalDay(parsing: "2011-12-30")
        #expect(apia.start(of: missing) == apia.start(of: missing.advanced(by: 1)))
        #expect(apia.day(at: apia.start(of: missing)) == missing.advanced(by: 1))
        #expect(try LocalZone(named: "+05:30").offsetSeconds(at: Timestamp(seconds: 0)) == 19_800)
        #expect(try LocalZone(named: "-03:00").offsetSeconds(at: Timestamp(seconds: 0)) == -10_800)
    }

    @Test("every time of day is read with one and with two digits of the hour, and nothing else is")
    func timesOfDay() throws {
        for minute in 0..<1440 {
            let text = TimeOfDay(minute: minute).description
            for form in [text, text.hasPrefix("0") ? String(text.dropFirst()) : text] {
                #expect(try TimeOfDay(parsing: form).minute == minute, "\(form)")
            }
        }
        for text in [
            "", "9", "900", ":900", "9:0", "9:5x", "9:60", "x:30", "24:00", "09:00 ", "009:00", "+9:00", "９:00",
        ] {
            #expect(throws: KinError.self, "\(text)") { try TimeOfDay(parsing: text) }
        }
        // The names of offsets have two digits.
        #expect((try? LocalZone(named: "+5:30")) == nil)
    }

    @Test("any bytes give a zone or an error")
    func hostileBytes() throws {
        var generator = TestSeed().generator
        for (name, form) in [
            ("Europe/Berlin", .fat), ("Asia/Kathmandu", .fat), ("Africa/Casablanca", .fat), ("America/Nuuk", .slim),
        ] as [(String, PinnedZones.Form)] {
            let good = try PinnedZones.database(form).bytes(of: name)
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
                let day = LocalDay(clamping: generator.below(40_000) - 10_000)
                let start = zone.start(of: day)
                #expect(zone.day(at: start) >= day)
                let next = zone.nextTransition(after: start.second)
                #expect(next.map { $0.second > start.second } ?? true)
                #expect(next.map { zone.offset(atSecond: $0.second) == $0.offset } ?? true)
            }
        }
    }

    @Test("the calendar's ends are on its first and last days in any zone")
    func endsOfTheCalendar() throws {
        for offset in ["-12:00", "-00:01", "+00:00", "+05:30", "+14:00"] {
            let zone = try LocalZone(named: offset)
            for text in [
                "0000-01-01T00:00:00Z", "0000-01-01T20:00:00Z", "9999-12-31T04:00:00Z", "9999-12-31T23:59:59Z",
            ] {
                let instant = try Timestamp(parsing: text)
                let day = zone.day(at: instant)
                #expect(try LocalDay(parsing: day.description) == day, "\(text) \(offset)")
                for day in [day, day.advanced(by: 1), day.advanced(by: -1)] {
                    let start = zone.start(of: day)
                    #expect(try Timestamp(parsing: start.description) == start, "\(day) \(offset)")
                }
            }
        }
    }

    @Test("a transition beyond the calendar is refused without a trap")
    func endlessInstants() throws {
        let good = try PinnedZones.database(.slim).bytes(of: "America/Nuuk")
        let zone = try LocalZone(name: "good", tzif: good)
        let last = UInt64(bitPattern: zone.transitions.last.map { max($0, 1_698_541_200) } ?? 0)
        let pattern = (0..<8).map { UInt8(truncatingIfNeeded: last >> (56 - 8 * $0)) }
        let place = try #require(
            (0..<(good.count - 8)).first { good[$0..<($0 + 8)].elementsEqual(pattern) }, "where the last change is")
        for far in [Int64.max, 1 << 60, 9_000_000_000_000_000_000] {
            var bytes = good
            for (number, shift) in stride(from: 56, through: 0, by: -8).enumerated() {
                bytes[place + number] = UInt8(truncatingIfNeeded: far >> Int64(shift))
            }
            #expect(throws: KinError.self) { try LocalZone(name: "far", tzif: bytes) }
        }
    }

    @Test(
        "POSIX rules give the right offsets, and malformed rules are refused",
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
