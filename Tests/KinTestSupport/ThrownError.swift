package import KinCore

/// The `KinError` of a closure that throws one, or nil: `#expect(kinError { try … }.says("k must be"))`.
package func kinError<Result: ~Copyable>(of body: () throws -> Result) -> KinError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? KinError
    }
}

/// The code of the `KinError` that `body` throws, nil if it throws none: `#expect(errorCode { try … } == .notFinite)`.
package func errorCode<Result: ~Copyable>(of body: () throws -> Result) -> KinError.Code? {
    kinError(of: body)?.code
}

/// The `KinError` that an asynchronous `body` throws; nil if it throws none.
package func kinError<Result>(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Result
) async -> KinError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? KinError
    }
}

/// The code of the `KinError` that an asynchronous `body` throws, nil if it throws none.
package func errorCode<Result>(
    isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Result
) async -> KinError.Code? { await kinError(of: body)?.code }

extension KinError? {
    /// Whether the text of the error has all of these words, and the error the code if one is given.
    package func says(_ words: String..., code: KinError.Code? = nil) -> Bool {
        guard let self, code == nil || self.code == code else { return false }
        return words.allSatisfy { "\(self)".contains($0) }
    }
}

extension KinError {
    /// The value of a fact of the error's context, such as `field` or `line`; nil if it has no such fact.
    package func fact(_ name: String) -> String? { context.first { $0.name == name }?.value }
}
