import KinLibC
import Synchronization

/// A cache line of memory that holds the announcement of one reading thread.
///
/// Slots are hazard pointers (Michael 2004, "Hazard pointers: safe memory reclamation for lock-free objects"): a writer that has replaced a
/// version checks all slots and makes the readers that announced the version its holders . A thread claims a slot for
/// its first read and returns the slot when the thread ends. A read inside a read claims a second slot for its duration. The number
/// of slots is the largest number of simultaneous reads so far. A slot takes 128 bytes and is never freed.
@safe
package struct ReaderSlot {
    @safe
    private struct Line: ~Copyable {
        /// The address of a version, plus ``ReaderSlot/left`` once a writer has left the version to this reader; 0 between reads.
        let announced = Atomic<UInt>(0)
        /// The thread that has the slot; 0 for none.
        let owner: Atomic<UInt>
        let next: UnsafeMutablePointer<Line>?
    }

    /// The bit of an announcement that marks the reader as a holder of the version.
    private static var left: UInt { 1 }

    private let line: UnsafeMutablePointer<Line>
    /// Whether the slot is the thread's until it ends, and not only for one read.
    private let isThreads: Bool

    /// The address of the newest slot, the head of the list of all slots.
    private static let newest = Atomic<UInt>(0)

    /// The key of the threads' slots; nil if the process has no more keys: then each read claims a slot.
    private static let key: pthread_key_t? = {
        // A forked child has none of the parent's other threads, and nothing else would end their announcements there.
        pthread_atfork(nil, nil) { ReaderSlot.clearOthers() }
        var key = pthread_key_t()
        let status = unsafe pthread_key_create(&key) { line in
            #if canImport(Darwin)
                let stored = Optional(line)
            #else
                let stored = unsafe line
            #endif
            unsafe stored?.assumingMemoryBound(to: Line.self).pointee.owner.store(0, ordering: .releasing)
        }
        return status == 0 ? key : nil
    }()

    // MARK: Reading

    /// A slot for a read of the calling thread.
    package static func forRead() -> ReaderSlot {
        if let key, let own = unsafe pthread_getspecific(key) {
            let slot = unsafe ReaderSlot(line: own.assumingMemoryBound(to: Line.self), isThreads: true)
            if unsafe slot.line.pointee.announced.load(ordering: .relaxed) == 0 { return slot }
        }
        return claim()
    }

    /// Announces the version that the read needs, by its address.
    ///
    /// The version is safe to read if it is still the present one afterwards: a writer replaces it first and looks at the slots then, so
    /// either the writer finds the announcement, or the reader finds the new version.
    package func announce(_ version: UInt) {
        unsafe line.pointee.announced.store(version, ordering: .sequentiallyConsistent)
    }

    /// Ends the announcement of a version.
    ///
    /// - Returns: Whether a writer has left the version to this reader.
    package func withdraw() -> Bool {
        unsafe line.pointee.announced.exchange(0, ordering: .acquiringAndReleasing) & Self.left != 0
    }

    /// Returns the slot after a read.
    package func end() { if !isThreads { unsafe line.pointee.owner.store(0, ordering: .releasing) } }

    // MARK: Writing

    /// Whether any thread has announced a version.
    package static func isAnnounced(_ version: UInt) -> Bool {
        var isFound = false
        unsafe forEach { line in
            let announced = unsafe line.pointee.announced.load(ordering: .sequentiallyConsistent)
            isFound = isFound || announced & ~left == version
        }
        return isFound
    }

    /// Leaves a replaced version to the readers that announced it.
    ///
    /// - Parameters:
    ///   - hold: Adds a holder of the version.
    ///   - release: Removes a holder that was added, as its reader has ended.
    package static func leave(_ version: UInt, hold: () -> Void, release: () -> Void) {
        unsafe forEach { line in
            guard unsafe line.pointee.announced.load(ordering: .sequentiallyConsistent) == version else { return }
            hold()
            let (isLeft, _) = unsafe line.pointee.announced.compareExchange(
                expected: version, desired: version | left, ordering: .acquiringAndReleasing)
            if !isLeft { release() }
        }
    }

    // MARK: Slots

    /// Claims a slot: for good if the thread has none, otherwise for one read.
    @inline(never)
    private static func claim() -> ReaderSlot {
        var claimed: UnsafeMutablePointer<Line>?
        unsafe forEach { line in
            guard unsafe claimed == nil else { return }
            let (isFree, _) = unsafe line.pointee.owner.compareExchange(
                expected: 0, desired: caller, ordering: .acquiring)
            if isFree { unsafe claimed = line }
        }
        let line = unsafe claimed ?? newLine()
        guard let key, unsafe pthread_getspecific(key) == nil else {
            return unsafe ReaderSlot(line: line, isThreads: false)
        }
        return unsafe ReaderSlot(line: line, isThreads: pthread_setspecific(key, line) == 0)
    }

    /// Makes a slot, which the calling thread has.
    private static func newLine() -> UnsafeMutablePointer<Line> {
        let line = unsafe UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
            .bindMemory(to: Line.self, capacity: 1)
        var next = newest.load(ordering: .acquiring)
        while true {
            unsafe line.initialize(
                to: Line(owner: Atomic(caller), next: UnsafeMutablePointer(bitPattern: next)))
            let (isNewest, now) = newest.compareExchange(
                expected: next, desired: UInt(bitPattern: line), ordering: .acquiringAndReleasing)
            if isNewest { return unsafe line }
            next = now
        }
    }

    private static func forEach(_ body: (UnsafeMutablePointer<Line>) -> Void) {
        var next = unsafe UnsafeMutablePointer<Line>(bitPattern: newest.load(ordering: .acquiring))
        while let line = unsafe next {
            unsafe body(line)
            unsafe next = line.pointee.next
        }
    }

    /// Ends the announcements of all threads but the calling one, which in a forked child is the only one.
    private static func clearOthers() {
        unsafe forEach { line in
            guard unsafe line.pointee.owner.load(ordering: .relaxed) != caller else { return }
            unsafe line.pointee.announced.store(0, ordering: .relaxed)
            unsafe line.pointee.owner.store(0, ordering: .relaxed)
        }
    }

    private static var caller: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
