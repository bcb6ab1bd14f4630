import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

/// `Golden/store-6.db` is a store of release 0.1.0 (its sixth step, "challenges"). It has inboxes, blocks, ids in two
/// Unicode forms, ids with control characters and an id of 2,000 bytes. It is never rewritten.
@Suite("A store of release 0.1.0")
struct EarlierStoreTests {
    private let folder = StoreFolder()
    private let composed = "jos\u{E9}"
    private let decomposed = "jose\u{301}"

    private func open() throws -> Store {
        try folder.write(Bundle.module.golden("store-6.db"), to: "people.db")
        return try folder.open()
    }

    @Test func equivalentUnicodeIDsAreMerged() async throws {
        let store = try open()
        #expect(
            try store.users().map { Array($0.utf8) }
                == [
                    "author-1", composed, "other", "reader", "soulless", "tab\u{FFFD}user",
                ].map { Array($0.utf8) })
        // Two sessions with one id become one: the one stored later.
        #expect(try store.sessions(of: decomposed).map(\.id) == ["t", "s-\u{E9}"])
        #expect(try store.session("s-e\u{301}")?.start == Timestamp(seconds: 1.751e9))
        #expect(try store.session("u\u{FFFD}")?.userID == "tab\u{FFFD}user")
        let long = try #require(try store.sessions(of: "reader").first)
        #expect(long.id.utf8.count <= RecordID.maximumBytes && long.id.hasPrefix("longlong"))
        #expect(try store.inventory().map(\.id) == ["caf\u{E9}", "plain"])
        #expect(try store.profileHistory(of: composed).count == 1)
        #expect(try store.babies(of: composed).count == 1)
        #expect(try store.rhythmLog(of: composed, baby: "be\u{301}")?.records.count == 2)
        #expect(try store.matcher().count == 4)
        #expect(try store.sessionIndex().points.count == 5)
        #expect(try store.challengeHistory(of: composed).count == 1)
        // Ongoing work continues.
        let now = try Timestamp(seconds: 1.76e9)
        _ = try await store.withSelector(for: composed) { selector throws(KinError) in try selector.today(at: now) }
        #expect(try await store.forget(decomposed).isEmpty == false)
        #expect(try folder.found(["jos\u{E9}", "jose\u{301}"]) == nil)
    }

    /// The items, their ids and their names are those of the release.
    @Test func inboxesAreUnchanged() async throws {
        let store = try open()
        let told = try ["reader", "other"].map { user in
            try store.inbox(of: user).map { "\($0.id) \($0.state) \($0.author) \($0.contribution.title)" }.sorted()
        }
        #expect(
            told == [
                [
                    "35f4db609578d70f accepted Whispering Stone #2553 one",
                    "a7cd3610ea56e899 delivered Humble Cypress #0790 two",
                ],
                [
                    "55ed4abe59914ab2 declined Whispering Stone #2553 one",
                    "7e1d1f766490f042 delivered Humble Cypress #0790 two",
                ],
            ])
        #expect(try store.anonymousName(of: "author-1")?.description == "Whispering Stone #2553")
        #expect(try store.anonymousName(of: composed)?.description == "Humble Cypress #0790")
        // A contribution that was routed without a soul waits again, and the block still applies.
        #expect(try store.contributionsToRoute() == 2)
        try await EveryKind.compareByValence(store)
        let report = try await store.route(with: store.matcher(), at: hour(50))
        #expect(report.contributions == 1 && report.waiting == 1)
        #expect(try store.inbox(of: "reader").count == 3 && store.inbox(of: "other").count == 2)
        #expect(try await store.forget("author-1")["inbox"] == 1)
        #expect(try store.inbox(of: "reader").count == 1)
        #expect(try store.check().problems == [])
    }

    /// An update of the store does not hide earlier damage.
    @Test(arguments: ["session", "inbox", "block", "care_event", "contribution"])
    func anUpdateDoesNotHideDamage(_ table: String) async throws {
        try folder.write(Bundle.module.golden("store-6.db"), to: "people.db")
        let queue = try DatabaseQueue(path: folder.database)
        try await queue.write { database in
            try database.execute(
                sql:
                    "UPDATE \(table) SET body = replace(body, '\"2', '\"1') || ' ' WHERE number = (SELECT max(number) FROM \(table))"
            )
        }
        try queue.close()
        let store = try folder.open()
        let problems = try store.check().problems
        #expect(problems.contains { $0.contains("of table \(table) ") }, "\(problems)")
    }
}
