import Synchronization

/// A part of a value that is made when it is first needed; copies of the value share it until one of them changes it.
final class Deferred<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var spent = 0
    }

    private let state: Mutex<State>

    init(_ value: Value?) { state = Mutex(State(value: value)) }

    /// The part, when it was made already.
    var present: Value? { state.withLock { $0.value } }

    /// The part, made now unless it was.
    func made(by make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state.value { return value }
            let value = make()
            state.value = value
            return value
        }
    }

    /// Whether doing without has cost as much as making the part does, what is to be spent now included: the moment that takes at
    /// most twice the time of whoever knew how often it will be needed (Karlin et al., "Competitive snoopy caching", 1988).
    func isWorthMaking(after cost: Int, of total: Int) -> Bool {
        state.withLock { state in
            state.spent += cost
            return state.spent >= total
        }
    }

    /// Changes the part if it is there.
    func change<Failure: Error>(_ body: (inout Value) throws(Failure) -> Void) throws(Failure) {
        let result = state.withLock { state -> Result<Void, Failure> in
            guard var value = state.value else { return .success(()) }
            // So that it is not copied.
            state.value = nil
            defer { state.value = value }
            do throws(Failure) {
                return .success(try body(&value))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}
