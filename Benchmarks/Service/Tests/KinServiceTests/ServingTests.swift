import Foundation
import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinSamples
import KinService
import Logging
import Testing

/// The service on a socket of the machine: concurrent requests, bodies in pieces, and its end. The tests run one at a
/// time, because a signal reaches all servers of the process.
@Suite(.serialized) struct ServingTests {
    private let vectors: [[Float]]

    init() throws { vectors = try profiles(1_500, seed: 9) }

    /// Every answer to a reader contains the initial records, while writers add more; at the end nothing is lost.
    @Test func requestsAtOnce() async throws {
        let service = try KinService.of(vectors[0..<1_000])
        let sessions = PersonGenerator(seed: 5).person(0, sessions: 60).sessions
        try await service.application().test(.ahc(.http)) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<2 {
                    group.addTask {
                        for row in stride(from: 1_000 + writer, to: 1_500, by: 2) {
                            let answer = try await client.text(.put, "/index/vectors/\(row)", json(row))
                            #expect(answer.status == 200)
                        }
                    }
                    group.addTask {
                        for session in sessions.dropFirst(writer * 30).prefix(30) {
                            let record = "{\"records\": [{\"session\": \(session.json)}]}"
                            let answer = try await client.text(.post, "/put", record)
                            #expect(answer.status == 200)
                        }
                    }
                }
                for reader in 0..<4 {
                    group.addTask {
                        for row in stride(from: reader, to: 1_000, by: 4) {
                            let nearest = try await client.text(.post, "/index/nearest?k=1", json(row))
                            #expect(nearest == (200, "[{\"distance\":0,\"id\":\(row)}]"))
                            #expect(try await client.text(.post, "/users").status == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let index = service.index.snapshot
        #expect(index.count == 1_500)
        for row in 0..<1_500 { #expect(try index.vector(for: VectorID(UInt64(row))) == vectors[row]) }
        #expect(try service.engine.call("info").contains("\"sessions\":60"))
    }

    /// The next request is answered normally.
    @Test func bodiesThatAreTooLarge() async throws {
        try await KinService.empty(dimension: 3).application().test(.ahc(.http)) { client in
            let answer = try await client.text(.post, "/put", String(repeating: " ", count: (16 << 20) + 1))
            #expect(answer.status == 413)
            #expect(answer.body.contains("the body has more than 16777216 bytes"))
            #expect(try await client.text(.get, "/health") == (200, #"{"status":"ok"}"#))
        }
    }

    /// SIGTERM ends the service, and its files then have all changes.
    @Test func endsOnASignal() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kin-service-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (index, store) = (folder + "/vectors.kin", folder + "/people.db")
        let service = KinService(
            index: try SharedIndex(at: index, isThere: false, dimension: 3), engine: try Engine(store: store))
        let port = Int.random(in: 20_000..<30_000)
        let running = Task { try await service.run(host: "127.0.0.1", port: port, logger: Logger(label: "test")) }
        let session = PersonGenerator(seed: 5).person(0, sessions: 1).sessions[0]
        let json: HTTPFields = [.contentType: "application/json"]
        try await eventually {
            try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                let put = try await client.execute(
                    TestClient.Request(
                        "/index/vectors/7", method: .put, authority: "localhost", headers: json,
                        body: ByteBuffer(string: "[1,2,3]")))
                #expect(put.status == .ok)
                let record = "{\"records\": [{\"session\": \(session.json)}]}"
                let kept = try await client.execute(
                    TestClient.Request(
                        "/put", method: .post, authority: "localhost", headers: json, body: ByteBuffer(string: record)))
                #expect(kept.status == .ok)
            }
        }
        kill(getpid(), SIGTERM)
        try await running.value
        let saved = try SharedIndex(at: index, isThere: true, dimension: 3)
        #expect(try saved.snapshot.vector(for: VectorID(7)) == [1, 2, 3])
        let reopened = try Engine(store: store)
        #expect(try reopened.call("info").contains("\"sessions\":1"))
        try reopened.close()
    }

    private func json(_ row: Int) -> String { "\(vectors[row])" }

    /// Retries for some seconds until it works: the server takes a moment to listen.
    private func eventually(_ body: () async throws -> Void) async throws {
        for _ in 0..<100 {
            if (try? await body()) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        try await body()
    }
}
