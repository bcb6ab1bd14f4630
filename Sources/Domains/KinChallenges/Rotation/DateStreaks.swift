public import KinCore

/// Runs of consecutive dates on which something was done.
public struct DateStreaks: Sendable, Hashable {
    /// The number of consecutive dates up to today or yesterday: today may still come, and a streak ends when a whole date went by.
    public let current: Int
    /// The largest number of consecutive dates.
    public let longest: Int

    /// Counts the runs of some dates.
    ///
    /// - Parameters:
    ///   - dates: The dates in any order; several of one day count once, and those after today not.
    ///   - today: The date where the person is.
    /// - Complexity: O(n log n).
    public init(_ dates: some Sequence<LocalDay>, today: LocalDay) {
        var (run, longest, current) = (0, 0, 0)
        var last: LocalDay?
        for date in Set(dates).filter({ $0 <= today }).sorted() {
            run = last.map { $0.advanced(by: 1) == date } == true ? run + 1 : 1
            longest = max(longest, run)
            last = date
        }
        if let last, last >= today.advanced(by: -1) { current = run }
        self.current = current
        self.longest = longest
    }
}
