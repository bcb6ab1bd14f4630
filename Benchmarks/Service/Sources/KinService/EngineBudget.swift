import Foundation
import Hummingbird

/// The largest values of the parameters that determine the work and the memory of an engine call.
///
/// The engine's own limits are for trusted programs. These are for unknown callers.
enum EngineBudget {
    /// The largest values, by the names of parameters.
    static let largest = [
        "k": 1_000, "count": 1_000, "per_category": 1_000, "rows": 10_000, "days": 366, "restarts": 20, "threads": 2,
        "limit": 10_000, "megabytes": 16,
    ]
    /// The parameters with a default above the limit, by method; a request without one gets the limit.
    static let filled = ["match": "limit", "similar_pairs": "limit", "create_policy": "megabytes"]

    /// The parameters of a call, within the limits.
    ///
    /// - Parameters:
    ///   - method: The method; `put`, whose records are large, has none of the parameters and is not read here.
    ///   - parameters: The body of the request.
    /// - Returns: The body, with the limit for a missing parameter.
    /// - Throws: An `HTTPError` of status 400 for a value above a limit, with the parameter, and for malformed JSON.
    static func parameters(of method: String, _ parameters: String) throws -> String {
        if method == "put" { return parameters }
        let text = parameters.allSatisfy(\.isWhitespace) ? "{}" : parameters
        let members: [String: any Sendable]
        do {
            members = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable] ?? [:]
        } catch {
            let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] ?? "it is not JSON"
            throw HTTPError(.badRequest, message: "the body must be a JSON object: \(detail)")
        }
        for (name, limit) in largest {
            if let number = members[name] as? NSNumber, number.doubleValue > Double(limit) {
                throw HTTPError(.badRequest, message: "\(name) must be at most \(limit) in this service, not \(number)")
            }
        }
        guard let name = filled[method], members[name] == nil, let limit = largest[name],
            let brace = text.firstIndex(of: "{")
        else { return parameters }
        return "{\"\(name)\": \(limit)" + (members.isEmpty ? "" : ",") + text[text.index(after: brace)...]
    }
}
