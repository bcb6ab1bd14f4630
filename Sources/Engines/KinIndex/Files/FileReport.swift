public import KinCore

/// What checking a file found: its sections, and the first damage if there is any.
///
/// A report says `isIntact` rather than throwing, so that a damaged file can still be described. Header and table of
/// sections are beyond that: without them there is nothing to describe, and checking throws.
public struct FileReport: Sendable, Hashable {
    /// The four characters that say what the sections together are, for example `FLAT`.
    public let kind: String
    /// Version of the container: header, table and sections.
    public let version: FormatVersion
    /// Version of what the sections hold.
    public let kindVersion: FormatVersion
    /// Length of the file in bytes.
    public let totalBytes: Int
    /// The sections in the order of the file.
    public let sections: [Section]
    /// The first damage in the order of the file, or nil.
    public internal(set) var damage: Damage?
    /// What the file's kind adds, for people: counts, dimensions, settings, in the order to show them.
    public internal(set) var facts: [Fact]

    /// Whether every byte of the file is as it was written.
    public var isIntact: Bool { damage == nil }

    /// One section.
    public struct Section: Sendable, Hashable {
        /// Four characters and a number, for example `VECS 0`.
        public let name: String
        /// The section's first byte, counted from the file's.
        public let offset: Int
        /// Bytes, padding not counted.
        public let length: Int
        /// Bytes of one element.
        public let stride: Int
        /// Whether the bytes give the checksum that was written with them.
        public let checksumMatches: Bool
    }

    /// A place where the file is not what was written.
    public struct Damage: Sendable, Hashable {
        /// The section it lies in or, for padding, the one it lies before; nil for padding before the table.
        public let section: String?
        /// Where it is: the byte, or the first byte of the run in which it must be.
        public let offset: Int
        /// What is wrong, as a sentence without a full stop.
        public let description: String
    }

    /// A named fact.
    public struct Fact: Sendable, Hashable {
        /// What the fact is about.
        public let name: String
        /// The fact, as text.
        public let value: String
    }
}

extension FileReport {
    /// Throws the damage as an error, for callers who want nothing but an intact file.
    ///
    /// - Throws: `corruptFile` with the section and the offset.
    public func requireIntact() throws(KinError) {
        guard let damage else { return }
        let error = KinError.corrupt(damage.description).within("offset", damage.offset)
        throw damage.section.map { error.within("section", $0) } ?? error
    }
}
