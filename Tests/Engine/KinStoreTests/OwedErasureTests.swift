import Foundation
import GRDB
import KinStoreTrials
import KinTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import KinStore

/// Obstacles to an erasure are reported, and the erasure is retried. It blocks no other access.
@Suite("Unfinished erasures")
struct OwedErasureTests {
    private let folder = StoreFolder()
    private let traces = ["person-to-forget", "secret-note"]

    /// Files that partly cannot be removed until a test allows it.
    private final class StuckFiles: ForwardingFiles {
        let isStuck = Mutex(true)

        func remove(_ path: FilePath) throws(Errno) {
            let name = path.lastComponent?.string ?? ""
            if isStuck.withLock({ $0 }), !name.hasPrefix(".kin-") { throw .notPermitted }
            try system.remove(path)
        }
    }

    private func open(_ files: any FileOperations = SystemFiles()) throws -> Store {
        try Store(at: folder.database, for: .writing, check: .brief, in: StoreEnvironment(files: files))
    }

    /// Objects that other programs leave in a folder.
    private enum Foreign: String, CaseIterable {
        case folder, folderWithFiles, folderNamedAsAnIndex, readOnlyFolder, file, danglingLink, pipe
    }

    @Test("foreign files and folders next to the indexes do not stop an erasure", arguments: Foreign.allCases)
    private func foreignThings(_ foreign: Foreign) async throws {
        let store = try open()
        try await store.fillWithSomeoneToForget()
        let place = "\(folder.indexFolder)/@eaDir"
        switch foreign {
        case .folder: try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        case .folderWithFiles, .readOnlyFolder:
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            try Data("thumbnail".utf8).write(to: URL(filePath: "\(place)/x"))
            if foreign == .readOnlyFolder {
                try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: place)
            }
        case .folderNamedAsAnIndex:
            try FileManager.default.createDirectory(
                atPath: "\(folder.indexFolder)/profile.kin", withIntermediateDirectories: false)
        case .file: try Data("x".utf8).write(to: URL(filePath: "\(folder.indexFolder)/.DS_Store"))
        case .danglingLink:
            try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "/nowhere/at/all")
        case .pipe: #expect(unsafe mkfifo(place, 0o600) == 0)
        }
        #expect(try await store.forget("person-to-forget") == ["session": 20])
        #expect(try store.check().warnings.isEmpty)
        _ = try store.nearestSessions(to: Pleasure(), k: 3)
        try await store.close()
        let again = try open()
        #expect(try again.check().isIntact && again.check().counts["session"] == 40)
        try await again.close()
        for trace in traces { #expect(try folder.found([trace]) == nil) }
    }

    @Test("an index that cannot be removed is reported, retried and not in the way")
    func owedIndex() async throws {
        let files = StuckFiles()
        let store = try open(files)
        try await store.fillWithSomeoneToForget()
        let error = await #expect(throws: KinError.self) { try await store.forget("person-to-forget") }
        #expect(error?.code == .inputOutput, "\(error!)")
        #expect(error!.message.contains("records are gone") && "\(error!)".contains("session-"), "\(error!)")
        #expect(try store.sessions(of: "person-to-forget").isEmpty)
        // The database is already clean, but one index is not.
        let found = try #require(try folder.found(["person-to-forget"]))
        #expect(found.contains("-indexes/"), "\(found)")
        var report = try store.check()
        #expect(report.isIntact && report.warnings.count == 1 && report.warnings[0].contains("index file"))
        // The pending erasure blocks nothing else.
        var sample = SampleRecords(seed: 2)
        try await store.put([sample.session("new", of: "u1")])
        try await store.close()
        let again = try open(files)
        try await again.put([sample.session("newer", of: "u1")])
        report = try again.check()
        #expect(report.isIntact && report.warnings.count == 1, "\(report.warnings)")
        // It is retried when a person is forgotten, even an unknown one, and when the store is opened.
        await #expect(throws: KinError.self) { try await again.forget("nobody") }
        files.isStuck.withLock { $0 = false }
        #expect(try await again.forget("nobody").isEmpty)
        #expect(try again.check().warnings.isEmpty && folder.found(["person-to-forget"]) == nil)
        try await again.fillWithSomeoneToForget()
        files.isStuck.withLock { $0 = true }
        await #expect(throws: KinError.self) { try await again.forget("person-to-forget") }
        try await again.close()
        files.isStuck.withLock { $0 = false }
        let last = try open(files)
        #expect(try last.check().warnings.isEmpty && folder.found(["person-to-forget"]) == nil)
    }

    /// The database cannot be rewritten while a reader holds an old state.
    @Test("a database that cannot be cleaned is reported, and the store opens")
    func owedDatabase() async throws {
        let reader: Store
        let holder: HeldThread
        do {
            let store = try open()
            try await store.fillWithSomeoneToForget()
            reader = try folder.open(.reading)
            holder = HeldThread(reading: reader)
            #expect(await errorCode { try await store.forget("person-to-forget") } == .busy)
        }
        let again = try open()
        let report = try again.check()
        // The index files are gone, and only the database is reported.
        #expect(
            report.isIntact && report.warnings.map { $0.contains("database and its log") } == [true],
            "\(report.warnings)")
        var sample = SampleRecords(seed: 2)
        try await again.put([sample.session("new", of: "u1")])
        holder.letGo()
        #expect(try await again.forget("nobody").isEmpty)
        #expect(try again.check().warnings.isEmpty && folder.found(traces) == nil)
    }
}
