import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

/// The methods' ranked answers with diversity, examples, category limits and exclusion.
@Suite("Varied answers") struct VariedAnswerTests {
    /// An entry of a ranking, computed by the tests.
    private struct Entry {
        let id: String
        let cost: Double
        let category: String
    }

    /// The list, computed by trying every entry at every step; entries with equal costs stay in order.
    private func tried(
        _ all: [Entry], _ k: Int, diversity: Double, limit: Int = .max, excluded: Set<String> = [],
        distance: (String, String) throws -> Double
    ) rethrows -> [String] {
        var (chosen, counts) = ([Entry](), [String: Int]())
        while chosen.count < k {
            var best: (cost: Double, entry: Entry)?
            for entry in all
            where !excluded.contains(entry.id) && counts[entry.category, default: 0] < limit
                && !chosen.contains(where: { $0.id == entry.id })
            {
                var cost = entry.cost
                if diversity > 0, let nearest = try chosen.map({ try distance(entry.id, $0.id) }).min() {
                    cost = (1 - diversity) * cost - diversity * nearest
                }
                if best == nil || cost < best!.cost - 1e-12 { best = (cost, entry) }
            }
            guard let best else { break }
            chosen.append(best.entry)
            counts[best.entry.category, default: 0] += 1
        }
        return chosen.map(\.id)
    }

    private func ids(_ json: String, of member: String) throws -> [String] {
        try jsonList(json).map {
            try #require(($0[member] as? [String: Any])?["id"] as? String ?? $0[member] as? String)
        }
    }

    // MARK: Sessions and items

    private func people() throws -> (engine: Engine, sessions: [PleasureSession], items: [InventoryItem]) {
        let engine = Engine(namingKey: Array(0..<32))
        let generator = PersonGenerator(seed: 11)
        let sessions = generator.person(0, sessions: 60).sessions
        let items = generator.inventory(
            count: 150, around: try GeographicCoordinates(latitude: 40.7, longitude: -73.9), kilometers: 2)
        let records = sessions.map(\.json) + items.map(\.json)
        try engine.put(records)
        return (engine, sessions, items)
    }

