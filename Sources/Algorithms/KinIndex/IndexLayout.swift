/// The layout of the vectors of a ``VectorIndex``.
///
///     let small = VectorIndex(dimension: 16, layout: .flat)
///     let large = VectorIndex(dimension: 16, layout: .automatic(count: 1_000_000, dimension: 16))
///     large.layout.isFlat    // false
///
/// In every layout an exact search returns the result of a scan in double precision. The layout affects only time and
/// memory.
public enum IndexLayout: Sendable, Hashable {
    /// No structure: a search screens the codes of all vectors. Suitable for up to about 10,000 vectors, and for data
    /// without clusters.
    case flat
    /// Inverted lists, divided by the default method. At present this is ``medianSplits``, which is the fastest to
    /// build and prunes as well as k-means lists.
    case lists
    /// Lists of at most 4,096 vectors, halved at the median of the coordinate that varies most.
    case medianSplits
    /// One list around each of this number of k-means centroids, fitted once there are enough vectors. Lists that
    /// exceed 4,096 vectors are divided.
    case centroids(Int)

    /// Whether this is the flat layout.
    public var isFlat: Bool { self == .flat }

    /// The layout that suits a number of vectors: ``lists`` from 10,000 vectors with at most 64 dimensions, otherwise
    /// ``flat``.
    ///
    /// A search in lists is also exact, but reads only part of the vectors. Below 10,000 vectors it reads most of them,
    /// and a flat scan takes microseconds. With many dimensions, a box around 64 vectors excludes little, while a flat
    /// scan of many queries at once is most efficient.
    public static func automatic(count: Int, dimension: Int) -> IndexLayout {
        count >= 10_000 && dimension <= 64 ? .lists : .flat
    }
}
