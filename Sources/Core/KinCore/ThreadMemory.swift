import KinLibC

/// Scratch memory that each thread stores between calls, so that a call allocates nothing.
///
/// A call takes the thread's memory out, uses it and puts it back. A thread stores at most one object per kind. No
/// other thread reads the object, and it is released when the thread ends. A nested call finds nothing and allocates
/// its own memory.
package final class ThreadMemory<Memory: AnyObject>: Sendable {
    /// The key of the threads' values; nil if the process has no more keys. Nothing is then stored.
    private let key: pthread_key_t?

    package init() {
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { stored in
            #if canImport(Darwin)
                unsafe Unmanaged<AnyObject>.fromOpaque(stored).release()
            #else
                if let stored = unsafe stored { unsafe Unmanaged<AnyObject>.fromOpaque(stored).release() }
            #endif
        }
        self.key = status == 0 ? key : nil
    }

    deinit { if let key { pthread_key_delete(key) } }

    /// Takes the thread's memory out; nil if the thread has none.
    package func take() -> Memory? {
        guard let key, let stored = unsafe pthread_getspecific(key) else { return nil }
        pthread_setspecific(key, nil)
        return unsafe Unmanaged<Memory>.fromOpaque(stored).takeRetainedValue()
    }

    /// Stores memory for the thread's next call; it replaces memory that a nested call has stored.
    package func putBack(_ memory: Memory) {
        guard let key else { return }
        _ = take()
        unsafe pthread_setspecific(key, Unmanaged.passRetained(memory).toOpaque())
    }
}
