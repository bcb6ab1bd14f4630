/// The simplest correct solution: one loop over everything in double precision.
///
/// The tool's demo shows its time next to the index's, and checks that both return the same neighbours.
package enum PlainScan {
    /// The k nearest rows by squared Euclidean distance, ties by row.
    ///
    /// - Parameters:
    ///   - elements: Rows of `query.count` numbers each.
    package static func nearest(to query: [Float], k: Int, in elements: [Float]) -> [Neighbor] {
        let dimension = query.count
        var best: [Neighbor] = []
        var start = 0
        for row in 0..<elements.count / dimension {
            var distance = 0.0
            for axis in 0..<dimension {
                let difference = Double(elements[start + axis]) - Double(query[axis])
                distance += difference * difference
            }
            start += dimension
            let candidate = Neighbor(id: VectorID(UInt64(row)), distance: distance)
            if best.count == k, let last = best.last, last < candidate { continue }
            let place = best.firstIndex { candidate < $0 } ?? best.count
            best.insert(candidate, at: place)
            if best.count > k { best.removeLast() }
        }
        return best
    }
}
