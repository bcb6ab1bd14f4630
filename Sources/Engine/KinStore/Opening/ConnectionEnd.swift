import Dispatch
import GRDB
import KinLibC
import Synchronization

extension DatabaseReader {
    /// Closes connections whose last owner is the caller.
    func end() throws {
        if !outliveOwners() || self is DatabaseQueue { try close() }
    }

    /// Retains the connections for the life of the process if Dispatch cannot start a thread.
    ///
    /// Each connection of GRDB has a queue, and Dispatch frees the queue on a thread of its own. A pool frees queues
    /// when it is closed.
    ///
    /// - Returns: Whether the connections are retained.
    @discardableResult
    func outliveOwners() -> Bool {
        if canStartDispatch() { return false }
        _ = unsafe Unmanaged.passRetained(self as AnyObject)
        return true
    }
}

/// Whether Dispatch can start a thread now, and open the files that it needs for the first thread of a process.
///
/// If it cannot, Dispatch waits forever or ends the process, on the thread that submits a job.
func canStartDispatch() -> Bool { hasFreeFiles() && HelperThreads.canStart }

/// Whether this process can open the files that a connection needs.
func hasFreeFiles() -> Bool {
    let files = (0..<5).map { _ in unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
    defer { for file in files where file >= 0 { close(file) } }
    return files.allSatisfy { $0 >= 0 }
}

/// Makes Dispatch open its own files, once per process. If no file were free later, Dispatch would end the process.
///
/// - Throws: `.inputOutput` if too many files are open.
func requireFilesForDispatch() throws(KinError) {
    guard hasFreeFiles() else {
        throw KinError(
            .inputOutput,
            "this process has too many open files: a store needs 5 more; close some, or raise the limit (ulimit -n)")
    }
    guard !hasOpenedFiles.load(ordering: .relaxed), HelperThreads.canStart else { return }
    let fired = DispatchSemaphore(value: 0)
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { fired.signal() }
    timer.schedule(deadline: .now())
    timer.activate()
    if fired.wait(timeout: .now() + 1) == .success { hasOpenedFiles.store(true, ordering: .relaxed) }
    timer.cancel()
}

private let hasOpenedFiles = Atomic(false)
