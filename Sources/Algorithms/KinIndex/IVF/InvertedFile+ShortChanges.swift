// Most changes of a few rows take microseconds; a change that rebuilds a list takes a thousand times as long. A writer
// with waiting readers can check this in advance. The answer affects only time, never a result.

extension InvertedFile {
    /// Whether inserting a few vectors rebuilds no list.
    ///
    /// - Parameters:
    ///   - vectors: The vectors to insert, of the index's dimension.
    ///   - ids: The ids of the vectors; empty for vectors that get new ids.
    func isShort(upserting vectors: Matrix<Float>, ids: [VectorID]) -> Bool {
        guard vectors.rows < store.layout.chunkRows, isShort(removing: ids) else { return false }
        return (0..<vectors.rows).allSatisfy { r in
            unsafe vectors.row(r).withUnsafeBufferPointer { row in
                unsafe store.layout.withPadded(row.baseAddress!) { row in
                    guard let c = unsafe store.list(of: row, partition) else { return false }
                    return store.lists[c].hasRoom(forChanges: vectors.rows)
                }
            }
        }
    }

    /// Whether removing a few vectors neither rebuilds nor dissolves a list.
    func isShort(removing ids: [VectorID]) -> Bool {
        ids.allSatisfy { id in
            guard let slot = slot(of: id) else { return true }
            let list = store.lists[store.location(of: slot).list]
            return list.hasRoom(forChanges: 2 * ids.count)
                && list.count - ids.count >= store.fewestRows
        }
    }
}

extension InvertedList {
    /// Whether n rows can be added or removed before the list is full or unsettled.
    fileprivate func hasRoom(forChanges n: Int) -> Bool {
        count + n <= chunk.layout.chunkRows && changes + n <= 64 + max(0, count - n) / 4
    }
}
