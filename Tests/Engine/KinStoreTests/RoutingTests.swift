import Foundation
import KinSamples
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Contributions and inboxes")
struct RoutingTests {
    private let elsewhereFolder = StoreFolder()
    private let folder = StoreFolder()

    /// A store whose people are compared by valence alone.
    private func open(_ folder: StoreFolder) async throws -> Store {
        let store = try folder.open()
        let weights = try AffinityWeights(goals: 0, realms: 0, objects: 0, patterns: 0, valence: 1)
        try await store.put(AffinitySettings(weights: weights))
        return store
    }

    /// People with the given affinities to the author, by valence.
    private func people(_ affinities: [String: Double]) throws -> [Soul] {
        try [Soul(userID: "author-1", valence: 1, note: "secret-note")]
            + affinities.sorted { $0.key < $1.key }.map { try Soul(userID: $0.key, valence: 1 - 2 * (1 - $0.value)) }
    }

    @Test func contributionsArriveByTheTableAndOnce() async throws {
        let store = try await open(folder)
        let souls = try people(["mirror": 0.96, "kindred": 0.9, "resonant": 0.8, "parallel": 0.72, "distant": 0.6])
        try await store.put(souls)
        #expect(try store.souls() == souls)
        #expect(try store.soul(of: "mirror") == souls.first { $0.userID == "mirror" })
        let matcher = try store.matcher()
        let id = try await store.contribute(story("a boat"), by: "author-1", at: hour(1))
        // The same contribution again has the same id.
        #expect(try await store.contribute(story("a boat"), by: "author-1", at: hour(1)) == id)
        #expect(try store.contributionsToRoute() == 1)
        // Two routers, concurrently and in sequence.
        async let first = store.route(with: matcher, at: hour(2))
        async let second = store.route(with: matcher, at: hour(2))
        #expect(try await first.deliveries + second.deliveries == 4)
        #expect(try await store.route(with: matcher, at: hour(3)) == RoutingReport())
        let states = ["mirror", "kindred", "resonant", "parallel"].map { user in try? store.inbox(of: user).map(\.state)
        }
        #expect(states == [[.delivered], [.discovered], [.pending], [.visible]])
        #expect(try store.inbox(of: "distant").isEmpty)
        #expect(try store.inbox(of: "author-1").isEmpty)
        let item = try #require(try store.inbox(of: "kindred").first)
        #expect(item.connection == .kindredSpirit)
        #expect(try item.arrived == hour(2))
        #expect(item.similarities[.valence].map { abs($0 - 0.9) < 1e-12 } == true)
        #expect(try item.author == store.anonymousName(of: "author-1"))
        #expect(item.attribution == "from \(item.author), a kindred spirit")
        #expect(try store.check().isIntact)
    }

    @Test func recipientsDecideAboutItems() async throws {
        let store = try await open(folder)
        try await store.put(people(["reader": 0.8, "other": 0.8]))
        let matcher = try store.matcher()
        for number in 0..<3 { try await store.contribute(story("tale \(number)"), by: "author-1", at: hour(number)) }
        try await store.contribute(story("mine"), by: "reader", at: hour(3))
        for number in 0..<4 { try await store.route(with: matcher, at: hour(10 + number), limit: 1) }
        let items = try store.inbox(of: "reader")
        #expect(items.map(\.contribution.title) == ["tale 2", "tale 1", "tale 0"])
        #expect(items.allSatisfy { $0.state == .pending })
        try await store.accept(items[2].id, by: "reader")
        try await store.decline(items[1].id, by: "reader")
        #expect(try store.inbox(of: "reader", [.accepted]).map(\.id) == [items[2].id])
        // Other people's items cannot be changed.
        let others = try store.inbox(of: "other")
        #expect(Set(others.map(\.id)).isDisjoint(with: items.map(\.id)))
        for id in [others[0].id, "nothing"] {
            await #expect(throws: KinError.self) { try await store.accept(id, by: "reader") }
        }
        try await store.blockAuthor(of: items[0].id, by: "reader")
        #expect(try store.inbox(of: "reader").map(\.state) == [.declined, .declined, .accepted])
        // No item of a blocked author is accepted; one that was accepted before stays.
        for item in items {
            let code = await errorCode { try await store.accept(item.id, by: "reader") }
            #expect(code == (item.id == items[2].id ? nil : .invalidArgument))
        }
        #expect(try store.inbox(of: "reader").map(\.state) == [.declined, .declined, .accepted])
        // The block is permanent: later contributions do not arrive, even after a reopening; other people receive them.
        try await store.contribute(story("tale 3"), by: "author-1", at: hour(20))
        try await store.close()
        let again = try folder.open()
        try await again.route(with: matcher, at: hour(21))
        #expect(try again.inbox(of: "reader").count == 3)
        #expect(try again.inbox(of: "other").contains { $0.contribution.title == "tale 3" })
        // The blocker's own records do not name the blocked person.
        #expect(try !EveryKind.export(again, of: "reader").contains("author-1"))
        #expect(try again.check().isIntact)
    }

