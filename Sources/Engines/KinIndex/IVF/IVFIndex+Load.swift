import KinCore
import KinLinearAlgebra
import Synchronization

// A large load rebuilds the index: a sample trains the partition, every row is assigned, rows are sorted by list, and
// the lists are built side by side. What a thread does depends only on the list it does it for, so the result does not
// depend on the number of threads.

extension IVFIndex {
    /// Inserts rows, at least as many as stay, and rebuilds the whole index.
    ///
    /// - Parameter replaced: The number of ids that have a row already, which is replaced.
    /// - Throws: `.cancelled`; rows, lists and calibration may be half done then.
    mutating func load(
        _ rows: UnsafePointer<Float>, ids: UnsafeBufferPointer<VectorID>, replacing replaced: Int, threads: Int
    ) throws(KinError) {
        let kept = count - replaced
        if kept == 0 {
            try unsafe build(rows, ids: ids.baseAddress!, count: ids.count, threads: threads)
        } else {
            let new = unsafe replaced > 0 ? Set(ids) : []
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
        try measure(threads: threads)
    }

    /// Builds the index of some rows from nothing.
    ///
    /// - Throws: `.cancelled`; the index is unchanged then.
    mutating func build(
        _ rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count n: Int, threads: Int
    ) throws(KinError) {
        var source = unsafe RowSource(rows: rows, ids: ids, count: n, layout: store.layout)
        source.work = LongWork(of: n)
        let frame = mayRotate ? try source.bestFrame(threads: threads) : store.frame
        let (store, partition) = try source.build(partitioning, frame: frame, threads: threads)
        replace(store: store, partition: partition)
    }
}

/// Rows to build lists from.
@safe
struct RowSource {
    let rows: UnsafePointer<Float>
    let ids: UnsafePointer<VectorID>
    let count: Int
    let layout: RowLayout
    /// The work that building lists is a part of, in rows; nil where it is short.
    var work: LongWork?

    init(rows: UnsafePointer<Float>, ids: UnsafePointer<VectorID>, count: Int, layout: RowLayout) {
        unsafe self.rows = rows
        unsafe self.ids = ids
        self.count = count
        self.layout = layout
    }

    func row(_ r: Int) -> UnsafePointer<Float> { unsafe rows + r * layout.stride }

    /// Rows evenly spread over all.
    func sample(atMost most: Int) -> RowBuffer {
        let n = min(most, count)
        var list = RowBuffer(capacity: n, stride: layout.stride)
        for i in 0..<n {
            let r = i * count / n
            unsafe list.append(row(r), id: ids[r])
        }
        return list
    }
}

extension RowSource {
    /// Rows a list is meant to hold: room is left for those that come later, and for chance.
    private var listRows: Int { layout.chunkRows * 3 / 4 }

    /// Divides the rows into lists.
    ///
    /// - Throws: `.cancelled`.
    func build(
        _ partitioning: Partitioning, frame: PruningFrame, threads: Int
    ) throws(KinError) -> (ListStore, Partition) {
        let sample = cleanSample(atMost: max(1 << 15, 32 * count / listRows), in: frame)
        try work?.step(by: 0)
        var partition = try train(partitioning, on: sample, threads: threads)
        try work?.step(by: 0)
        let assigned = try assign(to: &partition, outliersBy: sample.rule, frame: frame, threads: threads)
        let lists = buildLists(assigned, frame: frame, threads: threads)
        try work?.check()
        var store = ListStore(layout: layout, frame: frame, lists: lists)
        let scratch = ListScratch(layout: layout)
        for c in 0..<assigned.starts.count - 1 where assigned.size(of: c) > layout.chunkRows {
            let whole = gather(assigned.rows(of: c))
            store.fill(c, with: whole, partition: &partition, scratch: scratch)
            try work?.step(by: assigned.size(of: c))
        }
        // The grid was fitted before lists that had to be divided had any rows.
        store.computeBoxes()
        return (store, partition)
    }

    private func train(
        _ partitioning: Partitioning, on sample: Sample, threads: Int
    ) throws(KinError) -> Partition {
        try unsafe sample.coordinates.withUnsafeBufferPointer { z throws(KinError) in
            let (z, n) = (z.baseAddress!, sample.rows.count)
            switch partitioning {
            case .automatic, .medianSplits:
                return unsafe .medianTree(
                    MedianTree(dimension: layout.dimension, sample: z, count: n, rows: count, listRows: listRows))
            case .lists(let lists):
                return try unsafe .centroidLists(
                    CentroidLists(lists: lists, sample: z, count: n, layout: layout, threads: threads))
            }
        }
    }

