import Foundation
import KinEngine
import KinSamples
import KinTestSupport
import Testing

@Suite struct EngineTests {
    private let folder = TemporaryFolder()

    private func engine() throws -> Engine { try Engine(store: folder.path("people.db")) }

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

    @Test(arguments: ["", "nowhere"]) func unknownMethodsAreRefused(method: String) throws {
        #expect(kinError { try engine().call(method, "{}") }.says("method"))
    }
}
