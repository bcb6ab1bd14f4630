import Dispatch
public import KinCore
import Synchronization

extension Engine {
    /// Asks questions from asynchronous code without blocking it.
    ///
    ///     let missions = try await engine.query { try $0.missions(for: "u42", near: here, minutes: 45) }
    ///
    /// A question returns at once when what it needs is in memory, but it may have to wait for the disk, or for an index to be derived;
    /// asked directly it would keep one of the few threads that all Swift tasks share. Here it waits on a thread of a queue of
    /// its own. When the task is cancelled, derivation and other long work of the question end with `.cancelled`.
    ///
    /// - Parameter body: Receives the engine; asks any number of questions, which may see different versions of the store.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; `.cancelled`.
    /// - Complexity: Some 10 µs beside the questions.
    public func query<Answer: Sendable>(
        _ body: @escaping @Sendable (Engine) throws(KinError) -> Answer
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
                            try scope.run { () throws(KinError) in try body(self) }
                        })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// The queue of questions; its threads may block.
    private static let queries = DispatchQueue(label: "kin query", attributes: .concurrent)
}

/// Whether the task of a question was cancelled.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
    func cancel() { flag.store(true, ordering: .relaxed) }
}
