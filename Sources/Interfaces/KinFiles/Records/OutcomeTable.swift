import Foundation

/// The people of an experiment from a CSV file: the variant and the outcome of each, in the order of the file.
public struct OutcomeTable: Sendable {
    /// A person's variant and outcome.
    public struct Row: Sendable, Hashable {
        /// The first line of the row in the file, from 1.
        public let line: Int
        /// The word in the column of the variant.
        public let variant: String
        /// The number in the outcome's column, or 1 and 0 for yes and no; an error for other texts.
        public let outcome: Result<Double, KinError>
    }

    /// The rows in order.
    public let rows: [Row]

    /// Reads a CSV file whose first line names the columns.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - variant: The column of the variant.
    ///   - outcome: The column of the outcome.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with the line, also if a column is
    ///   missing.
    public init(reading path: String, variant: String, outcome: String) throws(KinError) {
        rows = try ByteReader.read(path) { text throws(KinError) in
            let table = try CSVTable(text, columns: "the variant and the outcome of each person")
            let (variantPlace, outcomePlace) = (try table.column(variant), try table.column(outcome))
            return table.rows.map { row in
                let text = row.fields[outcomePlace].trimmed
                let number = Result { () throws(KinError) in try table.number(text, column: outcome) }
                    .mapError { $0.adding("write a number, or 1 and 0 for yes and no, or remove the row") }
                return Row(
                    line: row.line, variant: row.fields[variantPlace].trimmed,
                    outcome: LogWords.isYes(text).map { .success($0 ? 1 : 0) } ?? number)
            }
        }
    }
}
