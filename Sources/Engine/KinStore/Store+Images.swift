extension Store {
    /// Inserts or replaces image analyses by id. If this throws, no analysis is stored.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ images: [ImageAnalysis]) throws(KinError) {
        try putAll(images, "images")
    }

    /// The analysis of the image with this id; nil if there is no such image.
    ///
    /// - Throws: `.corruptFile` if it is damaged; `.inputOutput`.
    public nonisolated func image(_ id: String) throws(KinError) -> ImageAnalysis? {
        try read("read image \(id)") {
            try RecordQuery<ImageAnalysis>("WHERE image.id = ?", [.id(id, "image")]).first(in: $0)
        }
    }

    /// All images as a collection, by ascending id; the analyses are read one at a time.
    ///
    /// - Throws: As ``image(_:)``.
    public nonisolated func imageCollection() throws(KinError) -> ImageCollection {
        try read("read the collection") { try ImageCollection(in: $0) }
    }
}

extension ImageAnalysis: StoredRecord {
    static let table = RecordTable<ImageAnalysis>("image", .text("id", \.id), order: ["id"])
    static let idPaths = [["image_id"]]
    static func isRecognized(by members: [String]) -> Bool { members.contains("detected_objects") }
}
