import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

extension Double {
    fileprivate var squared: Double { self * self }
}

/// The methods of sessions, profiles and missions, by name and typed.
@Suite("Pleasure methods") struct PleasureMethodTests {
    private let engine = Engine(namingKey: Array(0..<32))
    private let here = try? GeographicCoordinates(latitude: 40.7, longitude: -73.9)

    /// Stores a person with sessions, a profile with a state, and items around a place.
    private func fill(state: String?) throws -> PersonGenerator.Person {
        let generator = PersonGenerator(seed: 5)
        let life = generator.person(0, sessions: 40)
        var profile = life.profile
        profile.currentState = state
        let items = generator.inventory(count: 600, around: try #require(here), kilometers: 2)
        try engine.put(life.sessions.map(\.json) + items.map(\.json))
        try engine.put(["{\"profile\":\(profile.json),\"since\":\"2025-06-01T00:00:00Z\"}"])
        return life
    }

    @Test("several moods are a list in any order; a list of one is that mood, and an empty list is none")
    func severalMoods() throws {
        let user = try fill(state: "Worried").profile.userID
        let place = "\"near\":{\"lat\":40.7,\"lng\":-73.9},\"minutes\":120,"
        for (method, more) in [
            ("profile", ""), ("near", "\"k\":7,"), ("inventory", "\"k\":9,"), ("missions", place),
            ("flip_points", place),
        ] {
            func answer(_ mood: String) throws -> String {
                try engine.call(
                    method, "{\(more)\"user\":\"\(user)\",\"at\":\"2025-06-02T09:00:00Z\",\"mood\":\(mood)}")
            }
            let both = try answer(#"["sad","curious"]"#)
            for same in [#"["curious","sad"]"#, #"["sad","curious","sad"]"#, #"["Inquisitive",".sad"]"#] {
                #expect(try answer(same) == both, "\(method) \(same)")
            }
            #expect(try answer(#"["sad"]"#) == answer(#""sad""#), "\(method)")
            #expect(try answer("[]") == answer(#""neutral""#), "\(method)")
            #expect(try answer("null") == answer(#"["anxious"]"#), "\(method)")
            #expect(try answer(#""sad""#) != both && answer(#""curious""#) != both, "\(method)")
            for wrong in [#"["sad","sunny"]"#, #""sad, curious""#, "3", #"[["sad"]]"#] {
                #expect(kinError { try answer(wrong) }.says("mood"), "\(method) \(wrong)")
            }
        }
        let conditions = "\"user\":\"\(user)\",\"mood\":[\"sad\",\"curious\"]"
        let mood = try jsonObject(engine.call("profile", "{\(conditions)}"))["mood"] as? [String: Any]
        #expect(mood?["name"] as? String == "sad, curious")
    }

    @Test("the mood of the profile or request shapes the target, and missions explain it")
    func moodsShapeTargets() throws {
        let user = try fill(state: "Worried").profile.userID
        let at = try Timestamp(parsing: "2025-06-02T09:00:00Z")
        let stated = try engine.profile(of: user, at: at)
        #expect(stated.mood?.moods == [.anxious] && stated.target == stated.mood?.target)
        let plain = try engine.profile(of: user, at: at, moods: [.neutral])
        #expect(plain.mood == nil && plain.target == stated.mood?.targetBefore && plain.target != stated.target)
        #expect(try engine.profile(of: user, at: at, moods: [.anxious]).target == stated.target)
        var missions: [[Mission]] = []
        for mood in Mood.allCases {
            let profile = try engine.profile(of: user, at: at, moods: [mood])
            let asked = "\"user\":\"\(user)\",\"at\":\"\(at)\",\"mood\":\"\(mood.rawValue)\""
            let answer = try jsonObject(engine.call("profile", "{\(asked)}"))
            let shown = answer["mood"] as? [String: Any]
            #expect(shown?["name"] as? String == profile.mood?.moods.first?.rawValue)
            let effects = shown?["effects"] as? [String: Double] ?? [:]
            #expect(effects.count == Pleasure.Dimension.allCases.count { profile.mood?.effects[$0] ?? 0 != 0 })
            // `near` and the ranking use the same target.
            #expect(
                try jsonList(engine.call("near", "{\(asked),\"k\":7}")).map {
                    ($0["session"] as? [String: Any])?["id"] as? String
                }
                    == engine.near(profile.target, k: 7).map(\.session.id), "\(mood)")
            #expect(
                try engine.inventory(ranking: .user(user, at: at, moods: [mood]), k: 7)
                    == engine.inventory(ranking: .point(profile.target), k: 7))
            var conditions = MissionConditions()
            (conditions.instant, conditions.moods) = (at, [mood])
            let found = try engine.missions(
                for: user, near: try #require(here), minutes: 120, conditions: conditions, k: 10)
            missions.append(found)
            let listed = try jsonList(
                engine.call("missions", "{\(asked),\"near\":{\"lat\":40.7,\"lng\":-73.9},\"minutes\":120,\"k\":10}"))
            #expect(listed.count == found.count && !found.isEmpty)
            for (mission, object) in zip(found, listed) {
                let change = object["mood"] as? [String: Any]
                #expect((change == nil) == (mood == .neutral))
                let difference = (change?["change"] as? Double ?? 0) - (mission.mood?.change ?? 0)
                #expect(abs(difference) < 1e-6)
            }
        }
        #expect(Set(missions.map { $0.map { $0.tool.id + " " + $0.space.id } }).count == Mood.allCases.count)
        #expect(throws: KinError.self) { try engine.call("near", #"{"point":{"food":1},"mood":"sad"}"#) }
    }

    @Test("the flips of missions are changes that `missions` confirms")
    func flipPoints() throws {
        let engine = Engine()
        let items = try PersonGenerator(seed: 20).inventory(
            count: 300, around: GeographicCoordinates(latitude: 40.7, longitude: -73.9), kilometers: 3)
        let session =
            #"{"session":{"id":"s","user_id":"u","state":"idle","timestamp_start":"2026-01-01T09:00:00Z","#
            + #""pleasure_vector":{"primary":["food"],"secondary":[],"intensities":{"food":0.5,"mobility":0.9}}}}"#
        _ = try engine.call("put", "{\"records\":[\((items.map(\.json) + [session]).joined(separator: ","))]}")
        func request(_ changes: [String: String]) -> String {
            let near = #"{"lat":40.7,"lng":-73.9}"#
            let standard = ["user": "\"u\"", "near": near, "minutes": "60", "slot": "\"dawn\"", "travel": "\"walk\""]
            let members = standard.merging(changes) { $1 }.sorted { $0.key < $1.key }
            return "{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
        }
        func first(_ changes: [String: String]) -> [String: Any]? {
            (try? jsonList(engine.call("missions", request(changes))))?.first
        }
        let flips = try jsonList(engine.call("flip_points", request([:])))
        #expect(Set(flips.compactMap { $0["condition"] as? String }).count >= 4)
        let mission = try #require(first([:]))
        for flip in flips {
            let condition = try #require(flip["condition"] as? String)
            guard condition != "target" else {
                #expect(flip["dimension"] is String && flip["number"] is Double)
                continue
            }
            let value = (flip["number"] as? Double).map { "\($0)" } ?? (flip["word"] as? String).map { "\"\($0)\"" }
            let after = first([condition: try #require(value)])
            #expect(after as NSDictionary? == flip["mission"] as? NSDictionary)
            #expect(
                after?["tool"] as? String != mission["tool"] as? String
                    || after?["space"] as? String != mission["space"] as? String)
        }
    }

    @Test("missions use the state of the running session before that of the profile")
    func missionsGoByTheRunningSession() throws {
        let life = try fill(state: nil)
        let user = life.profile.userID
        func missions(at time: String, _ state: SessionState? = nil) throws -> [String] {
            var conditions = MissionConditions()
            conditions.instant = try Timestamp(parsing: time)
            conditions.state = state
            return try engine.missions(for: user, near: #require(here), minutes: 120, conditions: conditions, k: 10)
                .map { "\($0.tool.id) \($0.score)" }
        }
        let session = try PleasureSession(
            id: "running", userID: user, history: [.idle, .drift, .socialSync],
            start: Timestamp(parsing: "2027-05-01T10:00:00Z"), end: nil, pleasure: PleasureMarks(), notes: nil,
            embeddingID: nil, transcriptURL: nil, mediaURLs: [])
        _ = try engine.call("put", "{\"records\":[{\"session\":\(session.json)}]}")
        let expected: [(String, SessionState)] = [
            ("2027-05-01T09:59:59Z", .idle), ("2027-05-01T10:00:00Z", .socialSync),
            ("2027-05-02T09:59:59Z", .socialSync), ("2027-05-02T10:00:00Z", .idle),
        ]
        for (time, state) in expected {
            #expect(try missions(at: time) == missions(at: time, state), "\(time)")
        }
        #expect(try missions(at: expected[1].0, .idle) != missions(at: expected[1].0, .socialSync))
        _ = try engine.call("end", #"{"session":"running","at":"2027-05-01T11:00:00Z"}"#)
        #expect(try missions(at: "2027-05-01T10:30:00Z") == missions(at: "2027-05-01T10:30:00Z", .idle))
    }

    @Test("missions use the state of the profile in force at the time")
    func missionsGoByTheStateOfTheTime() throws {
        let life = try fill(state: nil)
        let user = life.profile.userID
        // One state per month, and none before the first.
        var instants: [(at: Timestamp, state: SessionState)] = []
        for (month, state) in SessionState.allCases.enumerated() {
            let at = try Timestamp(parsing: "2025-0\(month + 2)-01T00:00:00Z")
            var profile = life.profile
            profile.sessionState = state
            _ = try engine.call("put", "{\"records\":[{\"profile\":\(profile.json),\"since\":\"\(at)\"}]}")
            for hours in [0, 300] {
                instants.append((try Timestamp(microseconds: at.microseconds + Int64(hours) * 3_600_000_000), state))
            }
        }
        instants.append((try Timestamp(parsing: "2025-01-31T23:59:59Z"), .idle))
        var differing = 0
        for (at, declared) in instants {
            // A session that runs at the time takes precedence.
            let state = try engine.store.withHistory(of: user) { $0.sessionState(at: at) } ?? declared
            var conditions = MissionConditions()
            conditions.instant = at
            let found = try engine.missions(
                for: user, near: #require(here), minutes: 120, conditions: conditions, k: 10)
            for other in SessionState.allCases {
                conditions.state = other
                let stated = try engine.missions(
                    for: user, near: #require(here), minutes: 120, conditions: conditions, k: 10)
                let isSame = zip(found, stated).allSatisfy { $0.tool.id == $1.tool.id && $0.score == $1.score }
                #expect(!found.isEmpty && (other != state || isSame), "\(at)")
                differing += isSame ? 0 : 1
            }
        }
        #expect(differing > instants.count)
    }

    @Test("an empty list names the condition that emptied it")
    func emptyListsSayWhy() throws {
        let user = try fill(state: nil).profile.userID
        let here = #""near":{"lat":40.7,"lng":-73.9}"#
        for asked in ["\"user\":\"\(user)\"", #""point":{"food":1}"#] {
            for status in ["", #","status":["booked","available","maintenance"]"#] {
                let ranked = try jsonList(engine.call("inventory", "{\(asked),\(here),\"k\":600\(status)}"))
                let states = Set(ranked.compactMap { ($0["item"] as? [String: Any])?["status"] as? String })
                #expect(states == (status.isEmpty ? ["available"] : ["available", "booked", "maintenance"]))
                #expect(ranked.allSatisfy { $0["score"] == nil })
            }
        }
        let weighed = try jsonList(
            engine.call("inventory", "{\"point\":{\"food\":1},\(here),\"within_km\":4,\"distance_weight\":0.5}"))
        let scores = weighed.compactMap { $0["score"] as? Double }
        #expect(scores.count == 10 && scores == scores.sorted(by: >))
        for (request, cause) in [
            (#""giving":["food","path","order","power","post","horizon","mobility"]"#, "giving"),
            ("\(here),\"within_km\":0", "within_km"), (#""senses":[{"sense":"nothing"}]"#, "senses"),
        ] {
            let nothing = try jsonObject(engine.call("inventory", "{\(request)}"))["nothing"] as? [String: Any]
            #expect(nothing?["emptied_by"] as? String == cause)
            let miss = try #require(nothing?["nearest_miss"] as? [String: Any])
            #expect((miss["breaks"] as? [String])?.contains(cause) == true && miss["item"] is String)
            #expect((nothing?["left"] as? [String: Int])?[cause] == 0)
        }
        let none = try jsonObject(engine.call("missions", "{\"user\":\"\(user)\",\(here),\"minutes\":0.5}"))
        let nothing = try #require(none["nothing"] as? [String: Any])
        #expect(
            nothing["emptied_by"] is String && nothing["tools"] is [String: Any] && nothing["spaces"] is [String: Any])
        #expect(try Engine().call("inventory", "{}").contains("there are no items"))
    }

    @Test("positions enter and leave geofences, also across calls")
    func positionsCrossGeofences() throws {
        _ = try fill(state: nil)
        let positions = (0..<20).map {
            "{\"at\":\"2026-03-01T09:\(10 + $0):00Z\",\"lat\":40.7,\"lng\":\(-73.95 + 0.005 * Double($0))}"
        }
        func ask(_ positions: ArraySlice<String>, _ inside: [String]) throws -> [String: Any] {
            let quoted = inside.map { "\"\($0)\"" }.joined(separator: ",")
            return try jsonObject(
                engine.call(
                    "geofence_events",
                    "{\"positions\":[\(positions.joined(separator: ","))],\"within_km\":0.4,\"type\":[\"space\"],\"inside\":[\(quoted)]}"
                ))
        }
        let whole = try ask(positions[...], [])
        let first = try ask(positions[..<9], [])
        let second = try ask(positions[9...], try #require(first["inside"] as? [String]))
        func events(_ answer: [String: Any]) throws -> [String] {
            try #require(answer["events"] as? [[String: Any]]).map { "\($0["event"]!) \($0["item"]!) \($0["at"]!)" }
        }
        #expect(try events(first) + events(second) == events(whole))
        #expect(try Set(events(whole).map { String($0.prefix(4)) }) == ["ente", "exit"])
        #expect(second["inside"] as? [String] == whole["inside"] as? [String])
        #expect(throws: KinError.self) { try ask([positions[3], positions[2]], []) }
    }

    @Test("a point is compared in its named dimensions, or in all on request")
    func pointsAreComparedWhereTheyAreNamed() throws {
        _ = try fill(state: nil)
        func ids(_ json: String) throws -> [String?] {
            try jsonList(engine.call("near", json)).map { ($0["session"] as? [String: Any])?["id"] as? String }
        }
        let named = try engine.near([.food: 0.5], comparing: [.food], k: 5)
        #expect(try ids(#"{"point":{"food":0.5},"k":5}"#) == named.map(\.session.id))
        for match in named {
            #expect(abs(match.distance - Double(match.session.embedding[.food] - 0.5).squared) < 1e-6)
        }
        #expect(
            try ids(#"{"point":{"food":0.5},"k":5,"compare":"all"}"#)
                == engine.near([.food: 0.5], k: 5).map(\.session.id))
        // A named zero counts.
        #expect(
            try ids(#"{"point":{"food":0.5,"path":0},"k":5,"where":"state = reflection"}"#)
                == engine.near(
                    [.food: 0.5], comparing: [.food, .path], k: 5,
                    where: FilterExpression(parsing: "state = reflection")
                ).map(\.session.id))
        #expect(throws: KinError.self) { try engine.call("near", #"{"point":{}}"#) }
    }
}
