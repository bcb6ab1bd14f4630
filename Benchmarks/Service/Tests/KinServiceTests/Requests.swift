import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinSamples
import KinService
import NIOCore
import NIOPosix

extension TestClientProtocol {
    /// Sends a request with a text as its body, JSON unless the headers give a different type. Returns status and body
    /// of the response.
    func text(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String = "",
        headers: HTTPFields = [.contentType: "application/json"]
    ) async throws -> (status: Int, body: String) {
        let response = try await executeRequest(
            uri: uri, method: method, headers: headers, body: body.isEmpty ? nil : ByteBuffer(string: body))
        return (response.status.code, String(buffer: response.body))
    }
}

extension KinService {
    /// A service with an empty index and an empty store, in memory.
    static func empty(
        dimension: Int = 3, access: ServiceAccess = .init(), limits: ServiceLimits = .init()
    ) throws -> KinService {
        KinService(index: try SharedIndex(dimension: dimension), engine: Engine(), access: access, limits: limits)
    }

    /// A service with some vectors, whose ids are their numbers, and an empty store.
    static func of(_ vectors: some Collection<[Float]>, limits: ServiceLimits = .init()) throws -> KinService {
        let service = try empty(dimension: 16, limits: limits)
        for (number, vector) in vectors.enumerated() {
            _ = try service.index.upsert(vector, id: VectorID(UInt64(number)))
        }
        return service
    }
}

/// Generated vectors of 16 dimensions, in clusters.
func profiles(_ count: Int, seed: UInt64) throws -> [[Float]] {
    let generator = try ProfileGenerator(.clustered(clusters: 20), count: count, dimension: 16, seed: seed)
    let vectors = try Matrix(rows: count, columns: 16, elements: generator.elements(threads: 1))
    return (0..<count).map { Array(vectors.row($0)) }
}

/// Sends pieces of text over a connection to a port of this machine, with pauses between them.
///
/// - Returns: Everything received until the server closed the connection.
/// - Throws: `CancellationError` if the server did not close it within 15 seconds.
func answer(to pieces: [String], every pause: Duration = .zero, port: Int) async throws -> String {
    let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "localhost", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    return try await connection.executeThenClose { inbound, outbound in
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                var answer = ""
                // A reset also ends the connection.
                do { for try await part in inbound { answer += String(buffer: part) } } catch is IOError {}
                return answer
            }
            group.addTask {
                for piece in pieces {
                    // The server may have closed the connection.
                    try? await outbound.write(ByteBuffer(string: piece))
                    try await Task.sleep(for: pause)
                }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .seconds(15))
                throw CancellationError()
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            return ""
        }
    }
}
