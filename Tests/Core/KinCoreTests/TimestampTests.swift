import Foundation
import KinCore
import KinTestSupport
import Testing

@Suite("Timestamps")
struct TimestampTests {
    @Test("parsing and printing agree with Foundation's calendar up to year 9999")
    func againstFoundation() throws {
        var random = TestSeed().generator
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for _ in 0..<3_000 {
            // From 1600 on, since Foundation's calendar is Gregorian there as well.
            let seconds = Int64(random.below(8_399 * 31_556_952)) - 11_676_096_000
            let time = try Timestamp(microseconds: seconds * 1_000_000 + Int64(random.below(2)) * 250_000)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: TimeInterval(seconds))
            )
            let text = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", parts.year!, parts.month!, parts.day!, parts.hour!,
                parts.minute!,
                parts.second!)
            let fraction = time.microseconds % 1_000_000 == 0 ? "" : ".25"
            #expect(try Timestamp(parsing: text + fraction + "Z") == time, "\(text)")
            #expect(try Timestamp(parsing: time.description) == time, "\(time)")
            #expect(time.description == text + fraction + "Z")
        }
        #expect(try Timestamp(parsing: "0000-01-01").microseconds == -62_167_219_200_000_000)
        #expect(try Timestamp(parsing: "9999-12-31T23:59:59.999999Z").description == "9999-12-31T23:59:59.999999Z")
        #expect(errorCode { try Timestamp(parsing: "0000-01-01T00:00:00+01:00") } == .malformedInput)
        #expect(errorCode { try Timestamp(microseconds: 253_402_300_800_000_000) } == .invalidArgument)
    }

    @Test(
        "every accepted ISO 8601 form is parsed",
        arguments: [
            ("2026-01-01", "2026-01-01T00:00:00Z"), ("2026-01-01T00:00Z", "2026-01-01T00:00:00Z"),
            ("2026-01-01 06:30", "2026-01-01T06:30:00Z"),
            ("2026-01-01T06:30:00+02:00", "2026-01-01T04:30:00Z"), ("2026-01-01t06:30:00-0230", "2026-01-01T09:00:00Z"),
            ("2026-01-01T06:30:00,5+02", "2026-01-01T04:30:00.5Z"), ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2026-01-01T06:30:00.1234567z", "2026-01-01T06:30:00.123456Z"),
        ])
    func forms(text: String, canonical: String) throws {
        #expect(try Timestamp(parsing: text).description == canonical)
    }

    @Test("every instant is printed with time and zone, even at midnight")
    func alwaysWithTimeAndZone() throws {
        var random = TestSeed().generator
        let day = CivilDate.microsecondsPerDay
        var instants = [Timestamp.range.lowerBound, Timestamp.range.upperBound, 0, -1, day, -day]
        // Midnights, instants within a microsecond of midnight, and any instants.
        for _ in 0..<2000 {
            let midnight = (Int64(random.below(3_652_425)) - 719_528) * day
            instants += [midnight, midnight + Int64(random.below(3)) - 1, midnight + Int64(random.below(Int(day)))]
        }
        for microseconds in instants where Timestamp.range.contains(microseconds) {
            let time = try Timestamp(microseconds: microseconds)
            let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z/
            #expect(try form.wholeMatch(in: time.description) != nil, "\(time)")
            #expect(try Timestamp(parsing: time.description) == time, "\(time)")
        }
    }

    @Test(
        "invalid times are refused",
        arguments: [
            "", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-02-29", "2100-02-29", "2026-01-01T",
            "2026-01-01T24:00",
            "2026-01-01T06:60", "2026-01-01T06:30:60", "2026-01-01T06:30:00.", "2026-01-01T06:30:00+",
            "2026-01-01T06:30ZZ",
            "2026-01-01T06:30+24:00", "2026-01-01T06:30+02:00x", "2026-01-01x", "+2026-01-01", "２026-01-01",
        ])
    func refused(text: String) {
        #expect(errorCode { try Timestamp(parsing: text) } == .malformedInput)
    }

    @Test("seconds are rounded to microseconds")
    func seconds() throws {
        #expect(try Timestamp(seconds: 1.0000004).microseconds == 1_000_000)
        #expect(try Timestamp(seconds: -0.25).description == "1969-12-31T23:59:59.75Z")
        #expect(errorCode { try Timestamp(seconds: .nan) } == .notFinite)
        #expect(errorCode { try Timestamp(seconds: 1e300) } == .invalidArgument)
    }

    @Test("a range does not end before it starts")
    func ranges() throws {
        #expect(TimeRange(from: try Timestamp(microseconds: 1), to: try Timestamp(microseconds: 0)) == nil)
    }
}
