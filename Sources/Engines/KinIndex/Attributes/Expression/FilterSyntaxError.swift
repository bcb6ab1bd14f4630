package import KinCore

/// Text that is no filter expression: what is wrong and where.
package struct FilterSyntaxError: Error, Equatable {
    package let message: String
    /// The characters at fault, counted from the start of the text.
    package let range: Range<Int>
    package let hint: String?
    /// Whether the text is too long or too deep rather than wrong.
    package let isTooLarge: Bool

    /// The error for a user who does not see the text: it names the character, counted from 1.
    package var error: KinError {
        KinError(isTooLarge ? .capacityExceeded : .malformedInput, message + (hint.map { "; \($0)" } ?? ""))
            .within("character", range.lowerBound + 1)
    }
}
