import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite("Sessions stored with an end, and geofences of selected items")
struct EndedSessionTests {
    private func session(_ id: String, _ state: String, end: String?) -> String {
        let end = end.map { #","timestamp_end":"\#($0)""# } ?? ""
        return """
            {"id":"\(id)","user_id":"u1","state":"\(state)","state_history":["idle","drift"],\
            "timestamp_start":"2026-01-05T10:00:00Z"\(end),"pleasure_vector":{"primary":["food"]}}
            """
    }

    @Test("ended sessions can move to reflection and keep their end")
    func reflection() throws {
        let engine = Engine()
        let end = "2026-01-05T11:00:00Z"
        let records = ["s1", "s2", "s3"].map { session($0, "drift", end: end) } + [session("s4", "drift", end: nil)]
        try engine.put(records)
        for (method, request) in [
            ("end", #"{"session":"s1"}"#), ("advance", #"{"session":"s2","state":"reflection"}"#),
            ("end", #"{"session":"s3","at":"\#(end)"}"#),
        ] {
            let answer = try jsonObject(engine.call(method, request))
            #expect(
                answer["state"] as? String == "reflection" && answer["timestamp_end"] as? String == end, "\(request)")
            #expect(throws: KinError.self, "\(request) again") { try engine.call(method, request) }
        }
        #expect(throws: KinError.self) { try engine.call("advance", #"{"session":"s4","state":"reflection"}"#) }
        #expect(
            try jsonObject(engine.call("advance", #"{"session":"s1","state":"idle"}"#))["state"] as? String == "idle")
        let again = #expect(throws: KinError.self) { try engine.call("end", #"{"session":"s1"}"#) }
        #expect("\(try #require(again))".contains(end))
        _ = try engine.call("put", "{\"records\":[\(session("s5", "drift", end: end))]}")
        #expect(throws: KinError.self) { try engine.call("end", #"{"session":"s5","at":"2026-01-05T12:00:00Z"}"#) }
    }

    @Test("geofences have names and cover the items with the given senses and dimensions")
    func geofences() throws {
        let engine = Engine()
        let place = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        let items = PersonGenerator(seed: 5).inventory(count: 60, around: place)
        try engine.put(items.map(\.json))
        let names = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.name) })
        let here = #""near":{"lat":40.7,"lng":-73.9},"within_km":30,"k":100"#
        let walk = #""positions":[{"at":"2026-03-01T09:00:00Z","lat":40.7,"lng":-73.9}],"within_km":30"#
        var counts: Set<Int> = []
        for conditions in [
            "", #","giving":["food"]"#, #","senses":[{"sense":"touch"}]"#, #","senses":[{"context":"zzz"}]"#,
        ] {
            // An empty answer is an object that says why.
            let found = (try? jsonList(engine.call("inventory", "{\(here)\(conditions)}"))) ?? []
            let expected = Set(found.compactMap { ($0["item"] as? [String: Any])?["id"] as? String })
            let answer = try jsonObject(engine.call("geofence_events", "{\(walk)\(conditions)}"))
            let events = try #require(answer["events"] as? [[String: Any]])
            #expect(Set(events.compactMap { $0["item"] as? String }) == expected, "\(conditions)")
            #expect(events.allSatisfy { $0["name"] as? String == names[$0["item"] as? String ?? ""] })
            counts.insert(events.count)
        }
        #expect(counts.count > 2)
        let gone = try engine.call(
            "geofence_events", #"{"positions":[{"at":"2026-03-01T09:00:00Z","lat":0,"lng":0}],"inside":["none"]}"#)
        #expect(gone.contains(#""item":"none","name":null"#))
    }
}
