/// The result of checking a file: its sections, and the first damage if there is any.
///
/// A damaged file is reported through `isIntact` rather than an error, even if its header or its table of sections is
/// damaged and nothing else can be described.
public struct FileReport: Sendable, Hashable {
    /// The four-character code of the file's kind, for example `FLAT`; nil if the header or the table is damaged.
    public let kind: String?
    /// Version of the container (header, table and sections); nil if the header or the table is damaged.
    public let version: FormatVersion?
    /// Version of the sections' content; nil if the header or the table is damaged.
    public let kindVersion: FormatVersion?
    /// Length of the file in bytes.
    public let totalBytes: Int
    /// The sections in the order of the file.
    public let sections: [Section]
    /// The first damage in the order of the file; nil for an intact file.
    public internal(set) var damage: Damage?
    /// Readable facts about the content: counts, dimensions, settings, in the order to show them.
    public internal(set) var facts: [Fact]

    /// Whether every byte of the file is as it was written.
    public var isIntact: Bool { damage == nil }

    /// One section of the file.
    public struct Section: Sendable, Hashable {
        /// Four characters and a number, for example `VECS 0`.
        public let name: String
        /// The offset of the section's first byte in the file.
        public let offset: Int
        /// The length in bytes, without padding.
        public let length: Int
        /// The size of one element in bytes.
        public let stride: Int
        /// Whether the bytes match the checksum that was written with them.
        public let checksumMatches: Bool
    }

    /// A range of bytes that differs from the bytes that were written.
    public struct Damage: Sendable, Hashable {
        /// The section with the damage or, for padding, the section after it; nil for padding before the table.
        public let section: String?
        /// The offset of the damaged byte, or of the first byte of the run that includes it; 0 if it is unknown.
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
    /// The report on a file whose header or table of sections is damaged.
    init(unreadable error: KinError, totalBytes: Int) {
        self.init(
            kind: nil, version: nil, kindVersion: nil, totalBytes: totalBytes, sections: [], damage: Damage(error),
            facts: [])
    }

    /// Throws the damage as an error, for callers that require an intact file.
    ///
    /// - Throws: `corruptFile` with the section and the offset.
    public func requireIntact() throws(KinError) {
        if let damage { throw damage.error }
    }
}

extension FileReport.Damage {
    /// The damage that an error reports, at the place in the error's context.
    init(_ error: KinError) {
        func fact(_ name: String) -> String? { error.context.last { $0.name == name }?.value }
        let advice = KinError.damageAdvice
        let message = error.message
        self.init(
            section: fact("section"), offset: fact("offset").flatMap { Int($0) } ?? 0,
            description: message.hasSuffix(advice) ? String(message.dropLast(advice.count)) : message)
    }

    /// The damage as an error, with the section and the offset if they are known.
    var error: KinError {
        let damage = KinError.corrupt(description)
        let error = offset == 0 ? damage : damage.within("offset", offset)
        return section.map { error.within("section", $0) } ?? error
    }
}
