#if canImport(Darwin)
    import Foundation
#else
    @_spi(_Unicode) import Swift
#endif

/// The form of every id: of people, sessions, items, babies, events, challenges, images and contributions.
///
/// An id is a text of 1 to 512 bytes of UTF-8 without control characters. It is kept in Unicode's normal form C, so that "é" as one
/// character and "é" as "e" and an accent are one id: to Swift they are equal texts, to a database they are not. Records bring their ids
/// into this form when they are made, and whatever takes an id as a parameter does the same.
public enum RecordID {
    /// The most bytes of UTF-8 that an id has, in its normal form.
    public static let maximumBytes = 512

    /// An id in its one form.
    ///
    /// - Parameters:
    ///   - text: The id as it came.
    ///   - field: What an error calls it.
    /// - Throws: `.invalidArgument`, naming the field, for a text that is empty, longer than ``maximumBytes``, or has a control character.
    /// - Complexity: O(length), at most ``maximumBytes`` times a small number.
    public static func checked(_ text: String, field: String) throws(KinError) -> String {
        let bytes = text.utf8
        if bytes.count <= maximumBytes, !bytes.isEmpty, bytes.allSatisfy({ $0 &- 0x20 < 0x5F }) { return text }
        return try normalized(checking: text, field)
    }

    /// Requires that a new id has no hidden character. Stored ids with hidden characters stay in use.
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
        guard !text.isEmpty else { throw refusal("it is empty") }
        // No text becomes shorter than a quarter, so there is no need to normalize megabytes.
        guard StreamSafeText.isSafe(text) else {
            throw refusal("a letter of it has more than \(StreamSafeText.mostMarks) combining marks")
        }
        let id = text.utf8.count <= 4 * maximumBytes ? normalized(text) : text
        guard id.utf8.count <= maximumBytes else {
            throw refusal("it has \(id.utf8.count) bytes of UTF-8, and an id has at most \(maximumBytes)")
        }
        if let control = id.unicodeScalars.first(where: isControl) {
            throw refusal("it has the control character \(VisibleText.number(of: control)); an id has none")
        }
        return id
    }

    /// A text in Unicode's normal form C.
    package static func normalized(_ text: String) -> String {
        // Below U+0300 nothing combines.
        if text.utf8.allSatisfy({ $0 < 0xCC }) { return text }
        #if canImport(Darwin)
            return text.precomposedStringWithCanonicalMapping
        #else
            var scalars = String.UnicodeScalarView()
            for scalar in text._nfc { scalars.append(scalar) }
            return String(scalars)
        #endif
    }

    /// An id for one that was accepted before there was a form: control characters become U+FFFD, what is too long is cut and ends with a
    /// digest of the whole.
    package static func repaired(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in normalized(text).unicodeScalars { scalars.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        let id = String(scalars)
        guard id.utf8.count > maximumBytes else { return id }
        // FNV-1a; what it tells apart is few and nobody's forgery.
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
    /// The same error about a record, named by its id as far as that is known: no more than the beginning of it, and no control characters.
    package func inRecord(_ name: String, _ id: String?) -> KinError {
        guard let id else { return self }
        let start = String(id.prefix(80).unicodeScalars.prefix(160))
        return within(
            name, start.isEmpty ? "\"\"" : RecordID.repaired(start) + (start.utf8.count < id.utf8.count ? "…" : ""))
    }
}
