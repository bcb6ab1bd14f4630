import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite("Records are returned as they were stored")
struct ReadingBackTests {
    private func list(_ engine: Engine, _ method: String, _ request: [String: Any]) throws -> [[String: Any]] {
        let json = try String(decoding: JSONSerialization.data(withJSONObject: request), as: UTF8.self)
        return try jsonList(engine.call(method, json))
    }

    @Test("pages of events together contain every matching event once, newest first")
    func events() throws {
        var random = TestSeed().generator
        let log = BabyGenerator(seed: 4).log(0, days: 20, age: 90)
        let stored = try CareEvent.events(of: log, userID: "u1", babyID: "b1")
        let engine = Engine()
        try engine.putEvents(stored.shuffled(using: &random).map(\.record.json))
        for _ in 0..<40 {
            let types = Set(RhythmRecord.typeNames.filter { _ in random.below(2) == 0 })
            let times = (0..<2).map { _ in log.records[random.below(log.records.count)].start }.sorted()
            let count = 1 + random.below(90)
            var request: [String: Any] = ["user": "u1", "baby": "b1", "count": count]
            if !types.isEmpty { request["type"] = types.sorted() }
            let (hasStart, hasEnd) = (random.below(2) == 0, random.below(2) == 0)
            if hasStart { request["from"] = "\(times[0])" }
            if hasEnd { request["to"] = "\(times[1])" }
            var found: [String] = []
            while true {
                let page = try list(engine, "events", request).map { try #require($0["id"] as? String) }
                found += page
                guard page.count == count, let last = page.last else { break }
                request["after"] = last
            }
            let expected = stored.filter {
                (types.isEmpty || types.contains($0.record.type.rawValue)) && (!hasStart || $0.record.start >= times[0])
                    && (!hasEnd || $0.record.start < times[1])
            }
            let starts = Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.record.start) })
            #expect(found.count == expected.count && Set(found) == Set(expected.map(\.id)), "\(request)")
            #expect(zip(found, found.dropFirst()).allSatisfy { starts[$0]! >= starts[$1]! })
        }
        let all = try engine.call("events", #"{"user":"u1","baby":"b1"}"#)
        #expect(try list(engine, "events", ["user": "u1", "baby": "b1"]).count == 50)
        let given = try engine.call("events", "{\"log\":\(try engine.log(of: "u1", baby: "b1").json)}")
        #expect(given == all)
    }

    @Test("repaired events are those counted, and raw events those logged")
    func repairedEvents() throws {
        let engine = Engine()
        let events = [
            #"{"id":"e1","type":"sleep","start":"2026-01-05T10:00","end":"2026-01-05T11:00","author":"a"}"#,
            #"{"id":"e2","type":"sleep","start":"2026-01-05T10:04","end":"2026-01-05T11:02","author":"b"}"#,
            #"{"id":"e3","type":"feed","start":"2026-01-05T12:00","method":"bottle","volume":90,"unit":"ml"}"#,
            #"{"id":"e4","type":"diaper","start":"2026-01-05T13:00","kind":"wet","removed":true}"#,
        ]
        try engine.putEvents(events)
        var request: [String: Any] = ["user": "u1", "baby": "b1"]
        #expect(try list(engine, "events", request).map { $0["id"] as? String } == ["e4", "e3", "e2", "e1"])
        request["repaired"] = true
        let repaired = try list(engine, "events", request)
        #expect(
            repaired.count == 2 && repaired[0]["id"] as? String == "e3" && repaired[1]["type"] as? String == "sleep")
        #expect(errorCode { try engine.call("events", #"{"user":"u1","baby":"b1","after":"e9"}"#) } == .unknownID)
        #expect(errorCode { try engine.call("events", #"{"user":"u2","baby":"b1"}"#) } == .unknownID)
        let twice = #expect(throws: KinError.self) {
            try engine.call("events", "{\"log\":[\(events[0]),\(events[0])],\"after\":\"e1\"}")
        }
        #expect(twice?.code == .invalidArgument)
    }

    @Test("reflections between dates belong to one person, newest first")
    func reflections() throws {
        var random = TestSeed().generator
        let engine = Engine()
        var records: [String] = []
        let dates = (1...28).filter { _ in random.below(3) > 0 }.map { String(format: "2026-02-%02d", $0) }
        for user in ["u1", "u2"] {
            for (position, date) in dates.enumerated() {
                records.append(
                    """
                    {"reflection":{"user_id":"\(user)","date":"\(date)","day":\(position + 1),"domain":"health",\
                    "completed":true,"text":"\(user) \(date)","time":"\(date)T20:00:00Z"}}
                    """)
            }
        }
        try engine.put(records)
        for _ in 0..<30 {
            let ends = [1 + random.below(28), 1 + random.below(28)].sorted().map { String(format: "2026-02-%02d", $0) }
            let count = 1 + random.below(12)
            let found = try list(
                engine, "reflections", ["user": "u1", "from": ends[0], "to": ends[1], "count": count])
            let expected = dates.filter { $0 >= ends[0] && $0 <= ends[1] }.reversed().prefix(count)
            #expect(found.map { $0["text"] as? String } == expected.map { "u1 \($0)" })
        }
        #expect(try list(engine, "reflections", ["user": "u1"]).count == dates.count)
    }

    @Test("history has whole challenges and filters by status and category")
    func history() throws {
        let engine = Engine()
        let challenges = ChallengeGenerator(seed: 3).challenges(40)
        try engine.put(challenges.map(\.json))
        let statuses = ["pending", "completed", "skipped"]
        let given = challenges.enumerated().map { place, challenge in
            let at = String(format: "2026-01-%02dT%02d:00:00Z", 1 + place / 2, 8 + place % 2)
            let completed = place % 3 == 1 ? #","completed_date":"\#(at)""# : ""
            return """
                {"user_challenge":{"user_id":"u1","challenge_id":"\(challenge.id)","assigned_date":"\(at)",\
                "status":"\(statuses[place % 3])"\(completed)}}
                """
        }
        try engine.put(given)
        for status in statuses {
            for category in Set(challenges.map(\.category)) {
                let found = try list(
                    engine, "history", ["user": "u1", "status": [status], "category": category, "count": 100])
                let expected = challenges.enumerated().filter {
                    statuses[$0.offset % 3] == status && $0.element.category == category
                }
                let ids = found.map { ($0["challenge"] as? [String: Any])?["id"] as? String }
                #expect(ids == expected.reversed().map(\.element.id), "\(status) \(category)")
            }
        }
        let newest = try engine.call("history", #"{"user":"u1","count":1}"#)
        #expect(newest.contains("\"challenge\":\(try #require(challenges.last).json)"))
        let misspelt = #"{"user":"u1","category":"\#(challenges[0].category)x"}"#
        #expect(kinError { try engine.call("history", misspelt) }.says("did you mean \"\(challenges[0].category)\""))
    }

    @Test("items are returned in the requested order, and missing ids are listed")
    func items() throws {
        let engine = Engine()
        let place = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        let items = PersonGenerator(seed: 5).inventory(count: 12, around: place)
        try engine.put(items.map(\.json))
        var random = TestSeed().generator
        let wanted = items.shuffled(using: &random).prefix(5)
        var ids = wanted.map(\.id)
        ids.insert("nothing", at: 2)
        let json = try String(decoding: JSONSerialization.data(withJSONObject: ["ids": ids]), as: UTF8.self)
        #expect(
            try engine.call("items", json)
                == "{\"items\":[\(wanted.map(\.json).joined(separator: ","))],\"missing\":[\"nothing\"]}")
        #expect(try engine.call("items", #"{"ids":[]}"#) == #"{"items":[],"missing":[]}"#)
    }
}
