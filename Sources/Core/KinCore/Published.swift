public import Synchronization

/// A value that many threads read, without a lock or a shared reference count, while one thread changes it.
///
/// A version of the value never changes while a thread reads it. A reader announces the version in its ``ReaderSlot``.
/// A writer changes a copy, publishes the copy as the new version, and passes the old version to the readers that
/// announced it; the last of them frees it. While no reader has announced a version, a writer may instead change the
/// current version in place, and readers that arrive during the change wait. This pays for changes of a few
/// microseconds.
///
/// A reader retains one version for the whole read. For a value with copy-on-write, the cost is the memory that later
/// changes replaced, at most the size of the value.
package final class Published<Value: Sendable>: Sendable {
    @usableFromInline
    final class Version: Sendable {
        /// Counts the owner, while the version is the current one, and each reader that became a holder.
        @usableFromInline let holders = Atomic(1)
        @usableFromInline let replaced: SharedCount
        @usableFromInline let value: Value

        @usableFromInline
        init(_ value: Value, _ replaced: SharedCount) {
            self.value = value
            self.replaced = replaced
        }
    }

    /// The address of the current version, which this object retains; 0 during a change in place.
    @usableFromInline let current: Atomic<UInt>
    /// Locked during a change in place.
    @usableFromInline let changing = Mutex(())
    /// Locked by a writer.
    @usableFromInline let writing = Mutex(())
    /// The number of versions that were replaced and still have readers.
    @usableFromInline let replaced = SharedCount()

    /// Publishes a first value.
    @inlinable
    package init(_ value: Value) { current = Atomic(Self.address(of: Version(value, replaced))) }

    @inlinable
    deinit { replace(current.load(ordering: .acquiring)) }

    /// A copy of the current value.
    @inlinable package var value: Value { read { $0 } }

    /// Runs a read of the current value.
    @inlinable
    @inline(__always)
    package func read<Answer, Failure: Error>(_ body: (Value) throws(Failure) -> Answer) throws(Failure) -> Answer {
        let reading = begin()
        defer { end(reading) }
        do {
            return try unsafe reading.version._withUnsafeGuaranteedRef { version in try body(version.value) }
        } catch {
            // Every error is the body's. A `Result` would carry it without this cast, but its type would be looked up in
            // every read by a generic caller, and such a look-up writes memory that all threads share.
            throw error as! Failure
        }
    }

    /// A read that has begun.
    @safe
    @usableFromInline
    struct Reading {
        @usableFromInline let slot: ReaderSlot
        @usableFromInline let version: Unmanaged<Version>

        @inlinable
        init(slot: ReaderSlot, version: Unmanaged<Version>) {
            self.slot = slot
            unsafe self.version = version
        }
    }

    @inlinable
    func begin() -> Reading {
        let slot = ReaderSlot.forRead()
        while true {
            let version = current.load(ordering: .acquiring)
            guard version != 0 else {
                changing.withLock { _ in }
                continue
            }
            slot.announce(version)
            if current.load(ordering: .sequentiallyConsistent) == version {
                return unsafe Reading(slot: slot, version: Self.version(at: version))
            }
            if slot.withdraw() { Self.release(version) }
        }
    }

    @inlinable
    func end(_ reading: Reading) {
        if reading.slot.withdraw() { Self.release(unsafe UInt(bitPattern: reading.version.toOpaque())) }
        reading.slot.end()
    }

    /// Changes the value, one writer at a time.
    ///
    /// - Parameters:
    ///   - isShort: Whether the change takes only some microseconds, so that readers may wait for it.
    ///   - isUnique: Whether a value shares no memory with a copy, so that a change in place copies nothing.
    ///   - body: The change. A short change that throws must leave the value unchanged.
    @inlinable
    package func update<Result: Sendable, Failure: Error>(
        isShort: (Value) -> Bool, isUnique: (inout Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try writing.withLock { (_) throws(Failure) in
            // Only writers replace the version, so it remains valid here without an announcement.
            let version = current.load(ordering: .acquiring)
            let value = unsafe Self.version(at: version)._withUnsafeGuaranteedRef { isShort($0.value) ? nil : $0.value }
            if value == nil, replaced.number.load(ordering: .acquiring) == 0, !ReaderSlot.isAnnounced(version),
                let result = try updateInPlace(version, isUnique: isUnique, body)
            {
                return result
            }
            var next = value ?? self.value
            let result = try body(&next)
            replace(current.exchange(Self.address(of: Version(next, replaced)), ordering: .sequentiallyConsistent))
            return result
        }
    }

    /// Passes a replaced version to its readers.
    @inlinable
    func replace(_ version: UInt) {
        replaced.number.add(1, ordering: .relaxed)
        ReaderSlot.leave(version) {
            Self.hold(version)
        } release: {
            Self.release(version)
        }
        Self.release(version)
    }

    /// Changes the current version while readers wait.
    ///
    /// - Returns: nil if nothing was changed, because a reader has announced the version or a copy of the value exists.
    @inlinable
    func updateInPlace<Result: Sendable, Failure: Error>(
        _ version: UInt, isUnique: (inout Value) -> Bool, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try changing.withLock { (_) throws(Failure) -> Result? in
            current.store(0, ordering: .sequentiallyConsistent)
            guard !ReaderSlot.isAnnounced(version) else {
                current.store(version, ordering: .releasing)
                return nil
            }
            var value = unsafe Self.version(at: version).takeRetainedValue().value
            defer { current.store(Self.address(of: Version(value, replaced)), ordering: .releasing) }
            return isUnique(&value) ? try body(&value) : nil
        }
    }

    // MARK: Versions by address

    @inlinable
    static func address(of version: Version) -> UInt {
        unsafe UInt(bitPattern: Unmanaged.passRetained(version).toOpaque())
    }

    @inlinable
    static func version(at address: UInt) -> Unmanaged<Version> {
        unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address)!)
    }

    @inlinable
    static func hold(_ address: UInt) {
        unsafe version(at: address)._withUnsafeGuaranteedRef { version in
            version.holders.add(1, ordering: .relaxed)
            return
        }
    }

    /// Removes a holder of a version; the last holder frees it.
    @inlinable
    static func release(_ address: UInt) {
        let replaced = unsafe version(at: address)._withUnsafeGuaranteedRef {
            $0.holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 ? $0.replaced : nil
        }
        guard let replaced else { return }
        unsafe version(at: address).release()
        replaced.number.subtract(1, ordering: .releasing)
    }
}

/// A number shared by all versions of a value.
@usableFromInline
final class SharedCount: Sendable {
    @usableFromInline let number = Atomic(0)

    @usableFromInline
    init() {}
}
