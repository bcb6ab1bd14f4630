import Foundation
import GRDB
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Copies of the database file alone")
struct CopiedStoreTests {
    private let folder = StoreFolder()

    /// Copies some of a store's files, by their suffixes.
    private func copy(_ ends: String...) throws -> StoreFolder {
        let other = StoreFolder()
        for end in ends {
            try FileManager.default.copyItem(atPath: folder.database + end, toPath: other.database + end)
        }
        return other
    }

    private func requireRefused(_ copy: StoreFolder, _ comment: Comment) {
        // In this order, because a refused opening for writing must not make the copy acceptable.
        for access in [Store.Access.reading, .writing, .reading, .writing] {
            let error = #expect(throws: KinError.self, comment) { try copy.open(access, check: .automatic) }
            #expect(error?.code == .corruptFile, comment)
            #expect(
                error?.message.contains("without its log") == true && error?.message.contains("backup") == true, comment
            )
        }
    }

    /// Sessions with more log pages than SQLite allows before it moves the log into the database.
    private func long(_ sample: inout SampleRecords) throws -> [PleasureSession] {
        let notes = String(repeating: "a long walk ", count: 2000)
        return try (0..<300).map { try sample.session("long-\($0)", of: "u1", notes: notes) }
    }

    private func mark(of folder: StoreFolder) throws -> [UInt8] { Array(try folder.contents("people.db")[60..<64]) }

    @Test("a copy of an open store is refused, with any log")
    func copiesOfAnOpenStore() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try requireRefused(copy(""), "an empty store")
        for sessions in [try sample.sessions(1), try sample.sessions(400), try long(&sample), try sample.sessions(10)] {
            try await store.put(sessions)
            try requireRefused(copy(""), "after \(sessions.count) sessions")
            #expect(try copy("", "-wal").open().sessionIndex().points.count == store.sessionIndex().points.count)
        }
        try await store.forget("u1")
        try requireRefused(copy(""), "after an erasure")
        // A different process that closed the store removed the mark.
        try await store.suspend()
        try await folder.open().close()
        try await store.put([sample.session("later", of: "u2")])
        try requireRefused(copy(""), "after a suspension")
        try await store.close()
        #expect(try mark(of: folder) == [0, 0, 0, 0])
        #expect(try copy("").open().session("later") != nil)
    }

    @Test("a copy over a closed store is refused by its note")
    func copiesOverAStore() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(10))
        try await store.close()
        let target = try folder.copy()
        let again = try folder.open()
        // First in the log only, so that the copy shows the change of the note; then also in the database.
        for sessions in [[try sample.session("new", of: "u1")], try long(&sample)] {
            try await again.put(sessions)
            try target.write(folder.contents("people.db"), to: "people.db")
            requireRefused(target, "with a note, \(sessions.count) sessions")
        }
    }

    @Test("stores left by crashes, other programs and earlier releases are not copies")
    func whatIsNoCopy() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(30))
        func requireWhole(_ folder: StoreFolder, _ comment: Comment) async throws {
            for access in [Store.Access.reading, .writing, .reading] {
                let opened = try folder.open(access, check: .automatic)
                #expect(try opened.check().problems == [] && opened.sessionIndex().points.count == 30, comment)
                try await opened.close()
            }
            #expect(try mark(of: folder) == [0, 0, 0, 0], comment)
        }
        #expect(try folder.open(.reading).sessionIndex().points.count == 30)
        try await requireWhole(folder.copy(), "after a crash")
        try await requireWhole(copy("", "-wal"), "after a crash, without the note")
        // A different program moved the log into the database.
        let moved = try folder.copy()
        let queue = try DatabaseQueue(path: moved.database)
        try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
        #expect(try mark(of: moved) == [0, 0, 0, 1] && !moved.files.contains("people.db-wal"))
        try await requireWhole(moved.copy(), "after a crash and another program")
        // Release 0.2.0 opened the store after a crash and closed it; it does not remove the mark.
        let number = try store.version().number
        try moved.write(WriterNote(change: number, isClosed: true).bytes, to: "people.db-writer")
        try await requireWhole(moved, "after release 0.2.0")
        try await store.close()
        try await requireWhole(copy(""), "after closing")
    }

    @Test("a store killed during creation opens")
    func halfMade() async throws {
        let store = try folder.open()
        _ = store
        let copied = try folder.copy()
        #expect(try copied.open().check().isIntact)
        // Before its note was written.
        for size in [0, 10, 63] {
            let before = try folder.copy()
            try before.write(Array(before.contents("people.db-writer").prefix(size)), to: "people.db-writer")
            var bytes = try before.contents("people.db")
            bytes[60..<64] = [0, 0, 0, 0]
            try before.write(bytes, to: "people.db")
            #expect(try before.open().check().isIntact)
        }
    }
}
