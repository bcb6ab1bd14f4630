import Hummingbird
import Kin
import Logging
import NIOCore

/// Answers every error in one form: `{"error": {"code": "unknown id", "message": "no vector has the id 7"}}`.
///
/// Errors that the caller can correct keep their sentence, with the parameter, line or row and the next step. The
/// sentences of other errors may name files of the server. Their answer has the number of the request instead, and the
/// log has number and sentence.
struct ErrorResponses: RouterMiddleware {
    /// Paths of the server, which no answer may contain.
    let paths: [String]

    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let status: HTTPResponse.Status
        var headers = HTTPFields()
        var failure: Failure
        do {
            return try await next(request, context)
        } catch let error as KinError {
            status = error.status
            failure = Failure(code: error.code.description, message: error.description)
        } catch is NIOTooManyBytesError {
            status = .contentTooLarge
            failure = Failure(
                code: "content too large", message: "the body has more than \(context.maxUploadSize) bytes")
        } catch let error as HTTPError {
            status = error.status
            headers = error.headers
            failure = Failure(
                code: status.reasonPhrase.lowercased(),
                message: error.body ?? "there is no \(request.method) \(request.uri.path); GET / lists all routes")
        } catch {
            status = .internalServerError
            failure = Failure(code: "internal error", message: "\(error)")
        }
        if status.kind == .serverError || paths.contains(where: failure.message.contains) {
            context.logger.error("\(request.method) \(request.uri.path): \(failure.message)")
            failure.message = "\(status.advice); the reason is in the log of the service, under \(context.id)"
        }
        var response = try context.responseEncoder.encode(["error": failure], from: request, context: context)
        response.status = status
        response.headers.append(contentsOf: headers)
        return response
    }

    private struct Failure: Encodable {
        var code: String
        var message: String
    }
}

extension HTTPResponse.Status {
    /// The next step of a caller after a failure of the service.
    fileprivate var advice: String {
        switch self {
        case .serviceUnavailable:
            "the work took too long, or a file is in use; nothing was written; try again, or request less"
        case .internalServerError: "the service failed"
        default: "the request is invalid"
        }
    }
}

extension KinError {
    /// The status of a response with this error: 4xx if the request has to change, otherwise 5xx.
    fileprivate var status: HTTPResponse.Status {
        switch code {
        case .invalidArgument, .dimensionMismatch, .notFinite, .zeroVector, .duplicateID, .malformedInput: .badRequest
        case .unknownID: .notFound
        case .capacityExceeded: .contentTooLarge
        case .busy, .cancelled: .serviceUnavailable
        default: .internalServerError
        }
    }
}
