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
