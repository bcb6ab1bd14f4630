import KinLibC
import Synchronization

/// The announcement of one read by a thread.
///
/// Slots are hazard pointers (Michael 2004, "Hazard pointers: safe memory reclamation for lock-free objects"). A writer
/// that has replaced a version checks all slots and makes the readers that announced the version its holders. A thread
/// claims a line of slots for its first read and returns the line when the thread ends. A nested read uses the next
/// slot of the line; inside four reads it claims an additional line for its duration. The number of lines is the
/// largest number of simultaneous readers so far. A line takes 128 bytes, so that threads do not write to the same
/// memory, and is never freed.
@safe
package struct ReaderSlot {
    /// A line contains the address of a version in each of ``depth`` slots, plus ``left`` once a writer has passed the
    /// version to the reader; 0 without a read. It then contains the thread that owns the line, 0 for none, and the
    /// address of the next line.
    private typealias Line = UnsafeMutablePointer<Atomic<UInt>>

    /// The number of slots in a line.
    private static var depth: Int { 4 }
    private static var ownerPlace: Int { depth }
    private static var nextPlace: Int { depth + 1 }

    /// The bit of an announcement that marks the reader as a holder of the version.
    private static var left: UInt { 1 }

    private let announced: Line
    /// The line if it was claimed only for this read; nil for the thread's own line.
    private let claimed: Line?

    /// The address of the newest line, the head of the list of all lines.
    private static let newest = Atomic<UInt>(0)

    /// The key of the threads' lines; nil if the process has no more keys. Each read then claims a line.
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
            unsafe stored.map {
                unsafe owner(of: $0.assumingMemoryBound(to: Atomic<UInt>.self)).pointee.store(0, ordering: .releasing)
            }
        }
        return status == 0 ? key : nil
    }()

    // MARK: Reading

    /// A slot for a read of the calling thread.
    package static func forRead() -> ReaderSlot {
        if let key, let own = unsafe pthread_getspecific(key) {
            let line = unsafe own.assumingMemoryBound(to: Atomic<UInt>.self)
            for place in 0..<depth where unsafe line[place].load(ordering: .relaxed) == 0 {
                return unsafe ReaderSlot(announced: line + place, claimed: nil)
            }
        }
        return claim()
    }

    /// Announces the version that the read needs, by its address.
    ///
    /// The version is safe to read if it is still the current one afterwards. A writer first replaces it and then
    /// checks the slots, so either the writer finds the announcement, or the reader finds the new version.
    package func announce(_ version: UInt) {
        unsafe announced.pointee.store(version, ordering: .sequentiallyConsistent)
    }

    /// Ends the announcement of a version.
    ///
    /// - Returns: Whether a writer has passed the version to this reader.
    package func withdraw() -> Bool {
        unsafe announced.pointee.exchange(0, ordering: .acquiringAndReleasing) & Self.left != 0
    }

    /// Releases the slot after a read.
    package func end() {
        if let claimed = unsafe claimed { unsafe Self.owner(of: claimed).pointee.store(0, ordering: .releasing) }
    }

    // MARK: Writing

    /// Whether any thread has announced a version.
    package static func isAnnounced(_ version: UInt) -> Bool {
        var isFound = false
        unsafe forEachSlot { slot in
            isFound = unsafe isFound || slot.pointee.load(ordering: .sequentiallyConsistent) & ~left == version
        }
        return isFound
    }

    /// Passes a replaced version to the readers that announced it.
    ///
    /// - Parameters:
    ///   - hold: Adds a holder of the version.
    ///   - release: Removes a holder that was added, because its reader has ended.
    package static func leave(_ version: UInt, hold: () -> Void, release: () -> Void) {
        unsafe forEachSlot { slot in
            guard unsafe slot.pointee.load(ordering: .sequentiallyConsistent) == version else { return }
            hold()
            let (isLeft, _) = unsafe slot.pointee.compareExchange(
                expected: version, desired: version | left, ordering: .acquiringAndReleasing)
            if !isLeft { release() }
        }
    }

    // MARK: Lines

    /// Claims a line: permanently if the thread has none, otherwise for one read.
    @inline(never)
    private static func claim() -> ReaderSlot {
        var free: Line?
        unsafe forEach { line in
            guard unsafe free == nil else { return }
            let (isFree, _) = unsafe owner(of: line).pointee.compareExchange(
                expected: 0, desired: caller, ordering: .acquiring)
            if isFree { unsafe free = line }
        }
        let line = unsafe free ?? newLine()
        if let key, unsafe pthread_getspecific(key) == nil, unsafe pthread_setspecific(key, line) == 0 {
            return unsafe ReaderSlot(announced: line, claimed: nil)
        }
        return unsafe ReaderSlot(announced: line, claimed: line)
    }

    /// Makes a line that the calling thread owns.
    private static func newLine() -> Line {
        let line = unsafe UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
            .bindMemory(to: Atomic<UInt>.self, capacity: depth + 2)
        for place in 0..<depth { unsafe (line + place).initialize(to: Atomic(0)) }
        unsafe owner(of: line).initialize(to: Atomic(caller))
        var next = newest.load(ordering: .acquiring)
        while true {
            unsafe (line + nextPlace).initialize(to: Atomic(next))
            let (isNewest, now) = newest.compareExchange(
                expected: next, desired: UInt(bitPattern: line), ordering: .acquiringAndReleasing)
            if isNewest { return unsafe line }
            next = now
        }
    }

    private static func owner(of line: Line) -> UnsafeMutablePointer<Atomic<UInt>> { unsafe line + ownerPlace }

    private static func forEach(_ body: (Line) -> Void) {
        var next = unsafe Line(bitPattern: newest.load(ordering: .acquiring))
        while let line = unsafe next {
            unsafe body(line)
            unsafe next = Line(bitPattern: line[nextPlace].load(ordering: .relaxed))
        }
    }

    private static func forEachSlot(_ body: (UnsafeMutablePointer<Atomic<UInt>>) -> Void) {
        unsafe forEach { line in
            for place in 0..<depth { unsafe body(line + place) }
        }
    }

    /// Ends the announcements of all threads except the calling thread, which is the only thread in a forked child.
    private static func clearOthers() {
        unsafe forEach { line in
            guard unsafe owner(of: line).pointee.load(ordering: .relaxed) != caller else { return }
            for place in 0..<depth { unsafe line[place].store(0, ordering: .relaxed) }
            unsafe owner(of: line).pointee.store(0, ordering: .relaxed)
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
