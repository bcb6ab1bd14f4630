package import KinLinearAlgebra

/// The layout of an index: flat, or an inverted file.
package enum IndexLayout: Sendable, Equatable {
    case flat
    case lists(Partitioning)

    /// The layout that suits so many vectors.
    ///
    /// In an inverted file a search is exact as in a flat index and looks at a part of the vectors only. Below 10,000 vectors that
    /// part is most of them and a flat scan takes microseconds; in many dimensions a box around 64 vectors rules out little,
    /// while a flat scan of many queries at once is at its best.
    package static func automatic(count: Int, dimension: Int) -> IndexLayout {
        count >= 10_000 && dimension <= 64 ? .lists(.automatic) : .flat
    }

    /// An index without vectors in this layout.
    package func emptyIndex(dimension: Int, metric: Metric, attributes: AttributeSchema) -> any VectorIndex {
        switch self {
        case .flat: FlatIndex(dimension: dimension, metric: metric, attributes: attributes)
        case .lists(let partition):
            IVFIndex(dimension: dimension, metric: metric, partition: partition, attributes: attributes)
        }
    }
}
