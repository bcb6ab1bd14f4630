import Foundation
import KinCore
import KinTestSupport
import Testing

#if os(Linux)
    @Suite("Slots of readers")
    struct ReaderSlotTests {
        @Test("a forked child forgets what the parent's other threads announced, and only that")
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
    }
#endif
