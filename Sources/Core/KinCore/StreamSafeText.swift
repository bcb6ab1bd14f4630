/// Texts in Unicode's stream-safe form (UAX #15): at most 30 combining marks in a row.
///
/// Comparing and normalising a text sort consecutive marks in quadratic time: 64,000 marks on one letter take seconds.
/// No language comes near 30.
package enum StreamSafeText {
    /// The largest number of combining marks in a row.
    package static let mostMarks = 30

    /// Whether a text is in stream-safe form.
    ///
    /// - Complexity: O(length); O(1) for ASCII and for 60 bytes of UTF-8 or less.
    package static func isSafe(_ text: String) -> Bool {
        // A mark takes at least two bytes.
        guard text.utf8.count > 2 * mostMarks else { return true }
        var marks = 0
        for scalar in text.unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            marks = isMark ? marks + 1 : 0
            if marks > mostMarks { return false }
        }
        return true
    }
}
