import Foundation
import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinSamples
import KinService
import Logging
import NIOCore
import Synchronization
import Testing

/// Limits of time, connections, headers and answers. Answers name no file of the server.
@Suite(.serialized) struct LimitTests {
    private let head = "POST /users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    /// Clients that send a few bytes at a time (slowloris), or nothing, are disconnected, while other clients get
    /// answers.
    @Test func slowClients() async throws {
        var limits = ServiceLimits()
        limits.idle = .milliseconds(400)
        limits.body = .milliseconds(400)
        try await KinService.empty(limits: limits).application().test(.ahc(.http)) { client in
            let port = try #require(client.port)
            let drops = Array(repeating: "X-A: b\r\n", count: 200)
            let spaces = Array(repeating: " ", count: 200)
            // Each would take 20 seconds.
            let slow = [
                ["GET /health HTTP/1.1\r\nHost: localhost\r\n"] + drops,
                [head + "Content-Length: 1000\r\n\r\n"] + spaces, [],
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for pieces in slow {
                    group.addTask {
                        let answer = try await answer(to: pieces, every: .milliseconds(100), port: port)
                        #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(answer)")
                    }
                }
                // A connection that was answered and then sends nothing.
                group.addTask {
                    let whole = head + "Content-Length: 2\r\n\r\n{}"
                    let answer = try await answer(to: [whole], port: port)
                    #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
                }
                group.addTask {
                    let answer = try await client.text(.get, "/health")
                    #expect(answer.status == 200)
                }
                try await group.waitForAll()
            }
            #expect(try await client.text(.get, "/health").status == 200)
        }
    }

    /// With more connections than the limit, the last one waits until one has ended.
    @Test func connections() async throws {
        var limits = ServiceLimits()
        limits.connections = 2
        limits.idle = .seconds(3)
        let port = Int.random(in: 20_000..<30_000)
        let application = try KinService.empty(limits: limits).application(port: port)
        let running = Task { try await application.run() }
        defer { running.cancel() }
        let health = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        while (try? await answer(to: [health], port: port)) == nil { try await Task.sleep(for: .milliseconds(50)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { _ = try await answer(to: [], port: port) } }
            try await Task.sleep(for: .milliseconds(500))
            let begin = ContinuousClock.now
            let third = try await answer(to: [health], port: port)
            #expect(third.hasPrefix("HTTP/1.1 200 "), "\(third)")
            #expect(ContinuousClock.now - begin > .seconds(1))
            try await group.waitForAll()
        }
    }

    @Test func headers() async throws {
        try await KinService.empty().application().test(.ahc(.http)) { client in
            let port = try #require(client.port)
            for more in [
                "X-A: " + String(repeating: "b", count: 9_000) + "\r\n",
                (0..<20).map { "X-\($0): " + String(repeating: "b", count: 1_000) + "\r\n" }.joined(),
                (0..<70).map { "X-\($0): b\r\n" }.joined(),
            ] {
                let answer = try await answer(
                    to: ["GET /health HTTP/1.1\r\nHost: localhost\r\n\(more)\r\n"], port: port)
                #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer)")
            }
            #expect(try await client.text(.get, "/health").status == 200)
        }
    }

    /// Work that exceeds its time ends, and has changed nothing.
    @Test func timeOfWork() async throws {
        var limits = ServiceLimits()
        limits.work = .zero
        let vectors = try profiles(1_000, seed: 3)
        let service = try KinService.of(vectors, limits: limits)
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 300).sessions
        _ = try service.engine.call(
            "put", #"{"records": [\#(sessions.map { "{\"session\": \($0.json)}" }.joined(separator: ","))]}"#)
        var body = ByteBuffer()
        for element in vectors.joined() { body.writeInteger(element.bitPattern, endianness: .little) }
        try await service.application().test(.router) { [body] client in
            let found = try await client.executeRequest(
                uri: "/index/nearest", method: .post, headers: [.contentType: "application/octet-stream"], body: body)
            #expect(found.status == .serviceUnavailable)
            #expect(String(buffer: found.body).contains("took too long"))
            #expect(try await client.text(.post, "/export", "{}").status == 503)
        }
    }

    @Test func answers() async throws {
        var limits = ServiceLimits()
        limits.answerBytes = 40
        try await KinService.empty(limits: limits).application().test(.router) { client in
            #expect(try await client.text(.post, "/users").status == 200)
            let large = try await client.text(.post, "/info")
            #expect(large.status == 413)
            #expect(large.body.contains("at most 40 bytes"))
        }
    }

    /// The limits of the service replace larger defaults in requests without these parameters.
    @Test func budgetsInsteadOfDefaults() async throws {
        let service = try KinService.empty()
        try await service.application().test(.router) { client in
            for body in ["", "{}", " { \"k\": 3 } ", "{\"limit\": 5}"] {
                let answer = try await client.text(.post, "/similar_pairs", body)
                #expect(answer.status == 200, "\(answer.body)")
            }
            #expect(try await client.text(.post, "/similar_pairs", "[]").status == 400)
            // Arms of 2,000 features: 16 MB for each full model.
            let names = (0..<2_000).map { "\"f\($0)\"" }.joined(separator: ",")
            let policy = try await client.text(
                .post, "/create_policy",
                "{\"id\": \"p\", \"kind\": \"linucb\", \"arms\": [\"a\", \"b\"], \"features\": [\(names)]}")
            #expect(policy.status == 400 || policy.status == 413, "\(policy.body)")
        }
    }

    /// Callers get no path of the server; its log has the path.
    @Test func pathsAreHidden() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kin-secret-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = folder + "/people.db"
        let engine = try Engine(store: store)
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 300).sessions
        let records = sessions.map { "{\"session\": \($0.json)}" }.joined(separator: ",")
        _ = try engine.call("put", "{\"records\": [\(records)]}")
        try engine.close()
        let service = KinService(index: try SharedIndex(dimension: 3), engine: try Engine(store: store), paths: [store])
        // Damages pages that the store has not read yet.
        let file = try #require(FileHandle(forUpdatingAtPath: store))
        let size = try Int(file.seekToEnd())
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: size - 4_096))
        try file.close()
        let log = CapturedLog()
        try await service.application(logger: Logger(label: "test") { _ in log }).test(.router) { client in
            var failures = 0
            for method in ["users", "sessions", "export", "put"] {
                let body = method == "put" ? "{\"records\": [\(records)]}" : "{}"
                let answer = try await client.text(.post, "/\(method)", body)
                failures += answer.status >= 500 ? 1 : 0
                #expect(!answer.body.contains("kin-secret"), "\(answer.body)")
                #expect(!answer.body.contains("people.db"), "\(answer.body)")
            }
            #expect(failures > 0)
        }
        #expect(log.text.contains("people.db"))
    }
}

/// A log in memory.
private struct CapturedLog: LogHandler {
    private final class Lines: Sendable {
        let text = Mutex("")
    }

    private let lines = Lines()
    var text: String { lines.text.withLock { $0 } }
    var logLevel = Logger.Level.info
    var metadata = Logger.Metadata()

    func log(event: LogEvent) { lines.text.withLock { $0 += "\(event.message)\n" } }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
