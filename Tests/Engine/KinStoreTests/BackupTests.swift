import Foundation
import GRDB
import KinStoreTrials
import KinTestSupport
import SystemPackage
import Testing

@testable import KinStore

@Suite("Backups")
struct BackupTests {
    private let folder = StoreFolder()
    private var copy: String { "\(folder.path)/copy.db" }

    /// Opens the backup as a store.
    private func open(_ access: Store.Access = .writing) throws -> Store {
        try Store(at: copy, for: access, check: .complete)
    }

    /// The files in the folder that do not belong to the store: those of the backup and unknown ones.
    private var copies: [String] { folder.files.filter { !$0.hasPrefix("people.db") } }

    @Test func aBackupHasEveryKindAndOpensAlone() async throws {
        let sample = try await EveryKind(in: folder)
        let version = try sample.store.backup(to: copy)
        #expect(try version == sample.store.version())
        #expect(copies == ["copy.db"])
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try EveryKind.export(sample.store)
        do {
            let reader = try open(.reading)
            #expect(try EveryKind.export(reader) == text)
            #expect(copies == ["copy.db"], "reading leaves nothing next to it")
        }
        // Anywhere, and while the store is in use.
        let elsewhere = StoreFolder()
        try elsewhere.write(folder.contents("copy.db"), to: "people.db")
        let other = try elsewhere.open()
        #expect(try EveryKind.export(other) == text)
        #expect(try other.check().problems == [])
        for person in EveryKind.people {
            #expect(try other.anonymousName(of: person) == sample.store.anonymousName(of: person))
        }
        var records = SampleRecords()
        try await other.put([records.session("new", of: "u1")])
        try await sample.store.put([records.session("other", of: "u1")])
        try await other.close()
        #expect(try elsewhere.open(.reading).session("new") != nil)
    }

