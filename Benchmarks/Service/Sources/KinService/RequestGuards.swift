import HTTPTypes
import Hummingbird

/// Refuses requests for names that the service does not have, and requests from web pages whose origin is not allowed.
struct OriginGuard: RouterMiddleware {
    let access: ServiceAccess

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority, request.headers[.furtherHost] == nil else {
            throw HTTPError(.badRequest, message: "a request must have one Host header")
        }
        guard access.isName(host) else {
            throw HTTPError(
                .misdirectedRequest,
                message: "the service does not answer to the host \"\(host.prefix(80))\"; --allow-host adds a name")
        }
        let origin = request.headers[.origin]
        // Browsers omit Origin from some requests, such as those for a picture, but send this header.
        let isFromPage = origin != nil || ["cross-site", "same-site"].contains(request.headers[.secFetchSite])
        guard !isFromPage || origin.map(access.origins.contains) == true else {
            throw HTTPError(
                .forbidden,
                message: "web pages of \"\((origin ?? "a different site").prefix(80))\" may not call the service; "
                    + "--allow-origin adds an origin")
        }
        return try await next(request, context)
    }
}

/// Refuses requests without the token, and bodies of types that a web page can send without asking first.
struct CallerGuard: RouterMiddleware {
    let token: AccessToken?

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if let token, path != "/health", !token.isIn(request.headers[.authorization]) {
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: "Bearer"],
                message: "the request needs the header \"Authorization: Bearer TOKEN\" with the service's token")
        }
        if request.method == .post || request.method == .put {
            let types = ["application/json"] + (path.hasPrefix("/index/") ? [VectorBody.binaryType] : [])
            guard let type = request.mediaType, types.contains(type) else {
                throw HTTPError(
                    .unsupportedMediaType,
                    message: "the request needs the header \"Content-Type: \(types.joined(separator: "\" or \""))\"")
            }
        }
        return try await next(request, context)
    }
}

extension Request {
    /// The type of the body in lower case, without parameters such as the character set; nil without a Content-Type.
    var mediaType: String? {
        headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
    }
}

extension HTTPField.Name {
    /// The library removes the first Host header from the headers.
    fileprivate static let furtherHost = Self("Host")!
    /// The header with a browser's comparison of the page's origin and the service.
    fileprivate static let secFetchSite = Self("Sec-Fetch-Site")!
}