    @Test func aDigestListsNewArrivals() async throws {
        let store = try await open(folder)
        try await store.put(people(["reader": 0.9]))
        let matcher = try store.matcher()
        for number in 0..<5 { try await store.contribute(story("tale \(number)"), by: "author-1", at: hour(number)) }
        for number in 0..<5 { try await store.route(with: matcher, at: hour(10 + number / 2), limit: 1) }
        let report = try store.digest(of: "reader", since: hour(11))
        #expect(report.items.count == 3)
        #expect(try report.items.map(\.arrived) == [hour(11), hour(11), hour(12)])
        #expect(report.counts == [.discovered: 3] && report.authorCount == 1)
        #expect(try report == store.digest(of: "reader", since: hour(11)))
        #expect(report.items[0].id < report.items[1].id)
        try await store.decline(report.items[0].id, by: "reader")
        #expect(try store.digest(of: "reader", since: hour(11)).items == Array(report.items.dropFirst()))
        #expect(try store.digest(of: "nobody", since: hour(0)).items.isEmpty)
    }

    @Test func namesCannotBeFoundByTryingIDs() async throws {
        let store = try await open(folder)
        try await store.put(people(["reader": 0.9]))
        #expect(try store.anonymousName(of: "author-1") == nil)
        try await store.contribute(story("x"), by: "author-1", at: hour(0))
        let name = try #require(try store.anonymousName(of: "author-1"))
        try await store.close()
        #expect(try folder.open().anonymousName(of: "author-1") == name)
        // A different store has a different key, so the name is not a function of the id.
        let other = StoreFolder()
        let stranger = try other.open()
        try await stranger.contribute(story("x"), by: "author-1", at: hour(0))
        #expect(try stranger.anonymousName(of: "author-1") != name)
    }

