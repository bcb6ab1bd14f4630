#if canImport(Darwin)
    import Foundation
#else
    @_spi(_Unicode) import Swift
#endif

/// The format of every id: of people, sessions, items, babies, events, challenges, images and contributions.
///
/// An id is a text of 1 to 512 bytes of UTF-8 without control characters. It is stored in Unicode's normal form C, so
/// that "é" as one character and "é" as "e" plus an accent are the same id: Swift compares them as equal texts, a
/// database does not. Initializers of records and functions with an id parameter convert ids to this form.
public enum RecordID {
    /// The largest number of bytes of UTF-8 in an id, in its normal form.
    public static let maximumBytes = 512

    /// An id in its normal form.
    ///
    /// - Parameters:
    ///   - text: The id as received.
    ///   - field: The name of the field in errors.
    /// - Throws: `.invalidArgument`, naming the field, for a text that is empty, longer than ``maximumBytes``, or has a
    ///   control character.
    /// - Complexity: O(length), at most ``maximumBytes`` times a small number.
    public static func checked(_ text: String, field: String) throws(KinError) -> String {
        let bytes = text.utf8
        if bytes.count <= maximumBytes, !bytes.isEmpty, bytes.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
        return try normalized(checking: text, field)
    }

    /// Requires that a new id has no hidden character. Stored ids with hidden characters remain valid.
    ///
    /// - Throws: `.invalidArgument` for a character that is invisible or changes the direction of others.
    package static func requireVisible(_ id: String) throws(KinError) {
        guard let hidden = VisibleText.firstHidden(in: id) else { return }
        throw KinError(
            .invalidArgument,
            "the new id \(VisibleText.escaped(id)) has the hidden character \(hidden); leave it out, so that ids read as what they are"
        )
    }

    private static func normalized(checking text: String, _ field: String) throws(KinError) -> String {
        func refusal(_ message: String) -> KinError { KinError(.invalidArgument, message).within("field", field) }
        guard !text.isEmpty else { throw refusal("must not be empty") }
        // Normalization never shortens a text to less than a quarter, so megabytes need no normalization.
        guard StreamSafeText.isSafe(text) else {
            throw refusal("a letter of it has more than \(StreamSafeText.mostMarks) combining marks")
        }
        let id = text.utf8.count <= 4 * maximumBytes ? normalized(text) : text
        guard id.utf8.count <= maximumBytes else {
            throw refusal("must have at most \(maximumBytes) bytes of UTF-8, not \(id.utf8.count)")
        }
        if let control = id.unicodeScalars.first(where: isControl) {
            throw refusal("must not contain the control character \(VisibleText.number(of: control))")
        }
        return id
    }

    /// A text in Unicode's normal form C.
    package static func normalized(_ text: String) -> String {
        // Characters below U+0300 do not combine.
        if text.utf8.allSatisfy({ $0 < 0xCC }) { return text }
        #if canImport(Darwin)
            return text.precomposedStringWithCanonicalMapping
        #else
            var scalars = String.UnicodeScalarView()
            for scalar in text._nfc { scalars.append(scalar) }
            return String(scalars)
        #endif
    }

    /// A valid id for an id that was accepted before ids had a format: control characters become U+FFFD; a text that is
    /// too long is cut and ends with a digest of the whole.
    package static func repaired(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in normalized(text).unicodeScalars { scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        let id = String(scalars)
        guard id.utf8.count > maximumBytes else { return id }
        // FNV-1a; it distinguishes few ids, and forging one has no use.
        let digest = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var start = String.UnicodeScalarView()
        var count = 0
        for scalar in id.unicodeScalars {
            count += UTF8.width(scalar)
            if count > maximumBytes - 32 { break }
            start.append(scalar)
        }
        return normalized(String(start)) + "-" + String(digest, radix: 16)
    }

    /// Category Cc: C0, DEL and C1.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

extension KinError {
    /// The same error with a record's id, if known: at most the beginning of the id, without control characters.
    package func inRecord(_ name: String, _ id: String?) -> KinError {
        guard let id else { return self }
        let start = String(id.prefix(80).unicodeScalars.prefix(160))
        return within(
            name, start.isEmpty ? "\"\"" : RecordID.repaired(start) + (start.utf8.count < id.utf8.count ? "…" : ""))
    }
}
