import Synchronization

// Each list is built by one thread, and the work depends only on the list, so the result does not depend on the number
// of threads.

extension RowSource {
    /// The target number of rows of a list, which leaves room for later rows and for chance.
    private var listRows: Int { layout.chunkRows * 3 / 4 }

    /// Divides the rows into lists.
    ///
    /// - Throws: `.cancelled`.
    func build(
        _ division: IndexLayout, frame: PruningFrame, threads: Int
    ) throws(KinError) -> (ListStore, Partition) {
        var (partition, rule, grids) = try partition(division, frame: frame, threads: threads)
        let assigned = try assign(to: &partition, outliersBy: rule, frame: frame, threads: threads)
        let built = try lists(assigned, dividing: &partition, frame: frame, grids: grids, threads: threads)
        var lists = [InvertedList?](repeating: nil, count: partition.listCount)
        for (c, list) in built { lists[c] = list }
        let store = ListStore(
            layout: layout, frame: frame, grids: grids, lists: lists.map { $0 ?? InvertedList(layout: layout) })
        return (store, partition)
    }

    /// Builds the lists of all rows. A list with too many rows is divided, which creates new lists.
    ///
    /// - Parameters:
    ///   - first: The number of the first list of `assigned`.
    ///   - partition: The partition, which is divided together with its lists.
    /// - Returns: Every list with its number; if a number occurs twice, the second entry has the rows.
    /// - Throws: `.cancelled`.
    func lists(
        _ assigned: ListAssignment, from first: Int = 0, dividing partition: inout Partition, frame: PruningFrame,
        grids: CommonGrids, threads: Int
    ) throws(KinError) -> [(number: Int, list: InvertedList)] {
        let built = buildLists(assigned, frame: frame, grids: grids, threads: threads)
        try work?.check()
        var lists = zip(first..., built).map { (number: $0, list: $1) }
        var parts: [(number: Int, rows: RowBuffer)] = []
        let full = (0..<assigned.lists).filter { assigned.size(of: $0) > layout.chunkRows }
        for i in full {
            gather(assigned.rows(of: i)).divide(
                over: first + i, layout: layout, partition: &partition, frame: frame
            ) { parts.append(($1, $0)) }
            guard parts.count / 4 > threads || i == full.last else { continue }
            lists += concurrentMap(threads, parts.count, memory: { ListScratch(layout: layout) }) { p, scratch in
                (parts[p].number, parts[p].rows.list(frame: frame, grids: grids, scratch: scratch))
            }
            try work?.step(by: parts.reduce(0) { $0 + $1.rows.count })
            parts = []
        }
        return lists
    }

    /// Computes the partition of the space from a sample of the rows, the rule for outliers, and the grids that fit all
    /// rows.
    ///
    /// - Throws: `.cancelled`.
    func partition(
        _ division: IndexLayout, frame: PruningFrame, threads: Int
    ) throws(KinError) -> (Partition, OutlierRule, CommonGrids) {
        let sample = cleanSample(atMost: max(1 << 15, 32 * count / listRows), in: frame)
        try work?.step(by: 0)
        let partition = try train(division, on: sample, threads: threads)
        try work?.step(by: 0)
        return (partition, sample.rule, sample.commonGrids(layout))
    }

    private func train(
        _ division: IndexLayout, on sample: Sample, threads: Int
    ) throws(KinError) -> Partition {
        try unsafe sample.coordinates.withUnsafeBufferPointer { z throws(KinError) in
            let (z, n) = (z.baseAddress!, sample.rows.count)
            guard case .centroids(let lists) = division else {
                return unsafe .medianTree(
                    MedianTree(dimension: layout.dimension, sample: z, count: n, rows: count, listRows: listRows))
            }
            return try unsafe .centroidLists(
                CentroidLists(lists: lists, sample: z, count: n, layout: layout, threads: threads))
        }
    }

    /// Assigns every row to a list. Outliers go to a separate list after the others.
    private func assign(
        to partition: inout Partition, outliersBy rule: OutlierRule, frame: PruningFrame, threads: Int
    ) throws(KinError) -> ListAssignment {
        var (labels, outliers) = try labels(
            of: 0..<count, by: partition, outliersBy: rule, frame: frame, threads: threads)
        if let first = outliers.first, Self.areFew(outliers.count, of: count) {
            for r in outliers { labels[r] = UInt32(partition.listCount) }
            unsafe frame.withBox(of: row(first)) { low, _ in unsafe partition.addList(at: low) }
        }
        return ListAssignment(labels: labels, lists: partition.listCount, threads: threads)
    }

    /// Whether a number of rows is small enough for outliers: at most one row in 16.
    static func areFew(_ outliers: Int, of count: Int) -> Bool { outliers <= count / 16 }

