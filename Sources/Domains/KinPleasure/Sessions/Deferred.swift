import Synchronization

/// A lazily computed part of a value; copies share it until a copy changes it.
final class Deferred<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var spent = 0
    }

    private let state: Mutex<State>

    init(_ value: Value?) { state = Mutex(State(value: value)) }

    /// The part; nil before it is computed.
    var present: Value? { state.withLock { $0.value } }

    /// The part, computed on first use.
    func made(by make: () -> Value) -> Value {
        state.withLock { state in
            if let value = state.value { return value }
            let value = make()
            state.value = value
            return value
        }
    }

    /// Adds a cost to the sum spent without the part, and returns whether the sum has reached the cost of computing it.
    /// This is within twice the optimal cost for any sequence of calls (Karlin et al., "Competitive snoopy caching",
    /// 1988).
    func isWorthMaking(after cost: Int, of total: Int) -> Bool {
        state.withLock { state in
            state.spent += cost
            return state.spent >= total
        }
    }

    /// Changes the part if it has been computed.
    func change(_ body: (inout Value) -> Void) {
        state.withLock { state in
            guard var value = state.value else { return }
            // Moved out of the state, so that the change does not copy it.
            state.value = nil
            body(&value)
            state.value = value
        }
    }
}
