/// Runs of consecutive dates with an activity.
public struct DateStreaks: Sendable, Hashable {
    /// The number of consecutive dates up to today or yesterday: today may still count, and a streak ends after a whole
    /// date without activity.
    public let current: Int
    /// The largest number of consecutive dates.
    public let longest: Int

    /// Counts the runs in a set of dates.
    ///
    /// - Parameters:
    ///   - dates: The dates in any order; duplicates count once, and dates after today are ignored.
    ///   - today: The date in the person's zone.
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