    /// The rows in the order of their lists.
    struct Assignment {
        /// The offset in `order` at which each list begins, and at which the last one ends.
        var starts: [Int]
        var order: [UInt32]

        func size(of list: Int) -> Int { starts[list + 1] - starts[list] }

        func rows(of list: Int) -> ArraySlice<UInt32> { order[starts[list]..<starts[list + 1]] }
    }

    /// Assigns every row to a list; outliers to one of their own behind the others.
    private func assign(
        to partition: inout Partition, outliersBy rule: OutlierRule, frame: PruningFrame, threads: Int
    ) throws(KinError) -> Assignment {
        let blockRows = 1 << 14
        let blocks = (count + blockRows - 1) / blockRows
        let outliers = Mutex<[Int]>([])
        let trained = partition
        var labels = unsafe [UInt32](unsafeUninitializedCapacity: count) { labels, n in
            let next = Atomic<Int>(0)
            concurrently(min(threads, blocks)) { _ in
                let z = UnsafeMutablePointer<Float>.allocate(capacity: blockRows * layout.stride)
                defer { unsafe z.deallocate() }
                while true {
                    let block = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard block < blocks, work?.advance(by: 0) ?? true else { break }
                    let first = block * blockRows
                    let size = min(blockRows, count - first)
                    let uncertainty = unsafe frame.project(row(first), count: size, into: z)
                    unsafe trained.assign(z, count: size, into: labels.baseAddress! + first)
                    unsafe rule.find(among: row(first), count: size, z: z, uncertainty: uncertainty, frame: frame) {
                        r in
                        outliers.withLock { $0.append(first + r) }
                    }
                }
            }
            n = count
        }
        try work?.check()
        let found = outliers.withLock { $0 }.sorted()
        // More than one in 16 are no outliers.
        if let first = found.first, found.count <= count / 16 {
            for r in found { labels[r] = UInt32(partition.listCount) }
            unsafe frame.withBox(of: row(first)) { low, _ in unsafe partition.addList(at: low) }
        }
        var starts = [Int](repeating: 0, count: partition.listCount + 1)
        for label in labels { starts[Int(label) + 1] += 1 }
        for c in 1..<starts.count { starts[c] += starts[c - 1] }
        var next = starts
        let order = unsafe [UInt32](unsafeUninitializedCapacity: count) { order, n in
            for (r, label) in labels.enumerated() {
                unsafe order[next[Int(label)]] = UInt32(r)
                next[Int(label)] += 1
            }
            n = count
        }
        return Assignment(starts: starts, order: order)
    }

    /// Builds the lists whose rows fit into one; the others stay empty for now, and so do all that follow a cancellation.
    private func buildLists(_ assigned: Assignment, frame: PruningFrame, threads: Int) -> [InvertedList] {
        let n = assigned.starts.count - 1
        return unsafe [InvertedList](unsafeUninitializedCapacity: n) { lists, initialized in
            let next = Atomic<Int>(0)
            concurrently(min(threads, n)) { _ in
                let scratch = ListScratch(layout: layout)
                var slab = CodeSlab()
                while true {
                    let c = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard c < n else { break }
                    let size = assigned.size(of: c)
                    let isWanted = size > 0 && size <= layout.chunkRows
                    guard isWanted, work?.advance(by: size) ?? true else {
                        unsafe (lists.baseAddress! + c).initialize(to: InvertedList(layout: layout))
                        continue
                    }
                    for (i, r) in assigned.rows(of: c).enumerated() {
                        unsafe (scratch.rows + i * layout.stride).update(from: row(Int(r)), count: layout.stride)
                        unsafe scratch.ids[i] = ids[Int(r)]
                    }
                    if !slab.hasRoom(for: (size + 63) / 64 * layout.blockBytes) { slab = CodeSlab() }
                    let source = unsafe RowSource(rows: scratch.rows, ids: scratch.ids, count: size, layout: layout)
                    let list = InvertedList(source, frame: frame, slab: n >= 64 ? slab : nil, scratch: scratch)
                    unsafe (lists.baseAddress! + c).initialize(to: list)
                }
            }
            initialized = n
        }
    }

    private func gather(_ chosen: ArraySlice<UInt32>) -> RowBuffer {
        var list = RowBuffer(capacity: chosen.count, stride: layout.stride)
        for r in chosen { unsafe list.append(row(Int(r)), id: ids[Int(r)]) }
        return list
    }
}
