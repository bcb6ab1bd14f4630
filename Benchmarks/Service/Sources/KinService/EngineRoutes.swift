import Hummingbird
import Kin
import KinEngine
import NIOCore

/// One route for each method of the engine: `POST /METHOD` with the parameters as a JSON object.
struct EngineRoutes {
    /// The served methods: all except `import` and `backup`, which read and write files of the server at any path.
    static let methods = Set(Engine.methods).subtracting(["import", "backup"])

    let engine: Engine
    let limits: ServiceLimits

    func add(to router: Router<ServiceContext>) {
        router.post("{method}") { request, context in
            let method = try context.parameters.require("method")
            guard Self.methods.contains(method) else { throw HTTPError(.notFound) }
            let body = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
            let parameters = try EngineBudget.parameters(of: method, body)
            // On a thread that may wait for the disk; the threads of Swift's tasks must not.
            let answer = try await limits.limitingWork {
                try await engine.query { engine throws(KinError) in try engine.call(method, parameters) }
            }
            guard answer.utf8.count <= limits.answerBytes else {
                throw HTTPError(
                    .contentTooLarge,
                    message:
                        "an answer must have at most \(limits.answerBytes) bytes, not \(answer.utf8.count); request less"
                )
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: answer)))
        }
    }
}
