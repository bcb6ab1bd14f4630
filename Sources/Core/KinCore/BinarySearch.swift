extension RandomAccessCollection where Index == Int {
    /// The first position whose element does not meet a condition that is true exactly for a prefix.
    ///
    /// - Complexity: O(log n).
    @inlinable
    package func partition(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Halves an interval a number of times, and continues each time with the half that contains the change of a condition.
///
/// - Parameter isReached: False up to some number, and true from there on.
/// - Returns: The last interval.
package func bisection(
    from low: Double, to high: Double, steps: Int, _ isReached: (Double) -> Bool
) -> (low: Double, high: Double) {
    var (low, high) = (low, high)
    for _ in 0..<steps {
        let middle = (low + high) / 2
        if isReached(middle) { high = middle } else { low = middle }
    }
    return (low, high)
}
