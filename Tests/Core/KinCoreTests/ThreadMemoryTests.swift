import KinCore
import KinTestSupport
import Testing

@Suite("Per-thread memory between calls")
struct ThreadMemoryTests {
    /// Memory that counts its living instances.
    private final class Counted: Sendable {
        let alive: Counter

        init(_ alive: Counter) {
            self.alive = alive
            alive.add(1)
        }

        deinit { alive.add(-1) }
    }

    /// Runs work on a thread that ends with it, and waits for the end.
    private func onThread(_ work: @escaping @Sendable () -> Void) {
        EndingThread(work).waitForEnd()
    }

    @Test("only the thread that stored memory gets it back")
    func ofOneThread() {
        let memories = ThreadMemory<Counted>()
        let mine = Counted(Counter())
        memories.putBack(mine)
        onThread { #expect(memories.take() == nil) }
        #expect(memories.take() === mine)
        #expect(memories.take() == nil, "it was taken out")
    }

    @Test("memory is freed when its thread ends")
    func freed() {
        let (memories, alive) = (ThreadMemory<Counted>(), Counter())
        for _ in 0..<100 {
            onThread { for _ in 0..<3 { memories.putBack(memories.take() ?? Counted(alive)) } }
        }
        #expect(alive.value == 0)
    }

    @Test("nested calls get separate memory, and one block stays stored")
    func nested() {
        let (memories, alive) = (ThreadMemory<Counted>(), Counter())
        onThread {
            for _ in 0..<10 {
                let outer = memories.take() ?? Counted(alive)
                let inner = memories.take() ?? Counted(alive)
                #expect(outer !== inner)
                memories.putBack(inner)
                memories.putBack(outer)
                #expect(alive.value <= 2)
            }
            #expect(memories.take() != nil && alive.value == 0, "one was stored, and is freed once it was taken out")
        }
    }
}
