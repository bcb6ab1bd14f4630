import Foundation
import GRDB
import KinCore
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Opening a store")
struct OpeningTests {
    private let folder = StoreFolder()

    @Test func thereIsOneWriterAtATime() async throws {
        let first = try folder.open()
        let error = #expect(throws: KinError.self) { try folder.open() }
        #expect(error?.code == .busy)
        #expect(error?.message.contains("process \(getpid())") == true)
        #expect(errorCode { try folder.open(.reading) } == nil)
        try await first.close()
        let second = try folder.open()
        #expect(errorCode { try folder.open() } == .busy)
        _ = second
    }

    @Test func aStoreThatIsDroppedLetsGoOfTheLock() throws {
        for _ in 0..<3 { _ = try folder.open() }
        #expect(errorCode { try folder.open() } == nil)
    }

    @Test func aReaderNeedsAStore() throws {
        #expect(errorCode { try folder.open(.reading) } == .inputOutput)
        #expect(folder.files.isEmpty)
        #expect(errorCode { try Store(at: folder.path) } == .inputOutput)
        #expect(errorCode { try Store(at: "\(folder.path)/none/people.db") } == .inputOutput)
        #expect(errorCode { try Store(at: "") } == .invalidArgument)
        #expect(errorCode { try Store(at: "a\u{0}b") } == .invalidArgument)
    }

    @Test func whatIsNoStoreIsRefused() throws {
        try folder.write(Array("this is no database at all, only text".utf8), to: "people.db")
        #expect(errorCode { try folder.open() } == .corruptFile)
        try folder.write([], to: "people.db")
        #expect(errorCode { try folder.open(.reading) } == .unsupportedFormat)
        let other = StoreFolder()
        try DatabaseQueue(path: other.database).write { try $0.execute(sql: "CREATE TABLE something (a)") }
        let error = #expect(throws: KinError.self) { try other.open() }
        #expect(error?.code == .unsupportedFormat && error?.message.contains("another program") == true)
        #expect(error?.context.first?.value == other.database)
    }

    @Test func aStoreOfANewerReleaseIsRefused() async throws {
        let store = try folder.open()
        try await store.pool.write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
        }
        try await store.close()
        for access in [Store.Access.reading, .writing] {
            let error = #expect(throws: KinError.self) { try folder.open(access) }
            #expect(error?.code == .unsupportedFormat && error?.message.contains("newer") == true)
        }
    }

    /// The steps that were released, by name: a change here breaks databases that are out there.
    @Test func migrationsAreOnlyAdded() {
        #expect(
            Migrations.migrator.migrations == [
                "people and changes", "pleasure", "affinity", "realms", "rhythms", "challenges",
            ])
    }

    @Test func theSettingsThatMakeItDurableAreOn() throws {
        let store = try folder.open()
        store.pool.writeWithoutTransaction { database in
            func setting(_ name: String) -> String? { try? String.fetchOne(database, sql: "PRAGMA \(name)") }
            #expect(setting("journal_mode") == "wal")
            #expect(setting("synchronous") == "2")
            #expect(setting("secure_delete") == "1")
            #expect(setting("foreign_keys") == "1")
        }
    }

    @Test func theNoteIsReadAsItWasWritten() {
        for change in [0, 1, 1234, Int64.max] {
            let note = WriterNote(change: change)
            #expect(note.bytes.count == WriterNote.size)
            #expect(WriterNote(text: String(decoding: note.bytes, as: UTF8.self)) == note)
        }
        for text in [
            "", "kin store writer 1\n", "kin store writer 1\n1\n-1\n", "kin store writer 2\n1\n1\n", "x\n1\n1\n",
        ] {
            #expect(WriterNote(text: text) == nil)
        }
    }

    /// A reader sees one state and goes on while somebody writes; the transaction is open all the while.
    @Test func readersDoNotWaitForTheWriter() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        let reader = try folder.open(.reading)
        try await store.put(sample.sessions(10))
        let session = try sample.session("new", of: "u1")
        let writer = HeldThread { hold in
            try? store.pool.write { database in
                let transaction = WriteTransaction(database)
                try transaction.put(session)
                hold()
                _ = try transaction.finish()
            }
        }
        for store in [store, reader] {
            #expect(try store.session("new") == nil)
            #expect(try store.sessions(of: "u1").count == 3)
            #expect(try store.nearestSessions(to: sample.point(), k: 99).count == 10)
        }
        writer.letGo()
        for store in [store, reader] {
            #expect(try store.session("new") == session)
            #expect(try store.nearestSessions(to: sample.point(), k: 99).count == 11)
        }
    }

    /// Many threads search and read while one writes; each sees what was acknowledged before it looked.
    @Test func manyReadersBesideAWriter() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(50))
        let point = try sample.point()
        let new = try (0..<60).map { try sample.session("n\($0)", of: "u1") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    var seen = 0
                    while seen < 110 {
                        let before = try store.sessions(of: "u1", limit: .max).count + 37
                        let found = try store.nearestSessions(to: point, k: 1000).count
                        #expect(found >= before && found >= seen)
                        seen = found
                        await Task.yield()
                    }
                }
            }
            group.addTask { for session in new { try await store.put([session]) } }
            try await group.waitForAll()
        }
        #expect(try store.check().isIntact)
    }
}
