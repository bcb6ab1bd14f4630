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
        let fractions: [(String, Int64)] = [("", 0), (".25", 250_000), (".000001", 1), (".999999", 999_999)]
        for _ in 0..<3_000 {
            // From 1600 on, since Foundation's calendar is Gregorian there as well.
            var seconds = Int64(random.below(8_399 * 31_556_952)) - 11_676_096_000
            if random.below(4) == 0 { seconds -= seconds % 86_400 }
            let (fraction, microseconds) = fractions[random.below(fractions.count)]
            let time = try Timestamp(microseconds: seconds * 1_000_000 + microseconds)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: TimeInterval(seconds))
            )
            let text = String(
                format: "%04d-%02d-%02dT%02d:%02d:%02d", parts.year!, parts.month!, parts.day!, parts.hour!,
                parts.minute!,
                parts.second!)
            #expect(try Timestamp(parsing: text + fraction + "Z") == time, "\(text)")
            #expect(try Timestamp(parsing: time.description) == time, "\(time)")
            #expect(time.description == text + fraction + "Z")
        }
        #expect(try Timestamp(parsing: "0000-01-01").microseconds == -62_167_219_200_000_000)
        #expect(try Timestamp(microseconds: -62_167_219_200_000_000).description == "0000-01-01T00:00:00Z")
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

    @Test("local minutes are a date and time of any year, clamped to the calendar")
    func localMinutes() throws {
        for year in [0, 1, 68, 69, 1969, 1970, 2026, 9892, 9893, 9999] {
            for day in ["01-01T00:00:00", "03-08T12:26:40", "12-31T23:59:59"] {
                let text = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)-\(day)"
                let instant = try Timestamp(parsing: text + "Z")
                let time = LocalDateTime(localMinutes: Double(instant.microseconds) / 60e6)
                #expect(time.microseconds == instant.microseconds && time.description == text)
                #expect(LocalDateTime(localMinutes: time.localMinutes) == time)
            }
        }
        for minutes in [1e10, 1e300, .infinity] {
            #expect(LocalDateTime(localMinutes: minutes).date == "9999-12-31")
            #expect(LocalDateTime(localMinutes: -minutes).date == "0000-01-01")
        }
    }

    @Test("a range does not end before it starts")
    func ranges() throws {
        #expect(TimeRange(from: try Timestamp(microseconds: 1), to: try Timestamp(microseconds: 0)) == nil)
    }
}
