import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

/// The cache of derived data: applied changes, rebuilt values, evictions.
@Suite struct DerivedCacheTests {
    private let folder = StoreFolder()

    /// A value that counts how it was derived.
    private struct Probe: DerivedValue {
        static var sources: [RecordKind] { [PleasureSession.kind] }
        private(set) var applied = 0
        private(set) var rows = 0

        static func person(of key: String) -> String? { key.isEmpty ? nil : key }

        init(for key: String, in database: Database) throws {}

        mutating func apply(_ changes: [RecordChange], for key: String, in database: Database) throws -> Bool {
            applied += 1
            rows += changes.reduce(0) { $0 + $1.numbers.count }
            return true
        }

        var byteCount: Int { 1000 }
    }

    private func session(_ id: String, of user: String) throws -> PleasureSession {
        try PleasureSession(id: id, userID: user, start: Timestamp(parsing: "2026-01-05T10:00:00Z"))
    }

    @Test("a change of one person updates only that person's and shared values")
    func ownersOfChanges() async throws {
        let store = try folder.open()
        try await store.put([session("a1", of: "a"), session("b1", of: "b")])
        for key in ["", "a", "b"] { #expect(try store.derived(Probe.self, for: key).applied == 0) }
        try await store.put([session("a2", of: "a")])
        #expect(try store.derived(Probe.self, for: "").rows == 1)
        #expect(try store.derived(Probe.self, for: "a").rows == 1)
        #expect(try store.derived(Probe.self, for: "b").applied == 0)
        try await store.removeSession("a1")
        #expect(try store.derived(Probe.self, for: "a").rows == 2)
        #expect(try store.derived(Probe.self, for: "b").applied == 0)
        // Changes of other kinds do not matter.
        try await store.put(ChallengePreferences(userID: "a"))
        #expect(try store.derived(Probe.self, for: "a").applied == 2)
        // After a person is forgotten, values that are not saved are derived from scratch, in every process.
        let reader = try folder.open(.reading)
        for key in ["", "a", "b"] { #expect(try reader.derived(Probe.self, for: key).applied == 0) }
        try await store.put([session("a3", of: "a"), session("b3", of: "b")])
        for key in ["", "a", "b"] { #expect(try reader.derived(Probe.self, for: key).applied == 1) }
        try await store.forget("a")
        #expect(store.derivedStatistics.values == 0)
        for store in [store, reader] {
            for key in ["", "a", "b"] { #expect(try store.derived(Probe.self, for: key).applied == 0) }
        }
    }

    @Test("a bulk load of many people is merged and updates every value")
    func manyOwners() async throws {
        let store = try folder.open()
        try await store.put([session("first", of: "p7")])
        #expect(try store.derived(Probe.self, for: "p7").applied == 0)
        try await store.put((0..<3000).map { try session("s\($0)", of: "p\($0 % 50)") })
        #expect(try store.derived(Probe.self, for: "p7").rows >= 60)
        let entries = try await store.pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM change") ?? 0 }
        #expect(entries < 1100)
    }

    @Test("the least recently used values are evicted when the budget is full")
    func evictions() async throws {
        let store = try Store(at: folder.database, memoryBudget: 10_500)
        try await store.put([session("a1", of: "a")])
        for number in 0..<100 {
            _ = try store.derived(Probe.self, for: "p\(number)")
            _ = try store.derived(Probe.self, for: "p0")
            #expect(store.derivedStatistics.byteCount <= 10_500)
        }
        #expect(store.derivedStatistics.evictions >= 89 && store.derivedStatistics.values <= 10)
        // The recently used value is still there: a change is applied to it.
        try await store.put([session("a2", of: "p0")])
        #expect(try store.derived(Probe.self, for: "p0").applied == 1)
        try await store.close()
    }

    @Test("the memory counts the indexes of some dimensions that a session index makes")
    func growth() async throws {
        let store = try folder.open()
        try await store.put((0..<300).map { try session("s\($0)", of: "p") })
        let taste = try ListTaste(variety: ListVariety(diversity: 0.2))
        var found: [Int] = []
        for dimensions: Set<Pleasure.Dimension>? in [nil, [.order], [.order, .power], [.order]] {
            _ = try store.nearestSessions(to: Pleasure(), taste: taste, comparing: dimensions, k: 3, where: nil)
            found.append(store.derivedStatistics.byteCount)
        }
        #expect(found[0] > 300 * 64 && found[1] > found[0] + 300 * 64 && found[2] > found[1] + 300 * 64)
        #expect(found[3] == found[2])
    }

    @Test("a listener gets versions after writes, only the latest if slow, and an end")
    func changes() async throws {
        var store: Store? = try folder.open()
        let versions = store!.changes()
        var iterator = versions.makeAsyncIterator()
        try await store!.put([session("a1", of: "a")])
        #expect(await iterator.next() == (try store!.version()))
        for number in 0..<5 { try await store!.put([session("b\(number)", of: "b")]) }
        #expect(await iterator.next() == (try store!.version()))
        try await store!.close()
        store = nil
        #expect(await iterator.next() == nil)
    }

    @Test("the changes of a store end when it is closed, in a loop that uses the store")
    func changesEnd() async throws {
        let store = try folder.open()
        let loop = Task { for await _ in store.changes() { _ = try? store.version() } }
        try await store.put([session("a1", of: "a")])
        try await store.close()
        await loop.value
        // A loop that begins later ends at once.
        for await _ in store.changes() { Issue.record("a closed store has no changes") }
    }

    @Test("a closed store answers nothing from its cache")
    func closed() async throws {
        for store in [try folder.open(), try Store()] {
            try await store.put([session("a1", of: "a")])
            #expect(try store.withHistory(of: "a") { $0.sessions.count } == 1)
            try await store.close()
            #expect(throws: KinError.self) { try store.withHistory(of: "a") { $0 } }
            #expect(store.derivedStatistics.values == 0)
            for error in [
                await #expect(throws: KinError.self) { try await store.forget("a") },
                await #expect(throws: KinError.self) { try await store.put([session("a2", of: "a")]) },
                await #expect(throws: KinError.self) { try await store.saveIndexes() },
                #expect(throws: KinError.self) { try store.exportLines { _ in } },
                #expect(throws: KinError.self) { try store.check() },
            ] {
                #expect(error?.message == "the store is closed; open it again")
            }
            // A second close does nothing.
            try await store.close()
        }
    }

    @Test(
        "a damaged change log is an error, with any numbers",
        arguments: [(3, 2), (Int64.min, Int64.max), (0, .max), (-5, 2), (1, 1 << 60)])
    func damagedLog(first: Int64, last: Int64) async throws {
        let store = try folder.open()
        try await store.put([session("a1", of: "a")])
        #expect(try store.nearestSessions(to: Pleasure(), k: 1).count == 1)
        try await store.put([session("a2", of: "a")])
        try await store.pool.write { database in
            try database.execute(
                sql: "UPDATE change SET first = ?, last = ? WHERE number = (SELECT max(number) FROM change)",
                arguments: [first, last])
        }
        #expect(errorCode { try store.nearestSessions(to: Pleasure(), k: 1) } == .corruptFile)
        // The index is then derived from scratch.
        #expect(try store.nearestSessions(to: Pleasure(), k: 5).count == 2)
    }
}
