import Dispatch
import Synchronization

/// Runs asynchronous work to its end on the calling thread, for commands and calls from C.
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

/// Runs a store's work to its end on the calling thread; see ``waiting(_:)``. Errors other than ``KinError`` become
/// `.inputOutput`.
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
///
/// A job that arrives after the executor's end belongs to a different caller: the actor of a store begins the next
/// command. The job then runs on the thread of a waiting caller, or on Dispatch's threads if only Swift tasks wait.
private final class CallerExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private static let callers = Mutex<[CallerExecutor]>([])
    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if accept(job) || Self.callers.withLock({ $0 }).contains(where: { $0.accept(job) }) { return }
        DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Queues a job for the waiting thread.
    ///
    /// - Returns: False if the caller's wait has ended.
    private func accept(_ job: UnownedJob) -> Bool {
        let isQueued = state.withLock { state in
            if !state.hasEnded { state.jobs.append(job) }
            return !state.hasEnded
        }
        if isQueued { arrived.signal() }
        return isQueued
    }

    /// Runs jobs as they arrive until there is an outcome and no job remains.
    func run<Value>(until outcome: () -> Value?) -> Value {
        Self.callers.withLock { $0.append(self) }
        defer { Self.callers.withLock { callers in callers.removeAll { $0 === self } } }
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

    /// Ends unless a job remains.
    private func end() -> Bool {
        state.withLock { state in
            state.hasEnded = state.jobs.isEmpty
            return state.hasEnded
        }
    }
}
