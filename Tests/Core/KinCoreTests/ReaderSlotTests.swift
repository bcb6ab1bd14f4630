import Foundation
import KinCore
import KinTestSupport
import Testing

#if os(Linux)
    @Suite("Reader slots")
    struct ReaderSlotTests {
        @Test("a forked child forgets only the versions that other threads announced")
        func forked() {
            let (others, mine) = (UInt(1 << 20), UInt(1 << 21))
            let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let reader = EndingThread {
                let slot = ReaderSlot.forRead()
                slot.announce(others)
                hasBegun.signal()
                mayEnd.wait()
                #expect(!slot.withdraw())
                slot.end()
            }
            hasBegun.wait()
            let slot = ReaderSlot.forRead()
            slot.announce(mine)
            let child = fork()
            if child == 0 { _exit(!ReaderSlot.isAnnounced(others) && ReaderSlot.isAnnounced(mine) ? 0 : 1) }
            var status: Int32 = -1
            unsafe waitpid(child, &status, 0)
            #expect(status == 0)
            #expect(ReaderSlot.isAnnounced(others) && ReaderSlot.isAnnounced(mine), "the parent's readers still read")
            #expect(!slot.withdraw())
            slot.end()
            mayEnd.signal()
            reader.waitForEnd()
            #expect(!ReaderSlot.isAnnounced(others) && !ReaderSlot.isAnnounced(mine))
        }

        @Test("nested reads each get a slot, across cache lines, and free it")
        func nested() {
            // Different from the versions of the other test, which may run at the same time.
            func version(_ depth: UInt) -> UInt { depth << 24 }
            func read(_ depth: UInt) {
                let slot = ReaderSlot.forRead()
                slot.announce(version(depth))
                if depth < 10 { read(depth + 1) }
                for outer in 1...10 as ClosedRange<UInt> {
                    #expect(ReaderSlot.isAnnounced(version(outer)) == (outer <= depth), "depth \(depth), read \(outer)")
                }
                #expect(!slot.withdraw())
                slot.end()
            }
            for _ in 0..<3 { read(1) }
        }
    }
#endif
