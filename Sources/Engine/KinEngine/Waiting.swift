import Dispatch
package import KinCore
import Synchronization

/// Runs asynchronous work on the calling thread until it has ended: for commands and calls from C.
///
/// A command needs no other thread, so it works in a process that cannot start more threads. The calling thread waits only while
/// the work waits for the command of a different thread.
package func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let scope = ProgressScope.current
    let executor = CallerExecutor()
    let outcome = Outcome<Value>()
    Task(executorPreference: executor) {
        await ProgressScope.$current.withValue(scope) {
            do { outcome.set(.success(try await work())) } catch { outcome.set(.failure(error)) }
        }
    }
    return try executor.run { outcome.value }.get()
}

/// The outcome of work; nil before its end.
private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    var value: Result<Value, any Error>? { result.withLock { $0 } }
    func set(_ value: Result<Value, any Error>) { result.withLock { $0 = value } }
}

/// Runs work on a store on the calling thread until it has ended; see ``waiting(_:)``. Other errors than ``KinError`` become `.inputOutput`.
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

/// An executor whose jobs run on the thread that waits for them.
private final class CallerExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// Whether the caller has gone: later jobs, such as an actor that begins the command of a second thread, run on the process's pool.
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.jobs.append(job) }
            return state.hasEnded
        }
        guard hasEnded else {
            arrived.signal()
            return
        }
        DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs jobs as they come until there is an outcome and no job is left.
    func run<Value>(until outcome: () -> Value?) -> Value {
        while true {
            let job = state.withLock { state in state.jobs.isEmpty ? nil : state.jobs.removeFirst() }
            if let job {
                unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            } else if let value = outcome(), end() {
                return value
            } else {
                arrived.wait()
            }
        }
    }

    /// Ends unless a job is left.
    private func end() -> Bool {
        state.withLock { state in
            state.hasEnded = state.jobs.isEmpty
            return state.hasEnded
        }
    }
}
