import Dispatch
package import KinCore
import Synchronization

/// Runs asynchronous work and blocks until it has ended: for commands and calls from C.
///
/// The work has a queue of its own, so that the blocked thread is never the one that it needs.
package func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: QueueExecutor()) {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        outcome.withLock { $0 = result }
        done.signal()
    }
    done.wait()
    return try outcome.withLock { $0! }.get()
}

/// Runs work on a store and blocks until it has ended; see ``waiting(_:)``. Other errors than ``KinError`` become `.inputOutput`.
package func finishing<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) throws(KinError) -> Value {
    do {
        return try waiting(work)
    } catch let error as KinError {
        throw error
    } catch {
        throw KinError(.inputOutput, "the store could not do it: \(error)")
    }
}

/// An executor that runs jobs one after the other on a queue.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "kin command")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
