import Hummingbird
import HummingbirdTesting
import Kin
import KinEngine
import KinSamples
import KinService
import NIOCore

extension TestClientProtocol {
    /// Sends a request with a text as its body, and returns status and body of the response.
    func text(
        _ method: HTTPRequest.Method, _ uri: String, _ body: String = ""
    ) async throws -> (status: Int, body: String) {
        let response = try await executeRequest(
            uri: uri, method: method, headers: [:], body: body.isEmpty ? nil : ByteBuffer(string: body))
        return (response.status.code, String(buffer: response.body))
    }
}

extension KinService {
    /// An application that answers on a port of the system's choice.
    var application: Application<RouterResponder<ServiceContext>> {
        Application(router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)))
    }

    /// A service of empty index and store, in memory.
    static func empty(dimension: Int) throws -> KinService {
        KinService(index: try SharedIndex(dimension: dimension), engine: Engine())
    }

    /// A service of some vectors under their numbers, and an empty store.
    static func of(_ vectors: some Collection<[Float]>) throws -> KinService {
        let service = try empty(dimension: 16)
        for (number, vector) in vectors.enumerated() {
            _ = try service.index.upsert(vector, id: VectorID(UInt64(number)))
        }
        return service
    }
}

/// Made-up vectors of 16 dimensions, in clusters.
func profiles(_ count: Int, seed: UInt64) throws -> [[Float]] {
    let generator = try ProfileGenerator(.clustered(clusters: 20), count: count, dimension: 16, seed: seed)
    let vectors = try Matrix(rows: count, columns: 16, elements: generator.elements(threads: 1))
    return (0..<count).map { Array(vectors.row($0)) }
}
