import Dispatch
package import KinCore
import Synchronization

/// Runs asynchronous work and blocks until it has ended: for commands and calls from C.
///
/// The work has a queue of its own, so that the blocked thread is never the one that it needs; the blocked thread calls the handler of
/// its progress, as that of work that it does itself.
package func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let caller = ProgressScope.current
    let relay = ProgressRelay<Value>()
    let scope = caller.map { _ in ProgressScope { done, total in relay.ask(done, of: total) } }
    Task(executorPreference: QueueExecutor()) {
        await ProgressScope.$current.withValue(scope) {
            do { relay.end(.success(try await work())) } catch { relay.end(.failure(error)) }
        }
    }
    return try relay.answer { done, total in caller?.report(done, of: total) ?? true }.get()
}

/// Carries the reports and the outcome of a working thread to one that waits for it, and the answers back.
private final class ProgressRelay<Value: Sendable>: Sendable {
    private struct Question {
        var done: Int
        var total: Int?
    }

    private let question = Mutex<Question?>(nil)
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    private let goesOn = Atomic(true)
    private let toCaller = DispatchSemaphore(value: 0)
    private let toWorker = DispatchSemaphore(value: 0)

    /// Passes on how far the work is, on the working thread, and waits for the answer: whether to go on.
    func ask(_ done: Int, of total: Int?) -> Bool {
        question.withLock { $0 = Question(done: done, total: total) }
        toCaller.signal()
        toWorker.wait()
        return goesOn.load(ordering: .sequentiallyConsistent)
    }

    /// Ends the waiting with the outcome of the work.
    func end(_ result: Result<Value, any Error>) {
        outcome.withLock { $0 = result }
        toCaller.signal()
    }

    /// Answers until the work has ended, and returns its outcome.
    func answer(_ handler: (Int, Int?) -> Bool) -> Result<Value, any Error> {
        while true {
            toCaller.wait()
            if let result = outcome.withLock({ $0 }) { return result }
            guard let asked = question.withLock({ $0.take() }) else { continue }
            goesOn.store(handler(asked.done, asked.total), ordering: .sequentiallyConsistent)
            toWorker.signal()
        }
    }
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