    @Test("sessions resemble the target and liked ones but not disliked ones")
    func sessions() throws {
        let (engine, sessions, _) = try people()
        let vectors = Dictionary(uniqueKeysWithValues: sessions.map { ($0.id, $0.embedding.vector.map(Double.init)) })
        func squared(_ a: [Double], _ b: [Double]) -> Double {
            zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        }
        func distance(_ a: String, _ b: String) throws -> Double {
            squared(try #require(vectors[a]), try #require(vectors[b]))
        }
        let query = sessions[7].id
        let plain = try engine.call("near", "{\"session\":\"\(query)\",\"k\":12}")
        #expect(try engine.call("near", "{\"session\":\"\(query)\",\"k\":12,\"diversity\":0,\"exclude\":[]}") == plain)
        let near = try ids(plain, of: "session")
        let (liked, disliked) = ([near[3]], [near[1], near[5]])
        let seen = [near[0], near[4], "nobody"]
        let all = try sessions.filter { !([query] + liked + disliked).contains($0.id) }.map { session in
            Entry(
                id: session.id,
                cost: try (distance(query, session.id) + distance(liked[0], session.id)) / 2 - 0.5
                    * (distance(disliked[0], session.id) + distance(disliked[1], session.id)) / 2,
                category: session.state.name)
        }
        let request = """
            {"session":"\(query)","k":8,"diversity":0.2,"liked":["\(liked[0])"],"disliked":["\(disliked.joined(separator: "\",\""))"],\
            "exclude":["\(seen.joined(separator: "\",\""))"],"per_category":3}
            """
        let found = try ids(engine.call("near", request), of: "session")
        #expect(
            try found == tried(all, 8, diversity: 0.2, limit: 3, excluded: Set(seen), distance: distance))
        // If only some dimensions are named, they are those of the point.
        let point = try ids(
            engine.call("near", #"{"point":{"food":0.9,"order":0.1},"k":9,"diversity":0.3}"#), of: "session")
        let places = [
            Pleasure.Dimension.allCases.firstIndex { $0.name == "food" }!,
            Pleasure.Dimension.allCases.firstIndex { $0.name == "order" }!,
        ]
        func part(_ id: String) throws -> [Double] { places.map { vectors[id]![$0] } }
        let byPoint = try sessions.map {
            Entry(id: $0.id, cost: squared(try part($0.id), [Double(Float(0.9)), Double(Float(0.1))]), category: "")
        }
        let named = Set(places.map { Pleasure.Dimension.allCases[$0] })
        let typed = try engine.near(
            sessions[7].embedding, taste: ListTaste(variety: ListVariety(diversity: 0.3)), comparing: named, k: 9)
        let first = try #require(typed.first)
        #expect(abs(first.distance - squared(try part(first.session.id), try part(query))) < 1e-6)
        let byName = try sessions.map {
            Entry(id: $0.id, cost: squared(try part($0.id), try part(query)), category: "")
        }
        #expect(
            try typed.map(\.session.id) == tried(byName, 9, diversity: 0.3) { squared(try part($0), try part($1)) })
        #expect(try point == tried(byPoint, 9, diversity: 0.3) { squared(try part($0), try part($1)) })
        #expect(
            kinError { try engine.call("near", "{\"session\":\"\(query)\",\"diversity\":0.5}") }.says("diversity"))
        #expect(
            kinError { try engine.call("near", "{\"session\":\"\(query)\",\"liked\":[\"nobody\"]}") }.says("nobody"))
        #expect(
            kinError { try engine.call("near", "{\"session\":\"\(query)\",\"weight\":1,\"exclude\":[\"x\"]}") }
                .says("embedding"))
    }

    @Test("items resemble liked ones, differ from each other and are limited by type")
    func items() throws {
        let (engine, _, items) = try people()
        let pleasures = Dictionary(uniqueKeysWithValues: items.map { ($0.id, Set($0.pleasures)) })
        func distance(_ a: String, _ b: String) -> Double {
            let (a, b) = (pleasures[a]!, pleasures[b]!)
            return a.isEmpty || b.isEmpty
                ? 1 : max(0, 1 - Double(a.intersection(b).count) / Double(a.count * b.count).squareRoot())
        }
        let target = #""point":{"food":0.9,"mobility":0.4,"order":0.7},"near":{"lat":40.7,"lng":-73.9},"within_km":2"#
        let plain = try engine.call("inventory", "{\(target),\"k\":200}")
        #expect(try engine.call("inventory", "{\(target),\"k\":200,\"diversity\":0}") == plain)
        let ranked = try jsonList(plain)
        let order = try ids(plain, of: "item")
        let own = Dictionary(uniqueKeysWithValues: zip(order, ranked.map { 1 - ($0["match"] as? Double ?? .nan) }))
        let kinds = Dictionary(uniqueKeysWithValues: items.map { ($0.id, "\($0.kind)") })
        for diversity in [0, 0.3, 1.0] {
            let seen = Set(order.prefix(9).enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
            let all = order.map { Entry(id: $0, cost: own[$0]!, category: kinds[$0]!) }
            let request = "\(target),\"k\":12,\"diversity\":\(diversity),\"per_category\":5"
            #expect(
                try ids(
                    engine.call("inventory", "{\(request),\"exclude\":[\"\(seen.joined(separator: "\",\""))\"]}"),
                    of: "item")
                    == tried(all, 12, diversity: diversity, limit: 5, excluded: seen, distance: distance))
            let (liked, disliked) = (order[20], order[2])
            let tasted = all.map {
                Entry(
                    id: $0.id,
                    cost: ($0.cost + distance(liked, $0.id)) / 2 - 0.5 * distance(disliked, $0.id),
                    category: $0.category)
            }
            #expect(
                try ids(
                    engine.call("inventory", "{\(request),\"liked\":[\"\(liked)\"],\"disliked\":[\"\(disliked)\"]}"),
                    of: "item")
                    == tried(
                        tasted, 12, diversity: diversity, limit: 5, excluded: [liked, disliked], distance: distance))
        }
        #expect(kinError { try engine.call("inventory", #"{"diversity":0.2}"#) }.says("needs a ranking"))
        #expect(kinError { try engine.call("inventory", #"{"liked":["nobody"]}"#) }.says("nobody"))
        let everything = order.joined(separator: "\",\"")
        #expect(try engine.call("inventory", "{\(target),\"exclude\":[\"\(everything)\"]}") == "[]")
    }

    @Test("missions leave out excluded items and differ as much as requested")
    func missions() throws {
        let (engine, sessions, _) = try people()
        let asked =
            "\"user\":\"\(sessions[0].userID)\",\"near\":{\"lat\":40.7,\"lng\":-73.9},\"minutes\":300,\"slot\":\"dawn\",\"k\":12"
        let plain = try engine.call("missions", "{\(asked)}")
        let first = try #require(try ids(plain, of: "space").first)
        let tool = try #require(try ids(plain, of: "tool").first)
        let without = try engine.call("missions", "{\(asked),\"exclude\":[\"\(first)\",\"\(tool)\"]}")
        #expect(try !ids(without, of: "space").contains(first) && !ids(without, of: "tool").contains(tool))
        let byScore = try jsonList(engine.call("missions", "{\(asked),\"diversity\":0}")).compactMap {
            $0["score"] as? Double
        }
        #expect(byScore.count == 12 && byScore == byScore.sorted(by: >))
        let spread = try ids(engine.call("missions", "{\(asked),\"diversity\":0.9}"), of: "space")
        #expect(
            Set(spread).count > Set(try ids(engine.call("missions", "{\(asked),\"diversity\":0}"), of: "space")).count)
        for wrong in ["1", "-0.1", "\"x\""] {
            #expect(
                kinError { try engine.call("missions", "{\(asked),\"diversity\":\(wrong)}") }.says("diversity"))
        }
    }

    // MARK: Souls, images and challenges

    @Test("people differ from each other and are limited by connection")
    func souls() throws {
        let people = (0..<90).map { SoulGenerator(seed: 6, communities: 4).soul($0) }
        let engine = Engine(namingKey: Array(0..<32))
        try engine.put(people.map(\.json))
        let plain = try engine.call("similar_souls", #"{"user":"u7","k":90}"#)
        #expect(try engine.call("similar_souls", #"{"user":"u7","k":90,"diversity":0}"#) == plain)
        let all = try jsonList(plain).map {
            Entry(
                id: try #require($0["other"] as? String), cost: -(try #require($0["score"] as? Double)),
                category: try #require($0["connection"] as? String))
        }
        func distance(_ a: String, _ b: String) throws -> Double { 1 - (try engine.affinity(between: a, and: b).score) }
        let seen = Set([all[0].id, all[4].id])
        for (diversity, limit) in [(0.0, 2), (0.4, 4), (1.0, 90)] {
            let request =
                "{\"user\":\"u7\",\"k\":9,\"diversity\":\(diversity),\"per_category\":\(limit),\"exclude\":[\"\(seen.joined(separator: "\",\""))\"]}"
            #expect(
                try ids(engine.call("similar_souls", request), of: "other")
                    == tried(all, 9, diversity: diversity, limit: limit, excluded: seen, distance: distance))
        }
        let above = try ids(
            engine.call("similar_souls", #"{"user":"u7","above":0.5,"exclude":["\#(all[0].id)"]}"#), of: "other")
        #expect(above == all.filter { $0.cost <= -0.5 }.dropFirst().map(\.id) && !above.isEmpty)
        for wrong in [
            #""diversity":1.5"#, #""diversity":-1"#, #""diversity":"x""#, #""per_category":0"#, #""exclude":"u1""#,
        ] {
            #expect(kinError { try engine.call("similar_souls", "{\"user\":\"u7\",\(wrong)}") } != nil)
        }
    }

    @Test("images show different objects and are limited by realm")
    func images() throws {
        let generator = ImageAnalysisGenerator(seed: 4)
        let engine = Engine(namingKey: Array(0..<32))
        try engine.put((0..<70).map { generator.image($0).analysis.json })
        let index = try engine.realmLibrary().index
        let ranking = try engine.rankImages(for: [.sleep], k: 70)
        #expect(try engine.rankImages(for: [.sleep], k: 70, variety: .none) == ranking)
        let objects = Dictionary(uniqueKeysWithValues: index.images.map { ($0.id, Set($0.objects.map(\.category))) })
        func distance(_ a: String, _ b: String) -> Double {
            let common = objects[a]!.intersection(objects[b]!).count
            return common == 0 ? 1 : 1 - Double(common) / Double(objects[a]!.union(objects[b]!).count)
        }
        let entries = index.realms.flatMap { realm in
            realm.entries.map { (id: index.images[$0.image].id, score: $0.score, realm: realm.type) }
        }
        let all = ranking.map { image in
            let own = entries.filter { $0.id == image.id }
            let best = own.map(\.score).max() ?? 0
            return Entry(id: image.id, cost: -image.score, category: own.first { $0.score == best }?.realm ?? "")
        }
        let seen = Set([all[1].id, all[2].id])
        for (diversity, limit) in [(0.0, 2), (0.3, 3), (1.0, 70)] {
            let request =
                "{\"goals\":[\"sleep\"],\"k\":11,\"diversity\":\(diversity),\"per_category\":\(limit),\"exclude\":[\"\(seen.joined(separator: "\",\""))\"]}"
            #expect(
                try ids(engine.call("rank_images", request), of: "image")
                    == tried(all, 11, diversity: diversity, limit: limit, excluded: seen, distance: distance))
        }
    }

    @Test("suggested challenges leave out excluded ones and choose among the others")
    func challenges() throws {
        let engine = Engine(namingKey: Array(0..<32))
        try engine.put(ChallengeGenerator(seed: 3).challenges(50).map(\.json))
        let asked = #""user":"u1","at":"2026-03-28T20:00:00Z""#
        let plain = try engine.call("suggest", "{\(asked)}")
        #expect(try engine.call("suggest", "{\(asked),\"exclude\":[]}") == plain)
        var seen: [String] = []
        for _ in 0..<4 {
            let excluded = (seen + ["nobody"]).joined(separator: "\",\"")
            let answer = try engine.call("suggest", "{\(asked),\"exclude\":[\"\(excluded)\"]}")
            let next = try ids(answer, of: "challenge")
            #expect(next.count == 3 && Set(next).isDisjoint(with: seen))
            seen += next
        }
        #expect(try engine.call("suggest", "{\(asked)}") == plain)
    }
}
