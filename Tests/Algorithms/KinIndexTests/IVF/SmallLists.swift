@testable import KinIndex

extension VectorIndex {
    /// An index whose lists hold at most 2^shift vectors, so that few vectors make many lists.
    init(
        smallListsOf dimension: Int, metric: Metric = .squaredL2, partition: IndexLayout = .lists, shift: Int = 9
    ) {
        let layout = RowLayout(dimension: dimension, metric: metric, chunkShift: shift)
        self.init(rows: .lists(InvertedFile(layout: layout, division: partition)))
    }

    /// The inverted lists of an index that has them.
    var lists: InvertedFile { invertedFile! }

    /// The rows of a flat index.
    var flat: FlatRows { rows.flat! }
}

extension Partition {
    /// The k-means lists; nil for a median tree.
    var centroidLists: CentroidLists? {
        if case .centroidLists(let lists) = self { lists } else { nil }
    }
}
