import Foundation
import KinEngine
import KinPleasure
import KinSamples
import KinTestSupport
import Testing

@Suite("An engine and the files of its store")
struct OpenStoreTests {
    /// Runs in a separate process, whose folder changes.
    @Test("a relative store path survives a change of folder, on every thread")
    func relativePaths() async throws {
        await #expect(processExitsWith: .success) {
            let (one, two) = (TemporaryFolder(), TemporaryFolder())
            let people = PersonGenerator(seed: 5)
            let (ours, theirs) = (people.person(0, sessions: 3).sessions, people.person(1, sessions: 9).sessions)
            func put(_ sessions: [PleasureSession], _ engine: Engine) throws {
                let records = sessions.map { "{\"session\": \($0.json)}" }.joined(separator: ",")
                _ = try engine.call("put", "{\"records\": [\(records)]}")
            }
            let other = try Engine(store: two.path("p.db"))
            try put(theirs, other)
            try #require(FileManager.default.changeCurrentDirectoryPath(one.path))
            let engine = try Engine(store: "p.db")
            try put(ours, engine)
            try #require(FileManager.default.changeCurrentDirectoryPath(two.path))
            let answers = await withTaskGroup(of: String.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let answers = (0..<50).map { _ in (try? engine.call("users")) ?? "failed in \(number)" }
                        return Set(answers).sorted().joined()
                    }
                }
                return await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            try #require(answers == ["[{\"user\":\"\(ours[0].userID)\"}]"])
            _ = try engine.call("near", "{\"session\": \"\(ours[0].id)\"}")
            _ = try engine.call("save_indexes")
            try #require(FileManager.default.fileExists(atPath: one.path("p.db-indexes")))
            try #require(!FileManager.default.fileExists(atPath: two.path("p.db-indexes")))
            _ = try engine.call("forget", "{\"user\": \"\(ours[0].userID)\"}")
            try engine.close()
            try #require(other.call("users") == "[{\"user\":\"\(theirs[0].userID)\"}]")
        }
    }

    @Test("a removed log is reported, and only data on disk is acknowledged")
    func removedFiles() throws {
        let folder = TemporaryFolder()
        let path = folder.path("p.db")
        let engine = try Engine(store: path)
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 3).sessions
        func put(_ session: PleasureSession) throws {
            _ = try engine.call("put", "{\"records\": [{\"session\": \(session.json)}]}")
        }
        try put(sessions[0])
        #expect(try !engine.call("info").contains("warnings"))
        try FileManager.default.removeItem(atPath: path + "-wal")
        try put(sessions[1])
        #expect(try engine.call("info").contains(#""warnings":["another program removed SQLite's log"#))
        let copy = folder.path("copy.db")
        for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
        #expect(try Engine(store: copy, isReadOnly: true).session(sessions[1].id) == sessions[1])
        #expect(try engine.call("check").contains("removed SQLite's log"))
        // The main file alone is not a copy of the store.
        let part = folder.path("part.db")
        try FileManager.default.copyItem(atPath: path, toPath: part)
        #expect(errorCode { try Engine(store: part) } == .corruptFile)
        try FileManager.default.removeItem(atPath: path)
        #expect(errorCode { try put(sessions[2]) } == .inputOutput)
        #expect(try engine.call("check").contains("\"is_intact\":false"))
    }
}
