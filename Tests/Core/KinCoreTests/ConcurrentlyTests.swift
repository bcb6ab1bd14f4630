import Foundation
import KinCore
import Synchronization
import Testing

@Suite struct ConcurrentlyTests {
    @Test(arguments: [0, 1, 2, 3, 100])
    func everyPartRunsOnce(parts: Int) {
        let seen = Mutex<[Int]>([])
        concurrently(parts) { part in seen.withLock { $0.append(part) } }
        #expect(seen.withLock { $0.sorted() } == Array(0..<parts))
    }

    /// Without a thread the caller's thread does the work, so that no result is left out.
    @Test(arguments: [.min, 0, 1, 3], [0, 1, 2, 100])
    func everyItemIsTakenOnceAndEachThreadHasItsMemory(threads: Int, count: Int) {
        final class Memory {
            var items = 0
        }
        let memories = Atomic(0)
        let seen = Mutex<[Int]>([])
        concurrently(
            threads, taking: count,
            memory: {
                memories.add(1, ordering: .relaxed)
                return Memory()
            }
        ) { item, memory in
            memory.items += 1
            seen.withLock { $0.append(item) }
        }
        #expect(memories.load(ordering: .relaxed) == min(max(1, threads), count))
        #expect(seen.withLock { $0.sorted() } == Array(0..<count))
        #expect(concurrentMap(threads, count, memory: {}) { i, _ in "\(i)" } == (0..<count).map(String.init))
        let parts = concurrentMap(threads, rangesOf: count, atLeast: 1) { Array($0) }
        #expect(parts.flatMap(\.self) == Array(0..<count))
    }

    @Test func bothPartsRunOnceAndTheSecondOnTheCallersThread() {
        let caller = Thread.current
        for round in 0..<2000 {
            let others = Atomic(0)
            let works = Atomic(0)
            runInParallel {
                others.wrappingAdd(1, ordering: .relaxed)
            } with: {
                // Sometimes the caller finishes before a thread of the pool has begun.
                if round % 2 == 0 { usleep(20) }
                works.wrappingAdd(1, ordering: .relaxed)
                #expect(Thread.current == caller)
            }
            #expect(others.load(ordering: .relaxed) == 1 && works.load(ordering: .relaxed) == 1)
        }
    }

    @Test func startedWorkIsAwaitedAndNotRunAgain() {
        for _ in 0..<20 {
            let begun = DispatchSemaphore(value: 0)
            let runs = Atomic(0)
            let ends = Atomic(0)
            runInParallel {
                runs.wrappingAdd(1, ordering: .relaxed)
                begun.signal()
                usleep(500)
                ends.wrappingAdd(1, ordering: .relaxed)
            } with: {
                // If all threads of the pool are busy, the caller has to do the work.
                _ = begun.wait(timeout: .now() + .milliseconds(100))
            }
            #expect(runs.load(ordering: .relaxed) == 1 && ends.load(ordering: .relaxed) == 1)
        }
    }

    /// More waiting callers than the pool has threads, all of them on its threads.
    @Test func waitingThreadsDoNotWaitForThePool() {
        let ended = Atomic(0)
        concurrently(500) { _ in
            runInParallel {
                usleep(100)
            } with: {
                ended.wrappingAdd(1, ordering: .relaxed)
            }
        }
        #expect(ended.load(ordering: .relaxed) == 500)
    }
}
