import ArgumentParser
import Hummingbird
import NIOCore

/// `http-ceiling`: the rate of HTTP alone, for comparison. Every request is read and gets the same answer of ten
/// neighbours.
@main
struct HTTPCeilingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "http-ceiling",
        abstract: "Answer every POST with the same ten neighbours, to measure the time of HTTP alone.")

    @Option(help: "The port of the loopback address to listen on.")
    var port = 8081

    func run() async throws {
        let neighbors = (0..<10).map { "{\"distance\":0.001234567890123\($0),\"id\":12345\($0)}" }
        let answer = ByteBuffer(string: "[\(neighbors.joined(separator: ","))]")
        let router = Router()
        router.post("**") { request, context in
            _ = try await request.body.collect(upTo: context.maxUploadSize)
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: answer))
        }
        try await Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        ).runService()
    }
}
