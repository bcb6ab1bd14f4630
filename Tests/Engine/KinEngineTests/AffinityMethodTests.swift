import Foundation
import KinEngine
import KinEngineTrials
import KinSamples
import KinTestSupport
import Testing

@Suite struct AffinityMethodTests {
    private let people = (0..<120).map { SoulGenerator(seed: 6, communities: 4).soul($0) }

    private var souls: String { "[\(people.map(\.json).joined(separator: ","))]" }

    @Test func comparesWithoutAStore() throws {
        let engine = Engine()
        let model = AffinityModel(shrinksScores: true)
        let affinity = model.affinity(between: people[0], and: people[1])
        #expect(try engine.call("affinity", "{\"a\":\(people[0].json),\"b\":\(people[1].json)}") == affinity.json)
        let weighted = try engine.call(
            "affinity", "{\"a\":\(people[0].json),\"b\":\(people[1].json),\"weights\":{\"objects\":3}}")
        #expect(weighted.hasPrefix("{\"score\":") && weighted != affinity.json)
        #expect(try engine.call("match", "{\"souls\":\(souls),\"k\":2}").split(separator: "{").count == 241)
        #expect(try !engine.call("match", "{\"souls\":\(souls),\"above\":0.9,\"every_goal_alike\":true}").isEmpty)
        #expect(errorCode { try engine.call("match", "{\"souls\":\(souls),\"user\":\"x\"}") } == .unknownID)
        #expect(
            errorCode { try engine.call("affinity", "{\"a\":{\"uid\":\"a\",\"valence\":2},\"b\":{\"uid\":\"b\"}}") }
                == .invalidArgument)
        #expect(errorCode { try engine.call("similar_souls", "{\"user\":\"u7\"}") } == .unknownID)
    }

    /// A store's model applies to every method, and to engines without a store that receive the model.
    @Test func everyMethodUsesTheStoresModel() throws {
        let engine = Engine()
        try engine.put(people.map(\.json))
        func soul(_ id: String) throws -> String { try #require(people.first { $0.userID == id }).json }
        func expectOneAnswer() throws {
            let model = try engine.call("affinity_model")
            let kindred = try engine.call("similar_souls", #"{"user":"u7","k":3}"#)
            #expect(try engine.call("match", "{\"souls\":\(souls),\"user\":\"u7\",\"k\":3}") == kindred)
            #expect(
                try Engine().call("match", "{\"souls\":\(souls),\"user\":\"u7\",\"k\":3,\"model\":\(model)}") == kindred
            )
            for rest in ["\"k\":3", "\"above\":0.5"] {
                #expect(
                    try engine.call("similar_pairs", "{\(rest)}")
                        == engine.call("match", "{\"souls\":\(souls),\(rest)}"))
            }
            let first = String(try #require(kindred.split(separator: "\"").dropFirst(7).first))
            let why = try engine.call("why", "{\"user\":\"u7\",\"other\":\"\(first)\"}")
            let pair = "\"a\":\(try soul("u7")),\"b\":\(try soul(first))"
            #expect(try engine.call("affinity", "{\(pair)}") == why)
            #expect(try Engine().call("affinity", "{\(pair),\"model\":\(model)}") == why)
            let score = try #require(why.split(separator: ",").first).dropFirst(1)
            #expect(kindred.contains(score), "\(kindred) \(why)")
            // These weights apply to this call only.
            let weights = #""weights":{"realms":1},"every_goal_alike":true"#
            let other = try engine.call("why", "{\"user\":\"u7\",\"other\":\"\(first)\",\(weights)}")
            #expect(try other == engine.call("affinity", "{\(pair),\(weights)}") && other != why)
            // Without records there is no population for `nearer_than`.
            let plain = try Engine().call("affinity", "{\(pair),\"weights\":{\"realms\":1}}")
            #expect(other.replacing(/"nearer_than":[^,]*,/, with: "") == plain && other != plain)
        }
        try expectOneAnswer()
        for kept in [
            #"{"weights":{"goals":1,"objects":3}}"#, #"{"every_goal_alike":true}"#, #"{"every_goal_alike":false}"#,
        ] {
            let answer = try engine.call("keep_affinity_model", kept)
            #expect(try answer == engine.call("affinity_model"))
            #expect(answer.hasPrefix(#"{"weights":{"goals":0.25,"realms":0.0,"objects":0.75,"#), "\(answer)")
            #expect(answer.contains("\"people\":120,\"goals\":{") == !kept.contains("true"))
            try expectOneAnswer()
        }
        let exported = try engine.call("export")
        #expect(exported.contains(#"{"affinity_model":{"weights":{"goals":0.25,"#))
        #expect(errorCode { try engine.call("keep_affinity_model", #"{"weights":{"goals":-1}}"#) } == .invalidArgument)
        #expect(try Engine().call("affinity_model").contains("\"people\":0,\"goals\":{}"))
        // The ids of two people who share only an equal mood: they are alike and not connected.
        _ = try engine.call(
            "put", #"{"records":[{"soul":{"uid":"x","valence":0.5}},{"soul":{"uid":"y","valence":0.5}}]}"#)
        _ = try engine.call("keep_affinity_model", #"{"weights":{"goals":8,"valence":1}}"#)
        let thin = try engine.call("why", #"{"user":"x","other":"y"}"#)
        #expect(thin.hasPrefix(#"{"score":1.0,"connection":"distant_echo","coverage":0.11"#), "\(thin)")
        #expect(try engine.call("similar_souls", #"{"user":"x","k":1}"#).contains(#""compared":["valence"]"#))
    }

    @Test func contributionsReachSimilarPeople() throws {
        let engine = Engine()
        #expect(try engine.put(people.map(\.json)) == "{\"soul\":120}")
        let story = "{\"story\":{\"title\":\"The shell\",\"content\":\"Once.\"}}"
        #expect(try engine.call("contribute", "{\"user\":\"u7\",\"contribution\":\(story)}").hasPrefix("{\"id\":\""))
        #expect(try engine.call("route").hasPrefix("{\"contributions\":1,"))
        #expect(
            try engine.call("route")
                == "{\"contributions\":0,\"deliveries\":0,\"newcomers\":0,\"waiting\":0,\"over_limit\":0}")
        let matcher = try SoulMatcher(people, model: AffinityModel(shrinksScores: true))
        let kindred = try #require(try matcher.mostSimilar(to: "u7", k: 1).first).userID
        #expect(try engine.call("similar_souls", "{\"user\":\"u7\",\"k\":1}").contains("\"other\":\"\(kindred)\""))
        #expect(
            try engine.call("why", "{\"user\":\"u7\",\"other\":\"\(kindred)\"}")
                == matcher.calibrated(.standard, by: matcher.calibration(pairs: 1 << 12)).affinity(
                    between: "u7", and: kindred
                ).json)
        let inbox = try engine.call("inbox", "{\"user\":\"\(kindred)\"}")
        #expect(inbox.contains("The shell") && !inbox.contains("u7"))
        let item = try #require(inbox.split(separator: "\"").dropFirst(3).first)
        for (method, state) in [("accept", "accepted"), ("decline", "declined"), ("block", "declined")] {
            #expect(try engine.call(method, "{\"user\":\"\(kindred)\",\"item\":\"\(item)\"}") == "{}")
            #expect(try engine.call("inbox", "{\"user\":\"\(kindred)\",\"state\":\"\(state)\"}").contains("The shell"))
        }
        let since = "{\"user\":\"\(kindred)\",\"since\":\"2020-01-01\"}"
        #expect(try engine.call("digest", since).hasSuffix("\"counts\":{},\"items\":[]}"))
        #expect(try engine.call("digest", since).contains("\"zones\":0,\"stories\":0,\"summary\":\"nothing new\""))
    }

    /// Connections by quantiles are equal in every method, for one call or as a stored setting.
    @Test func connectsByQuantiles() throws {
        let engine = Engine()
        try engine.put(people.map(\.json))
        let fixed = try engine.call("similar_souls", #"{"user":"u7","k":5}"#)
        #expect(!fixed.contains("nearer_than"))
        let once = try engine.call("similar_souls", #"{"user":"u7","k":5,"connections":"quantile"}"#)
        #expect(once.contains("\"nearer_than\":") && once != fixed)
        #expect(try engine.call("similar_souls", #"{"user":"u7","k":5}"#) == fixed)
        #expect(
            try engine.call("match", "{\"souls\":\(souls),\"user\":\"u7\",\"k\":5,\"connections\":\"quantile\"}")
                == once)
        // Without records, the quantiles come from the given souls.
        #expect(
            try Engine().call("match", "{\"souls\":\(souls),\"user\":\"u7\",\"k\":5,\"connections\":\"quantile\"}")
                == once)
        let kept = try engine.call(
            "keep_affinity_model",
            #"{"quantiles":{"soul_mirror":0.9999},"minimum_coverage":0.7,"deliveries_per_day":3}"#)
        #expect(
            kept.contains(
                #""quantiles":{"parallel_path":0.95,"resonant_traveller":0.98,"kindred_spirit":0.995,"soul_mirror":0.9999}"#
            ))
        #expect(kept.contains("\"bounds\":{\"parallel_path\":") && kept.contains("\"minimum_coverage\":0.7"))
        #expect(try engine.store.affinitySettings().delivery == DeliveryLimits(perDay: 3))
        #expect(try engine.call("similar_souls", #"{"user":"u7","k":5}"#).contains("nearer_than"))
        // The fixed bounds for one call, then as a stored setting. Settings that are not given stay.
        let again = try engine.call("similar_souls", #"{"user":"u7","k":5,"connections":"score","minimum_coverage":0}"#)
        #expect(again == fixed)
        let score = try engine.call("keep_affinity_model", #"{"connections":"score","deliveries_per_day":0}"#)
        #expect(!score.contains("quantiles") && score.contains("\"minimum_coverage\":0.7"))
        #expect(try engine.store.affinitySettings().delivery == DeliveryLimits())
        for wrong in [#"{"connections":"rank"}"#, #"{"quantiles":{"soul_mirror":0.1}}"#, #"{"deliveries_per_day":-1}"#]
        {
            #expect(errorCode { try engine.call("keep_affinity_model", wrong) } != nil, "\(wrong)")
        }
    }

    @Test func soulsAreLearnedAndWorldsJoined() throws {
        let engine = Engine()
        let events = ["maker", "guest"].map {
            #"{"uid":"\#($0)","at":"2026-03-01T22:30:00Z","goals":["Calm","sleep"],"realms":["Ocean"],"objects":["moon"],"minutes":20,"reaction":1}"#
        }
        let learned = try engine.call(
            "learn_souls", "{\"events\":[\(events.joined(separator: ","))],\"zone\":\"Europe/Berlin\"}")
        #expect(
            learned.hasPrefix(#"[{"uid":"guest","goals":{"Calm":2.0,"sleep":2.0},"#)
                && learned.contains("\"history\":{\"sessions\":1,"))
        #expect(try engine.call("why", #"{"user":"maker","other":"guest"}"#).contains(#""anxiety_relief":"#))
        let zone = #"{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"calm":0.9},"scenes":4}"#
        let story = #"{"title":"The shell","content":"Once","triggerZone":"moon pool"}"#
        for contribution in [zone, story, story.replacing("The shell", with: "The moon")] {
            _ = try engine.call("contribute", "{\"user\":\"maker\",\"contribution\":\(contribution)}")
        }
        #expect(try engine.call("route").hasPrefix("{\"contributions\":3,\"deliveries\":3,"))
        #expect(
            try engine.call("digest", #"{"user":"guest","since":"2020-01-01"}"#)
                .contains(#""authors":1,"zones":1,"stories":2,"summary":"1 zone, 2 stories""#))
        let sample = try SampleWorld(seed: 5).world
        let world = try engine.call("join_world", "{\"user\":\"guest\",\"world\":\(sample)}")
        #expect(world.contains("\"contributed_zones\":[{\"id\":\"c.") && !world.contains("maker"))
        let joined = try RealmWorld(json: world)
        #expect(joined.contributedZones[0].values[.anxietyRelief] == 0.9)
        #expect(joined.contributedStories.map(\.zone) == [String?](repeating: joined.contributedZones[0].id, count: 2))
        // The maker's world does not change. A declined contribution leaves the world.
        let other = try engine.call("join_world", "{\"user\":\"maker\",\"world\":\(world)}")
        #expect(try other == RealmWorld(json: sample).json)
        let item = String(joined.contributedZones[0].id.dropFirst(2))
        _ = try engine.call("decline", "{\"user\":\"guest\",\"item\":\"\(item)\"}")
        let less = try RealmWorld(json: engine.call("join_world", "{\"user\":\"guest\",\"world\":\(world)}"))
        #expect(less.contributedZones.isEmpty && less.contributedStories.map(\.zone) == [nil, nil])
        // Forgetting the maker removes the contributions.
        _ = try engine.call("forget", #"{"user":"maker"}"#)
        #expect(
            try engine.call("join_world", "{\"user\":\"guest\",\"world\":\(world)}") == RealmWorld(json: sample).json)
    }
}
