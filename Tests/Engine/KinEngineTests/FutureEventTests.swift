import KinEngine
import KinTestSupport
import Testing

/// Events that a wrong date puts after the present.
@Suite("Events in the future")
struct FutureEventTests {
    private let engine = Engine.standing(at: "2026-04-26T12:30:00Z")

    /// Three weeks of sleeps and feeds up to the present, as events of a list.
    private static func events(_ suffix: String) -> [String] {
        (5...26).flatMap { day in
            [("sleep", "07:30", "09:00"), ("sleep", "12:00", "12:20"), ("feed", "09:10", "09:20")].map {
                type, start, end in
                let date = "2026-04-\(day < 10 ? "0" : "")\(day)T"
                return
                    #"{"id":"\#(type)\#(day)\#(start)","type":"\#(type)","start":"\#(date)\#(start)\#(suffix)","end":"\#(date)\#(end)\#(suffix)"}"#
            }
        }
    }

    @Test(
        "a log's last event is the last one up to the present, and repairs list those after it",
        arguments: [("Z", "2026-05-16T20:00Z"), ("", "2026-05-16T20:00"), ("+02:00", "2026-04-26T17:00+02:00")])
    func forecasts(suffix: String, slip: String) throws {
        func answers(_ log: String) throws -> [String] {
            try ["forecast", "predictions", "sleep_state", "day_plan"].map { try engine.call($0, "{\(log)}") }
        }
        let events = Self.events(suffix)
        let wrong = #"{"id":"slip","type":"feed","start":"\#(slip)"}"#
        let expected = try answers("\"log\":[\(events.joined(separator: ","))]")
        #expect(expected[0].contains("\"point\""), "\(expected[0])")
        let log = "\"log\":[\(events.joined(separator: ",")),\(wrong)]"
        #expect(try answers(log) == expected)
        #expect(try engine.call("repairs", "{\(log)}").contains("in_future"))

        try engine.putEvents(events + [wrong], of: "u", baby: "b")
        #expect(try answers(#""user":"u","baby":"b""#) == expected)
        #expect(try engine.call("repairs", #"{"user":"u","baby":"b"}"#).contains("in_future"))
    }

    @Test("a log whose events are all in the future is asked at its last one")
    func otherTime() throws {
        let log = Self.events("Z").joined(separator: ",").replacing("2026-04", with: "2027-04")
        #expect(try engine.call("forecast", "{\"log\":[\(log)]}").contains("\"now\":\"2027-04-26T12:20:00Z\""))
        #expect(try !engine.call("repairs", "{\"log\":[\(log)]}").contains("in_future"))
    }

    @Test("a soul learns nothing from an event of the future, beyond the difference of two clocks")
    func souls() throws {
        let request =
            #"{"events":[{"uid":"u","at":"2026-04-25T07:00:00Z","minutes":20},{"uid":"u","at":"2026-04-26T13:30:0"#
        let error = kinError { try engine.call("learn_souls", request + #"1Z","minutes":20}]}"#) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.description.contains("at must be at most an hour after the present") == true, "\(error!)")
        #expect(try engine.call("learn_souls", request + #"0Z","minutes":20}]}"#).contains("\"sessions\":2"))
    }
}