    /// Each transaction stores ten sessions. A backup has whole transactions, including every one acknowledged before
    /// it.
    @Test func aBackupIsAConsistentStateOfAStoreInUse() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        let batches = try (0..<60).map { batch in
            try (0..<10).map {
                try sample.session("\(batch)-\($0)", of: "u1", notes: String(repeating: "n", count: 2000))
            }
        }
        let reader = try folder.open(.reading)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for batch in batches { try await store.put(batch) } }
            group.addTask { [copy] in
                for round in 0..<8 {
                    let source = round % 2 == 0 ? store : reader
                    let before = try source.sessions(of: "u1", limit: .max).count
                    let version = try source.backup(to: copy, overwrite: true)
                    let found = try Store(at: copy, for: .reading)
                    let count = try found.sessions(of: "u1", limit: .max).count
                    #expect(count % 10 == 0 && count >= before, "\(count) sessions, \(before) before")
                    #expect(try found.version() == version)
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.check().isIntact)
    }

    @Test func aStoreInMemoryIsBackedUp() async throws {
        var sample = SampleRecords()
        let store = try Store()
        try await store.put(sample.sessions(20))
        try store.backup(to: copy)
        #expect(try open().check().counts["session"] == 20)
    }

    @Test func backupsReportProgressAndCanBeCancelled() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try store.backup(to: copy)
        let before = try folder.contents("copy.db")
        try await store.put(
            (0..<600).map { try sample.session("s\($0)", of: "u1", notes: String(repeating: "n", count: 20_000)) })
        let path = copy
        let error = #expect(throws: KinError.self) {
            try withProgressHandler {
                _ = try store.backup(to: path, overwrite: true)
            } onProgress: { done, total in
                #expect(done > 0 && done <= total ?? 0)
                return false
            }
        }
        #expect(error?.code == .cancelled)
        #expect(try folder.contents("copy.db") == before && copies == ["copy.db"])
    }

    /// SQLite replays a rollback journal into any database with its name, and continues if it cannot remove one.
    @Test func journalsAreNotReplayedIntoOtherDatabases() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(200))
        try store.backup(to: copy)
        let text = try EveryKind.export(store)
        try await store.put(sample.sessions(400).suffix(200).map { $0 })
        try await store.close()
        let journal = "people.db-journal"
        let bytes = try await DatabaseQueue(path: folder.database).writeWithoutTransaction { [folder] database in
            try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; DELETE FROM session")
            defer { try? database.execute(sql: "ROLLBACK") }
            return try folder.contents(journal)
        }
        #expect(bytes.count > 1 << 12 && bytes[0] != 0, "it would be replayed")
        try FileManager.default.removeItem(atPath: folder.database)
        try FileManager.default.removeItem(atPath: folder.database + "-writer")
        try folder.write(bytes, to: journal)
        #expect(errorCode { try Store().backup(to: folder.database) } == .invalidArgument)
        try Store.restore(from: copy, to: folder.database)
        #expect(try EveryKind.export(folder.open()) == text)
        #expect(!folder.files.contains(journal))
    }

    /// Only an earlier backup is ever replaced, and only if this is allowed.
    @Test func backupsOverwriteNoOtherFiles() async throws {
        let store = try folder.open()
        let link = "\(folder.path)/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.database)
        let other = StoreFolder()
        let neighbour = try other.open()
        try await neighbour.close()
        let closed = other.database
        let open = StoreFolder()
        let inUse = try open.open()
        try folder.write(Array("a letter".utf8), to: "letter.txt")
        try await DatabaseQueue(path: "\(folder.path)/theirs.db").write {
            try $0.execute(sql: "CREATE TABLE something (a)")
        }
        let spared = [
            folder.database, link, closed, open.database, "\(folder.path)/letter.txt", "\(folder.path)/theirs.db",
            folder.path,
        ]
        for path in spared {
            let before = try? Data(contentsOf: URL(filePath: path))
            for overwrite in [false, true] {
                let error = #expect(throws: KinError.self) { try store.backup(to: path, overwrite: overwrite) }
                #expect(
                    error?.code == .invalidArgument && error?.context.contains { $0.value == path } == true, "\(error!)"
                )
            }
            #expect(try contentsOfFile(path) == before)
        }
        #expect(errorCode { try store.backup(to: "\(folder.path)/none/copy.db") } == .inputOutput)
        #expect(errorCode { try store.backup(to: "") } == .invalidArgument)
        try folder.write([], to: "copy.db")
        try store.backup(to: copy)
        #expect(kinError { try store.backup(to: copy) }.says("there is a backup already"))
        try store.backup(to: copy, overwrite: true)
        // A backup that was opened for writing is a store.
        try await self.open().close()
        #expect(errorCode { try store.backup(to: copy, overwrite: true) } == .invalidArgument)
        withExtendedLifetime(inUse) {}
        #expect(try store.check().isIntact)
    }

    /// Files that appear at a path while a new file is written.
    private struct Appearing: ForwardingFiles {
        let path: String
        let bytes: [UInt8]
        func create(_ path: FilePath, permissions: FilePermissions) throws(Errno) -> FileDescriptor {
            _ = FileManager.default.createFile(atPath: self.path, contents: Data(bytes))
            return try system.create(path, permissions: permissions)
        }
    }

    @Test func aBackupReplacesNoFileThatAppearsMeanwhile() async throws {
        var sample = SampleRecords()
        let first = try folder.open()
        try await first.put([sample.session("s1", of: "u1")])
        try first.backup(to: copy)
        let earlier = try folder.contents("copy.db")
        try FileManager.default.removeItem(atPath: copy)
        let other = StoreFolder()
        let environment = StoreEnvironment(files: Appearing(path: copy, bytes: earlier))
        let store = try Store(at: other.database, for: .writing, check: .brief, in: environment)
        #expect(kinError { try store.backup(to: copy) }.says("which would be lost"))
        #expect(try folder.contents("copy.db") == earlier && copies == ["copy.db"])
        #expect(try open(.reading).session("s1") != nil)
    }

    private func contentsOfFile(_ path: String) throws -> Data? { try? Data(contentsOf: URL(filePath: path)) }

    @Test func aDamagedStoreDoesNotReplaceABackup() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(20))
        try store.backup(to: copy)
        let before = try folder.contents("copy.db")
        try await store.pool.write {
            try $0.execute(sql: "UPDATE session SET body = replace(body, 'u1', 'u7') WHERE number = 2")
        }
        let error = #expect(throws: KinError.self) { try store.backup(to: copy, overwrite: true) }
        #expect(error?.code == .corruptFile && error?.message.contains("row 2 of table session") == true)
        #expect(try folder.contents("copy.db") == before && copies == ["copy.db"])
    }

    /// A pending erasure is copied with its task.
    @Test func aPendingErasureIsCopiedToTheBackup() async throws {
        let sample = try await EveryKind(in: folder)
        try await sample.store.pool.write { database in
            try database.execute(sql: "DELETE FROM person WHERE uid = ?", arguments: [EveryKind.person])
            try Erasure.begin(in: database)
            _ = try ChangeLog.restart(in: database)
        }
        try sample.store.backup(to: copy)
        let elsewhere = StoreFolder()
        try elsewhere.write(folder.contents("copy.db"), to: "people.db")
        #expect(try elsewhere.open(.reading).check().warnings.count { $0.contains("forgotten") } == 2)
        try await elsewhere.open().close()
        #expect(try elsewhere.found(EveryKind.traces) == nil)
        // After the erasure no backup has the data.
        try await sample.store.forget("nobody")
        try sample.store.backup(to: copy, overwrite: true)
        #expect(try folder.found(EveryKind.traces) == nil)
    }
}

