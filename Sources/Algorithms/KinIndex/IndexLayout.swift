/// The layout of the vectors of a ``VectorIndex``.
///
/// In every layout an exact search returns the result of a scan in double precision. The layout affects time and memory only.
public enum IndexLayout: Sendable, Hashable {
    /// No structure: a search screens the codes of all vectors. Suits up to about 10,000 vectors, and data without clusters.
    case flat
    /// Inverted lists, divided by the default method: at present ``medianSplits``, which build fastest and prune as well as k-means lists.
    case lists
    /// Lists of at most 4,096 vectors, halved at the median of the coordinate that varies most.
    case medianSplits
    /// One list around each of this number of k-means centroids, found once there are enough vectors; lists that outgrow 4,096 vectors
    /// are divided.
    case centroids(Int)

    /// Whether this is the flat layout.
    public var isFlat: Bool { self == .flat }

    /// The layout that suits a number of vectors: ``lists`` from 10,000 vectors of at most 64 dimensions on, else ``flat``.
    ///
    /// A search in lists is exact too, and reads a part of the vectors only. Below 10,000 vectors that part is most of them, and a flat scan
    /// takes microseconds. In many dimensions a box around 64 vectors excludes little, while a flat scan of many queries at once is at its best.
    public static func automatic(count: Int, dimension: Int) -> IndexLayout {
        count >= 10_000 && dimension <= 64 ? .lists : .flat
    }
}
