import Foundation
import KinTestSupport
import Testing

@testable import KinStore

@Suite("The path of a store is resolved once")
struct StorePathTests {
    private let folder = StoreFolder()

    /// Runs in a separate process, whose folder changes.
    @Test("a relative store path survives a change of the process's folder")
    func relativePaths() async throws {
        await #expect(processExitsWith: .success) {
            let (one, two) = (StoreFolder(), StoreFolder())
            var sample = SampleRecords()
            let other = try two.open()
            try await other.put(sample.sessions(5))
            try other.deriveSavedValues()
            try await other.saveIndexes()
            let theirs = two.files
            try #require(FileManager.default.changeCurrentDirectoryPath(one.path))
            let store = try Store(at: "people.db")
            try #require(store.path.hasPrefix("/") && store.path.hasSuffix("people.db"))
            try await store.put(sample.sessions(40))
            try #require(FileManager.default.changeCurrentDirectoryPath(two.path))
            // The connections of several readers, which are opened when they are first needed.
            let counts = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<200 { group.addTask { try? store.sessionIndex().points.count } }
                return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
            }
            try #require(counts == [40])
            try store.deriveSavedValues()
            try await store.saveIndexes()
            try await store.put([sample.session("later", of: "person-to-forget")])
            try await store.forget("person-to-forget")
            try #require(errorCode { try one.open() } == .busy)
            try await store.close()
            try #require(try one.found(["person-to-forget"]) == nil)
            try #require(two.files == theirs)
            try #require(other.check().isIntact)
            try #require(try one.open(.reading).sessionIndex().points.count == 40)
        }
    }

    @Test("a store opened through a link is the same store")
    func links() async throws {
        var sample = SampleRecords()
        let other = StoreFolder()
        let store = try folder.open()
        try await store.put(sample.sessions(5))
        try await store.put([sample.session("gone", of: "person-to-forget")])
        try store.deriveSavedValues()
        try await store.saveIndexes()
        for (name, target) in [("link.db", folder.database), ("folder", folder.path)] {
            try FileManager.default.createSymbolicLink(atPath: "\(other.path)/\(name)", withDestinationPath: target)
        }
        let names = [
            "\(other.path)/link.db", "\(other.path)/folder/people.db",
            "\(folder.path)/../\((folder.path as NSString).lastPathComponent)/people.db",
        ]
        for name in names {
            #expect(errorCode { try Store(at: name) } == .busy, "\(name)")
            #expect(try Store(at: name, for: .reading).path == store.path)
        }
        try await store.close()
        let linked = try Store(at: names[0])
        try await linked.forget("person-to-forget")
        #expect(try folder.found(["person-to-forget"]) == nil)
        #expect(errorCode { try folder.open() } == .busy)
        try await linked.close()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: other.path)) == ["link.db", "folder"])
    }

    @Test("an invalid store path is an error at once", .timeLimit(.minutes(1)))
    func impossiblePaths() async throws {
        try await folder.open().close()
        func refused(_ path: String, _ word: String) {
            for access in [Store.Access.writing, .reading] {
                #expect(kinError { try Store(at: path, for: access) }.says(word, code: .inputOutput), "\(path)")
            }
        }
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(name)", withDestinationPath: target)
        }
        try link("dangling.db", to: "nowhere.db")
        refused("\(folder.path)/dangling.db", "link")
        try link("circle.db", to: "circle.db")
        refused("\(folder.path)/circle.db", "circle")
        refused("\(folder.path)/none/people.db", "folder")
        refused("\(folder.path)/none/", "folder")
        refused(folder.path, "folder")
        refused("\(folder.database)/people.db", "folder")
        #expect(errorCode { try Store(at: "") } == .invalidArgument)
        #expect(kinError { try Store(at: "/dev/null") }.says("not a device, pipe or socket; give", code: .inputOutput))
        // A folder whose name is not UTF-8, through a link.
        let latin = "\(folder.path)/caf".utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xe9), 0]
        #expect(unsafe mkdir(latin, 0o700) == 0 && symlink(latin, "\(folder.path)/latin") == 0)
        #expect(kinError { try Store(at: "\(folder.path)/latin/people.db") }.says("UTF-8", code: .invalidArgument))
        #expect(unsafe rmdir(latin) == 0)
        // The files that SQLite and the store create.
        for end in ["-writer", "-wal", "-shm"] {
            let path = folder.database + end
            try? FileManager.default.removeItem(atPath: path)
            for target in ["nowhere", "people.db"] {
                try link("people.db\(end)", to: target)
                refused(folder.database, "link")
                try FileManager.default.removeItem(atPath: path)
            }
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            refused(folder.database, "folder")
            try FileManager.default.removeItem(atPath: path)
        }
        // The index folder is created when indexes are saved.
        try link("people.db-indexes", to: "nowhere")
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(40))
        try store.deriveSavedValues()
        #expect(await kinError { try await store.saveIndexes() }.says("link"))
        try FileManager.default.removeItem(atPath: folder.indexFolder)
        try await store.saveIndexes()
    }

    @Test("a file with several hard links is refused until it has one")
    func hardLinks() async throws {
        var sample = SampleRecords()
        let store = try folder.open()
        try await store.put(sample.sessions(5))
        // A copy of all files, as after a crash.
        let copy = try folder.copy()
        for name in ["people.db", "people.db-wal", "people.db-writer"] {
            let second = "\(copy.path)/second"
            try FileManager.default.linkItem(atPath: "\(copy.path)/\(name)", toPath: second)
            for access in [Store.Access.reading, .writing] {
                #expect(kinError { try copy.open(access) }.says("hard links", code: .inputOutput), "\(name)")
            }
            try FileManager.default.removeItem(atPath: second)
        }
        #expect(try copy.open().sessions(of: "u1").count == store.sessions(of: "u1").count)
    }
}