    @Test func forgettingAnAuthorEmptiesEveryInbox() async throws {
        let store = try await open(folder)
        try await store.put(people(["reader": 0.9, "blocker": 0.9]))
        let matcher = try store.matcher()
        try await store.contribute(story("secret-story"), by: "author-1", at: hour(0))
        try await store.contribute(story("another"), by: "reader", at: hour(1))
        try await store.route(with: matcher, at: hour(2))
        let blocked = try #require(try store.inbox(of: "blocker").first { $0.contribution.title == "secret-story" })
        try await store.blockAuthor(of: blocked.id, by: "blocker")
        let traces = ["author-1", "secret-note", "secret-story"]
        for trace in traces { #expect(try folder.found([trace]) != nil) }
        #expect(try await store.forget("author-1") == ["soul": 1, "anonymous_name": 1, "contribution": 1, "inbox": 1])
        #expect(try folder.found(traces) == nil)
        #expect(try store.inbox(of: "reader").isEmpty)
        #expect(try store.check().isIntact)
        // A router that still has the person's soul does not restore the person.
        try await store.contribute(story("third"), by: "reader", at: hour(3))
        try await store.route(with: matcher, at: hour(4))
        #expect(try store.users() == ["blocker", "reader"])
    }

    /// A block holds when the author's contribution leaves the store, and when a forgotten author returns.
    @Test(arguments: ["forget", "remove", "both"]) func aBlockOutlivesTheContribution(_ way: String) async throws {
        let store = try await open(folder)
        try await store.put(people(["blocker": 0.9, "reader": 0.9]))
        let id = try await store.contribute(story("one"), by: "author-1", at: hour(0))
        try await store.route(with: store.matcher(), at: hour(1))
        try await store.blockAuthor(of: store.inbox(of: "blocker")[0].id, by: "blocker")
        if way != "forget" { #expect(try await store.remove("contribution", key: ["id": id])) }
        if way != "remove" {
            let name = try #require(try store.anonymousName(of: "author-1")).description
            #expect(try await store.forget("author-1")["soul"] == 1)
            #expect(try folder.found(["author-1", name, id]) == nil)
            try await store.put(people([:]))
        }
        let copy = StoreFolder()
        for store in way == "remove" ? [store, try await imported(store, into: copy)] : [store] {
            try await store.contribute(story("two"), by: "author-1", at: hour(2))
            #expect(try await store.route(with: store.matcher(), at: hour(3)).deliveries == 1)
            #expect(try store.inbox(of: "blocker").isEmpty && store.inbox(of: "reader").count == 1)
            #expect(try store.check().problems == [])
        }
    }

    private func imported(_ store: Store, into folder: StoreFolder) async throws -> Store {
        let copy = try folder.open()
        try await copy.importLines(EveryKind.export(store), now: hour(9))
        return copy
    }

    /// Two authors may share a name: a block applies to the one, and outlives the other.
    @Test func aNamesakeIsNotBlocked() async throws {
        let store = try await open(folder)
        try await store.put(people(["blocker": 0.9, "author-2": 0.9]))
        let names = ["author-1", "author-2"].map { #"{"anonymous_name":{"uid":"\#($0)","name":"Same Name #0001"}}"# }
        try await store.importLines(names.joined(separator: "\n"), now: hour(0))
        try await store.contribute(story("first"), by: "author-1", at: hour(0))
        try await store.contribute(story("second"), by: "author-2", at: hour(0))
        try await store.route(with: store.matcher(), at: hour(1))
        let items = try store.inbox(of: "blocker")
        #expect(Set(items.map(\.author)).count == 1)
        let blocked = try #require(items.first { $0.contribution.title == "first" })
        let other = try #require(items.first { $0.contribution.title == "second" })
        try await store.blockAuthor(of: blocked.id, by: "blocker")
        try await store.accept(other.id, by: "blocker")
        try await store.contribute(story("more"), by: "author-2", at: hour(2))
        try await store.contribute(story("hidden"), by: "author-1", at: hour(2))
        try await store.route(with: store.matcher(), at: hour(3))
        #expect(try Set(store.inbox(of: "blocker").map(\.contribution.title)) == ["first", "second", "more"])
        try await store.forget("author-2")
        try await store.contribute(story("again"), by: "author-1", at: hour(4))
        try await store.route(with: store.matcher(), at: hour(5))
        #expect(try store.inbox(of: "blocker").map(\.contribution.title) == ["first"])
        // Items without a known author are blocked by the name.
        #expect(await errorCode { try await store.accept(blocked.id, by: "blocker") } == .invalidArgument)
    }

    @Test func anImportedItemNeedsItsContribution() async throws {
        let store = try await open(folder)
        try await store.put(people(["reader": 0.9]))
        try await store.contribute(story("one"), by: "author-1", at: hour(0))
        try await store.route(with: store.matcher(), at: hour(1))
        let inbox = try EveryKind.export(store).split(separator: "\n").filter { $0.hasPrefix("{\"inbox\"") }
        #expect(inbox.count == 1)
        let elsewhere = try elsewhereFolder.open()
        let text = inbox.joined(separator: "\n")
        #expect(await errorCode { try await elsewhere.importLines(text, now: hour(5)) } == .unknownID)
    }

    /// Thirty days with many people. Everything that recipients can see is searched for forbidden texts.
    @Test func recipientsNeverSeeTheAuthor() async throws {
        let store = try folder.open()
        let generator = SoulGenerator(seed: 12, communities: 5)
        let souls = try (0..<120).map { number in
            let soul = generator.soul(number)
            return try Soul(
                userID: "person-\(number)-of-120", goals: soul.goals, realms: soul.realms, objects: soul.objects,
                pattern: soul.pattern, valence: soul.valence, note: "secret-note-\(number)")
        }
        try await store.put(souls)
        var sample = SampleRecords()
        try await store.put(
            souls.map { try sample.session("secret-session-\($0.userID)", of: $0.userID, notes: "secret-words") })
        let matcher = try store.matcher()
        var random = SeededGenerator(seed: 13)
        for day in 0..<30 {
            for part in 0..<2 {
                let author = souls[random.below(souls.count)].userID
                try await store.contribute(story("tale \(day)-\(part)"), by: author, at: hour(24 * day + part))
            }
            try await store.route(with: matcher, at: hour(24 * day + 12))
        }
        var items = 0
        for soul in souls {
            var seen = try store.inbox(of: soul.userID).map { $0.json + $0.attribution + "\($0)" }
            items += seen.count
            seen.append(try store.digest(of: soul.userID, since: hour(0)).json)
            let lines = try EveryKind.export(store, of: soul.userID).split(separator: "\n")
            let inbox = lines.filter { $0.hasPrefix("{\"inbox\"") }
            seen += inbox.map { String($0).replacing("\"uid\":\"\(soul.userID)\"", with: "") }
            #expect(seen.allSatisfy { !$0.contains("-of-120") && !$0.contains("secret") })
        }
        #expect(items > 500)
    }
}
