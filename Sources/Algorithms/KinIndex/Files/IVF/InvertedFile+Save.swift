extension InvertedFile {
    /// Writes the sections of the vectors. O(n · dimension). Mapped rows are written in small pieces; an outdated table
    /// of ids is rebuilt in memory.
    func write(nextID: UInt64, to writer: inout SectionFileWriter) throws(KinError) {
        let (dense, sorted) = map.tables(for: ListSlots(store: store), ids: count)
        try writeSettings(nextID: nextID, dense: dense, sorted: sorted, to: &writer)
        try store.frame.write(to: &writer)
        try writePartition(to: &writer)
        try calibration.write(to: &writer)
        try store.writeLists(to: &writer)
        try store.writeBoxes(to: &writer)
        try store.writeRows(to: &writer)
        try dense?.write(to: &writer)
        try sorted?.write(to: &writer)
    }

    private func writeSettings(
        nextID: UInt64, dense: DenseIDTable?, sorted: SortedIDTable?, to writer: inout SectionFileWriter
    ) throws(KinError) {
        let (kind, lists) = division.numbers
        let settings = IVFSettings(
            dimension: UInt64(store.layout.dimension), metric: UInt64(store.layout.metric.number),
            listShift: UInt64(store.layout.chunkShift),
            count: UInt64(count), nextID: nextID, listCount: UInt64(store.lists.count), partitioning: kind,
            requestedLists: lists,
            denseCount: UInt64(dense?.count ?? 0), sortedCount: UInt64(sorted?.count ?? 0),
            denseFirst: dense?.first.rawValue ?? 0, measuredCount: UInt64(calibration.measuredCount),
            measuredQueries: UInt64(calibration.queries),
            measuredChanges: UInt64(calibration.recall == nil ? 0 : calibration.changes),
            exactShare: calibration.exactShare)
        try writer.write([settings].span, to: IndexSections.settings)
    }

    private func writePartition(to writer: inout SectionFileWriter) throws(KinError) {
        switch partition {
        case .medianTree(let tree):
            try writer.write(tree.nodes.span, to: IVFFile.nodes)
        case .centroidLists(let lists):
            try writer.begin(IVFFile.centroids, stride: 4 * store.layout.dimension)
            for c in 0..<lists.listCount { try writer.append(lists.centroid(c).span) }
        }
    }
}

extension IndexLayout {
    /// The numbers of the division into lists in a file: its kind, and the number of k-means lists.
    fileprivate var numbers: (kind: UInt64, lists: UInt64) {
        switch self {
        case .flat, .lists: (0, 0)
        case .medianSplits: (1, 0)
        case .centroids(let lists): (2, UInt64(clamping: lists))
        }
    }
}

extension PruningFrame {
    /// Writes centre and rotation, if the frame has one.
    fileprivate func write(to writer: inout SectionFileWriter) throws(KinError) {
        guard isRotated else { return }
        let numbers = centre + [Float](repeating: 0, count: stride - dimension) + rotation
        try writer.write(numbers.span, to: IVFFile.frame, stride: 4 * stride)
    }
}

extension RecallCalibration {
    fileprivate func write(to writer: inout SectionFileWriter) throws(KinError) {
        guard let recall else { return }
        let entries = zip(Self.widths, recall.measures).flatMap { k, row in
            zip(MeasuredRecall.factors, row).map { factor, measure in
                IVFRecallEntry(k: UInt64(k), factor: factor, recall: measure.recall, error: measure.error)
            }
        }
        try writer.write(entries.span, to: IVFFile.recall)
    }
}

// MARK: - Lists

extension ListStore {
    fileprivate func writeLists(to writer: inout SectionFileWriter) throws(KinError) {
        var grids: UInt64 = 0
        var tables: UInt64 = 0
        try writer.begin(IVFFile.lists, stride: MemoryLayout<IVFListEntry>.size)
        for list in lists {
            let coding = list.chunk.coding
            let boxes = list.count > 0 ? list.boxes : nil
            let entry = IVFListEntry(
                rows: UInt64(list.count), changes: UInt64(list.changes),
                grid: coding == nil ? IVFListEntry.none : grids, boxes: boxes == nil ? IVFListEntry.none : tables,
                eightBitError: coding?.errors.eightBits ?? 0, sixBitError: coding?.errors.sixBits ?? 0)
            grids += coding == nil ? 0 : 1
            tables += boxes == nil ? 0 : 1
            try writer.append([entry].span)
        }
        try writer.begin(IVFFile.listBoxes, stride: 8 * layout.stride)
        for list in lists {
            // An empty list is written without a trace of its former rows.
            let (low, high) = list.count > 0 ? (list.low, list.high) : InvertedList.emptyBox(layout)
            try writer.append(low.span)
            try writer.append(high.span)
        }
        try writer.begin(IVFFile.grids, stride: 8 * (1 + 4 * layout.groups))
        for list in lists {
            guard let grid = list.chunk.coding?.grid else { continue }
            try writer.append(grid.numbers.span)
        }
    }

    /// Writes the boxes around blocks, and the table of the boxes around lists.
    fileprivate func writeBoxes(to writer: inout SectionFileWriter) throws(KinError) {
        let tables = lists.lazy.filter { $0.count > 0 }.compactMap(\.boxes)
        try writer.begin(IVFFile.boxGrids, stride: 4 * (1 + layout.dimension))
        for table in tables { try writer.append(table.grid.numbers.span) }
        try writer.begin(IVFFile.boxes, stride: 2 * layout.blockBytes)
        for table in tables {
            try writer.append(unsafe Span(_unsafeStart: table.lows, count: layout.blockBytes))
            try writer.append(unsafe Span(_unsafeStart: table.highs, count: layout.blockBytes))
        }
        // The table is written only if all boxes are in its grid; without it, readers compute their own.
        guard let boxes, outliers.isEmpty else { return }
        try writer.write(boxes.grid.numbers.span, to: IVFFile.tableGrid, stride: 4 * (1 + layout.dimension))
        let bytes = boxes.blocks * layout.blockBytes
        let lows = unsafe Span(_unsafeStart: boxes.lows, count: bytes)
        let highs = unsafe Span(_unsafeStart: boxes.highs, count: bytes)
        try writer.write(lows, to: IVFFile.tableLows, stride: layout.blockBytes)
        try writer.write(highs, to: IVFFile.tableHighs, stride: layout.blockBytes)
    }

    /// Writes all codes, then all ids, then all vectors: a search reads little except the codes, which are then
    /// contiguous.
    fileprivate func writeRows(to writer: inout SectionFileWriter) throws(KinError) {
        for (c, list) in lists.enumerated() where list.count > 0 { try list.chunk.writeCodes(UInt32(c), to: &writer) }
        for (c, list) in lists.enumerated() where list.count > 0 { try list.chunk.writeIDs(UInt32(c), to: &writer) }
        for (c, list) in lists.enumerated() where list.count > 0 { try list.chunk.writeRows(UInt32(c), to: &writer) }
    }
}

extension BoxGrid {
    /// The numbers of a grid in a file: the step, then an offset for each dimension.
    fileprivate var numbers: [Float] { [step] + offsets }
}
