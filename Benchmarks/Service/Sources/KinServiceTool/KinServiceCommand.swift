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
        abstract: "Answer over HTTP: the nearest vectors of an index, and the methods of a store.",
        discussion: """
            EXAMPLES
              kin generate clustered --count 1000000 --output vectors.npy
              kin index build vectors.npy --output vectors.kin
              kin-service --index vectors.kin --store people.db

              curl localhost:8080/                           # what there is
              curl --json '[0.1, 0.7, …]' 'localhost:8080/index/nearest?k=5'
              curl --json '[0.1, 0.7, …]' 'localhost:8080/index/nearest?recall=0.95'
              curl -X PUT --json '[0.1, 0.7, …]' localhost:8080/index/vectors/42
              curl --json '{"session": "s1", "k": 5}' localhost:8080/near
              curl --json '{"records": [{"session": {…}}]}' localhost:8080/put

            VECTORS
              A vector is a list of numbers, or little-endian 32-bit floats with
              "Content-Type: application/octet-stream". Of floats, nearest takes up
              to 1,000 vectors in a row; its answer has k neighbors for each, or as
              many as there are vectors: an id of 64 bits, unsigned, and a distance,
              a 64-bit float, nearest first.

            ERRORS
              4xx say what to change, as {"error": {"code": …, "message": …}}, and
              nothing was written. After 503 the same may be tried again. The reason
              of a 5xx is in the log, under the number in the message.

            WHAT LASTS
              What a method has answered is in the store. Changes of the index are
              saved at the end, in one step: end the service by SIGTERM or Ctrl-C,
              which lets requests finish. Without --store and --index, records and
              vectors live as long as the process.

            CALLERS
              POST and PUT need "Content-Type: application/json". The Host of a
              request must be localhost, 127.0.0.1, [::1], the address of --host or
              a name of --allow-host. Requests of web pages need --allow-origin.
              With a token in KIN_SERVICE_TOKEN or in the file of --token-file every
              request but GET /health needs "Authorization: Bearer TOKEN". Without a
              token the service listens on this machine's own addresses only. It has
              no TLS: across a network, put it behind a proxy that has.
            """)

    @Option(help: "The file of an inverted index; created at the end when there is none.")
    var index: String?

    @Option(help: "The number of dimensions of an index without a file.")
    var dimension = 16

    @Option(help: "The database of people; created when there is none.")
    var store: String?

    @Option(help: "The address to listen on; one that other machines reach needs a token.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on.")
    var port = 8080

    @Option(help: "A name of the service in the Host of requests; may be repeated.")
    var allowHost: [String] = []

    @Option(help: "An origin of web pages that may call, such as https://app.example.com; may be repeated.")
    var allowOrigin: [String] = []

    @Option(help: "A file with the token; without it KIN_SERVICE_TOKEN counts.")
    var tokenFile: String?

    @Option(help: "The largest number of open connections.")
    var connections = ServiceLimits().connections

    @Option(help: "The seconds that the work for one request may take.")
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
