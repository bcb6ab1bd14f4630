import GRDB
import KinTestSupport
import Synchronization
import Testing

@testable import KinStore

@Suite("Transactions of several records")
struct TransactionTests {
    private let folder = StoreFolder()

    @Test func recordsAreCreatedChangedAndRemovedByKey() async throws {
        let store = try folder.open()
        let key = try RecordKey.soul(of: "u1")
        let before = try store.version()
        try await store.change(key) { soul in #expect(soul == nil) }
        #expect(try store.version() == before, "a change of nothing writes nothing")
        try await store.change(key) { $0 = try Soul(userID: "u1", valence: 0.5) }
        try await store.change(key) { soul in soul?.note = "seen" }
        #expect(try store.soul(of: "u1")?.note == "seen")
        let written = try store.version()
        try await store.change(key) { soul in soul?.note = "seen" }
        #expect(try store.version() == written, "an equal record is not written")
        try await store.change(key) { $0 = nil }
        #expect(try store.soul(of: "u1") == nil)
        #expect(try store.check().isIntact)
    }

    @Test func aChangeOfTheKeyIsRefusedAndChangesNothing() async throws {
        let store = try folder.open()
        try await store.put([Soul(userID: "u1", valence: 0.5), Soul(userID: "u2", valence: 0.25)])
        let before = try store.version()
        for (key, other) in [("u1", "u2"), ("u1", "u3"), ("u4", "u1"), ("u4", "u5")] {
            let error = await #expect(throws: KinError.self, "\(key) \(other)") {
                try await store.change(.soul(of: key)) { $0 = try Soul(userID: other, valence: 1) }
            }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try store.version() == before && store.souls().map(\.userID) == ["u1", "u2"])
    }

    @Test func aBodyThatThrowsChangesNothing() async throws {
        let store = try folder.open()
        try await store.put([Soul(userID: "u1", valence: 0.5)])
        let before = try store.version()
        await #expect(throws: KinError.self) {
            try await store.transaction { transaction in
                try transaction.change(.soul(of: "u1")) { $0?.note = "lost" }
                try transaction.change(.preferences(of: "u1")) { $0 = try ChallengePreferences(userID: "u1") }
                #expect(try transaction.record(.soul(of: "u1"))?.note == "lost")
                try transaction.requireKnown("nobody")
            }
        }
        #expect(try store.version() == before && store.soul(of: "u1")?.note != "lost")
    }

    /// The transaction sees its own changes in derived values, and the cache does not have them before the commit.
    /// A rule of the app, not an error of the store.
    private struct Refusal: Error, Equatable { let reason: String }

    @Test func errorsOfABodyKeepTheirIdentity() async throws {
        let store = try folder.open()
        try await store.put([Soul(userID: "u1", valence: 0.5)])
        let before = try store.version()
        let refusal = Refusal(reason: "too late")
        let errors = await [
            kinError { try await store.change(.soul(of: "u1")) { _ in throw refusal } },
            kinError { try await store.transaction { _ in throw refusal } },
            kinError {
                try await store.transaction { inner in try inner.change(.soul(of: "u1")) { _ in throw refusal } }
            },
            kinError { try await store.changeAffinitySettings { _ in throw refusal } },
            kinError { try store.exportLines { _ in throw refusal } },
            kinError { try store.withMatcher { _ in throw refusal } },
            kinError { try store.withHistory(of: "u1") { _ in throw refusal } },
            kinError { try store.withInventoryIndex { _ in throw refusal } },
            kinError { try store.matcher().forEachMostSimilar(k: 1) { _, _ in throw refusal } },
        ]
        for error in errors {
            #expect(error?.underlying as? Refusal == refusal)
            #expect(error?.code == .cancelled)
        }
        let known = await kinError {
            try await store.transaction { _ in throw KinError(.duplicateID, "known") }
        }
        #expect(known == KinError(.duplicateID, "known") && known?.underlying == nil)
        let cancelled = await kinError { try await store.change(.soul(of: "u1")) { _ in throw CancellationError() } }
        #expect(cancelled?.underlying is CancellationError && cancelled?.code == .cancelled)
        // An error of the database inside a body stays one.
        let failed = await kinError {
            try await store.transaction { inner in try inner.writer.database.execute(sql: "SELECT nothing") }
        }
        #expect(failed?.code == .inputOutput && failed?.underlying == nil)
        #expect(try store.version() == before)
    }

    @Test func derivedValuesOfATransactionAreItsOwn() async throws {
        let store = try folder.open()
        let session = try PleasureSession(
            id: "s1", userID: "u1", start: Timestamp(parsing: "2026-03-28T19:00:00Z"), state: .idle)
        try await store.put([session])
        await #expect(throws: KinError.self) {
            try await store.transaction { transaction in
                #expect(try transaction.history(of: "u1").sessions.count == 1)
                try transaction.change(.session("s1")) { $0 = nil }
                #expect(try transaction.history(of: "u1").sessions.isEmpty)
                throw KinError(.cancelled, "enough")
            }
        }
        #expect(try store.withHistory(of: "u1") { $0.sessions } == [session])
    }

    @Test func aDraftIsRecomputedUntilItsSourcesAreStable() async throws {
        let store = try folder.open()
        try await store.put([Soul(userID: "u1", valence: 0), Soul(userID: "u2", valence: 0)])
        // A different command changes the soul each time; in the end the computation runs while other commands wait.
        let tries = Mutex(0)
        let waiting = Mutex<[Task<Void, any Error>]>([])
        let found = try await store.write("test", after: [Soul.kind], of: ["u1"]) { () throws(KinError) -> Double? in
            let value = try store.soul(of: "u1")?.valence
            let count = tries.withLock { tries in
                tries += 1
                return tries
            }
            let task = Task { try await store.put([Soul(userID: "u1", valence: Double(count) / 100)]) }
            waiting.withLock { $0.append(task) }
            return value
        } _: { draft, transaction in
            let present = try RecordQuery<Soul>(of: "u1").first(in: transaction.database)?.valence
            #expect(present == draft)
            return draft
        }
        for task in waiting.withLock({ $0 }) { try await task.value }
        #expect(tries.withLock { $0 } <= 5 && found != nil)
        // Changes of other people do not matter.
        let count = Mutex(0)
        _ = try await store.write("test", after: [Soul.kind], of: ["u1"]) { () throws(KinError) in
            count.withLock { $0 += 1 }
        } _: { _, transaction in
            try transaction.put(Soul(userID: "u2", valence: 1))
        }
        #expect(count.withLock { $0 } == 1)
    }
}
