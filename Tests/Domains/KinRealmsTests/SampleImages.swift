import KinSamples

/// Albums of generated images.
enum SampleImages {
    /// The first images of a generator, with their kinds.
    static func collection(_ count: Int, seed: UInt64 = 5) throws -> (collection: ImageCollection, kinds: [Int]) {
        let generator = ImageAnalysisGenerator(seed: seed)
        var collection = ImageCollection()
        var kinds: [Int] = []
        for number in 0..<count {
            let image = generator.image(number)
            try collection.append(image.analysis)
            kinds.append(image.kind)
        }
        return (collection, kinds)
    }

    static func library(_ count: Int, seed: UInt64 = 5) throws -> RealmLibrary {
        try RealmLibrary(
            of: ClusteredImages(collection(count, seed: seed).collection, options: ClusterOptions(k: 10, restarts: 2)))
    }
}
