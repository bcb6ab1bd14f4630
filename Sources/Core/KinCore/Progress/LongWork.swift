import KinLibC
import Synchronization

/// A piece of long work. Its threads count progress, the thread that began it reports, and all end when the work is
/// cancelled.
///
/// Loops call ``advance(by:)`` or ``step(by:)`` at least every 50 ms, and ``check()`` before they use data that may be
/// incomplete. Without a handler (`withProgressHandler`) and outside a task, the cost is negligible.
package final class LongWork: Sendable {
    /// Whether a handler or a task can follow or cancel the work.
    package let isObserved: Bool
    private let scope: ProgressScope?
    private let total: Int?
    private let done = Atomic(0)
    /// The number of units done at the last report.
    private let reported = Atomic(0)
    private let isStopped = Atomic(false)
    /// The thread that reports.
    private let owner: UInt

    /// Whether a handler or a task could cancel work that began now. If so, code that changes a value in place must
    /// first make a copy.
    package static var isObserved: Bool {
        if let scope = ProgressScope.current {
            !scope.isShield
        } else {
            unsafe withUnsafeCurrentTask { unsafe $0 != nil }
        }
    }

    /// Begins a piece of work.
    ///
    /// - Parameter total: The number of units; nil if unknown.
    package init(of total: Int?) {
        scope = ProgressScope.current
        isObserved = Self.isObserved
        owner = isObserved ? Self.thread : 0
        self.total = total
    }

    /// Counts units as done; on the thread that began the work, reports them.
    ///
    /// - Returns: Whether to continue. If false, the rest may be skipped, because ``check()`` will throw.
    @discardableResult
    package func advance(by units: Int = 1) -> Bool {
        guard isObserved else { return true }
        done.wrappingAdd(units, ordering: .relaxed)
        if Self.thread == owner { report() }
        return !isStopped.load(ordering: .relaxed)
    }

    /// Counts units as done, as ``advance(by:)``.
    ///
    /// - Throws: `.cancelled`.
    package func step(by units: Int = 1) throws(KinError) {
        if !advance(by: units) { try check() }
    }

    /// Counts all units up to a number as done, for work with a single counting thread.
    ///
    /// - Returns: As ``advance(by:)``.
    @discardableResult
    package func advance(to units: Int) -> Bool { advance(by: units - done.load(ordering: .relaxed)) }

    /// Counts all units up to a number as done, for work that may end early.
    ///
    /// - Throws: `.cancelled`.
    package func step(to units: Int) throws(KinError) {
        if !advance(to: units) { try check() }
    }

    /// Requires that the work was not cancelled. On the thread that began the work, reports the units of other threads.
    ///
    /// - Throws: `.cancelled`.
    package func check() throws(KinError) {
        let isBehind = reported.load(ordering: .relaxed) < done.load(ordering: .relaxed)
        if isBehind, !isStopped.load(ordering: .relaxed), Self.thread == owner { report() }
        guard isStopped.load(ordering: .relaxed) else { return }
        throw KinError(.cancelled, "the work was cancelled before its end; nothing has changed")
    }

    private func report() {
        let done = done.load(ordering: .relaxed)
        reported.store(done, ordering: .relaxed)
        let isWanted = scope?.report(done, of: total) ?? true
        if !isWanted || Task.isCancelled { isStopped.store(true, ordering: .relaxed) }
    }

    /// The identity of the current thread.
    private static var thread: UInt {
        #if canImport(Glibc)
            pthread_self()
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}
