import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinSamples
import KinService
import Testing

/// Every method of the engine has a route with the same answer as `Engine.call`.
@Suite struct EngineRouteTests {
    private let life = PersonGenerator(seed: 5).person(0, sessions: 60)

    private var records: String {
        "{\"records\": [\(life.sessions.map { "{\"session\": \($0.json)}" }.joined(separator: ","))]}"
    }

    @Test func answersAreThoseOfTheEngine() async throws {
        let service = try KinService.empty(dimension: 16)
        let (user, session) = (life.sessions[0].userID, life.sessions[9].id)
        try await service.application().test(.router) { client in
            #expect(try await client.text(.post, "/put", records) == (200, #"{"session":60}"#))
            for (method, request) in [
                ("near", #"{"session": "\#(session)", "k": 3}"#), ("users", ""), ("info", "{}"),
                ("sessions", #"{"user": "\#(user)", "count": 2}"#), ("export", ""),
                ("profile", #"{"user": "\#(user)", "at": "2030-01-01T00:00:00Z"}"#),
            ] {
                let answer = try await client.text(.post, "/\(method)", request)
                #expect(answer.status == 200)
                #expect(try answer.body == service.engine.call(method, request), "\(method)")
            }
        }
    }

    /// Every method is reached, because the method itself reports its missing parameters; only files of the server are
    /// not read.
    @Test func everyMethodIsReached() async throws {
        try await KinService.empty(dimension: 16).application().test(.router) { client in
            for method in Engine.methods {
                let answer = try await client.text(.post, "/\(method)", #"{"no_such_parameter": 1}"#)
                #expect(answer.status == (["import", "backup"].contains(method) ? 404 : 400), "\(method)")
                #expect(
                    answer.body.contains("method \(method)") == !["import", "backup"].contains(method), "\(method)")
            }
        }
    }
}
