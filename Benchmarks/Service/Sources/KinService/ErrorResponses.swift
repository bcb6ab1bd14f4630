import Hummingbird
import Kin
import NIOCore

/// Answers every error in one form: `{"error": {"code": "unknown id", "message": "no vector has the id 7"}}`.
///
/// Errors of Kin keep their sentence, which names the parameter, line or row and says what to do.
struct ErrorResponses: RouterMiddleware {
    func handle(
        _ request: Request, context: ServiceContext, next: (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        let status: HTTPResponse.Status
        let failure: Failure
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
            failure = Failure(
                code: status.reasonPhrase.lowercased(),
                message: error.body ?? "there is no \(request.method) \(request.uri.path); GET / lists what there is")
        }
        var response = try context.responseEncoder.encode(["error": failure], from: request, context: context)
        response.status = status
        return response
    }

    private struct Failure: Encodable {
        var code: String
        var message: String
    }
}

extension KinError {
    /// The status of a response with this error: 4xx where the request has to change, 5xx where it does not.
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
