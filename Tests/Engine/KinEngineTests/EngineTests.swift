import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite struct EngineTests {
    private let folder = TemporaryFolder()

    private func engine() throws -> Engine { try Engine(store: folder.path("people.db")) }

    private func records(_ sessions: [PleasureSession]) -> String {
        "{\"records\": [\(sessions.map { "{\"session\": \($0.json)}" }.joined(separator: ","))]}"
    }

    /// A request may span lines, with any line ends.
    @Test(arguments: ["\n", "\r\n", "\r"])
    func requestsMaySpanLines(end: String) throws {
        let engine = try engine()
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 3).sessions
        let request = records(sessions).replacing(",", with: ",\(end)").replacing("{", with: "{\(end)")
        #expect(try engine.call("put", request) == "{\"session\":3}")
        #expect(try sessions.allSatisfy { try engine.session($0.id) == $0 })
    }

    @Test func axesOfAnEarlierMapKeepTheirSigns() throws {
        let engine = try engine()
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 80).sessions
        let person = sessions[0].userID
        #expect(try engine.put(sessions.map(\.json)) == "{\"session\":80}")
        #expect(try engine.call("info").hasPrefix("{\"people\":1,\"sessions\":80,\"items\":0,\"records\":{"))
        // The map's own axes change nothing, and opposite axes flip it.
        let map = try engine.call("map", "{\"user\": \"\(person)\"}")
        let axes = try #require(map.firstMatch(of: /"axes":(\[.*?\}\])/)).1
        #expect(try engine.call("map", "{\"user\": \"\(person)\", \"like\": \(axes)}") == map)
        let opposite = axes.replacing(/":(-?)([0-9.e-]+)/) { "\":\($0.1.isEmpty ? "-" : "")\($0.2)" }
        let turned = try engine.call("map", "{\"user\": \"\(person)\", \"like\": \(opposite)}")
        #expect(turned != map && turned.filter { $0 != "-" } == map.filter { $0 != "-" })
        #expect(throws: KinError.self) {
            try engine.call("map", "{\"user\": \"\(person)\", \"like\": [{\"loadings\": {\"food\": 1}}]}")
        }
        #expect(try engine.call("forget", "{\"user\": \"\(person)\"}") == "{\"session\":80}")
        #expect(try engine.call("export") == "[]")
    }

    @Test func removedFilesAreReported() throws {
        let engine = try engine()
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 3).sessions.map(\.json)
        try engine.put([sessions[0]])
        #expect(try !engine.call("info").contains("warnings"))
        try FileManager.default.removeItem(atPath: folder.path("people.db-wal"))
        try engine.put([sessions[1]])
        #expect(try engine.call("info").contains(#""warnings":["another program removed SQLite's log"#))
        #expect(try engine.call("check").contains("removed SQLite's log"))
        try FileManager.default.removeItem(atPath: folder.path("people.db"))
        #expect(errorCode { try engine.put([sessions[2]]) } == .inputOutput)
        #expect(try engine.call("check").contains("\"is_intact\":false"))
    }

    /// An engine without a path has every method, and answers like one on a disk.
    @Test func engineInMemoryEqualsEngineOnDisk() throws {
        let (memory, disk) = (Engine(namingKey: Array(0..<32)), try engine())
        let records = records(PersonGenerator(seed: 5).person(0, sessions: 60).sessions)
        let requests = [
            ("put", records), ("info", ""), ("users", ""), ("export", ""),
            ("near", #"{"point":{"food":1},"k":20,"where":"state = drift"}"#),
            ("inventory", #"{"near":{"lat":51.5,"lng":-0.12},"point":{"food":1}}"#), ("affinity_model", ""),
        ]
        for (method, request) in requests {
            #expect(try memory.call(method, request) == disk.call(method, request), "\(method)")
        }
        let person = try #require(memory.store.users().first)
        #expect(
            try memory.call("forget", "{\"user\":\"\(person)\"}") == disk.call("forget", "{\"user\":\"\(person)\"}"))
        #expect(try memory.call("export") == disk.call("export"))
        #expect(try memory.call("check").contains("\"is_intact\":true"))
    }

    @Test(arguments: ["", "nowhere"]) func unknownMethodsAreRefused(method: String) throws {
        #expect(kinError { try engine().call(method, "{}") }.says("method"))
    }
}
