import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// Every id parameter is converted to the canonical form of ids, or refused by name.
@Suite struct IDRequestTests {
    private let folder = TemporaryFolder()

    private func engine() throws -> Engine { try Engine(store: folder.path("people.db")) }

    /// The error names the unreadable part of a record's key.
    @Test func partsOfKeysAreRefusedByName() async throws {
        let engine = try engine()
        _ = try engine.call("put", #"{"records":[{"uid":"u","valence":0.5}]}"#)
        let right = [
            "since": "2026-01-01", "assigned": "2026-01-01", "sent": "2026-01-01", "date": "2026-01-01", "day": "1",
        ]
        var count = 0
        for kind in Store.recordKinds {
            let names = try Store.keyNames(of: kind)
            for name in names where right[name] != nil || name == "decision" {
                count += 1
                var key = Dictionary(uniqueKeysWithValues: names.map { ($0, $0 == "user" ? "u" : right[$0] ?? "1") })
                #expect(try await !engine.store.remove(kind, key: key))
                key[name] = "soon"
                let error = await #expect(throws: KinError.self) { try await engine.store.remove(kind, key: key) }
                #expect(
                    error?.context.contains { $0.name == "field" && $0.value == name } == true, "\(kind): \(error!)")
            }
        }
        #expect(count > 5)
    }

    @Test func equivalentUnicodeIDsAreOnePerson() throws {
        let engine = try engine()
        let (user, same) = ("zo\u{E9}", "zoe\u{301}")
        let life = PersonGenerator(seed: 5).person(0, sessions: 30)
        let lines = life.sessions.map { $0.json.replacing("\"\($0.userID)\"", with: "\"\(user)\"") }
        #expect(try engine.call("put", "{\"records\":[\(lines.joined(separator: ","))]}") == "{\"session\":30}")
        let soul = "{\"uid\":\"\(same)\",\"valence\":0.5}"
        #expect(try engine.call("put", "{\"records\":[\(soul),{\"uid\":\"b\",\"valence\":0.4}]}") == "{\"soul\":2}")
        #expect(try engine.call("info").contains("\"people\":2"))
        for (method, others) in [
            ("sessions", ""), ("profile", #","at":"2040-01-01""#), ("map", ""),
            ("near", #","at":"2040-01-01","where":"user = 'NAME' or state = 'drift'""#),
            ("similar_souls", ""), ("why", #","other":"b""#), ("inbox", ""), ("history", ""), ("export", ""),
        ] {
            let answers = try [user, same].map { name in
                try engine.call(method, "{\"user\":\"\(name)\"\(others.replacing("NAME", with: name))}")
            }
            #expect(Array(answers[0].utf8) == Array(answers[1].utf8), "\(method)")
            #expect(
                answers[0].utf8.count > 100 || answers[0] == "[]" || method == "similar_souls" || method == "why",
                "\(method): \(answers[0].prefix(200))")
        }
        #expect(try engine.call("forget", "{\"user\":\"\(same)\"}").contains("\"session\":30"))
        #expect(try engine.call("info").contains("\"people\":1"))
    }

    /// Storing a profile for the first time, or again with a different state, does not discard learned values.
    @Test func learnedValuesSurviveNewProfiles() throws {
        let engine = try engine()
        let life = PersonGenerator(seed: 5).person(0, sessions: 40)
        let user = life.sessions[0].userID
        func profile(_ state: String, _ order: Double, since: String) throws {
            let dimensions = Pleasure.Dimension.names.map { "\"\($0)\":\($0 == "order" ? order : 0.5)" }
            let json = """
                {"uid":"\(user)","pleasure_profile":{\(dimensions.joined(separator: ","))},"current_state":"\(state)"}
                """
            _ = try engine.call("put", "{\"records\":[{\"profile\":\(json),\"since\":\"\(since)\"}]}")
        }
        func learned(_ at: String) throws -> (sessions: Int, learned: [String: Double]) {
            let answer = try engine.call("profile", "{\"user\":\"\(user)\",\"at\":\"\(at)\"}")
            let object = try jsonObject(answer)
            return (try #require(object["sessions"] as? Int), try #require(object["learned"] as? [String: Double]))
        }
        _ = try engine.call("put", "{\"records\": [\(life.sessions.map(\.json).joined(separator: ","))]}")
        #expect(try learned("2040-01-01").sessions == 40)
        try profile("rested", 0.2, since: "2035-01-01")
        #expect(try learned("2040-01-01").sessions == 40)
        let before = try learned("2040-01-01")
        try profile("tired", 0.2, since: "2036-01-01")
        let after = try learned("2040-01-01")
        #expect(after.sessions == 40 && after.learned == before.learned)
        // The past is unchanged, and a different taste starts from zero.
        try profile("new", 0.9, since: "2037-01-01")
        #expect(try learned("2040-01-01").sessions == 0)
        #expect(try learned("2036-06-01").sessions == 40)
    }
}
