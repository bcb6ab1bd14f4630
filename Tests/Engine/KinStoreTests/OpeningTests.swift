import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Opening a store")
struct OpeningTests {
    private let folder = StoreFolder()

    @Test func aStoreHasOneWriterAtATime() async throws {
        let first = try folder.open()
        #expect(kinError { try folder.open() }.says("process \(getpid())", code: .busy))
        #expect(errorCode { try folder.open(.reading) } == nil)
        var note = WriterNote(change: 0)
        note.process = .max
        try folder.write(note.bytes, to: "people.db-writer")
        #expect(kinError { try folder.open() }.says("a child of the ended process \(Int32.max)", code: .busy))
        try await first.close()
        let second = try folder.open()
        #expect(errorCode { try folder.open() } == .busy)
        _ = second
    }

    private func waiting(_ access: Store.Access = .writing, _ timeout: Duration = .seconds(300)) throws -> Store {
        try Store(at: folder.database, for: access, check: .brief, in: StoreEnvironment(timeout: timeout))
    }

    /// Many writers that open the store, write a record and free the store at the same time: each waits for the others,
    /// and every record is there.
    @Test func waitingWritersWaitForEachOther() async throws {
        let names = (0..<6).map { "s\($0)" }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        for name in names {
            Thread.detachNewThread {
                if let store = try? waiting() {
                    _ = try? store.connections.pool.write { database in
                        var sample = SampleRecords()
                        let transaction = WriteTransaction(database, naming: store.naming)
                        try transaction.put(sample.session(name, of: name))
                        return try transaction.finish()
                    }
                }
                end.yield()
            }
        }
        var ended = ends.makeAsyncIterator()
        for _ in names { await ended.next() }
        #expect(try folder.open(.reading).users() == names.sorted())
    }

    /// A new store that is left empty is removed, unless a waiting process has it open or has written to it.
    @Test func aStoreInUseIsNotRemoved() async throws {
        var sample = SampleRecords()
        try await folder.open().close()
        let other = try folder.open()
        try await other.put([sample.session("s", of: "u")])
        Store.removeFiles(at: folder.database, ifOwn: true)
        try await other.close()
        var note = WriterNote(change: 0, isClosed: true)
        note.process = 1
        try folder.write(note.bytes, to: "people.db-writer")
        Store.removeFiles(at: folder.database, ifOwn: true)
        #expect(try folder.open(.reading).users() == ["u"])
        try await folder.open().close()
        Store.removeFiles(at: folder.database, ifOwn: true)
        #expect(folder.files.isEmpty)
    }

