import GRDB

/// The clusters and realm index of all images, cached in memory and saved in the index folder. Choosing the number of
/// clusters takes seconds for a few thousand images.
///
/// A changed image may change every cluster, so the library is then derived from all images again.
struct CachedLibrary: SavedValue {
    static var sources: [RecordKind] { [ImageAnalysis.kind] }

    /// The library; nil without images.
    let library: RealmLibrary?

    init(for key: SingletonKey, in database: Database) throws {
        let collection = try ImageCollection(in: database)
        library = collection.count == 0 ? nil : RealmLibrary(of: try ClusteredImages(collection))
    }

    /// An image takes about 400 bytes with its values, and an object 130 with its words, box and scores.
    var byteCount: Int { 65_536 + (library.map { $0.clusters.objectCount * 130 + $0.index.images.count * 400 } ?? 0) }

    static var savedKeys: [SingletonKey] { [.only] }
    static func fileName(for key: SingletonKey) -> String { "realms" }
    static var fileKind: FourCharacterCode { "RLMS" }
    static var fileVersion: FormatVersion { FormatVersion(major: 2, minor: 0) }
    private static var clusterTag: FourCharacterCode { "CLUS" }
    private static var indexTag: FourCharacterCode { "RIDX" }

    init(for key: SingletonKey, file: SectionFile) throws(KinError) {
        let clusters = String(decoding: try file.array(Self.clusterTag, of: UInt8.self), as: UTF8.self)
        let index = String(decoding: try file.array(Self.indexTag, of: UInt8.self), as: UTF8.self)
        library =
            clusters.isEmpty
            ? nil : try RealmLibrary(clusters: RealmClusters(json: clusters), index: RealmIndex(json: index))
    }

    func write(to writer: inout SectionFileWriter) throws(KinError) {
        let texts = library.map { ($0.clusters.json, $0.index.json) } ?? ("", "")
        try writer.write(Array(texts.0.utf8).span, to: Self.clusterTag)
        try writer.write(Array(texts.1.utf8).span, to: Self.indexTag)
    }

    func agrees(with anew: CachedLibrary) throws(KinError) -> Bool { library == anew.library }
}

/// The cached categories of the objects in all images.
struct CachedCategories: DerivedValue {
    static var sources: [RecordKind] { [ImageAnalysis.kind] }

    let categories: [CategorySummary]

    init(for key: SingletonKey, in database: Database) throws {
        categories = try ImageCollection(in: database).categorySummaries
    }

    var byteCount: Int { 256 + categories.count * 200 }
}

extension ImageCollection {
    /// All images of a store by ascending id; the analyses are read one at a time.
    init(in database: Database) throws {
        self.init()
        try RecordQuery<ImageAnalysis>("ORDER BY id").forEach(in: database) { image, _ in try append(image) }
    }
}

extension Store {
    /// The cached clusters and realm index of all images with the default options; nil without images.
    ///
    /// - Throws: `.corruptFile` if an image is damaged; `.inputOutput`.
    /// - Complexity: O(1); as `RealmClusters` after a change of the images.
    public nonisolated func realmLibrary() throws(KinError) -> RealmLibrary? {
        try derived(CachedLibrary.self, for: .only).library
    }

    /// The cached categories of the objects in all images.
    ///
    /// - Throws: As ``image(_:)``.
    /// - Complexity: O(1); O(images) after a change of the images.
    public nonisolated func categories() throws(KinError) -> [CategorySummary] {
        try derived(CachedCategories.self, for: .only).categories
    }
}
