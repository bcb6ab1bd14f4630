import Foundation
import KinCore
import KinEngine
import KinIndex
import KinPleasure
import KinSamples
import KinStore
import KinTestSupport
import Testing

extension Double {
    fileprivate var squared: Double { self * self }
}

/// The methods of sessions, profiles and missions, by name and typed.
@Suite("Methods of the pleasure space") struct PleasureMethodTests {
    private let engine = Engine(namingKey: Array(0..<32))
    private let here = try? GeographicCoordinates(latitude: 40.7, longitude: -73.9)

    private func object(_ json: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    private func list(_ json: String) throws -> [[String: Any]] {
        try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    }

    /// Puts in a person with sessions, the profile that names a state, and items around.
    private func fill(state: String?) throws -> PersonGenerator.Person {
        let generator = PersonGenerator(seed: 5)
        let life = generator.person(0, sessions: 40)
        var profile = life.profile
        profile.currentState = state
        let items = generator.inventory(count: 600, around: try #require(here), kilometers: 2)
        let records =
            life.sessions.map(\.json) + items.map(\.json)
            + ["{\"profile\":\(profile.json),\"since\":\"2025-06-01T00:00:00Z\"}"]
        _ = try engine.call("put", "{\"records\":[\(records.joined(separator: ","))]}")
        return life
    }

    @Test("the mood of the profile or of the request shapes the target, and missions say what it changes")
    func moodsShapeTargets() throws {
        let user = try fill(state: "Worried").profile.userID
        let at = try Timestamp(parsing: "2025-06-02T09:00:00Z")
        let stated = try engine.profile(of: user, at: at)
        #expect(stated.mood?.mood == .anxious && stated.target == stated.mood?.target)
        let plain = try engine.profile(of: user, at: at, mood: .neutral)
        #expect(plain.mood == nil && plain.target == stated.mood?.targetBefore && plain.target != stated.target)
        #expect(try engine.profile(of: user, at: at, mood: .anxious).target == stated.target)
        var missions: [[Mission]] = []
        for mood in Mood.allCases {
            let profile = try engine.profile(of: user, at: at, mood: mood)
            let asked = "\"user\":\"\(user)\",\"at\":\"\(at)\",\"mood\":\"\(mood.rawValue)\""
            let answer = try object(engine.call("profile", "{\(asked)}"))
            let shown = answer["mood"] as? [String: Any]
            #expect(shown?["name"] as? String == profile.mood?.mood.rawValue)
            let effects = shown?["effects"] as? [String: Double] ?? [:]
            #expect(effects.count == Pleasure.Dimension.allCases.count { profile.mood?.effects[$0] ?? 0 != 0 })
            // What is near and what is ranked goes by the same target.
            #expect(
                try list(engine.call("near", "{\(asked),\"k\":7}")).map {
                    ($0["session"] as? [String: Any])?["id"] as? String
                }
                    == engine.near(profile.target, k: 7).map(\.session.id), "\(mood)")
            #expect(
                try engine.inventory(ranking: .user(user, at: at, mood: mood), k: 7)
                    == engine.inventory(ranking: .point(profile.target), k: 7))
            var conditions = MissionConditions()
            (conditions.instant, conditions.mood) = (at, mood)
            let found = try engine.missions(
                for: user, near: try #require(here), minutes: 120, conditions: conditions, k: 10)
            missions.append(found)
            let listed = try list(
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
        #expect(throws: KinError.self) { try engine.call("profile", "{\"user\":\"\(user)\",\"mood\":\"sunny\"}") }
        #expect(throws: KinError.self) { try engine.call("near", #"{"point":{"food":1},"mood":"sad"}"#) }
    }

    @Test("a point is compared in the dimensions that it names, or in all on request")
    func pointsAreComparedWhereTheyAreNamed() throws {
        _ = try fill(state: nil)
        func ids(_ json: String) throws -> [String?] {
            try list(engine.call("near", json)).map { ($0["session"] as? [String: Any])?["id"] as? String }
        }
        let named = try engine.near([.food: 0.5], comparing: [.food], k: 5)
        #expect(try ids(#"{"point":{"food":0.5},"k":5}"#) == named.map(\.session.id))
        for match in named {
            #expect(abs(match.distance - Double(match.session.embedding[.food] - 0.5).squared) < 1e-6)
        }
        #expect(
            try ids(#"{"point":{"food":0.5},"k":5,"compare":"all"}"#)
                == engine.near([.food: 0.5], k: 5).map(\.session.id))
        // A zero that is named counts.
        #expect(
            try ids(#"{"point":{"food":0.5,"path":0},"k":5,"where":"state = reflection"}"#)
                == engine.near(
                    [.food: 0.5], comparing: [.food, .path], k: 5,
                    where: FilterExpression(parsing: "state = reflection")
                ).map(\.session.id))
        #expect(throws: KinError.self) { try engine.call("near", #"{"point":{}}"#) }
    }
}
