import Foundation
import KinEngine
import KinEngineTrials
import KinSamples
import KinTestSupport
import Synchronization
import Testing

/// Queries write nothing. The next command corrects records that a wrong clock wrote.
@Suite("Queries never write")
struct QuestionTests {
    private let folder = TemporaryFolder()
    private let clock = Clock()

    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let text = Mutex("2026-03-28T20:00:00Z")

        func set(_ instant: String) { text.withLock { $0 = instant } }

        func now() throws(KinError) -> Timestamp { try Timestamp(parsing: text.withLock { $0 }) }
    }

    private func engine(isReadOnly: Bool = false) throws -> Engine {
        let clock = clock
        return try Engine(
            store: folder.path("people.db"), isReadOnly: isReadOnly,
            .init { () throws(KinError) in
                try clock.now()
            })
    }

    /// The number of the store's last change.
    private func change(_ engine: Engine) throws -> Int64 { try engine.store.version().number }

    /// Stores challenges, a user of the app and a second person.
    private func fill(_ engine: Engine) throws {
        let records =
            ChallengeGenerator(seed: 3).challenges(50).map(\.json)
            + ["u1", "u2"].map { "{\"soul\":{\"uid\":\"\($0)\",\"goals\":{\"calm\":4},\"valence\":0.5}}" }
        try engine.put(records)
        for (method, request) in [
            ("prefer", #"{"user":"u1","preferences":{"time_zone":"Europe/Berlin"}}"#), ("assign", #"{"user":"u1"}"#),
            ("reflect", #"{"user":"u1"}"#), ("notified", #"{"user":"u1","sent":"2026-03-28T12:00:00Z"}"#),
        ] { _ = try engine.call(method, request) }
    }

    @Test("a command without a change writes nothing")
    func nothingIsWritten() throws {
        let engine = try engine()
        try fill(engine)
        let (before, everything) = try (change(engine), engine.call("export"))
        for user in ["u1", "nobody"] {
            for (method, more) in [("rotation", ""), ("prefer", #","preferences":{}"#)] {
                _ = try? engine.call(method, "{\"user\":\"\(user)\"\(more)}")
                #expect(try change(engine) == before, "\(method) changes nothing of \(user)")
            }
        }
        #expect(try engine.call("export") == everything && !engine.call("users").contains("nobody"))
    }

    @Test("a read-only store answers queries")
    func readersAsk() throws {
        let writer = try engine()
        try fill(writer)
        try writer.close()
        let reader = try engine(isReadOnly: true)
        for method in ["suggest", "today", "timeline", "progress", "rotation", "next_notification"] {
            #expect(throws: Never.self) { try reader.call(method, #"{"user":"u1"}"#) }
        }
    }

    @Test("writes for an unknown person are refused with the way to begin")
    func nobodyIsMade() throws {
        let engine = try engine()
        try fill(engine)
        let before = try change(engine)
        for (method, more) in [
            ("assign", ""), ("complete", ""), ("skip", ""), ("reflect", ""), ("rotation", #","focus":"health""#),
            ("notified", #","sent":"2026-03-28T12:00:00Z""#),
        ] {
            let error = #expect(throws: KinError.self) { try engine.call(method, "{\"user\":\"u11\"\(more)}") }
            #expect(error?.code == .unknownID && "\(error!)".contains("begins"), "\(method): \(error!)")
        }
        #expect(try change(engine) == before)
        // A person exists after the first command.
        _ = try engine.call("prefer", #"{"user":"u11","preferences":{"max_time":30}}"#)
        #expect(try jsonObject(engine.call("rotation", #"{"user":"u11"}"#))["date"] as? String == "2026-03-28")
        #expect(try jsonObject(engine.call("today", #"{"user":"u11"}"#))["has_begun"] as? Bool == true)
        #expect(try jsonObject(engine.call("today", #"{"user":"u12"}"#))["has_begun"] as? Bool == false)
    }

    @Test("today's challenge is stable all day and is the one assigned or answered")
    func todayIsStable() throws {
        let engine = try engine()
        try fill(engine)
        func challenge(_ user: String, at hour: Int) throws -> String? {
            let today = try jsonObject(
                engine.call("today", "{\"user\":\"\(user)\",\"at\":\"2026-03-30T\(9 + hour):00:00Z\"}"))
            return ((today["challenge"] as? [String: Any])?["challenge"] as? [String: Any])?["id"] as? String
        }
        for number in 0..<30 {
            let user = "p\(number)"
            _ = try engine.call("prefer", "{\"user\":\"\(user)\",\"preferences\":{\"max_time\":60}}")
            let shown = try #require(try challenge(user, at: 1))
            for hour in 2...10 { #expect(try challenge(user, at: hour) == shown, "\(user)") }
            let request = "{\"user\":\"\(user)\",\"at\":\"2026-03-30T21:00:00Z\"}"
            let given = try jsonObject(engine.call(["assign", "complete", "skip"][number % 3], request))
            let id = given["challenge_id"] ?? (given["challenge"] as? [String: Any])?["id"]
            #expect(id as? String == shown, "\(user)")
        }
    }

    @Test("a reflection belongs to its date, and earlier days are answered as they were")
    func earlierDays() throws {
        let engine = try engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":30},"at":"2026-03-20T10:00:00Z"}"#)
        _ = try engine.call("rotation", #"{"user":"u1","focus":"wealth","at":"2026-03-25T10:00:00Z"}"#)
        let today = try jsonObject(engine.call("reflect", #"{"user":"u1","text":"today's"}"#))
        #expect(today["date"] as? String == "2026-03-28" && today["day"] as? Int == 4)
        let before = try jsonObject(
            engine.call("reflect", #"{"user":"u1","text":"yesterday's","at":"2026-03-27T09:00:00Z"}"#))
        #expect(before["date"] as? String == "2026-03-27" && before["day"] as? Int == 3)
        let long = try jsonObject(engine.call("reflect", #"{"user":"u1","at":"2026-03-21T09:00:00Z"}"#))
        #expect(long["date"] as? String == "2026-03-21" && long["day"] as? Int == 2)
        let lines = try jsonList(engine.call("export", #"{"user":"u1"}"#)).compactMap {
            $0["reflection"] as? [String: Any]
        }
        #expect(lines.map { $0["text"] as? String } == ["", "yesterday's", "today's"])
        let days = try jsonList(engine.call("timeline", #"{"user":"u1","at":"2026-03-23T09:00:00Z"}"#))
        #expect(days.map { $0["day"] as? Int } == [4, 5, 1, 2, 3, 4, 5])
        #expect(days[0]["date"] as? String == "2026-03-23")
        // The present is unchanged.
        #expect(try jsonObject(engine.call("rotation", #"{"user":"u1"}"#))["current_day"] as? Int == 4)
        #expect(try jsonObject(engine.call("rotation", #"{"user":"u1"}"#))["days_in_all"] as? Int == 9)
    }

    @Test("progress counts a reflection after travelling west into the day before")
    func reflectionsAfterTravellingWest() throws {
        let engine = try engine()
        func prefer(_ zone: String, _ at: String) throws {
            _ = try engine.call(
                "prefer", "{\"user\":\"u1\",\"preferences\":{\"time_zone\":\"\(zone)\"},\"at\":\"\(at)\"}")
        }
        try prefer("Asia/Tokyo", "2026-03-01T00:00:00Z")
        for day in 1...5 { _ = try engine.call("reflect", "{\"user\":\"u1\",\"at\":\"2026-03-0\(day)T00:00:00Z\"}") }
        try prefer("America/Los_Angeles", "2026-03-05T01:00:00Z")
        let progress = try jsonObject(engine.call("progress", #"{"user":"u1","at":"2026-03-05T01:10:00Z"}"#))
        let content = try #require(progress["content"] as? [String: Any])
        #expect(content["reflected"] as? Int == 5 && content["current_streak"] as? Int == 5)
        // An instant before the flight has its own date.
        let before = try jsonObject(
            engine.call("progress", #"{"user":"u1","at":"2026-03-03T01:10:00Z","zone":"Asia/Tokyo"}"#))
        #expect((before["content"] as? [String: Any])?["reflected"] as? Int == 3)
    }

    @Test(
        "the next write corrects a clock that was years ahead",
        arguments: ["reflect", "rotation", "prefer", "assign"])
    func wrongClock(first: String) throws {
        let engine = try engine()
        try fill(engine)
        func begin(_ user: String) throws {
            _ = try engine.call("put", "{\"records\":[{\"soul\":{\"uid\":\"\(user)\",\"valence\":0.5}}]}")
        }
        let requests = [
            "reflect": "", "rotation": #","focus":"health""#, "prefer": #","preferences":{"max_time":30}"#,
            "assign": "",
        ]
        func tell(_ user: String, _ method: String) throws {
            _ = try engine.call(method, "{\"user\":\"\(user)\"\(requests[method]!)}")
        }
        func rotation(_ user: String) throws -> [String: Any] {
            try jsonObject(engine.call("rotation", "{\"user\":\"\(user)\"}"))
        }
        // One person begins while the clock is wrong; the other began earlier.
        try begin("late")
        try begin("early")
        try tell("early", "reflect")
        clock.set("2031-06-01T08:00:00Z")
        for user in ["late", "early"] { try tell(user, first) }
        clock.set("2026-04-01T08:00:00Z")
        let focus = first == "rotation" ? "health" : nil
        // Queries are correct at once, except for choices made under the wrong clock.
        #expect(try rotation("early")["current_day"] as? Int == 5)
        #expect(try rotation("late")["current_day"] as? Int == 1)
        let change = try change(engine)
        for (user, days) in [("early", 5), ("late", 1)] {
            try tell(user, "reflect")
            let told = try rotation(user)
            #expect(told["date"] as? String == "2026-04-01", "\(told)")
            #expect(told["current_day"] as? Int == (focus == nil ? days : 1), "\(told)")
            #expect(told["days_in_all"] as? Int == days && told["domain_focus"] as? String == focus, "\(told)")
        }
        #expect(try self.change(engine) > change)
        // The same for challenges: a challenge given in 2031 is not today's, and does not prevent a new one.
        for user in ["early", "late"] {
            let given = try jsonObject(engine.call("assign", "{\"user\":\"\(user)\"}"))["given"] as? [String: Any]
            #expect(given?["assigned_date"] as? String == "2026-04-01T08:00:00Z")
            #expect(
                try jsonObject(engine.call("complete", "{\"user\":\"\(user)\"}"))["completed_date"] as? String
                    == "2026-04-01T08:00:00Z")
            let progress = try jsonObject(engine.call("progress", "{\"user\":\"\(user)\"}"))
            #expect((progress["content"] as? [String: Any])?["current_streak"] as? Int == 1)
        }
        clock.set("2026-04-02T08:00:00Z")
        #expect(try rotation("early")["days_in_all"] as? Int == 6)
    }

    @Test(
        "a call from a clock that is ahead does not change the dates of later calls with earlier instants",
        arguments: ["reflect", "prefer", "assign", "rotation"], [-5, 20, 54_000, 34_560_000])
    func clocksAhead(first: String, seconds: Int) throws {
        let engine = try engine()
        try fill(engine)
        let now = try Timestamp(parsing: "2026-04-20T10:00:00Z")
        clock.set(now.description)
        func at(_ seconds: Int) throws -> String {
            "\"at\":\"\(try Timestamp(microseconds: now.microseconds + Int64(seconds) * 1_000_000))\""
        }
        let change = ["prefer": #""preferences":{"max_time":30},"#, "rotation": #""refresh":"00:00","#][first] ?? ""
        _ = try engine.call(first, "{\"user\":\"u1\",\(change)\(at(seconds))}")
        for days in [3, 2, 1] {
            let request = "{\"user\":\"u1\",\"text\":\"\(days) days ago\",\(try at(-days * 86_400))}"
            let reflection = try jsonObject(engine.call("reflect", request))
            #expect(reflection["date"] as? String == "2026-04-\(20 - days)")
            #expect(reflection["text"] as? String == "\(days) days ago")
        }
        // A late change of the day applies from its own date on.
        _ = try engine.call("rotation", "{\"user\":\"u1\",\"day\":100,\(try at(-2 * 86_400))}")
        let days = try [-3, -2, -1, 0].map { days in
            let today = try jsonObject(engine.call("today", "{\"user\":\"u1\",\(try at(days * 86_400))}"))
            return (today["content"] as? [String: Any])?["day"] as? Int
        }
        #expect(days == [21, 100, 101, 102])
    }
}
