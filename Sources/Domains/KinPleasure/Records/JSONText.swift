public import KinCore
package import KinJSON

extension PleasureProfile {
    /// A JSON value of any kind, kept as it was written but for line breaks, which become blanks.
    public struct Context: Sendable, Hashable {
        /// The value as JSON.
        public let text: String

        /// A value from its text.
        ///
        /// - Throws: `.malformedInput`, naming line and column, when it is not one JSON value.
        public init(_ text: String) throws(KinError) {
            self.text = try JSONReader.read(text) { reader throws(KinError) in try reader.verbatim() }
        }

        package init(from reader: inout JSONReader) throws(KinError) { text = try reader.verbatim() }
    }
}
