import Dispatch
import Synchronization

/// Does something asynchronous and waits for it: for commands and calls from C, which have nothing else to do.
///
/// The work runs on a queue of its own, so that waiting never takes the thread that the work needs.
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

/// Runs jobs one after the other on a queue.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "kin command")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
