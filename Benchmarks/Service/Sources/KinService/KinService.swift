package import Hummingbird
import Kin
package import KinEngine
package import Logging

/// An HTTP service that answers from one process: what is near in an index, and every method of an engine.
///
/// Nobody is asked who they are: put it behind what knows its callers, or let it listen on the machine's own address only.
package struct KinService: Sendable {
    package let index: SharedIndex
    package let engine: Engine

    package init(index: SharedIndex, engine: Engine) {
        self.index = index
        self.engine = engine
    }

    /// The routes with their answers.
    package var router: Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        router.add(middleware: ErrorResponses())
        router.get { _, _ in Contents() }
        router.get("health") { _, _ in ["status": "ok"] }
        IndexRoutes(index: index).add(to: router)
        EngineRoutes(engine: engine).add(to: router)
        return router
    }

    /// Answers requests until the process is told to end (SIGTERM or SIGINT), then finishes those that it has, saves the index and
    /// closes the engine.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on.
    ///   - logger: Receives the start and the end of the server.
    /// - Throws: When the port is taken, or index or store cannot be saved.
    package func run(host: String, port: Int, logger: Logger) async throws {
        let server = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: "kin-service"),
            logger: logger)
        let served: Result<Void, any Error>
        do { served = .success(try await server.runService()) } catch { served = .failure(error) }
        // Each is saved, whatever became of the others.
        let saved = Result { try index.save() }
        try engine.close()
        try saved.get()
        try served.get()
    }
}

/// The answer of `GET /`: the routes, and the methods of the engine.
private struct Contents: ResponseEncodable {
    let routes = [
        "GET /health", "GET /index", "POST /index/nearest?k=10&recall=0.95", "GET /index/vectors/{id}",
        "PUT /index/vectors/{id}", "DELETE /index/vectors/{id}", "POST /{method}",
    ]
    let methods = EngineRoutes.methods.sorted()
}
