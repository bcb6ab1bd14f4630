import Hummingbird
import Kin
import KinEngine
import NIOCore

/// One route for each method of the engine: `POST /METHOD` with the parameters as a JSON object.
struct EngineRoutes {
    /// The methods that are served: all but `import`, which would read files of the server.
    static let methods = Set(Engine.methods).subtracting(["import"])

    let engine: Engine

    func add(to router: Router<ServiceContext>) {
        router.post("{method}") { request, context in
            let method = try context.parameters.require("method")
            guard Self.methods.contains(method) else { throw HTTPError(.notFound) }
            let parameters = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
            // On a thread that may wait for the disk: those of Swift's tasks must not.
            let answer = try await engine.query { engine throws(KinError) in try engine.call(method, parameters) }
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: answer)))
        }
    }
}
