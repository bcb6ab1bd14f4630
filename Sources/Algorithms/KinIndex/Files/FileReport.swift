public import KinCore

/// The result of checking a file: its sections, and the first damage if there is any.
///
/// A report says `isIntact` rather than throwing, so that a damaged file can still be described. Header and table of
/// sections are beyond that: without them there is nothing to describe, and checking throws.
public struct FileReport: Sendable, Hashable {
    /// The four-character code of the file's kind, for example `FLAT`.
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
    /// Facts about the content, for people: counts, dimensions, settings, in the order to show them.
    public internal(set) var facts: [Fact]

    /// Whether every byte of the file is as it was written.
    public var isIntact: Bool { damage == nil }

    /// One section of the file.
    public struct Section: Sendable, Hashable {
        /// Four characters and a number, for example `VECS 0`.
        public let name: String
        /// The section's first byte, counted from the file's.
        public let offset: Int
        /// The length in bytes, without padding.
        public let length: Int
        /// The size of one element in bytes.
        public let stride: Int
        /// Whether the bytes give the checksum that was written with them.
        public let checksumMatches: Bool
    }

    /// A range of bytes where the file is not as it was written.
    public struct Damage: Sendable, Hashable {
        /// The section it lies in or, for padding, the one it lies before; nil for padding before the table.
        public let section: String?
        /// The offset of the damaged byte, or of the first byte of the run that contains it.
        public let offset: Int
        /// A description of the damage, a sentence without a full stop.
        public let description: String
    }

    /// A named fact about the content.
    public struct Fact: Sendable, Hashable {
        /// The name of the fact.
        public let name: String
        /// The value of the fact, as text.
        public let value: String
    }
}

extension FileReport {
    /// Throws the damage as an error, for callers that require an intact file.
    ///
    /// - Throws: `corruptFile` with the section and the offset.
    public func requireIntact() throws(KinError) {
        if let damage { throw damage.error }
    }
}

extension FileReport.Damage {
    /// The damage as an error, with the section and the offset.
    var error: KinError {
        let error = KinError.corrupt(description).within("offset", offset)
        return section.map { error.within("section", $0) } ?? error
    }
}
