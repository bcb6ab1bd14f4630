extension RowSource {
    /// Chooses the frame whose searches for a sample of the rows screen fewer blocks: the vectors' own coordinates, or
    /// coordinates along the principal axes.
    ///
    /// Both are tried on at most 32,768 rows, with 64 of these rows as queries. The rotation has a cost in each search,
    /// so it must save a tenth of the blocks. Inner products always use the vectors' own frame (see ``BoxQuery``: a
    /// rotated query would have to be rounded).
    ///
    /// - Throws: `.cancelled`.
    func bestFrame(threads: Int) throws(KinError) -> PruningFrame {
        let plain = PruningFrame(dimension: layout.dimension, metric: layout.metric)
        guard !layout.metric.comparesProducts, layout.dimension > 1, count > 2 * layout.chunkRows else { return plain }
        // An outlier has no neighbours to find, and axes that point to it help no other query.
        let sample = cleanSample(atMost: 1 << 15, in: plain).rows
        guard let rotated = sample.principalFrame(layout: layout) else { return plain }
        let source = unsafe RowSource(rows: sample.rows, ids: sample.ids, count: sample.count, layout: layout)
        var costs: [Int] = []
        for frame in [plain, rotated] {
            try work?.step(by: 0)
            let (store, _) = try source.build(.medianSplits, frame: frame, threads: threads)
            costs.append(source.blocksVisited(in: store))
        }
        return costs[1] * 10 < costs[0] * 9 ? rotated : plain
    }

    /// The number of blocks screened by searches for 64 of the rows.
    private func blocksVisited(in store: ListStore) -> Int {
        ListScan.with(store) { scan, memory in
            unsafe withUnsafeTemporaryAllocation(of: Neighbor.self, capacity: 10) { results in
                for i in 0..<64 {
                    _ = unsafe scan.nearest(to: row(i * count / 64), into: results, memory: memory)
                }
            }
            return memory.counters.blocksScreened
        }
    }
}

extension RowBuffer {
    /// The frame of the rows' principal axes; nil if the axes are undetermined, for example with too many dimensions or
    /// no spread.
    fileprivate func principalFrame(layout: RowLayout) -> PruningFrame? {
        let d = layout.dimension
        guard d <= 1_024 else { return nil }
        let plain = PruningFrame(dimension: d, metric: layout.metric)
        let points = unsafe Matrix<Float>(rows: count, columns: d) { elements in
            unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: layout.stride) { z in
                for r in 0..<count {
                    _ = unsafe plain.project(rows + r * layout.stride, into: z.baseAddress!)
                    let row = unsafe UnsafeBufferPointer(start: z.baseAddress!, count: d)
                    _ = unsafe elements[(r * d)...].initialize(fromContentsOf: row)
                }
            }
        }
        // A cancelled fit would look like points without axes.
        let fit = ProgressScope.shielded { try? PCA(fitting: points) }
        guard let fit, fit.components.rows == d else { return nil }
        var rotation = [Float](repeating: 0, count: d * layout.stride)
        for i in 0..<d {
            for j in 0..<d { rotation[j * layout.stride + i] = Float(fit.components[i, j]) }
        }
        return PruningFrame(
            dimension: d, metric: layout.metric, centre: fit.mean.map { Float($0) }, rotation: rotation)
    }
}
