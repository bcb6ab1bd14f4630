@testable import KinIndex

extension VectorIndex {
    /// An index whose lists hold at most 2^shift vectors, so that few vectors make many lists; or a flat index.
    init(
        smallListsOf dimension: Int, metric: Metric = .squaredL2, partition: IndexLayout = .lists, shift: Int = 9
    ) {
        if partition.isFlat {
            self.init(dimension: dimension, metric: metric, layout: partition)
            return
        }
        let layout = RowLayout(dimension: dimension, metric: metric, chunkShift: shift)
        self.init(rows: .lists(InvertedFile(layout: layout, division: partition)))
    }

    /// A flat index of the rows of a matrix.
    init(flat vectors: Matrix<Float>, metric: Metric = .squaredL2) throws {
        self.init(dimension: vectors.columns, metric: metric, layout: .flat)
        try append(vectors)
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
