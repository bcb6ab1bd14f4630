import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinService
import Logging

/// `kin-service`: what is near and what to do about people, over HTTP.
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
              curl -d '[0.1, 0.7, …]' 'localhost:8080/index/nearest?k=5'
              curl -d '[0.1, 0.7, …]' 'localhost:8080/index/nearest?recall=0.95'
              curl -X PUT -d '[0.1, 0.7, …]' localhost:8080/index/vectors/42
              curl -d '{"session": "s1", "k": 5}' localhost:8080/near
              curl -d '{"records": [{"session": {…}}]}' localhost:8080/put

            VECTORS
              A vector is a list of numbers, or little-endian 32-bit floats with
              "Content-Type: application/octet-stream". Of floats, nearest takes up
              to 1,000 vectors in a row; its answer has k neighbors for each, or as
              many as there are vectors: an id of 64 bits, unsigned, and a distance,
              a 64-bit float, nearest first.

            ERRORS
              400, 404 and 413 say what to change, as
              {"error": {"code": …, "message": …}}, and nothing was written.
              After 503 the same may be tried again.

            WHAT LASTS
              What a method has answered is in the store. Changes of the index are
              saved at the end, in one step: end the service by SIGTERM or Ctrl-C,
              which lets requests finish. Without --store and --index, records and
              vectors live as long as the process.

            Nobody is asked who they are: let it listen on the machine's own address,
            or behind what knows its callers.
            """)

    @Option(help: "The file of an inverted index; created at the end when there is none.")
    var index: String?

    @Option(help: "The number of dimensions of an index without a file.")
    var dimension = 16

    @Option(help: "The database of people; created when there is none.")
    var store: String?

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on.")
    var port = 8080

    func run() async throws {
        let shared =
            try index.map {
                try SharedIndex(at: $0, isThere: FileManager.default.fileExists(atPath: $0), dimension: dimension)
            } ?? SharedIndex(dimension: dimension)
        let engine = try store.map { try Engine(store: $0) } ?? Engine()
        try await KinService(index: shared, engine: engine)
            .run(host: host, port: port, logger: Logger(label: "kin-service"))
    }
}
