extension Double {
    /// The number of parts that a share of 0 to 1 comes to, rounded; all parts only for the whole.
    ///
    /// - Parameter count: The number of parts of the whole, such as 100 for a percentage.
    package func parts(of count: Int) -> Int {
        // A whole that was summed from its parts may be a little less than 1.
        Swift.min(Int((self * Double(count)).rounded()), self < 1 - 1e-9 ? count - 1 : count)
    }
}
