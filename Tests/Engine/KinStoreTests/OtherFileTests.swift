import Foundation
import GRDB
import KinIndex
import KinTestSupport
import Testing

@testable import KinStore

@Suite("Files that are not stores of this release")
struct OtherFileTests {
    private let folder = StoreFolder()

    /// The files keep their bytes, and no files are left next to them.
    @Test func otherFilesAreRefusedAndKept() throws {
        let table = "CREATE TABLE something (a)"
        let made: [(name: String, make: (String) throws -> Void)] = [
            ("a text", { try Data("this is no database at all, only text".utf8).write(to: URL(filePath: $0)) }),
            ("a flat index", { try VectorIndex(dimension: 2, layout: .flat).save(to: $0) }),
            ("an index", { try VectorIndex(dimension: 2).save(to: $0) }),
            ("a database", { try DatabaseQueue(path: $0).write { try $0.execute(sql: table) } }),
            ("a database with a log", { try DatabasePool(path: $0).write { try $0.execute(sql: table) } }),
            (
                "a database with an id",
                { try DatabaseQueue(path: $0).write { try $0.execute(sql: "PRAGMA application_id = 7") } }
            ),
        ]
        for (name, make) in made {
            let folder = StoreFolder()
            try make(folder.database)
            let (files, bytes) = (folder.files, try folder.contents("people.db"))
            for access in [Store.Access.reading, .writing] {
                let place: Comment = "\(name), \(access)"
                let error = kinError { try folder.open(access) }
                #expect(error?.context.first?.value == folder.database, place)
                #expect(error.says(name.hasPrefix("a database") ? "another program" : "not a database"), place)
                // Reading a database with a log makes the log.
                let left = folder.files.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
                #expect(try left == files && folder.contents("people.db") == bytes, place)
            }
        }
    }

    @Test func anEmptyFileIsNoStore() throws {
        try folder.write([], to: "people.db")
        let empty = kinError { try folder.open(.reading) }
        #expect(empty?.code == .unsupportedFormat && empty?.message.contains("empty") == true)
        let readOnly = KinError(DatabaseError(resultCode: .SQLITE_READONLY, message: "not an error"), doing: "read")
        #expect(readOnly.code == .inputOutput && readOnly.message.contains("code 8. The file must be writable, and so"))
    }

    @Test func aStoreOfANewerReleaseIsRefused() async throws {
        let store = try folder.open()
        try await store.pool.write { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')")
        }
        try await store.close()
        for access in [Store.Access.reading, .writing] {
            #expect(kinError { try folder.open(access) }.says("newer", code: .unsupportedFormat))
        }
    }
}
