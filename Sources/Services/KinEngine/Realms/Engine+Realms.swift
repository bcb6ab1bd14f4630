public import KinCore
public import KinRealms
import KinStore

extension Engine {
    /// The clusters and realm index of the store's images.
    ///
    /// - Parameter options: The options of clustering.
    /// - Throws: `.invalidArgument` for fewer images than clusters; `.corruptFile`, `.inputOutput`.
    public func realmLibrary(_ options: ClusterOptions = ClusterOptions()) throws(KinError) -> RealmLibrary {
        RealmLibrary(of: try ClusteredImages(store.imageCollection(), options: options))
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

    /// Ranks the store's images by their value for some goals.
    ///
    /// - Throws: As ``realmLibrary(_:)``.
    public func rankImages(for goals: [TherapeuticGoal], k: Int = 10) throws(KinError) -> [RealmIndex.RankedImage] {
        try realmLibrary().index.images(for: goals, count: k)
    }

    /// The categories of the objects in the store's images: counts, valence and focus.
    ///
    /// - Throws: `.corruptFile`, `.inputOutput`.
    public func categories() throws(KinError) -> [CategorySummary] { try store.imageCollection().categorySummaries }
}
