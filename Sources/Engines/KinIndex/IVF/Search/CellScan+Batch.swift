import KinCore
import KinLinearAlgebra
import Synchronization

extension CellScan {
    /// Queries that a thread takes at a time.
    private static let groupQueries = 32

    /// Searches for each query of a batch.
    ///
    /// - Parameters:
    ///   - k: At most the number of rows.
    ///   - order: In which order to take the queries.
    func batch(_ queries: Matrix<Float>, k: Int, order: [Int], threads: Int) -> NeighborTable {
        let n = queries.rows
        let stride = layout.stride
        let padded = stride == queries.columns ? queries : queries.padded(toColumns: stride)
        var counts = [Int](repeating: 0, count: n)
        var elements = [Neighbor](repeating: Neighbor(id: .none, distance: .infinity), count: n * k)
        let groups = (n + Self.groupQueries - 1) / Self.groupQueries
        let next = Atomic<Int>(0)
        unsafe padded.withUnsafeBufferPointer { all in
            unsafe elements.withUnsafeMutableBufferPointer { results in
                unsafe counts.withUnsafeMutableBufferPointer { counts in
                    let (all, results, counts) = unsafe (all, results, counts)
                    concurrently(min(threads, groups)) { _ in
                        let memory = CellScanMemory(store: store)
                        while true {
                            let group = next.wrappingAdd(1, ordering: .relaxed).oldValue
                            guard group < groups else { break }
                            for i in group * Self.groupQueries..<min((group + 1) * Self.groupQueries, n) {
                                let q = order[i]
                                unsafe counts[q] = nearest(
                                    to: all.baseAddress! + q * stride,
                                    into: UnsafeMutableBufferPointer(rebasing: results[q * k..<(q + 1) * k]),
                                    memory: memory)
                            }
                        }
                    }
                }
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: k)
    }
}
