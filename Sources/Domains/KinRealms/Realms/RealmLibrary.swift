/// The clusters and realm index of one collection, used to generate worlds and place images.
///
///     var library = try RealmLibrary(clusters: RealmClusters(json: a), index: RealmIndex(json: b))
///     let world = try library.world(WorldRequest(name: "Quiet hills", goals: [.sleep], seed: 7))
///     let placement = try library.place(upload)
///     try library.insert(upload)
public struct RealmLibrary: Sendable, Equatable {
    /// The clusters of the collection.
    public internal(set) var clusters: RealmClusters
    /// The realm index of the collection.
    public internal(set) var index: RealmIndex

    /// Builds the library of a clustered collection.
    public init(of clustered: ClusteredImages) {
        clusters = clustered.clusters
        index = RealmIndex(of: clustered)
    }

    /// Creates a library from clusters and an index that were read.
    ///
    /// - Throws: `.malformedInput`, with the reason, if they do not belong to the same collection.
    public init(clusters: RealmClusters, index: RealmIndex) throws(KinError) {
        guard clusters.imageCount == index.images.count else {
            throw Self.mismatch(
                "the clusters have \(clusters.imageCount) images, the realm index \(index.images.count)")
        }
        for image in index.images where image.cluster >= clusters.clusters.count {
            throw Self.mismatch("image \(image.id) is in cluster \(image.cluster), which does not exist")
        }
        let sizes = Dictionary(index.images.map { ($0.cluster, 1) }, uniquingKeysWith: +)
        for cluster in clusters.clusters where cluster.size != sizes[cluster.id, default: 0] {
            throw Self.mismatch("the images in cluster \(cluster.id) are not those of the realm index")
        }
        for realm in index.realms where realm.centre.count != clusters.recipe.dimension {
            throw Self.mismatch(
                "the centre of realm \(realm.type) has \(realm.centre.count) dimensions, the recipe \(clusters.recipe.dimension)"
            )
        }
        self.clusters = clusters
        self.index = index
    }

    private static func mismatch(_ why: String) -> KinError {
        KinError(.malformedInput, "\(why); write both files from one collection")
    }
}
