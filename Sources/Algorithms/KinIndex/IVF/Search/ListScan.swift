/// A search of the lists of a store, nearest boxes first.
///
/// A list is visited while its box is within the radius: no farther from the query than the k-th nearest row found so
/// far. Inside a list, the same test applies to each block's box, and the blocks within the radius are screened. A
/// skipped box cannot contain a neighbour, regardless of the order; the order only affects how soon the radius shrinks.
struct ListScan {
    let store: ListStoreView
    var filter = SearchFilter.all
    var parameters = SearchParameters.exact
    /// The rows to visit one by one, if they are few; otherwise nil.
    var slots: [Int]?
    /// The progress of a batch, in queries; nil for searches that cannot be cancelled.
    var work: LongWork?

    var layout: RowLayout { store.layout }

    /// Runs a search through all lists of a store with this thread's memory. The scan must not outlive the call.
    static func with<Result>(_ store: ListStore, _ search: (ListScan, ListScanMemory) -> Result) -> Result {
        store.withView { store in ListScanMemory.with(for: store) { search(ListScan(store: store), $0) } }
    }

    /// Finds the nearest rows.
    ///
    /// - Parameters:
    ///   - query: stride floats.
    ///   - radius: The largest distance of a result.
    ///   - results: Receives the neighbours, nearest first.
    /// - Returns: The number of neighbours.
    func nearest(
        to query: UnsafePointer<Float>, within radius: Double = .infinity,
        into results: UnsafeMutableBufferPointer<Neighbor>, memory: ListScanMemory
    ) -> Int {
        var traversal = unsafe ListTraversal(
            scan: self, query: query, memory: memory, collector: NearestCollector(into: results, within: radius))
        traversal.run()
        let count = traversal.finish()
        memory.counters.add(traversal.counters)
        return count
    }

    /// Finds at most `width` nearest rows.
    func nearest(_ width: Int, to query: [Float], within radius: Double, memory: ListScanMemory) -> [Neighbor] {
        guard width > 0 else { return [] }
        return unsafe [Neighbor](unsafeUninitializedCapacity: width) { results, n in
            n = unsafe query.withUnsafeBufferPointer { query in
                unsafe layout.withPadded(query.baseAddress!) { padded in
                    unsafe nearest(
                        to: padded, within: radius,
                        into: UnsafeMutableBufferPointer(rebasing: results[..<width]), memory: memory)
                }
            }
        }
    }

    /// Finds every row within a radius, nearest first.
    func within(_ radius: Double, of query: UnsafePointer<Float>, memory: ListScanMemory) -> [Neighbor] {
        var traversal = unsafe ListTraversal(
            scan: self, query: query, memory: memory, collector: RangeCollector(radius: radius))
        traversal.run()
        memory.counters.add(traversal.counters)
        return traversal.collector.found.sorted()
    }
}