    /// Assigns a range of rows to the lists of a partition. Also returns the rows among them that are outliers, in
    /// ascending order.
    ///
    /// - Throws: `.cancelled`.
    func labels(
        of rows: Range<Int>, by partition: Partition, outliersBy rule: OutlierRule, frame: PruningFrame, threads: Int
    ) throws(KinError) -> (labels: [UInt32], outliers: [Int]) {
        let blockRows = 1 << 14
        let blocks = (rows.count + blockRows - 1) / blockRows
        let outliers = Mutex<[Int]>([])
        let labels = unsafe [UInt32](unsafeUninitializedCapacity: rows.count) { labels, n in
            concurrently(
                threads, taking: blocks, memory: { RowBuffer(capacity: blockRows, stride: layout.stride) }
            ) { block, buffer in
                guard work?.advance(by: 0) ?? true else { return }
                let offset = block * blockRows
                let first = rows.lowerBound + offset
                let size = min(blockRows, rows.upperBound - first)
                let z = unsafe buffer.rows
                let uncertainty = unsafe frame.project(row(first), count: size, into: z)
                unsafe partition.assign(z, count: size, into: labels.baseAddress! + offset)
                unsafe rule.find(among: row(first), count: size, z: z, uncertainty: uncertainty, frame: frame) { r in
                    outliers.withLock { $0.append(first + r) }
                }
            }
            n = rows.count
        }
        try work?.check()
        return (labels, outliers.withLock { $0 }.sorted())
    }

    /// Builds the lists whose rows fit into one list. The others stay empty for now; after a cancellation, all
    /// remaining lists stay empty.
    private func buildLists(
        _ assigned: ListAssignment, frame: PruningFrame, grids: CommonGrids, threads: Int
    ) -> [InvertedList] {
        let n = assigned.lists
        return concurrentMap(threads, n, memory: { ListScratch(layout: layout) }) { c, scratch in
            let size = assigned.size(of: c)
            let isWanted = size > 0 && size <= layout.chunkRows
            guard isWanted, work?.advance(by: size) ?? true else { return InvertedList(layout: layout) }
            for (i, r) in assigned.rows(of: c).enumerated() {
                unsafe (scratch.rows + i * layout.stride).update(from: row(Int(r)), count: layout.stride)
                unsafe scratch.ids[i] = ids[Int(r)]
            }
            if n >= 64 { scratch.slab.withRoom(for: (size + 63) / 64 * layout.blockBytes) }
            let source = unsafe RowSource(rows: scratch.rows, ids: scratch.ids, count: size, layout: layout)
            return InvertedList(source, frame: frame, grids: grids, scratch: scratch)
        }
    }

    private func gather(_ chosen: ArraySlice<UInt32>) -> RowBuffer {
        var list = RowBuffer(capacity: chosen.count, stride: layout.stride)
        for r in chosen { unsafe list.append(row(Int(r)), id: ids[Int(r)]) }
        return list
    }
}

/// The rows of a source, ordered by list.
struct ListAssignment {
    /// The start of each list in `order`, followed by the end of the last list.
    private(set) var starts: [Int]
    let order: [UInt32]

    /// Sorts rows by list. The rows of one list are in ascending order.
    ///
    /// - Parameters:
    ///   - labels: The list of each row, below `lists`.
    init(labels: [UInt32], lists: Int, threads: Int) {
        let parts = concurrentMap(threads, rangesOf: labels.count) { rows in
            var sizes = [Int](repeating: 0, count: lists)
            for r in rows { sizes[Int(labels[r])] += 1 }
            return (rows: rows, sizes: sizes)
        }
        var end = 0
        var nexts = parts.map(\.sizes)
        starts = [0]
        for c in 0..<lists {
            for p in nexts.indices {
                nexts[p][c] = end
                end += parts[p].sizes[c]
            }
            starts.append(end)
        }
        order = unsafe [UInt32](unsafeUninitializedCapacity: labels.count) { order, n in
            let (order, nexts) = unsafe (order, nexts)
            concurrently(threads, taking: parts.count, memory: {}) { p, _ in
                var next = nexts[p]
                for r in parts[p].rows {
                    let c = Int(labels[r])
                    unsafe (order.baseAddress! + next[c]).initialize(to: UInt32(r))
                    next[c] += 1
                }
            }
            n = labels.count
        }
    }

    var lists: Int { starts.count - 1 }

    func size(of list: Int) -> Int { starts[list + 1] - starts[list] }

    func rows(of list: Int) -> ArraySlice<UInt32> { order[starts[list]..<starts[list + 1]] }
}
