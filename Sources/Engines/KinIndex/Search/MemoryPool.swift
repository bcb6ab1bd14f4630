import Synchronization

/// Memory of searches that was used and may be used again: so that a search by one query allocates nothing.
///
/// Copies of an index share it; a search takes memory out and puts it back.
final class MemoryPool<Memory: AnyObject & Sendable>: Sendable {
    private let free = Mutex<[Memory]>([])

    /// Memory that was given back last, if it fits, or new memory.
    func take(where fits: (Memory) -> Bool, orMake make: () -> Memory) -> Memory {
        let found = free.withLock { $0.popLast() }
        guard let found, fits(found) else { return make() }
        return found
    }

    func giveBack(_ memory: Memory) {
        free.withLock { if $0.count < 8 { $0.append(memory) } }
    }
}
