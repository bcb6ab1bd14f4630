package import KinCore

/// The `KinError` that `body` throws; nil if it throws none: `#expect(kinError { try … }?.message.contains("k") ==
/// true)`.
package func kinError<Result>(of body: () throws -> Result) -> KinError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? KinError
    }
}

/// The code of the `KinError` that `body` throws, nil if it throws none: `#expect(errorCode { try … } == .notFinite)`.
package func errorCode<Result>(of body: () throws -> Result) -> KinError.Code? { kinError(of: body)?.code }

/// The code of the `KinError` that an asynchronous `body` throws, nil if it throws none.
package func errorCode<Result>(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Result
) async -> KinError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? KinError)?.code
    }
}

extension KinError {
    /// The value of a fact of the error's context, such as `field` or `line`; nil if it has no such fact.
    package func fact(_ name: String) -> String? { context.first { $0.name == name }?.value }
}
