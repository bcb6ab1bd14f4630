import Foundation
import Synchronization

/// A number that threads change.
package final class Counter: Sendable {
    private let number = Atomic(0)

    package init() {}

    package var value: Int { number.load(ordering: .acquiring) }

    package func add(_ n: Int) { number.add(n, ordering: .acquiringAndReleasing) }
}

/// A running thread; joining it waits for the release of its thread-specific values too.
package struct EndingThread {
    private final class Job {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }

    private let id: pthread_t

    package init(_ work: @escaping @Sendable () -> Void) {
        let job = unsafe Unmanaged.passRetained(Job(work)).toOpaque()
        #if canImport(Darwin)
            var id: pthread_t?
            unsafe pthread_create(&id, nil, { unsafe run($0) }, job)
            self.id = id!
        #else
            var id = pthread_t()
            unsafe pthread_create(&id, nil, { unsafe run($0!) }, job)
            self.id = id
        #endif

        func run(_ job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
            unsafe Unmanaged<Job>.fromOpaque(job).takeRetainedValue().work()
            return nil
        }
    }

    package func waitForEnd() { pthread_join(id, nil) }
}
