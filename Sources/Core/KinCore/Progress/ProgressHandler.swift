import Synchronization

/// Runs an operation whose long work reports how far it is to a handler, which may cancel it.
///
///     let index = try withProgressHandler {
///         try SoulMatcher(souls, threads: 2)
///     } onProgress: { done, total in
///         bar.show(done, of: total)
///         return !isCancelled
///     }
///
/// Loads and saves of indexes, batches of searches, k-means, matching of everybody, backtests, imports, exports and whatever a query
/// derives from records report, some milliseconds of work apart, on the thread that called them. Work of several stages begins again
/// with each. The results are the same, bit for bit, with and without a handler.
///
/// When the handler returns false the work ends with `.cancelled` and everything is as it was before: an import is rolled back,
/// an index unchanged. So it does, with or without a handler, when the task that runs it is cancelled.
///
/// - Parameters:
///   - operation: The work; calls within an inner `withProgressHandler` report to that one alone.
///   - onProgress: Receives the units done and those in all, nil where nobody knows; returns whether to go on. Units are those of the
///     work: points, people, bytes. The last call may have `done` below `total`. It must not use the store or value that is at work;
///     other long work that it begins reports to nobody.
/// - Returns: The operation's result.
/// - Throws: `.cancelled`, and what the operation throws.
public func withProgressHandler<Result, Failure: Error>(
    operation: () throws(Failure) -> Result, onProgress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Bool
) throws(Failure) -> Result {
    try ProgressScope(onProgress).run(operation)
}

/// Runs an asynchronous operation whose long work reports to a handler, as
/// `withProgressHandler` does for others; the operation's child tasks report too.
///
/// - Parameters:
///   - isolation: The actor that the operation runs on; the caller's.
///   - operation: The work.
///   - onProgress: Receives the units done and those in all, on the thread that does the work; returns whether to go on.
/// - Returns: The operation's result.
/// - Throws: `.cancelled`, and what the operation throws.
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

/// The handler that the long work of a task or thread reports to, and whether it has cancelled.
package final class ProgressScope: Sendable {
    /// The innermost scope; nil when there is none.
    @TaskLocal package static var current: ProgressScope?

    private let handler: (@Sendable (Int, Int?) -> Bool)?
    private let hasCancelled = Atomic(false)

    /// Creates a scope with a handler; nil for work that neither reports nor is cancelled.
    package init(_ handler: (@Sendable (Int, Int?) -> Bool)?) { self.handler = handler }

    /// Whether the work in the scope has to run to its end, even in a cancelled task.
    var isShield: Bool { handler == nil }

    /// Whether the handler has cancelled the work; it is not called again then.
    var isCancelled: Bool { hasCancelled.load(ordering: .relaxed) }

    /// Passes on how far the work is; returns whether to go on.
    package func report(_ done: Int, of total: Int?) -> Bool {
        guard let handler else { return true }
        guard !isCancelled else { return false }
        // What the handler itself begins must not report to it again.
        guard Self.shielded({ handler(done, total) }) else {
            hasCancelled.store(true, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Runs a body with this scope as the innermost: the work that it begins on this thread reports here.
    package func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        Self.$current.withValue(self) {
            do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
        }
        return try outcome!.get()
    }

    /// Runs a body that must not be left half done: it neither reports nor is cancelled.
    package static func shielded<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
    {
        try ProgressScope(nil).run(body)
    }
}
