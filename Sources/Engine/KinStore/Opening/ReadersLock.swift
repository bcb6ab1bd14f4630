import KinLibC

/// A lock that any number of readers share or one thread holds exclusively.
@safe final class ReadersLock: Sendable {
    nonisolated(unsafe) private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() { unsafe pthread_rwlock_init(lock, nil) }

    deinit {
        unsafe pthread_rwlock_destroy(lock)
        unsafe lock.deallocate()
    }

    func shared<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_rwlock_rdlock(lock)
        defer { unsafe pthread_rwlock_unlock(lock) }
        return try body()
    }

    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        unsafe pthread_rwlock_wrlock(lock)
        defer { unsafe pthread_rwlock_unlock(lock) }
        return try body()
    }
}
