import Synchronization

/// Runs an operation whose long work reports its progress to a handler, which may cancel the work.
///
///     let index = try withProgressHandler {
///         try SoulMatcher(souls, threads: 2)
///     } onProgress: { done, total in
///         bar.show(done, of: total)
///         return !isCancelled
///     }
///
/// Loads and saves of indexes, batches of searches, k-means, silhouettes, matching of all people, fits of weights,
/// backtests, replays of logs, imports, exports and derivations for queries report on the thread that called them, some
/// milliseconds of work apart. Work of several stages starts again from 0 with each stage. The results are bit-identical
/// with and without a handler.
///
/// If the handler returns false, the work ends with `.cancelled` and nothing has changed: an import is rolled back, an
/// index is unchanged. The same happens, with or without a handler, if the task that runs the work is cancelled.
///
/// - Parameters:
///   - operation: The work; calls within an inner `withProgressHandler` report only to the inner handler.
///   - onProgress: Receives the number of units done and the total, nil if unknown; returns whether to continue. Units
///     are those of the work: points, people, bytes. In the last call `done` may be less than `total`. The handler must
///     not use the store or value that is at work; other long work that it begins is not reported.
/// - Returns: The operation's result.
/// - Throws: `.cancelled`, and the errors of the operation.
public func withProgressHandler<Result, Failure: Error>(
    operation: () throws(Failure) -> Result, onProgress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Bool
) throws(Failure) -> Result {
    try ProgressScope(onProgress).run(operation)
}

/// Runs an asynchronous operation whose long work reports to a handler, as the synchronous `withProgressHandler` does;
/// the operation's child tasks also report.
///
/// - Parameters:
///   - isolation: The actor that the operation runs on. Default: the caller's.
///   - operation: The work.
///   - onProgress: Receives the number of units done and the total, on the thread that does the work; returns whether
///     to continue.
/// - Returns: The operation's result.
/// - Throws: `.cancelled`, and the errors of the operation.
public func withProgressHandler<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    operation: () async throws(Failure) -> Result, onProgress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Bool
) async throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    await ProgressScope.$current.withValue(ProgressScope(onProgress)) {
        do throws(Failure) { outcome = .success(try await operation()) } catch { outcome = .failure(error) }
    }
    return try outcome!.get()
}

/// The progress handler of a task or thread, and whether it has cancelled the work.
package final class ProgressScope: Sendable {
    /// The innermost scope; nil outside all scopes.
    @TaskLocal package static var current: ProgressScope?

    private let handler: (@Sendable (Int, Int?) -> Bool)?
    /// The object that is at work, which the handler must not use; nil if it is unknown.
    private let subject: ObjectIdentifier?
    private let hasCancelled = Atomic(false)

    /// Creates a scope with a handler; nil for work that neither reports nor can be cancelled.
    package init(_ handler: (@Sendable (Int, Int?) -> Bool)?, of subject: ObjectIdentifier? = nil) {
        self.handler = handler
        self.subject = subject
    }

    /// Whether the work in the scope must run to its end, even in a cancelled task.
    var isShield: Bool { handler == nil }

    /// Whether the handler has cancelled the work; it is then not called again.
    var isCancelled: Bool { hasCancelled.load(ordering: .relaxed) }

    /// Passes on the progress of the work; returns whether to continue.
    package func report(_ done: Int, of total: Int?) -> Bool {
        guard let handler else { return true }
        guard !isCancelled else { return false }
        // Work that the handler itself begins must not report to it.
        guard ProgressScope(nil, of: subject).run({ handler(done, total) }) else {
            hasCancelled.store(true, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Requires that this thread is not in a handler that an object's work has called.
    ///
    /// - Throws: `.invalidArgument`.
    package static func requireNoHandler(of object: AnyObject) throws(KinError) {
        guard let scope = current, scope.isShield, scope.subject == ObjectIdentifier(object) else { return }
        throw KinError(
            .invalidArgument,
            "a handler cannot use the object of the call that it interrupts; use it after that call")
    }

    /// Runs a body with this scope as the innermost scope: work that begins on this thread reports here.
    package func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        Self.$current.withValue(self) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        return try outcome!.get()
    }

    /// Runs a body that must not stop half-way: it neither reports nor can be cancelled.
    package static func shielded<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
    {
        try ProgressScope(nil).run(body)
    }
}
