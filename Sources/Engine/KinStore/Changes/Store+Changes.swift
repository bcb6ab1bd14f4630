import Synchronization

extension Store {
    /// The version after each later write of this store, for apps that show live data.
    ///
    ///     for await version in store.changes() { show(try store.challengeHistory(of: user)) }
    ///
    /// A reader slower than the writes receives only the latest version. The sequence ends when the store is closed, and
    /// when it is released, which a loop that uses the store prevents. It has no versions for writes of other processes;
    /// every query sees those writes anyway.
    public nonisolated func changes() -> AsyncStream<StoreVersion> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = observers.add(continuation)
            continuation.onTermination = { [weak observers] _ in observers?.remove(id) }
            if (try? requireOpen()) == nil { continuation.finish() }
        }
    }
}

/// The listeners of a store's writes.
final class ChangeObservers: Sendable {
    private struct State {
        var next = 0
        var continuations: [Int: AsyncStream<StoreVersion>.Continuation] = [:]
    }

    private let state = Mutex(State())

    deinit { finish() }

    /// Ends the sequences of all listeners.
    func finish() {
        // Outside the lock, because the end of a sequence removes its listener.
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }

    func add(_ continuation: AsyncStream<StoreVersion>.Continuation) -> Int {
        state.withLock { state in
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
    }

    func remove(_ id: Int) { state.withLock { $0.continuations[id] = nil } }

    func yield(_ version: StoreVersion) {
        let all = state.withLock { Array($0.continuations.values) }
        for continuation in all { continuation.yield(version) }
    }
}
