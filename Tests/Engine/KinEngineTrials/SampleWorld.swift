package import KinEngine
import KinJSON
import KinSamples

/// The material for requests: records of every kind as JSON, of a few people who know each other.
package struct SampleWorld: Sendable {
    /// The ids, by kind: `user`, `session`, `item`, `baby`, `challenge`.
    package let ids: [String: [String]]
    /// Records by kind, in the form that `put` takes.
    package let records: [(kind: String, json: String)]
    package let souls: [String]
    package let analyses: [String]
    package let log: String
    package let clusters: String
    package let realmIndex: String
    package let world: String

    /// - Throws: Errors of the generators and the engine, which indicate a bug.
    package init(seed: UInt64, people: Int = 8) throws(KinError) {
        let lives = PersonGenerator(seed: seed)
        let souls = SoulGenerator(seed: seed, communities: 3)
        let centre = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        var records: [(kind: String, json: String)] = []
        var users: [String] = []
        var sessions: [String] = []
        for person in 0..<people {
            let life = lives.person(person, sessions: 12)
            let user = life.sessions[0].userID
            users.append(user)
            sessions += life.sessions.map(\.id)
            records += life.sessions.map { ("session", "{\"session\":\($0.json)}") }
            records += life.sessions.prefix(6).enumerated().map { number, session in
                (
                    "session_embedding",
                    """
                    {"session_embedding":{"user_id":"\(user)","session_id":"\(session.id)","model":"transcript",\
                    "vector":[1,0.\(number),0.\(person)]}}
                    """
                )
            }
            let profile = try PleasureProfile(userID: user, pleasure: life.sessions[0].embedding)
            records.append(("profile", "{\"profile\":\(profile.json),\"since\":\"2020-01-01T00:00:00Z\"}"))
            records.append(("soul", "{\"soul\":\(Self.soul(souls.soul(person).json, of: user))}"))
            records.append(
                (
                    "challenge_preferences",
                    """
                    {"challenge_preferences":{"user_id":"\(user)","max_time":45,"time_zone":"Europe/Berlin",\
                    "recovery_days":3,"daily_budget":2}}
                    """
                ))
        }
        let items = lives.inventory(count: 60, around: centre)
        records += items.map { ("inventory_item", "{\"inventory_item\":\($0.json)}") }
        let challenges = ChallengeGenerator(seed: seed).challenges(12)
        records += challenges.map { ("challenge", "{\"challenge\":\($0.json)}") }
        let generator = ImageAnalysisGenerator(seed: seed)
        let analyses = (0..<24).map { generator.image($0).analysis.json }
        records += analyses.map { ("image", "{\"image\":\($0)}") }
        let policies = [
            try NamedPolicy(name: "arms", policy: BanditPolicy(dimension: 3, arms: 3, seed: seed)),
            try NamedPolicy(name: "actions", policy: BanditPolicy(dimension: 3, seed: seed)),
        ]
        records += policies.map { ("policy", "{\"policy\":\($0.jsonText)}") }
        records.append(
            (
                "baby",
                "{\"baby\":{\"user_id\":\"\(users[0])\",\"id\":\"b1\",\"name\":\"Bo\",\"date_of_birth\":\"2026-01-01\"}}"
            ))
        let log = BabyGenerator(seed: seed).log(0, days: 9, age: 60)
        for (number, event) in log.records.prefix(40).enumerated() {
            let json = event.json.dropFirst()
            let id = json.contains("\"id\":") ? "" : "\"id\":\"e\(number)\","
            records.append(
                (
                    "care_event",
                    "{\"care_event\":{\"user_id\":\"\(users[0])\",\"baby\":\"b1\",\"event\":{\(id)\(json)}}"
                ))
        }
        self.records = records
        self.souls = (0..<people).map { Self.soul(souls.soul($0).json, of: users[$0]) }
        self.analyses = analyses
        self.log = log.json
        let engine = Engine()
        let found = try engine.call(
            "cluster", "{\"analyses\":[\(analyses.joined(separator: ","))],\"k\":3,\"restarts\":2}")
        let parts = try JSONReader.read(found) { reader throws(KinError) in try reader.rawMembers() }
        clusters = parts.first { $0.name == "clusters" }?.value ?? "null"
        realmIndex = parts.first { $0.name == "realm_index" }?.value ?? "null"
        let made = try? engine.call(
            "world", "{\"clusters\":\(clusters),\"realm_index\":\(realmIndex),\"name\":\"W\",\"realms\":1}")
        world = made ?? "null"
        ids = [
            "user": users, "session": sessions, "item": items.map(\.id), "baby": ["b1"],
            "challenge": challenges.map(\.id), "policy": policies.map(\.name),
            "model": ["transcript"],
        ]
    }

    /// The soul under a different person's id.
    private static func soul(_ json: String, of user: String) -> String {
        json.replacing(#/"uid":"[^"]*"/#, with: "\"uid\":\"\(user)\"", maxReplacements: 1)
    }

    /// Stores all records with an engine.
    package func fill(_ engine: Engine) throws(KinError) {
        _ = try engine.call("put", "{\"records\":[\(records.map(\.json).joined(separator: ","))]}")
    }
}