@Suite("Restoring a backup")
struct RestoreTests {
    private let folder = StoreFolder()
    private var backup: String { "\(folder.path)/backup.db" }

    /// A store with a backup of twenty sessions that now has thirty.
    private func filled() async throws -> Store {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(20))
        _ = try store.nearestSessions(to: sample.point(), k: 3)
        try store.backup(to: backup)
        try await store.put((0..<10).map { try sample.session("later-\($0)", of: "later") })
        return store
    }

    @Test func aRestoredStoreIsUsable() async throws {
        let store = try await filled()
        try await store.close()
        try folder.write(Array("mine".utf8), to: "people.db-indexes/notes.txt")
        #expect(folder.files.contains("people.db-indexes/session-l2.kin"))
        let before = try folder.contents("backup.db")
        try Store.restore(from: backup, to: folder.database)
        #expect(folder.files == ["backup.db", "people.db", "people.db-indexes/notes.txt", "people.db-writer"])
        #expect(try folder.contents("backup.db") == before)
        for _ in 0..<2 {
            let again = try folder.open()
            #expect(try again.users() == ["u0", "u1", "u2", "u3"])
            #expect(try again.check().problems == [])
            var sample = SampleRecords(seed: 2)
            #expect(try again.nearestSessions(to: sample.point(), k: 99).count == again.check().counts["session"])
            try await again.put([sample.session("new", of: "u0")])
            try await again.close()
        }
        // A second restore, over a store with later changes, and to a new path.
        try Store.restore(from: backup, to: folder.database)
        #expect(try folder.open().check().counts["session"] == 20)
        let new = "\(folder.path)/new.db"
        try Store.restore(from: backup, to: new)
        #expect(try Store(at: new).check().counts["session"] == 20)
    }

    @Test func anOpenStoreIsNotReplaced() async throws {
        let store = try await filled()
        var error = #expect(throws: KinError.self) { try Store.restore(from: backup, to: folder.database) }
        #expect(error?.code == .busy)
        try await store.close()
        let reader = try folder.open(.reading)
        #expect(try reader.check().counts["session"] == 30)
        error = #expect(throws: KinError.self) { try Store.restore(from: backup, to: folder.database) }
        #expect(error?.code == .busy, "\(error!)")
        #expect(try reader.check().counts["session"] == 30)
        try await reader.close()
        #expect(try folder.open().check().counts["session"] == 30)
        #expect(!folder.files.contains { $0.hasSuffix(".tmp") })
    }

    /// A restored store without a log does not show that it is open for reading.
    @Test func aReaderOfAReplacedStoreSaysSo() async throws {
        try await filled().close()
        try Store.restore(from: backup, to: folder.database)
        let reader = try folder.open(.reading)
        #expect(try reader.users().count == 4)
        try Store.restore(from: backup, to: folder.database)
        var calls: [() throws -> Void] = [
            { _ = try reader.users() }, { _ = try reader.backup(to: backup, overwrite: true) },
        ]
        calls += [{ _ = try reader.exportLines { _ in } }, { _ = try reader.session("s1") }]
        for call in calls {
            let error = kinError(of: call)
            #expect(error?.code == .inputOutput && error?.message.contains("open the store again") == true, "\(error)")
        }
        #expect(try reader.check().problems.count == 1)
        #expect(try folder.open(.reading).users().count == 4)
    }

    /// A reader sees the old store or the new one.
    @Test func aStoreOpensForReadingWhileItIsRestored() async throws {
        try await filled().close()
        async let restored: Void = Task.detached { [folder, backup] in
            for _ in 0..<60 {
                while let error = kinError(of: { try Store.restore(from: backup, to: folder.database) }) {
                    #expect(error.code == .busy, "\(error)")
                }
            }
        }.value
        for _ in 0..<600 {
            let error = kinError { try folder.open(.reading, check: .brief) }
            #expect(error == nil || error?.code == .busy, "\(String(describing: error))")
        }
        await restored
    }

    /// The log of a killed writer is not replayed into the backup. A store that is restored from itself includes it.
    @Test func theLogOfAKilledWriterIsNotReplayedIntoABackup() async throws {
        let store = try await filled()
        for source in ["backup.db", "people.db"] {
            let killed = try folder.copy()
            try? FileManager.default.removeItem(atPath: "\(killed.path)/people.db-shm")
            #expect(try killed.contents("people.db-wal").count > 0)
            try Store.restore(from: "\(killed.path)/\(source)", to: killed.database)
            #expect(try killed.open().check().counts["session"] == (source == "people.db" ? 30 : 20))
        }
        try await store.close()
    }

    @Test func restoringReplacesDamagedStoresAndRefusesForeignFiles() async throws {
        let store = try await filled()
        try await store.close()
        let good = try folder.contents("people.db")
        // A damaged store is replaced.
        for damage in [Array("no database".utf8), Array(good.prefix(5000)), []] {
            try folder.write(damage, to: "people.db")
            try Store.restore(from: backup, to: folder.database)
            #expect(try folder.open().check().counts["session"] == 20)
        }
        // A damaged backup replaces nothing.
        try folder.write(good, to: "people.db")
        var bytes = try folder.contents("backup.db")
        let wanted = Array("\"state_history\"".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: wanted) })
        bytes[place + 2] ^= 1
        try folder.write(bytes, to: "backup.db")
        #expect(errorCode { try Store.restore(from: backup, to: folder.database) } == .corruptFile)
        #expect(try folder.contents("people.db") == good)
        // Other files are neither read nor replaced.
        try folder.write(Array("a letter".utf8), to: "letter.txt")
        try await DatabaseQueue(path: "\(folder.path)/theirs.db").write {
            try $0.execute(sql: "CREATE TABLE something (a)")
        }
        #expect(errorCode { try Store.restore(from: folder.path + "/nothing", to: folder.database) } == .inputOutput)
        for name in ["letter.txt", "theirs.db"] {
            let path = "\(folder.path)/\(name)"
            #expect(errorCode { try Store.restore(from: path, to: folder.database) } == .unsupportedFormat)
            let before = try folder.contents(name)
            #expect(errorCode { try Store.restore(from: folder.database, to: path) } == .invalidArgument)
            #expect(try folder.contents(name) == before)
        }
        #expect(!folder.files.contains { $0.hasSuffix(".tmp") })
    }

    /// The note of release 0.2.0 has no lineage, and is valid for any database.
    @Test func notesMatchOnlyTheirLineage() async throws {
        let store = try await filled()
        try await store.close()
        let written = try #require(WriterNote(ofFile: folder.database + "-writer"))
        #expect(written.lineage != nil)
        #expect(written.binds(nil) && written.binds(written.lineage) && !written.binds(Lineage()))
        let fields = String(decoding: try folder.contents("people.db-writer"), as: UTF8.self).split(separator: "\n")
        let old = "kin store writer 2\n" + fields[1...3].joined(separator: "\n") + "\n"
        // Written over the longer note, as that release does.
        let text = old + String(repeating: " ", count: 96 - old.utf8.count)
        let note = try #require(
            WriterNote(text: text + String(repeating: "0", count: 11) + "\n" + String(repeating: " ", count: 20)))
        #expect(note.change == written.change && note.lineage == nil && note.isClosed)
        try folder.write(Array(text.utf8), to: "people.db-writer")
        try Store.restore(from: backup, to: folder.database)
        #expect(try folder.open().check().counts["session"] == 20)
        // A backup has the lineage of its store, and a restored store a new one.
        let restored = try #require(WriterNote(ofFile: folder.database + "-writer")).lineage
        #expect(restored != nil && restored != written.lineage)
    }
}
