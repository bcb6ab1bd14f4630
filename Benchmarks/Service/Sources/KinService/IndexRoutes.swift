import Hummingbird
import Kin
import NIOCore

/// The routes of the vector index: its size, the nearest vectors, and single vectors by their ids.
struct IndexRoutes {
    /// The largest number of neighbours of one query.
    static let mostNeighbors = 1_000
    /// The largest number of queries in one request, which one thread answers; their answer has at most 16 MB.
    static let mostQueries = 1_000

    let index: SharedIndex
    let limits: ServiceLimits

    func add(to router: Router<ServiceContext>) {
        let routes = router.group("index")
        routes.get { _, _ in
            let index = index.snapshot
            return IndexDescription(count: index.count, dimension: index.dimension, metric: index.metric.rawValue)
        }
        routes.post("nearest") { request, context in try await nearest(request, context) }
        routes.get("vectors/{id}") { _, context in
            let id = try id(context)
            guard let vector = try index.snapshot.vector(for: id) else { throw KinError.noVector(id) }
            return vector
        }
        routes.put("vectors/{id}") { request, context in
            let vector = try await VectorBody(of: request, context: context).elements
            return VectorCount(count: try index.upsert(vector, id: id(context)))
        }
        routes.delete("vectors/{id}") { _, context in VectorCount(count: try index.remove(id(context))) }
    }

    private func nearest(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let options = try NearestOptions(request)
        let body = try await VectorBody(of: request, context: context)
        let index = index.snapshot
        guard body.isBinary else {
            return try await limits.limitingWork {
                try index.search(body.elements, k: options.k, options: .init(mode: options.mode))
            }
            .map { FoundNeighbor(id: $0.id.rawValue, distance: $0.distance) }
            .response(from: request, context: context)
        }
        let queries = try body.rows(of: index.dimension, most: Self.mostQueries)
        let found = try await limits.limitingWork {
            try index.search(queries, k: options.k, options: .init(mode: options.mode))
        }
        var bytes = ByteBuffer()
        for neighbor in found.joined() {
            bytes.writeInteger(neighbor.id.rawValue, endianness: .little)
            bytes.writeInteger(neighbor.distance.bitPattern, endianness: .little)
        }
        return bytes.response(from: request, context: context)
    }

    private func id(_ context: ServiceContext) throws -> VectorID {
        let text = try context.parameters.require("id")
        guard let id = UInt64(text) else {
            throw KinError(.invalidArgument, "the id must be a whole number of 64 bits, not \"\(text.prefix(40))\"")
        }
        return VectorID(id)
    }
}

/// The options of a search, from the query of its URL: `k` and `recall`.
private struct NearestOptions {
    var k = 10
    var mode = SearchMode.exact

    init(_ request: Request) throws(KinError) {
        for (name, text) in request.uri.queryParameters {
            switch name {
            case "k":
                guard let k = Int(text), (1...IndexRoutes.mostNeighbors).contains(k) else {
                    throw KinError(
                        .invalidArgument,
                        "k must be a whole number from 1 to \(IndexRoutes.mostNeighbors), not \"\(text.prefix(40))\""
                    )
                }
                self.k = k
            case "recall":
                guard let recall = Double(text) else {
                    throw KinError(.invalidArgument, "recall must be a number up to 1, not \"\(text.prefix(40))\"")
                }
                mode = .recall(recall)
            default:
                throw KinError(
                    .invalidArgument, "the parameters are k and recall, not \"\(name.prefix(40))\"")
            }
        }
    }
}

/// The answer of `GET /index`.
private struct IndexDescription: ResponseEncodable {
    var count: Int
    var dimension: Int
    var metric: String
}

/// One of the nearest vectors, in its JSON form.
private struct FoundNeighbor: Encodable {
    var id: UInt64
    var distance: Double
}

/// The number of vectors after a change.
private struct VectorCount: ResponseEncodable {
    var count: Int
}
