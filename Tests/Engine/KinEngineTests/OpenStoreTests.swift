import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite("An engine and the files of its store")
struct OpenStoreTests {
    /// Runs in a separate process, whose folder changes.
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
