import KinCore
import KinLinearAlgebra

@testable import KinIndex

extension IVFIndex {
    /// An index whose lists hold at most 2^shift vectors, so that few vectors make many lists.
    init(
        smallListsOf dimension: Int, metric: Metric = .squaredL2, partition: Partitioning = .automatic, shift: Int = 9
    ) {
        self.init(
            layout: RowLayout(dimension: dimension, metric: metric, chunkShift: shift), partition: partition)
    }
}

extension Partition {
    /// The k-means lists, if the partition is of these.
    var centroidLists: CentroidLists? {
        if case .centroidLists(let lists) = self { lists } else { nil }
    }
}
