import Kin

/// Notes on columns of which different numbers are the same as 32-bit floats, by a sample of the rows.
enum PrecisionNote {
    /// The bytes from a file's start that a sample is taken from.
    static let sampleBytes = 1 << 15
    /// The spacing of floats in relation to the range of a column above which it is coarse.
    private static let coarse = 0x1p-20

    /// The notes on columns that lose values.
    ///
    /// - Parameter columns: The names of columns with some of their numbers.
    static func notes(on columns: [(name: String, values: [Double])]) -> [String] {
        columns.compactMap { name, numbers in
            let values = numbers.filter(\.isFinite)
            let (before, after) = (Set(values).count, Set(values.map { Float($0) }).count)
            guard before > after, let least = values.min(), let most = values.max() else { return nil }
            // Chance merges some of many fractions whose range the floats fill.
            let spacing = Double(Float(max(abs(least), abs(most))).ulp)
            let isWhole = values.allSatisfy { $0 == $0.rounded() }
            guard isWhole || spacing > (most - least) * coarse || before - after > 8 else { return nil }
            return
                "column \(name): \(before) different numbers of the first \(Plural.count(values.count, "row")) are \(after) as 32-bit floats; "
                + "subtract a constant such as the mean first, or divide the column into two, such as days and seconds"
        }
    }
}
