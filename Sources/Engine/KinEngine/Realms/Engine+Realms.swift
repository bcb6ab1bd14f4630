public import KinCore
public import KinIndex
public import KinRealms
import KinStore

extension Engine {
    /// The clusters and realm index of the store's images; those with the default options are kept ready.
    ///
    /// - Parameter options: The options of clustering.
    /// - Throws: `.invalidArgument` for a store without images or with fewer than clusters; `.corruptFile`, `.inputOutput`.
    /// - Complexity: With the default options O(1), else and after a change of the images that of `RealmClusters`.
    public func realmLibrary(_ options: ClusterOptions = ClusterOptions()) throws(KinError) -> RealmLibrary {
        if options == ClusterOptions(), let library = try store.realmLibrary() { return library }
        return RealmLibrary(of: try ClusteredImages(store.imageCollection(), options: options))
    }

    /// Generates a world from the store's images.
    ///
    /// - Throws: As ``realmLibrary(_:)``, and `RealmLibrary.world(_:)`.
    public func world(_ request: WorldRequest) throws(KinError) -> RealmWorld { try realmLibrary().world(request) }

    /// Places an image among the realms and clusters of the store's images, and in a world's zones when there is one.
    ///
    /// - Throws: As ``realmLibrary(_:)``.
    public func place(_ analysis: ImageAnalysis, in world: RealmWorld? = nil) throws(KinError) -> ImagePlacement {
        try realmLibrary().place(analysis, in: world)
    }

    /// Ranks the store's images by their value for some goals: what a model says of an image and of its objects, and the
    /// focus of its cluster.
    ///
    /// - Parameters:
    ///   - goals: The goals.
    ///   - k: The largest number of images.
    ///   - variety: The diversity of the list, the limit of a realm, and the images to leave out.
    /// - Throws: As ``realmLibrary(_:)``.
    public func rankImages(
        for goals: [TherapeuticGoal], k: Int = 10, variety: ListVariety = .none
    ) throws(KinError) -> [RealmIndex.RankedImage] {
        try realmLibrary().index.images(for: goals, count: k, variety: variety)
    }
}
