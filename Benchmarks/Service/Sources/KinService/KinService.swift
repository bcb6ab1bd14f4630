package import Hummingbird
import HummingbirdCore
package import Kin
package import KinEngine
package import Logging
import NIOCore

/// An HTTP service in one process: nearest vectors of an index, and every method of an engine.
package struct KinService: Sendable {
    package let index: SharedIndex
    package let engine: Engine
    private let access: ServiceAccess
    private let limits: ServiceLimits
    private let paths: [String]

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - index: The vectors.
    ///   - engine: The records of people.
    ///   - access: The callers that are answered.
    ///   - limits: The limits of one caller.
    ///   - paths: Paths of the server, which no answer may have.
    package init(
        index: SharedIndex, engine: Engine, access: ServiceAccess = .init(), limits: ServiceLimits = .init(),
        paths: [String] = []
    ) {
        self.index = index
        self.engine = engine
        self.access = access
        self.limits = limits
        self.paths = paths
    }

    /// The routes with their answers.
    private var router: Router<ServiceContext> {
        let router = Router(context: ServiceContext.self)
        router.add(middleware: ErrorResponses(paths: paths))
        router.add(middleware: OriginGuard(access: access))
        if !access.origins.isEmpty {
            // Only allowed origins get this far.
            router.add(
                middleware: CORSMiddleware(
                    allowOrigin: .originBased, allowHeaders: [.authorization, .contentType],
                    allowMethods: [.get, .post, .put, .delete]))
            router.add(middleware: ErrorResponses(paths: paths))
        }
        router.add(middleware: CallerGuard(token: access.token))
        router.get { _, _ in Contents() }
        router.get("health") { _, _ in ["status": "ok"] }
        IndexRoutes(index: index, limits: limits).add(to: router)
        EngineRoutes(engine: engine, limits: limits).add(to: router)
        return router
    }

    /// The server, which answers once it runs.
    ///
    /// - Parameters:
    ///   - host: The address to listen on.
    ///   - port: The port to listen on; 0 for a port that the system chooses.
    ///   - logger: Receives start and end of the server, and the errors whose sentences callers do not get.
    /// - Throws: `.invalidArgument` for an address that other machines reach, without a token.
    package func application(
        host: String = "127.0.0.1", port: Int = 0, logger: Logger = Logger(label: "kin-service")
    ) throws(KinError) -> Application<RouterResponder<ServiceContext>> {
        try access.requireToken(toListenOn: host)
        let limits = limits
        var http = HTTP1Channel.Configuration(
            additionalChannelHandlers: [BodyDeadline(limits.body)], idleTimeout: TimeAmount(limits.idle))
        http.httpDecoder = .init(maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 64)
        return Application(
            router: router, server: .http1(configuration: http),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), serverName: "kin-service",
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: logger)),
            logger: logger)
    }

    /// Answers requests until SIGTERM or SIGINT, then finishes open requests, saves the index and closes the engine.
    ///
    /// - Throws: An error if the port is taken, or if index or store cannot be saved; also those of
    ///   ``application(host:port:logger:)``.
    package func run(host: String, port: Int, logger: Logger) async throws {
        let served: Result<Void, any Error>
        do {
            served = .success(try await application(host: host, port: port, logger: logger).runService())
        } catch {
            served = .failure(error)
        }
        // Each is saved, whether or not the other succeeds.
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
