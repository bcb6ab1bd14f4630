import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// Commands that arrive late, in a different order, or twice, as from an app that was offline.
@Suite("Late and repeated reports")
struct LateReportTests {
    @Test("a report without a fact keeps the stored fact")
    func missingFacts() throws {
        let engine = Engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":30}}"#)
        let sent = #"{"user":"u1","sent":"2026-03-28T10:00:00Z","at":"2026-03-28T"#
        let answered = try engine.call("notified", sent + #"10:05:00Z","answered":true}"#)
        #expect(try engine.call("notified", sent + #"10:06:00Z"}"#) == answered)
        let unknown = answered.replacing("true", with: "null")
        _ = try engine.call("put", "{\"records\":[{\"notification\":\(unknown)}]}")
        #expect(try engine.call("export", #"{"user":"u1"}"#).contains(answered))
        #expect(try engine.call("notified", sent + #"10:07:00Z","answered":false}"#).contains("false"))

        let at = #"{"user":"u1","at":"2026-03-28T10:00:00Z""#
        _ = try engine.call("reflect", at + #","text":"good"}"#)
        let again = try jsonObject(engine.call("reflect", at + #","completed":false}"#))
        #expect(again["text"] as? String == "good" && again["completed"] as? Bool == false)
        #expect(try jsonObject(engine.call("reflect", at + #","text":""}"#))["text"] as? String == "")
    }

    @Test("a notification of the future is refused, beyond the difference of two clocks")
    func futureNotifications() throws {
        let engine = Engine()
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":30}}"#)
        let sent = #"{"user":"u1","answered":true,"sent":"2026-03-28T10:00:00Z","at":"2026-03-28T"#
        _ = try engine.call("notified", sent + #"09:00:00Z"}"#)
        let error = kinError { try engine.call("notified", sent + #"08:59:59Z"}"#) }
        #expect(error?.code == .invalidArgument && error?.message.contains("at most an hour after") == true)
    }

    @Test("a challenge that is completed again has its own message")
    func repeatedCompletion() throws {
        let engine = Engine()
        try engine.put(ChallengeGenerator(seed: 3).challenges(5).map(\.json))
        let at = #"{"user":"u1","at":"2026-03-28T10:00:00Z""#
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":120}}"#)
        let id = try #require(jsonObject(engine.call("complete", at + "}"))["challenge_id"] as? String)
        let error = kinError { try engine.call("complete", at + ",\"challenge\":\"\(id)\"}") }
        #expect(error?.code == .unknownID)
        #expect(
            error?.message.hasSuffix(
                "was completed already, at 2026-03-28T10:00:00Z; to correct this, put the assignment with its true outcome"
            )
                == true)
    }

    @Test("an assigned challenge is answered though the catalogue is empty", arguments: ["complete", "skip"])
    func emptiedCatalogue(answer: String) throws {
        let engine = Engine()
        _ = try engine.call("put", "{\"records\":[\(ChallengeGenerator(seed: 3).challenges(1)[0].json)]}")
        let (at, later) = (#"{"user":"u1","at":"2026-03-28T10:00:00Z"}"#, #"{"user":"u1","at":"2026-03-30T10:00:00Z"}"#)
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"max_time":120}}"#)
        let id = ChallengeGenerator(seed: 3).challenges(1)[0].id
        #expect(try engine.call("assign", at).contains(id))
        _ = try engine.call("remove", "{\"kind\":\"challenge\",\"id\":\"\(id)\"}")
        for method in ["today", "suggest", "assign"] {
            let answer = Result { () throws(KinError) in try engine.call(method, later) }
            switch answer {
            case .success(let text):
                #expect(text.contains(/"(nothing|reason)":|"challenge":null/), "\(method): \(text)")
            case .failure(let error): #expect(error.message.hasPrefix("there are no challenges"), "\(method): \(error)")
            }
        }
        #expect(try jsonObject(engine.call(answer, at))["challenge_id"] as? String == id)
    }

    @Test(
        "late events of a former owner return with the owner, by any way, and a different log of the id is refused",
        arguments: [("mum", "dad"), ("dad", "mum")], [true, false])
    func formerOwners(_ pair: (stays: String, leaves: String), isShared: Bool) throws {
        let engine = Engine()
        let (stays, leaves) = pair
        func put(_ user: String, _ id: String, _ minute: Int, updated: Int = 20) throws {
            let event = """
                {"id":"\(id)","type":"diaper","kind":"wet","start":"2026-03-01T10:\(minute):00Z", \
                "updated":"2026-03-02T10:\(updated):00Z"}
                """
            try engine.putEvents([event], of: user, baby: "ada")
        }
        func owners(_ users: String...) -> String {
            "{\"records\":[{\"baby\":{\"user_id\":\"\(users[0])\",\"id\":\"ada\",\"owners\":[\"\(users.joined(separator: "\",\""))\"]}}]}"
        }
        _ = try engine.call("put", owners("mum", "dad"))
        try put("mum", "a", 10)
        try put("dad", "b", 20)
        let request = "{\"user\":\"\(stays)\",\"baby\":\"ada\",\"other\":\""
        _ = try engine.call("unshare_baby", request + leaves + "\"}")
        try put(leaves, "c", 30)
        try put(leaves, "a", 55, updated: 21)
        try put(leaves, "b", 56, updated: 19)
        try put("gran", "d", 40)
        let method = isShared ? "share_baby" : "put"
        let (again, other) =
            isShared
            ? (request + leaves + "\"}", request + "gran\"}") : (owners(stays, leaves), owners(stays, leaves, "gran"))
        _ = try engine.call(method, again)
        #expect(kinError { try engine.call(method, other) }?.code == .duplicateID)
        for user in ["mum", "dad"] {
            let events = try jsonList(engine.call("events", "{\"user\":\"\(user)\",\"baby\":\"ada\"}"))
            #expect(events.compactMap { $0["id"] as? String } == ["a", "c", "b"], "\(events)")
        }
        #expect(try engine.store.check().isIntact)
    }

    @Test("a change of the rotation that arrives late changes the day of its instant")
    func lateChanges() throws {
        let engine = Engine()
        func day(_ date: String) throws -> Int? {
            let request = "{\"user\":\"u1\",\"at\":\"\(date)T12:00:00Z\"}"
            return try jsonObject(engine.call("rotation", request))["current_day"] as? Int
        }
        func change(_ date: String, _ change: String) throws -> [String: Any] {
            try jsonObject(engine.call("rotation", "{\"user\":\"u1\",\"at\":\"\(date)T00:00:00Z\",\(change)}"))
        }
        _ = try engine.call("prefer", #"{"user":"u1","preferences":{"time_zone":"UTC"},"at":"2026-01-10T00:00:00Z"}"#)
        _ = try change("2026-02-01", "\"day\":100")
        let late = try change("2026-01-15", "\"day\":200")
        #expect(late["current_day"] as? Int == 200 && late["date"] as? String == "2026-01-15")
        let days = ["2026-01-14", "2026-01-15", "2026-01-31", "2026-02-01", "2026-03-01"]
        #expect(try days.map(day) == [5, 200, 216, 100, 128])
        // The same again, and earlier than the first day, which was no change.
        _ = try change("2026-01-15", "\"day\":200")
        _ = try change("2026-01-05", "\"day\":50,\"refresh\":\"06:00\"")
        #expect(try days.map(day) == [59, 200, 216, 100, 128])
        #expect(try day("2026-01-10") == 55)
    }
}
