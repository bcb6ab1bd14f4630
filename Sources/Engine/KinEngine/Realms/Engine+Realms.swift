extension Engine {
    /// The clusters and realm index of the store's images; the library with the default options is cached.
    ///
    /// - Parameter options: The options of clustering.
    /// - Throws: `.invalidArgument` for a store without images or with fewer images than clusters; `.corruptFile`,
    ///   `.inputOutput`.
    /// - Complexity: O(1) with the default options; as `RealmClusters` with other options and after a change of the
    ///   images.
    public func realmLibrary(_ options: ClusterOptions = ClusterOptions()) throws(KinError) -> RealmLibrary {
        if options == ClusterOptions(), let library = try store.realmLibrary() { return library }
        return RealmLibrary(of: try ClusteredImages(store.imageCollection(), options: options))
    }

    /// Ranks the store's images by their value for some goals, from the model's values for the image and its objects
    /// and the focus of its cluster.
    ///
    /// - Parameters:
    ///   - goals: The goals.
    ///   - k: The largest number of images, 0 or more.
    ///   - variety: The diversity of the list, the limit per realm, and the images to exclude.
    /// - Throws: As ``realmLibrary(_:)``; `.invalidArgument` for k.
    public func rankImages(
        for goals: [TherapeuticGoal], k: Int = 10, variety: ListVariety = .none
    ) throws(KinError) -> [RealmIndex.RankedImage] {
        try KinError.requireCount(k, "k")
        try TherapeuticGoal.require(goals)
        return try realmLibrary().index.images(for: goals, count: k, variety: variety)
    }
}
