// A large load rebuilds the index: a sample trains the partition, every row is assigned, rows are sorted by list, and
// threads build the lists in parallel. The work on a list depends only on the list, so the result does not depend on
// the number of threads.

extension InvertedFile {
    /// The number of ids that already have a vector; nil unless inserting these rows rebuilds the lists because only
    /// few vectors would remain.
    func replacedByLoad(_ ids: [VectorID]) -> Int? {
        guard ids.count >= store.layout.chunkRows else { return nil }
        let replaced = count == 0 ? 0 : ids.count { slot(of: $0) != nil }
        return ids.count >= count - replaced ? replaced : nil
    }

    /// Inserts rows, at least as many as remain from before, and rebuilds the whole index.
    ///
    /// - Parameter replaced: The number of ids that already have a row, which is replaced.
    /// - Throws: `.cancelled`; rows, lists and calibration may be incomplete then.
    mutating func load(
        _ vectors: Matrix<Float>, ids: [VectorID], replacing replaced: Int, threads: Int
    ) throws(KinError) {
        let (dimension, stride) = (store.layout.dimension, store.layout.stride)
        let padded = stride == dimension ? vectors : vectors.padded(toColumns: stride)
        try unsafe padded.withUnsafeBufferPointer { rows throws(KinError) in
            try unsafe ids.withUnsafeBufferPointer { ids throws(KinError) in
                try unsafe load(rows.baseAddress!, ids: ids, replacing: replaced, threads: threads)
            }
        }
        try measure(threads: threads)
    }

    private mutating func load(
        _ rows: UnsafePointer<Float>, ids: UnsafeBufferPointer<VectorID>, replacing replaced: Int, threads: Int
    ) throws(KinError) {
        let kept = count - replaced
        if kept == 0 {
            try unsafe build(rows, ids: ids.baseAddress!, count: ids.count, threads: threads)
        } else {
            let new = unsafe IDSet(replaced > 0 ? Array(ids) : [])
            var all = RowBuffer(capacity: kept + ids.count, stride: store.layout.stride)
            for list in store.lists {
                guard replaced > 0 else {
                    unsafe all.append(list.chunk.rows, ids: list.chunk.ids, count: list.count)
                    continue
                }
                for r in 0..<list.count where unsafe !new.contains(list.chunk.ids[r]) {
                    unsafe all.append(list.chunk.row(r), id: list.chunk.ids[r])
                }
            }
            unsafe all.append(rows, ids: ids.baseAddress!, count: ids.count)
            try unsafe build(all.rows, ids: all.ids, count: all.count, threads: threads)
        }
    }

    /// Builds the index from scratch.
    ///
    /// - Throws: `.cancelled`; the index is unchanged then.
    mutating func build(
        _ rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count n: Int, threads: Int
    ) throws(KinError) {
        var source = unsafe RowSource(rows: rows, ids: ids, count: n, layout: store.layout)
        source.work = LongWork(of: n)
        let frame = mayRotate ? try source.bestFrame(threads: threads) : store.frame
        let (store, partition) = try source.build(division, frame: frame, threads: threads)
        replace(store: store, partition: partition, threads: threads)
    }
}
