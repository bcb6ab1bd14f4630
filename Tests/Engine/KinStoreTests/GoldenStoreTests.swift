import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

/// `Golden/store-5.db` was written when the store had its fifth step ("rhythms"), and `store-5.jsonl` is its export
/// from then. Neither is ever rewritten. Since then, instants at midnight are written with time and zone.
@Suite("A store of an earlier release")
struct GoldenStoreTests {
    private let folder = StoreFolder()

    @Test func anOldStoreIsMigratedAndRead() async throws {
        try folder.write(Bundle.module.golden("store-5.db"), to: "people.db")
        let store = try folder.open()
        let report = try store.check()
        #expect(report.isIntact, "\(report.problems)")
        #expect(report.people == 2)
        let lines = try String(decoding: Bundle.module.golden("store-5.jsonl"), as: UTF8.self)
            .replacing(#""since":"2025-01-01""#, with: #""since":"2025-01-01T00:00:00Z""#)
        #expect(try EveryKind.export(store) == lines)
        try await store.close()
        // A second opening, now in the newest form.
        #expect(try folder.open(.reading).check().isIntact)
    }
}

/// `Golden/store-0.2.0.db` is a store of release 0.2.0 with a record of every kind, made by its tool.
/// `store-0.2.0.db-writer` is the note that the release left, and `store-0.2.0.jsonl` its export. They are never
/// rewritten.
@Suite("A store of release 0.2.0")
struct LastReleaseStoreTests {
    private let folder = StoreFolder()

    private func expectTheSame(_ store: Store) throws {
        #expect(
            try EveryKind.export(store) == String(decoding: Bundle.module.golden("store-0.2.0.jsonl"), as: UTF8.self))
        let report = try store.check()
        #expect(report.problems == [])
        // The ledgers are newer than the release.
        let newer = ["forecast_ledger"] + RecordKind.added.map { $0.kind.name }
        #expect(
            Set(report.counts.filter { $0.value > 0 }.keys) == Set(RecordKind.all.map(\.name)).subtracting(newer))
        // The answer of that release's tool to `near --session u1-0`.
        let session = try #require(try store.session("u1-0"))
        let near = try store.nearestSessions(to: session.embedding, k: 9).filter { $0.session.id != "u1-0" }
        #expect(near.prefix(4).map(\.session.id) == ["u1-120", "u1-80", "u1-160", "u1-40"])
        #expect(near[0].distance == 0.31842400475836286)
    }

    @Test func theSameRecordsAndAnswersAreReturned() async throws {
        try folder.write(Bundle.module.golden("store-0.2.0.db"), to: "people.db")
        try folder.write(Bundle.module.golden("store-0.2.0.db-writer"), to: "people.db-writer")
        // The release lacks the table of forecast ledgers, which only a writer adds.
        #expect(throws: KinError.self) { try folder.open(.reading) }
        let store = try folder.open()
        try expectTheSame(store)
        let copy = "\(folder.path)/copy.db"
        try store.backup(to: copy)
        #expect(try await store.forget("grandpa") == ["shared_event": 2])
        #expect(try folder.found(["grandpa"]) == "grandpa in copy.db")
        try await store.close()
        try Store.restore(from: copy, to: folder.database)
        try expectTheSame(folder.open())
    }

    /// Only steps were added since release 0.2.0, and only at the end: forecasts can be recorded for its babies.
    @Test func theStoreIsUpgradedInPlace() async throws {
        try folder.write(Bundle.module.golden("store-0.2.0.db"), to: "people.db")
        let before = try migrations()
        let store = try folder.open()
        try expectTheSame(store)
        let after = try migrations()
        #expect(before.count == 13 && after.starts(with: before) && after == Migrations.migrator.migrations)
        let baby = try #require(try store.babies(of: "u0").first)
        let events = try store.withForecaster(of: baby.userID, baby: baby.id) { $0 }
        let now = try #require(events.latest)
        try await store.transaction { try $0.record(events.predictions(at: now), of: baby.userID, baby: baby.id) }
        #expect(try store.check().counts["forecast_ledger"] == 1)
        try await store.close()
        #expect(try folder.open(.reading).forecastScores(of: baby.userID, baby: baby.id)?.count == 5)
        let note = String(decoding: try folder.contents("people.db-writer"), as: UTF8.self)
        #expect(note.hasPrefix("kin store writer 3\n"))
    }

    private func migrations() throws -> [String] {
        let queue = try DatabaseQueue(path: folder.database)
        return try queue.read {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        }
    }

    /// Earlier releases left people whose last record was removed.
    @Test(arguments: ["store-5.db", "store-6.db", "store-0.2.0.db"])
    func peopleWithoutRecordsAreRemoved(name: String) async throws {
        try folder.write(Bundle.module.golden(name), to: "people.db")
        let database = try DatabaseQueue(path: folder.database)
        try await database.write { try $0.execute(sql: "INSERT INTO person (uid) VALUES ('without-records')") }
        try database.close()
        let store = try folder.open()
        #expect(try store.users().contains("without-records") == false && store.users().count > 1)
        #expect(try await store.forget("without-records").isEmpty && store.check().isIntact)
        #expect(try folder.found(["without-records"]) == nil)
    }
}
