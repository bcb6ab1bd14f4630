extension InvertedFile {
    /// Reads the lists of an index's file.
    ///
    /// - Returns: The lists and the next new id.
    /// - Throws: `.corruptFile`.
    static func read(_ file: SectionFile) throws(KinError) -> (file: InvertedFile, nextID: UInt64) {
        let settings = try file.array(IndexSections.settings, of: IVFSettings.self, count: 1)[0]
        let layout = try RowLayout(
            dimension: settings.dimension, metric: settings.metric, chunkShift: settings.listShift,
            allowing: IVFFile.shifts)
        let store = try ListStore(reading: file, settings: settings, layout: layout)
        let lists = InvertedFile(
            division: try IndexLayout(settings), store: store, map: try file.idMap(settings),
            partition: try file.partition(dimension: layout.dimension, lists: store.lists.count),
            calibration: try RecallCalibration(file, settings))
        return (lists, settings.nextID)
    }
}

extension IndexLayout {
    fileprivate init(_ settings: IVFSettings) throws(KinError) {
        let choices: [IndexLayout] = [.lists, .medianSplits, .centroids(Int(clamping: settings.requestedLists))]
        guard settings.partitioning < UInt64(choices.count) else {
            throw .corrupt("section META gives the partitioning \(settings.partitioning), which is not known")
        }
        self = choices[Int(settings.partitioning)]
    }
}

extension SectionFile {
    fileprivate func idMap(_ settings: IVFSettings) throws(KinError) -> IDMap {
        guard settings.denseCount == 0 else {
            return IDMap(dense: try denseIDTable(first: settings.denseFirst, count: settings.denseCount))
        }
        return IDMap(base: try sortedIDTable(count: settings.sortedCount))
    }

    /// The partition, which must have the same number of lists as the index.
    fileprivate func partition(dimension: Int, lists: Int) throws(KinError) -> Partition {
        guard section(IVFFile.centroids) == nil else {
            let numbers = try section(IVFFile.centroids, requiring: 4 * dimension, count: lists).array(of: Float.self)
            guard let partition = CentroidLists(dimension: dimension, centroids: numbers) else {
                throw .corrupt("section CENT holds a number that is not finite")
            }
            return .centroidLists(partition)
        }
        let nodes = try array(IVFFile.nodes, of: MedianTree.Node.self, count: lists - 1)
        guard let tree = MedianTree(dimension: dimension, nodes: nodes) else {
            throw .corrupt("the nodes in section NODE are not one tree with a list at each end")
        }
        return .medianTree(tree)
    }

    fileprivate func frame(_ layout: RowLayout) throws(KinError) -> PruningFrame {
        let plain = PruningFrame(dimension: layout.dimension, metric: layout.metric)
        guard section(IVFFile.frame) != nil else { return plain }
        let (d, stride) = (layout.dimension, layout.stride)
        let numbers = try section(IVFFile.frame, requiring: 4 * stride, count: 1 + d).array(of: Float.self)
        guard numbers.allSatisfy(\.isFinite), !layout.metric.comparesProducts else {
            throw .corrupt(
                "section FRAM is not a frame for the metric \(layout.metric.rawValue), or not of finite numbers")
        }
        return PruningFrame(
            dimension: d, metric: layout.metric, centre: Array(numbers[..<d]), rotation: Array(numbers[stride...]))
    }
}

extension RecallCalibration {
    fileprivate init(_ file: SectionFile, _ settings: IVFSettings) throws(KinError) {
        // A file from a release with different factors has no usable measurement: searches are exact until recall is
        // measured again.
        guard let recall = try file.recall() else {
            self.init()
            return
        }
        // Far above any real number, and far below overflow.
        let numbers = [settings.measuredCount, settings.measuredQueries, settings.measuredChanges]
        guard numbers.allSatisfy({ $0 < 1 << 60 }), (0...1).contains(settings.exactShare) else {
            throw .notMeasured
        }
        self.init(
            recall: recall, exactShare: settings.exactShare, measuredCount: Int(numbers[0]), queries: Int(numbers[1]),
            changes: Int(numbers[2]))
    }
}

extension KinError {
    fileprivate static var notMeasured: KinError {
        .corrupt("the recall in sections \(IVFFile.recall) and META cannot have been measured")
    }
}

extension SectionFile {
    /// The measured recall; nil without a measurement, or if this release uses different factors.
    fileprivate func recall() throws(KinError) -> MeasuredRecall? {
        let (widths, factors) = (RecallCalibration.widths, MeasuredRecall.factors)
        guard section(IVFFile.recall) != nil else { return nil }
        let entries = try array(IVFFile.recall, of: IVFRecallEntry.self)
        guard entries.count == widths.count * factors.count else { return nil }
        var measures: [[RecallCalibration.Measure]] = []
        for (i, k) in widths.enumerated() {
            let row = entries[i * factors.count..<(i + 1) * factors.count]
            guard zip(row, factors).allSatisfy({ $0.k == UInt64(k) && $0.factor == $1 }) else { return nil }
            measures.append(row.map { RecallCalibration.Measure(recall: $0.recall, error: $0.error) })
        }
        guard measures.allSatisfy({ $0.allSatisfy(\.isPlausible) }) else { throw .notMeasured }
        return MeasuredRecall(measures: measures)
    }
}

extension RecallCalibration.Measure {
    /// Whether both are valid values of a recall and its standard error.
    fileprivate var isPlausible: Bool { (0...1).contains(recall) && (0...1).contains(error) }
}

// MARK: - Lists

extension ListStore {
    fileprivate init(reading file: SectionFile, settings: IVFSettings, layout: RowLayout) throws(KinError) {
        var reader = try ListReader(file: file, layout: layout, lists: settings.listCount)
        let lists = try reader.lists()
        let boxes = try file.boxesOfLists(layout: layout, lists: lists.count)
        self.init(layout: layout, frame: try file.frame(layout), grids: reader.commonGrids, lists: lists, boxes: boxes)
        guard UInt64(count) == settings.count else {
            throw .corrupt("the lists hold \(count) vectors where section META says \(settings.count)")
        }
    }
}

extension SectionFile {
    fileprivate func boxesOfLists(layout: RowLayout, lists: Int) throws(KinError) -> BoxTable? {
        guard section(IVFFile.tableGrid) != nil else { return nil }
        let numbers = try section(IVFFile.tableGrid, requiring: 4 * (1 + layout.dimension), count: 1)
            .array(of: Float.self)
        guard let grid = BoxGrid(numbers: numbers) else { throw .notAGrid(IVFFile.tableGrid, 0) }
        let blocks = (lists + Kernels.blockRows - 1) / Kernels.blockRows
        let lows = try section(IVFFile.tableLows, requiring: layout.blockBytes, count: blocks)
        let highs = try section(IVFFile.tableHighs, requiring: layout.blockBytes, count: blocks)
        return unsafe BoxTable(
            dimension: layout.dimension, grid: grid, count: lists, lows: lows.start(of: UInt8.self),
            highs: highs.start(of: UInt8.self), mapping: image)
    }
}
