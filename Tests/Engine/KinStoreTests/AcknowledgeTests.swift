import Foundation
import KinSamples
import KinTestSupport
import Synchronization
import Testing

@testable import KinStore

@Suite("Acknowledged writes")
struct AcknowledgeTests {
    private let folder = StoreFolder()

    /// Makes every write to the writer's note fail, as on a full disk, by replacing the file behind its descriptor.
    private func breakTheNote() throws {
        var note = stat()
        #expect(unsafe stat(folder.database + "-writer", &note) == 0)
        for descriptor: CInt in 3..<1024 {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0, status.st_ino == note.st_ino, status.st_dev == note.st_dev
            else {
                continue
            }
            let other = unsafe open("/dev/null", O_RDONLY)
            #expect(dup2(other, descriptor) == descriptor)
            close(other)
            return
        }
        Issue.record("the note is not open")
    }

    @Test("a write on disk succeeds even if the writer's note fails, and check reports it")
    func noteFails() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(10))
        try breakTheNote()
        let session = try sample.session("new", of: "u1")
        #expect(try await store.put([session]).count == 1)
        #expect(try store.session("new") == session)
        #expect(try store.check().warnings.contains { $0.contains("writer's note") })
        #expect(try await store.forget("u2") == ["session": 2])
        try await store.close()
        let again = try folder.open()
        #expect(try again.session("new") == session && again.check().warnings.isEmpty)
    }

    @Test("row numbers are never reused, after removals and after reopening")
    func numbersAreNotUsedAgain() async throws {
        var sample = SampleRecords()
        var given: Set<VectorID> = []
        var store = try folder.open()
        for round in 0..<8 {
            let ids = try await store.put([
                sample.session("a\(round)", of: "u1"), sample.session("b\(round)", of: "person-to-forget"),
            ])
            #expect(given.isDisjoint(with: ids), "round \(round)")
            given.formUnion(ids)
            switch round % 4 {
            case 0: try await store.removeSession("b\(round)")
            case 1: try await store.forget("person-to-forget")
            case 2:
                try await store.forget("person-to-forget")
                try await store.removeSession("a\(round)")
            default:
                try await store.removeSession("b\(round)")
                try await store.removeSession("a\(round)")
            }
            let gone = try #require(ids.last)
            #expect(try store.session(numbered: gone) == nil)
            if round % 2 == 1 {
                try await store.close()
                store = try folder.open()
            }
        }
        #expect(try store.check().isIntact)
    }

    @Test("handlers of imports and bodies of transactions may read a store on a disk")
    func callbacksMayRead() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(10))
        try await store.put(ChallengePreferences(userID: "u1"))
        try await store.put(ChallengeGenerator(seed: 1).challenges(10))
        let file = "\(folder.path)/lines.jsonl"
        try Data(sample.session("new", of: "u1").json.utf8).write(to: URL(filePath: file))
        let during = Mutex(0)
        try await withProgressHandler {
            _ = try await store.importLines(from: file, now: hour(0))
        } onProgress: { _, _ in
            let count = try? store.sessions(of: "u1", limit: .max).count
            during.withLock { $0 = count ?? -1 }
            return true
        }
        // The state before the import, which is not included yet.
        #expect(during.withLock { $0 } == 3)
        let noted = try await store.withSelector(for: "u1") { _ throws(KinError) in try store.sessions(of: "u1").count
        }
        let shown = try await store.withRotation(of: "u1", at: hour(0)) { _, _, _ throws(KinError) in
            try store.challengeCatalog().challenges.count
        }
        #expect(noted == 4 && shown == 10)
    }
}
