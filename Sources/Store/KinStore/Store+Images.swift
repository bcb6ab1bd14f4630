public import KinCore
public import KinRealms

extension Store {
    /// Puts analyses of images in: new ids are added, those that are there get the new form. All of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ images: [ImageAnalysis]) throws(KinError) {
        try write("put in \(images.count) images") { transaction in
            for image in images { try transaction.put(image) }
        }
    }

    /// Takes an image's analysis out.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `.inputOutput`.
    @discardableResult
    public func removeImage(_ id: String) throws(KinError) -> Bool {
        try write("remove image \(id)") { try $0.remove(.image, key: [.id(id, "image")]) }
    }

    /// The analysis of the image with this id, or nil.
    ///
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
    public nonisolated func image(_ id: String) throws(KinError) -> ImageAnalysis? {
        try read("read image \(id)") {
            try RecordQuery<ImageAnalysis>("WHERE image.id = ?", [.id(id, "image")]).first(in: $0)
        }
    }

    /// All images as a collection, by ascending id: analyses pass through one by one.
    ///
    /// - Throws: As ``image(_:)``.
    public nonisolated func imageCollection() throws(KinError) -> ImageCollection {
        try read("read the collection") { database in
            var collection = ImageCollection()
            try RecordQuery<ImageAnalysis>("ORDER BY id").forEach(in: database) { image, _ in
                try collection.append(image)
                return true
            }
            return collection
        }
    }
}
