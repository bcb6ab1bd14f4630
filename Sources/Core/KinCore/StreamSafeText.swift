/// Texts in Unicode's stream-safe form (UAX #15): at most 30 combining marks follow each other.
///
/// Comparing and normalising a text sort the marks that follow each other, in quadratic time: 64,000 marks on one letter take
/// seconds. No language comes near 30.
package enum StreamSafeText {
    /// The most combining marks that follow each other.
    package static let mostMarks = 30

    /// Whether a text is in the form.
    ///
    /// - Complexity: O(length); O(1) for ASCII and for 60 bytes of UTF-8 or less.
    package static func isSafe(_ text: String) -> Bool {
        // A mark takes two bytes or more.
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
