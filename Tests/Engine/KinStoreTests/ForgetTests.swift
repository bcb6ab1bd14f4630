import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Forgetting a person")
struct ForgetTests {
    private let folder = StoreFolder()

    /// Texts that only the person's records have.
    private let traces = ["person-to-forget", "secret-note", "secret-session", "secret state", "secret place"]

    /// A store with the person among others, whose rows share pages with the person's.
    private func filled() async throws -> Store {
        var sample = SampleRecords()
        let store = try folder.open()
        for round in 0..<6 {
            var sessions = try sample.sessions(60).map { session in
                try sample.session(
                    "\(round)-\(session.id)", of: session.userID, notes: String(repeating: "n", count: 300))
            }
            for number in 0..<30 {
                let size = number == 7 ? 30_000 : 200
                let notes = String(repeating: "secret-note ", count: size / 12)
                sessions.append(
                    try sample.session("secret-session-\(round)-\(number)", of: "person-to-forget", notes: notes))
            }
            try await store.put(sessions.shuffled())
            var profile = try sample.profile(of: "person-to-forget")
            profile.currentState = "secret state"
            profile.context = try PleasureProfile.Context("\"secret place\"")
            try await store.put(profile, since: hour(round))
        }
        return store
    }

    @Test func noFileContainsTheForgottenBytes() async throws {
        let store = try await filled()
        // Some sessions change and are removed first, and indexes are saved: traces are in many places.
        var sample = SampleRecords(seed: 5)
        for number in 0..<20 {
            try await store.put([
                sample.session("secret-session-0-\(number)", of: "person-to-forget", notes: "secret-note")
            ])
            try await store.removeSession("secret-session-1-\(number)")
        }
        _ = try store.nearestSessions(to: sample.point(), k: 3)
        _ = try store.nearestSessions(to: sample.point(), k: 3, metric: .cosine)
        try await store.saveIndexes()
        try folder.write(Array("secret-note".utf8), to: "people.db-indexes/.kin-0123456789abcdef.tmp")
        for trace in traces { #expect(try folder.found([trace]) != nil, "\(trace) is there to begin with") }
        let others = try ["u0", "u1", "u2", "u3"].map { try store.sessions(of: $0, limit: 1000) }

        #expect(try await store.forget("person-to-forget") == ["session": 160, "profile": 6])

        #expect(try folder.found(traces) == nil)
        #expect(try store.users() == ["u0", "u1", "u2", "u3"])
        #expect(try ["u0", "u1", "u2", "u3"].map { try store.sessions(of: $0, limit: 1000) } == others)
        #expect(try store.nearestSessions(to: sample.point(), k: 1000).count == 360)
        #expect(try store.check().isIntact)
        try await store.close()
        #expect(try folder.found(traces) == nil)
        let again = try folder.open()
        #expect(try again.check().isIntact)
        #expect(try folder.found(traces) == nil)
    }

    @Test func forgettingAnUnknownPersonChangesNothing() async throws {
        let store = try await filled()
        let version = try store.version()
        #expect(try await store.forget("nobody").isEmpty)
        #expect(try store.version() == version)
    }

    /// A snapshot that is still being read holds the bytes in the log. The call reports this, and the next one erases
    /// them.
    @Test func aReaderOfAnOldStateIsReported() async throws {
        let store = try await filled()
        let reader = try folder.open(.reading)
        let holder = HeldThread(reading: reader)
        #expect(await errorCode { try await store.forget("person-to-forget") } == .busy)
        #expect(try store.sessions(of: "person-to-forget").isEmpty)
        holder.letGo()
        #expect(try await store.forget("person-to-forget").isEmpty)
        #expect(try folder.found(traces) == nil)
    }

    /// SQLite's recovery may copy uninitialised memory into the header of the log index.
    @Test func sharedMemoryIsCleared() async throws {
        let store = try await filled()
        try await store.pool.writeWithoutTransaction { database in _ = try database.checkpoint(.truncate) }
        let file = try FileHandle(forUpdating: URL(filePath: folder.database + "-shm"))
        for offset: UInt64 in [200, 16_000, 30_432] {
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data("secret-note".utf8))
        }
        #expect(try folder.contents("people.db-shm").contains(UInt8(ascii: "-")))
        try Erasure(paths: store.paths, pool: store.pool, files: store.files).clearSharedMemory()
        let left = try folder.contents("people.db-shm")
        #expect(left.count == 32_768)
        let isZero = left.dropFirst(136).allSatisfy { $0 == 0 }
        #expect(isZero)
        withExtendedLifetime(file) {}
        #expect(try store.check().isIntact)
        try await store.forget("person-to-forget")
        #expect(try folder.found(traces) == nil)
    }

    /// An erasure interrupted by a crash is finished at the next opening.
    @Test func openingFinishesAnInterruptedErasure() async throws {
        do {
            let store = try await filled()
            _ = try store.nearestSessions(to: Pleasure(), k: 3)
            try await store.saveIndexes()
            try await store.pool.write { database in
                try database.execute(sql: "DELETE FROM person WHERE uid = 'person-to-forget'")
                try Erasure.begin(in: database)
                _ = try ChangeLog.restart(in: database)
            }
        }
        #expect(try folder.found(traces) != nil)
        let store = try folder.open()
        #expect(try folder.found(traces) == nil)
        #expect(try store.check().isIntact)
    }

    /// Every table is known: a person's rows are deleted with the person, and can be found by person.
    @Test func everyTableIsForgotten() async throws {
        let store = try folder.open()
        try store.read("look at the tables") { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            let owned = try tables.filter { table in
                try database.columns(in: table).contains { $0.name == "person" }
            }
            #expect(Set(owned) == Set(RecordKind.all.filter(\.isOwned).map(\.name)).union(["baby_owner"]))
            let others = Set(RecordKind.all.filter { !$0.isOwned }.map(\.name))
            let general: Set = [
                "person", "change", "duty", "numbering", "secret", "grdb_migrations", "policy_state", "welcomed",
            ]
            #expect(Set(tables).subtracting(owned) == others.union(general))
            for table in owned {
                let keys = try Row.fetchAll(database, sql: "PRAGMA foreign_key_list(\(table))")
                let actions = keys.map { (key: Row) -> [String] in [key["table"], key["on_delete"]] }
                #expect(actions.contains(["person", "CASCADE"]), "\(table)")
                #expect(
                    try database.indexes(on: table).contains { $0.columns.first == "person" },
                    "\(table) has no index to find a person's rows by")
            }
        }
    }

    /// A table created from its declaration has the columns, the unique key and the index of the store's table.
    @Test func declarationsDescribeTheTables() throws {
        let store = try folder.open()
        let declared = try DatabaseQueue()
        try declared.write { database in
            try database.execute(sql: "CREATE TABLE person (number INTEGER PRIMARY KEY)")
            for type in RecordKind.types { try database.execute(sql: type.creation) }
        }
        func structure(_ kind: RecordKind, _ database: Database) throws -> [String] {
            #expect(try database.table(kind.name, hasUniqueKey: kind.key), "\(kind.name)")
            let isIndexed = try database.indexes(on: kind.name).contains { $0.columns.first == "person" }
            #expect(isIndexed == kind.isOwned, "\(kind.name)")
            return try database.columns(in: kind.name).map { "\($0.name) \($0.type) \($0.isNotNull)" }
        }
        for kind in RecordKind.all {
            let columns = try declared.read { try structure(kind, $0) }
            #expect(try store.read("look at the tables") { try structure(kind, $0) } == columns, "\(kind.name)")
        }
    }
}
