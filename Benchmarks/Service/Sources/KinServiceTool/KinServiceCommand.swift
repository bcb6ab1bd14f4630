import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinService
import Logging

/// `kin-service`: the nearest vectors of an index and the methods of a store, over HTTP.
@main
struct KinServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kin-service",
        abstract: "Serve the nearest vectors of an index and the methods of a store over HTTP.",
        discussion: """
            EXAMPLES
              kin generate clustered --count 1000000 --output vectors.npy
              kin index build vectors.npy --output vectors.kin
              kin-service --index vectors.kin --store people.db

              curl localhost:8080/                           # all routes
              curl --json '[0.1, 0.7, …]' 'localhost:8080/index/nearest?k=5'
              curl --json '[0.1, 0.7, …]' 'localhost:8080/index/nearest?recall=0.95'
              curl -X PUT --json '[0.1, 0.7, …]' localhost:8080/index/vectors/42
              curl --json '{"session": "s1", "k": 5}' localhost:8080/near
              curl --json '{"records": [{"session": {…}}]}' localhost:8080/put

            VECTORS
              A vector is a list of numbers, or little-endian 32-bit floats with
              "Content-Type: application/octet-stream". As floats, nearest accepts
              up to 1,000 consecutive vectors. Its answer has k neighbors for each,
              or all vectors if there are fewer, nearest first: an unsigned 64-bit
              id, and the distance as a 64-bit float.

            ERRORS
              A 4xx explains the change that the request needs, as
              {"error": {"code": …, "message": …}}, and nothing was written. After
              503, send the same request again. The reason of a 5xx is in the log,
              under the number in the message.

            PERSISTENCE
              Changes of the store are durable when a method has answered. Changes of
              the index are saved when the service ends, in one step: end it by
              SIGTERM or Ctrl-C, which lets requests finish. Without --store and
              --index, records and vectors are lost when the process ends.

            CALLERS
              POST and PUT need "Content-Type: application/json". The Host of a
              request must be localhost, 127.0.0.1, [::1], the address of --host or
              a name of --allow-host. Requests of web pages need --allow-origin.
              With a token in KIN_SERVICE_TOKEN or in the file of --token-file, every
              request except GET /health needs "Authorization: Bearer TOKEN". Without
              a token, the service listens on loopback addresses only. It has no TLS:
              across a network, put a TLS proxy in front of it.
            """)

    @Option(help: "The file of an inverted index; if it does not exist, the service creates it when it ends.")
    var index: String?

    @Option(help: "The number of dimensions of a new index.")
    var dimension = 16

    @Option(help: "The database file of the store; created if it does not exist.")
    var store: String?

    @Option(help: "The address to listen on; an address that other machines can reach needs a token.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on.")
    var port = 8080

    @Option(help: "A further name of the service in the Host header; can be repeated.")
    var allowHost: [String] = []

    @Option(help: "An origin of web pages that may call the service, such as https://app.example.com; can be repeated.")
    var allowOrigin: [String] = []

    @Option(help: "A file with the token. Default: the token in KIN_SERVICE_TOKEN.")
    var tokenFile: String?

    @Option(help: "The largest number of open connections.")
    var connections = ServiceLimits().connections

    @Option(help: "The largest number of seconds of work for one request.")
    var workSeconds = Int(ServiceLimits().work.components.seconds)

    func validate() throws {
        guard connections >= 1, workSeconds >= 1 else {
            throw ValidationError("--connections and --work-seconds must be at least 1")
        }
    }

    func run() async throws {
        let shared =
            try index.map {
                try SharedIndex(at: $0, isThere: FileManager.default.fileExists(atPath: $0), dimension: dimension)
            } ?? SharedIndex(dimension: dimension)
        let most = 16 << 20
        let engine = try store.map { try Engine(store: $0, answerLimit: most) } ?? Engine(answerLimit: most)
        var limits = ServiceLimits()
        limits.connections = connections
        limits.work = .seconds(workSeconds)
        let access = ServiceAccess(hosts: [host] + allowHost, origins: allowOrigin, token: try token())
        try await KinService(
            index: shared, engine: engine, access: access, limits: limits, paths: [index, store].compactMap(\.self)
        )
        .run(host: host, port: port, logger: Logger(label: "kin-service"))
    }

    /// The token, from a file or the environment: arguments can be read by every user of the machine.
    private func token() throws -> AccessToken? {
        if let tokenFile { return try AccessToken(String(contentsOfFile: tokenFile, encoding: .utf8)) }
        return try ProcessInfo.processInfo.environment["KIN_SERVICE_TOKEN"].map { text throws(KinError) in
            try AccessToken(text)
        }
    }
}
