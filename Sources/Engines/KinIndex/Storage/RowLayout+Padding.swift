extension RowLayout {
    /// Calls back with a copy of the query that is padded with zeros to the stride, or the query itself if it is that long.
    func withPadded<Result>(_ query: UnsafePointer<Float>, _ body: (UnsafePointer<Float>) -> Result) -> Result {
        guard stride != dimension else { return unsafe body(query) }
        return unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: stride) { copy in
            unsafe copy.initialize(repeating: 0)
            unsafe copy.baseAddress!.update(from: query, count: dimension)
            return unsafe body(UnsafePointer(copy.baseAddress!))
        }
    }
}
