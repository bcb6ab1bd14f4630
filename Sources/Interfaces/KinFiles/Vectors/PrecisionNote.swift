/// Notes on columns whose different numbers become equal as 32-bit floats, from a sample of the rows.
enum PrecisionNote {
    /// The size of the sample from a file's start, in bytes.
    static let sampleBytes = 1 << 15
    /// The ratio of the spacing of floats to a column's range above which the spacing is coarse.
    private static let coarse = 0x1p-20

    /// Returns the notes on columns that lose values.
    ///
    /// - Parameter columns: The names of columns with some of their numbers.
    static func notes(on columns: [(name: String, values: [Double])]) -> [String] {
        columns.compactMap { name, numbers in
            let values = numbers.filter(\.isFinite)
            let (before, after) = (Set(values).count, Set(values.map { Float($0) }).count)
            guard before > after, let least = values.min(), let most = values.max() else { return nil }
            // Among many fractions, a few become equal by chance even if floats resolve the column's range well.
            let spacing = Double(Float(max(abs(least), abs(most))).ulp)
            let isWhole = values.allSatisfy { $0 == $0.rounded() }
            guard isWhole || spacing > (most - least) * coarse || before - after > 8 else { return nil }
            return
                "column \(name): \(before) different numbers of the first \(Plural.count(values.count, "row")) are \(after) as 32-bit floats; "
                + "subtract a constant such as the mean first, or divide the column into two, such as days and seconds"
        }
    }
}
