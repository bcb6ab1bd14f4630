import Dispatch
import Synchronization

extension Engine {
    /// Runs queries from asynchronous code without blocking it.
    ///
    ///     let missions = try await engine.query { try $0.missions(for: "u42", near: here, minutes: 45) }
    ///
    /// A query returns at once if its data is in memory, but it may have to wait for the disk, or for an index to be
    /// derived. A direct call would then block one of the few threads that all Swift tasks share. This function waits
    /// on a thread of a separate queue instead. If the task is cancelled, derivation and other long work of the query
    /// end with `.cancelled`.
    ///
    /// - Parameter body: Receives the engine and runs any number of queries, which may see different versions of the
    ///   store.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body (see `KinError.underlying`); `.cancelled`.
    /// - Complexity: About 10 µs in addition to the queries.
    public func query<Answer: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Engine) throws(Failure) -> Answer
    ) async throws(KinError) -> Answer {
        let outer = ProgressScope.current
        let cancellation = Cancellation()
        let scope = ProgressScope { done, total in
            !cancellation.isCancelled && outer?.report(done, of: total) ?? true
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Self.queries.async {
                    continuation.resume(
                        returning: Result { () throws(KinError) in
                            try scope.run { () throws(KinError) in try callingBack { try body(self) } }
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// The queue of queries; its threads may block.
    private static let queries = DispatchQueue(label: "kin query", attributes: .concurrent)
}

/// Whether the task of a query was cancelled.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
    func cancel() { flag.store(true, ordering: .relaxed) }
}