    /// A process that has had the store open for longer than the timeout is not waited for.
    @Test func aLongHolderIsNotWaitedFor() async throws {
        let holder = try folder.open()
        let note = folder.database + "-writer"
        func age(_ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: note)
        }
        try age(600)
        #expect(kinError { try waiting() }.says("process \(getpid()) has", code: .busy))
        try age(0)
        #expect(kinError { try waiting(.writing, .milliseconds(1)) }?.code == .busy)
        try await holder.close()
        let lock = try WriterLock(path: note)
        try age(600)
        #expect(kinError { try waiting(.writing, .milliseconds(1)) }.says("another process has", code: .busy))
        _ = lock
    }

    @Test func aReleasedStoreReleasesItsLock() throws {
        for _ in 0..<3 { _ = try folder.open() }
        #expect(errorCode { try folder.open() } == nil)
    }

    @Test func readingNeedsAnExistingStore() throws {
        #expect(errorCode { try folder.open(.reading) } == .inputOutput)
        #expect(folder.files.isEmpty)
        #expect(errorCode { try Store(at: "a\u{0}b") } == .invalidArgument)
    }

    /// A different process that creates or updates the store holds the writer's lock. Its files must not be taken for
    /// old or damaged ones.
    @Test func aReaderWaitsForTheProcessThatCreatesOrUpdatesTheStore() throws {
        let old = try Bundle.module.golden("store-6.db")
        let files: [(bytes: [UInt8], note: WriterNote?)] = [([], nil), ([], WriterNote(change: 3)), (old, nil)]
        for (bytes, note) in files {
            let folder = StoreFolder()
            var lock: WriterLock? = try WriterLock(path: folder.database + "-writer")
            #expect(kinError { try folder.open(.reading) }?.message.contains("there is no store") == true)
            try folder.write(bytes, to: "people.db")
            if let note { try lock?.write(note) }
            let busy = kinError { try folder.open(.reading) }
            #expect(busy?.code == .busy && busy?.message.contains("try again") == true, "\(String(describing: busy))")
            #expect(lock != nil)
            lock = nil
            #expect(errorCode { try folder.open(.reading) } == (note == nil ? .unsupportedFormat : .corruptFile))
        }
        // Its process ended while it made the tables.
        let unfinished = StoreFolder()
        let database = try DatabaseQueue(path: unfinished.database)
        try Migrations.migrator.migrate(database, upTo: "pleasure")
        try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA application_id = 1265200723") }
        try database.close()
        #expect(kinError { try unfinished.open(.reading) }?.message.contains("is empty") == true)
        #expect(try unfinished.open().users().isEmpty)
        try folder.write(old, to: "people.db")
        let outdated = kinError { try folder.open(.reading) }
        #expect(outdated?.message.contains("kin save_indexes --store") == true)
    }

    /// Readers that open a store while it is created and filled see no store, a busy store or a complete store.
    @Test func readersOfANewStoreGetOnlyRetryableErrors() async throws {
        for _ in 0..<4 {
            let folder = StoreFolder()
            func errorsOfReading() -> [KinError] {
                var errors: [KinError] = []
                while errors.count < 100_000, let error = kinError(of: { try folder.open(.reading) }) {
                    errors.append(error)
                }
                return errors
            }
            async let created = kinError { try folder.open() }
            let errors = errorsOfReading()
            #expect(await created == nil)
            #expect(errors.allSatisfy { $0.code == .busy || $0.message.contains("there is no store") }, "\(errors)")
        }
    }

    /// A different process may open the store between a reader's looks at the note and at the database. Its mark must
    /// not make the database a copy without its log.
    @Test func aReaderWhoseNoteIsOldFindsNoCopy() async throws {
        var sample = SampleRecords()
        let paths = try StorePaths(resolving: folder.database)
        try await folder.open().close()
        for session in [nil, try sample.session("s1", of: "u1")] {
            let note = try #require(WriterNote(ofFile: paths.writerNote))
            #expect(note.isClosed)
            let store = try folder.open()
            if let session { try await store.put([session]) }
            let reader = try folder.open(.reading)
            #expect(throws: Never.self) {
                try OpenMark.requireOriginal(note, in: reader.pool, at: paths, for: .reading)
            }
            try await store.close()
        }
    }

    /// The released steps by name, each with a hash of the resulting schema: a change here breaks existing databases.
    @Test func migrationsAreOnlyAdded() throws {
        let released: [(name: String, schema: UInt64)] = [
            ("people and changes", 0xFF74_8670_F4D6_E9DA), ("pleasure", 0xF275_A56A_14AD_50D0),
            ("affinity", 0x1EB7_708D_B416_CEFC), ("realms", 0x3083_A49F_7566_A34C), ("rhythms", 0xB3FA_4FA2_717C_67E5),
            ("challenges", 0x6A9A_D962_35D7_0612), ("numbering", 0x46A9_9804_B5C3_94CE),
            ("affinity model", 0x162B_A700_BD90_34F1), ("owners of changes", 0x869C_C983_0D35_9EB8),
            ("one form of ids, inboxes that travel", 0xE1CF_7557_6E6C_E1D6), ("policies", 0xF91C_3580_D4E4_B381),
            ("states of policies", 0x4FDF_8794_AAF9_0DA3), ("embeddings", 0x1CFB_F7C9_FA4B_0BAF),
            ("forecast ledger, owners of babies", 0x239C_F084_A5F4_9172), ("welcomed souls", 0xE96A_9F7C_4910_9207),
            ("insight ledger", 0xA5A5_446E_EA14_5903), ("people with records", 0xA5A5_446E_EA14_5903),
        ]
        #expect(Migrations.migrator.migrations == released.map(\.name))
        let query = "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'grdb_%' ORDER BY type, name"
        let database = try DatabaseQueue()
        for (name, expected) in released {
            try Migrations.migrator.migrate(database, upTo: name)
            let schema = try database.read { try String.fetchAll($0, sql: query) }
            // FNV-1a.
            let hash = schema.joined(separator: "\n").utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            }
            #expect(hash == expected, "the schema after \(name) is another: 0x\(String(hash, radix: 16))")
        }
    }

    @Test func durabilitySettingsAreOn() throws {
        let store = try folder.open()
        store.pool.writeWithoutTransaction { database in
            func setting(_ name: String) -> String? { try? String.fetchOne(database, sql: "PRAGMA \(name)") }
            #expect(setting("journal_mode") == "wal")
            #expect(setting("synchronous") == "2")
            #expect(setting("secure_delete") == "1")
            #expect(setting("foreign_keys") == "1")
        }
    }

    @Test func theWritersNoteSurvivesARoundTrip() throws {
        for change in [0, 1, 1234, Int64.max] {
            for (isClosed, boot) in [(true, Boot.current), (false, nil), (true, UInt64.max)] {
                var note = WriterNote(change: change, isClosed: isClosed)
                note.boot = boot
                #expect(note.bytes.count == WriterNote.size)
                #expect(WriterNote(text: String(decoding: note.bytes, as: UTF8.self)) == note)
            }
        }
        // The note of release 0.1.0, alone and written over a longer one.
        let old = "kin store writer 1\n4711\n99\n"
        let padded = old + String(repeating: " ", count: 64 - old.utf8.count)
        for text in [padded, padded + "1f3a\n" + String(repeating: " ", count: 27)] {
            let note = try #require(WriterNote(text: text))
            #expect(note.process == 4711 && note.change == 99 && !note.isClosed && note.boot == nil)
            #expect(!note.indicatesUncleanShutdown)
        }
        for text in [
            "", "kin store writer 1\n", "kin store writer 1\n1\n-1\n", "kin store writer 2\n1\n1\n", "x\n1\n1\n",
            "kin store writer 2\n1\n1\nhalf 0\n", "kin store writer 2\n1\n1\nopen x\n",
        ] {
            if let note = WriterNote(text: text) { #expect(note.boot == nil && text.contains("open x"), "\(text)") }
        }
    }

    /// Opening does not read everything, unless the machine went down while the store was open. In that case it finds
    /// damage in pages that nothing else reads.
    @Test func aCompleteCheckRunsOnlyAfterAMachineCrash() async throws {
        var sample = SampleRecords()
        let store = try folder.open(check: .automatic)
        try await store.put(sample.sessions(400))
        try await store.close()
        let note = try #require(WriterNote(ofFile: folder.database + "-writer"))
        #expect(note.isClosed && note.boot == Boot.current && note.change > 0)
        // A page of an index, which SQLite reads only for searches in that index.
        var bytes = try folder.contents("people.db")
        let page = try await DatabaseQueue(path: folder.database).read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'session_by_person'")!
        }
        for place in 0..<64 { bytes[(page - 1) * 4096 + place] ^= 0x5A }
        try folder.write(bytes, to: "people.db")
        func open(isClosed: Bool, boot: UInt64?) throws -> KinError.Code? {
            var note = note
            (note.isClosed, note.boot) = (isClosed, boot)
            try folder.write(note.bytes, to: "people.db-writer")
            return errorCode { _ = try folder.open(.reading, check: .automatic) }
        }
        #expect(errorCode { _ = try folder.open(.reading, check: .complete) } == .corruptFile)
        #expect(try open(isClosed: true, boot: Boot.current) == nil)
        // The process ended, but the machine stayed up.
        #expect(try open(isClosed: false, boot: Boot.current) == nil)
        // The store was closed before the machine went down, or the note lacks the boot time.
        #expect(try open(isClosed: true, boot: 1) == nil)
        #expect(try open(isClosed: false, boot: nil) == nil)
        #expect(try open(isClosed: false, boot: 1) == .corruptFile)
        #expect(errorCode { _ = try folder.open(check: .automatic) } == .corruptFile)
        // An explicit check finds the damage for any content of the note.
        _ = try open(isClosed: true, boot: Boot.current)
        #expect(errorCode { _ = try folder.open(.reading, check: .automatic).check() } == .corruptFile)
    }

    /// A suspended app holds no lock. While a different process writes, the app's writes fail until that process is
    /// done.
    @Test func aSuspendedStoreReleasesItsLock() async throws {
        var sample = SampleRecords()
        let first = try folder.open()
        try await first.put(sample.sessions(20))
        #expect(errorCode { try folder.open() } == .busy)
        try await first.suspend()
        try await first.suspend()
        // Reads still work; the next write takes the lock again.
        #expect(try first.sessions(of: "u1").count == 5)
        try await first.put([sample.session("first", of: "u1")])
        #expect(errorCode { try folder.open() } == .busy)
        try await first.suspend()
        let second = try folder.open()
        try await second.put([sample.session("second", of: "u1")])
        let session = try sample.session("third", of: "u1")
        let writes: [(String, () async throws -> Void)] = [
            ("put", { try await first.put([session]) }), ("forget", { try await first.forget("u1") }),
            ("save", { try await first.saveIndexes() }),
            ("import", { try await first.importLines("{}", now: hour(0)) }),
        ]
        for (name, write) in writes {
            #expect(await errorCode { try await write() } == .busy, "\(name)")
        }
        #expect(try first.session("second") != nil)
        try await second.close()
        try await first.put([session])
        #expect(errorCode { try folder.open() } == .busy)
        #expect(try first.nearestSessions(to: session.embedding, k: 99).count == 23)
        #expect(try first.check().isIntact)
        // Closing a store does not touch a lock that a different store holds.
        try await first.suspend()
        let third = try folder.open()
        try await first.close()
        #expect(errorCode { try folder.open() } == .busy)
        try await third.put([sample.session("fourth", of: "u1")])
        try await third.close()
        let last = try folder.open()
        #expect(try last.sessions(of: "u1", limit: .max).count == 9)
    }

    /// An older copy replaces the store while it is suspended.
    @Test func changesLostDuringSuspensionAreDetected() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(5))
        try await store.suspend()
        var note = try #require(WriterNote(ofFile: folder.database + "-writer"))
        note.change += 5
        try folder.write(note.bytes, to: "people.db-writer")
        let session = try sample.session("new", of: "u1")
        #expect(await errorCode { try await store.put([session]) } == .corruptFile)
        #expect(try store.session("new") == nil)
    }

    /// A reader sees one state, and continues while a transaction of the writer is open.
    @Test func readersDoNotWaitForTheWriter() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        let reader = try folder.open(.reading)
        try await store.put(sample.sessions(10))
        let session = try sample.session("new", of: "u1")
        let writer = HeldThread { hold in
            try? store.pool.write { database in
                let transaction = WriteTransaction(database, naming: try NamingKeySource(given: nil))
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

    /// Many threads search and read while one writes. Each sees every change acknowledged before its read.
    @Test func manyReadersSeeAcknowledgedWrites() async throws {
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
