/// Lets the writers of files that a body calls replace files of other kinds.
///
/// Outside this function a writer replaces only empty files and Kin files of its own kind.
///
///     try withOverwriting { try index.save(to: "v1.csv") }
///
/// A database is never replaced.
///
/// - Parameters:
///   - isAllowed: Whether files of other kinds may be replaced. Default: true.
///   - body: Calls the writers, on the thread that `body` runs on.
/// - Throws: The errors of the body.
public func withOverwriting<Result, Failure: Error>(
    _ isAllowed: Bool = true, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    Overwriting.$isAllowed.withValue(isAllowed) {
        do throws(Failure) { outcome = .success(try body()) } catch { outcome = .failure(error) }
    }
    return try outcome!.get()
}

/// The permission to replace files of other kinds: a task-local value, so that no writer needs a parameter.
package enum Overwriting {
    @TaskLocal package static var isAllowed = false
}
