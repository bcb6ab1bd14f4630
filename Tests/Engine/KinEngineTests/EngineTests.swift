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

    @Test func methodsEqualTheLibrary() throws {
        let engine = try engine()
        let generator = PersonGenerator(seed: 5)
        let life = generator.person(0, sessions: 80)
        let person = life.sessions[0].userID
        #expect(try engine.call("put", records(life.sessions)) == "{\"session\":80}")
        let items = generator.inventory(count: 40, around: try GeographicCoordinates(latitude: 40.7, longitude: -73.9))
        #expect(
            try engine.call("put", "{\"records\": [\(items.map(\.json).joined(separator: ","))]}")
                == "{\"inventory_item\":40}")
        #expect(try engine.call("info").hasPrefix("{\"people\":1,\"sessions\":80,\"items\":40,\"records\":{"))
        let near = try engine.call("near", "{\"session\": \"\(life.sessions[9].id)\", \"k\": 3}")
        #expect(near.hasPrefix("[{\"distance\":") && !near.contains("\"id\":\"\(life.sessions[9].id)\""))
        for (method, request, part) in [
            ("sessions", "{\"user\": \"\(person)\", \"count\": 2}", "\"session\""),
            ("profile", "{\"user\": \"\(person)\", \"at\": \"2030-01-01\"}", "\"target\""),
            ("insight", "{\"session\": \"\(life.sessions[79].id)\"}", "\"shifts\""),
            ("map", "{\"user\": \"\(person)\"}", "\"trajectory\""),
            (
                "inventory",
                """
                {"near": {"lat": 40.7, "lng": -73.9}, "within_km": 50, "type": ["tool", "space"], "status": ["available"], \
                "senses": [{"intensity": "low"}], "slot": "dawn", "minutes": 400, "season": "spring", "point": {"food": 1}}
                """, "\"match\""
            ),
            (
                "missions",
                """
                {"user": "\(person)", "near": {"lat": 40.7, "lng": -73.9}, "minutes": 300, "slot": "dawn", \
                "within_km": 50, "weather": "clear", "state": "drift", "k": 2}
                """, "["
            ),
            ("users", "", person), ("check", "{}", "\"is_intact\":true"), ("save_indexes", "", "{}"),
        ] {
            let answer = try engine.call(method, request)
            #expect(answer.contains(part), "\(method): \(answer.prefix(200))")
            #expect((try? JSONSerialization.jsonObject(with: Data(answer.utf8))) != nil, "\(method)")
        }
        // Axes of an earlier map keep their signs: the map's own axes change nothing, and opposite axes flip it.
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
        #expect(try engine.call("export") != "[]")
        try engine.close()
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
        try memory.close()
        try disk.close()
    }

    @Test(arguments: ["", "nowhere"]) func unknownMethodsAreRefused(method: String) throws {
        #expect(kinError { try engine().call(method, "{}") }.says("method"))
    }
}
