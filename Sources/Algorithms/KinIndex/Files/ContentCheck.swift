import Synchronization

/// The checks of an index that was opened with ``OpeningVerification/onUse``: the vectors and codes of each list or chunk are compared
/// with their checksums once, before they are read.
///
/// Copies of an index share the checks. Damage, once found, is never forgotten: every later search of any copy throws it.
@safe
final class ContentCheck: @unchecked Sendable {
    /// The sections that are not checked until they are used.
    static let deferred: Set<FourCharacterCode> = [IndexSections.rows, IndexSections.codes]

    private let file: SectionFile
    private let path: String
    private let count: Int
    /// 1 for each list or chunk that was checked. Flags are written once, after any damage was recorded.
    private let flags: UnsafeMutablePointer<Atomic<UInt8>>
    private let damage = Mutex<KinError?>(nil)
    /// Whether ``damage`` has an error.
    private let isDamaged = Atomic<Bool>(false)
    /// Whether every list or chunk was checked.
    private let isComplete = Atomic<Bool>(false)

    /// Creates the checks of a file of which nothing was checked yet.
    ///
    /// - Parameters:
    ///   - file: The sections of the file.
    ///   - path: The path of the file, for errors.
    ///   - count: The number of lists or chunks, whose sections are numbered from 0.
    init(file: SectionFile, path: String, count: Int) {
        self.file = file
        self.path = path
        self.count = count
        unsafe flags = .allocate(capacity: count)
        for i in 0..<count { unsafe (flags + i).initialize(to: Atomic(0)) }
    }

    deinit {
        unsafe flags.deinitialize(count: count)
        unsafe flags.deallocate()
    }

    /// Checks a list or chunk unless that was done. Lists that are not in the file need no check.
    func check(_ number: Int) {
        guard number < count, unsafe flags[number].load(ordering: .acquiring) == 0 else { return }
        for tag in Self.deferred {
            guard let section = file.section(tag, UInt32(number)) else { continue }
            do throws(KinError) {
                try section.requireChecksum()
            } catch {
                damage.withLock { $0 = $0 ?? error.naming(path) }
                isDamaged.store(true, ordering: .releasing)
            }
        }
        unsafe flags[number].store(1, ordering: .releasing)
    }

    /// Checks everything that was not checked yet. O(bytes) the first time.
    ///
    /// - Returns: Whether nothing is damaged.
    @discardableResult
    func checkAll() -> Bool {
        if !isComplete.load(ordering: .acquiring) {
            for number in 0..<count { check(number) }
            isComplete.store(true, ordering: .releasing)
        }
        return !isDamaged.load(ordering: .acquiring)
    }

    /// Throws the first error that was found.
    ///
    /// - Throws: `.corruptFile` if anything that was checked is damaged.
    func requireIntact() throws(KinError) {
        guard isDamaged.load(ordering: .acquiring), let error = damage.withLock({ $0 }) else { return }
        throw error
    }
}

extension SectionView {
    /// Compares the section's bytes with its checksum.
    ///
    /// - Throws: `.corruptFile` if the bytes do not match the checksum.
    /// - Complexity: O(bytes).
    fileprivate func requireChecksum() throws(KinError) {
        guard withBytes({ CRC32C.of($0) }) == section.checksum else { throw FileReport.Damage(of: section).error }
    }
}

extension SectionFile {
    /// Checks every section except vectors and codes.
    ///
    /// - Throws: `.corruptFile`.
    func requireIntactExceptContent() throws(KinError) {
        for section in sections where !ContentCheck.deferred.contains(section.name.tag) {
            try section.requireChecksum()
        }
    }
}
