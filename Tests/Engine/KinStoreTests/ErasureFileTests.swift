import Foundation
import KinStoreTrials
import KinTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import KinStore

@Suite("Disk space and files of an erasure")
struct ErasureFileTests {
    private let folder = StoreFolder()
    private let traces = ["person-to-forget", "secret-note"]

    /// Files of the user in the index folder, some with names that resemble the store's.
    @Test func onlyTheStoresOwnFilesAreRemoved() async throws {
        let store = try folder.open()
        try await store.fillWithSomeoneToForget()
        let mine = [
            "thesis.kin", "notes.txt", ".kin-notes.tmp", ".kin-0123456789abcdeg.tmp", "session-.kin", "matcher.kin.old",
        ]
        for name in mine { try folder.write(Array("mine".utf8), to: "people.db-indexes/\(name)") }
        // A link with one of the store's names.
        try folder.write(Array("mine".utf8), to: "document.txt")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.indexFolder)/inventory.kin", withDestinationPath: "\(folder.path)/document.txt")
        try folder.write(Array("secret-note".utf8), to: "people.db-indexes/.kin-0123456789abcdef.tmp")
        #expect(try await store.forget("person-to-forget") == ["session": 20])
        #expect(try folder.found(traces) == nil)
        for name in mine { #expect(try folder.contents("people.db-indexes/\(name)") == Array("mine".utf8), "\(name)") }
        #expect(try folder.contents("document.txt") == Array("mine".utf8))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.indexFolder)
        #expect(Set(left) == Set(mine + ["inventory.kin"]))
    }

    @Test func aLinkInPlaceOfTheFolderIsNotFollowed() async throws {
        let store = try folder.open()
        try await store.fillWithSomeoneToForget()
        try FileManager.default.removeItem(atPath: folder.indexFolder)
        let documents = "\(folder.path)/documents"
        try FileManager.default.createDirectory(atPath: documents, withIntermediateDirectories: false)
        let names = ["letter.txt", "session-l2.kin", ".kin-0123456789abcdef.tmp"]
        for name in names { try folder.write(Array("mine".utf8), to: "documents/\(name)") }
        try FileManager.default.createSymbolicLink(atPath: folder.indexFolder, withDestinationPath: documents)
        #expect(await kinError { try await store.forget("person-to-forget") }.says("symbolic link"))
        #expect(try store.sessions(of: "person-to-forget").isEmpty)
        // An index that had no person to lose is saved.
        let point = try Pleasure(Array(repeating: 0.5, count: Pleasure.Dimension.count))
        _ = try store.nearestSessions(to: point, k: 3, metric: .cosine)
        await #expect(throws: KinError.self) { try await store.saveIndexes() }
        for name in names { #expect(try folder.contents("documents/\(name)") == Array("mine".utf8), "\(name)") }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: documents)) == Set(names))
        // Removing the link is all that is needed.
        try FileManager.default.removeItem(atPath: folder.indexFolder)
        #expect(try await store.forget("person-to-forget").isEmpty)
        #expect(try store.check().warnings.isEmpty && folder.found(traces) == nil)
    }

    /// Files on a disk with little free space.
    private struct FullDisk: ForwardingFiles {
        let free: Int
        func freeBytes(in folder: FilePath) throws(Errno) -> Int { free }
    }

    @Test func aFullDiskPreventsTheErasure() async throws {
        let small = try Store(
            at: folder.database, for: .writing, check: .brief, in: StoreEnvironment(files: FullDisk(free: 100_000)))
        try await small.fillWithSomeoneToForget()
        let error = await #expect(throws: KinError.self) { try await small.forget("person-to-forget") }
        #expect(error?.code == .inputOutput && error?.message.contains("100000") == true, "\(error!)")
        #expect(error?.context.contains { $0.name == "folder" && $0.value == folder.path } == true, "\(error!)")
        #expect(try small.sessions(of: "person-to-forget", limit: .max).count == 20)
        #expect(try small.check().warnings.isEmpty)
        try await small.close()
        let store = try folder.open()
        #expect(try await store.forget("person-to-forget") == ["session": 20])
        #expect(try folder.found(traces) == nil && folder.files.allSatisfy { !$0.hasSuffix("-erasing") })
    }

    #if os(Linux)
        /// `VACUUM` would copy all records into a nameless file in the system's temporary folder.
        @Test func erasureCopiesNothingToTemporaryFiles() async throws {
            await #expect(processExitsWith: .success) {
                let folder = StoreFolder()
                var sample = SampleRecords()
                let store = try folder.open()
                try await store.put(
                    (0..<4000).map {
                        try sample.session("s\($0)", of: "u\($0 % 3)", notes: String(repeating: "n", count: 8000))
                    })
                let isDone = Mutex(false)
                let watch = Task.detached {
                    var found: Set<String> = []
                    while !isDone.withLock({ $0 }) {
                        for number in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
                            let file = try? FileManager.default.destinationOfSymbolicLink(
                                atPath: "/proc/self/fd/\(number)")
                            if let file, file.contains("etilqs_") { found.insert(file) }
                        }
                    }
                    return found
                }
                let counts = try await store.forget("u1")
                isDone.withLock { $0 = true }
                let found = await watch.value
                try #require(found.isEmpty, "\(found)")
                try #require(counts == ["session": 1333])
                try #require(store.check().isIntact)
            }
        }
    #endif
}
