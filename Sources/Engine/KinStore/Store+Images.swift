public import KinCore
import KinJSON
public import KinRealms

extension Store {
    /// Inserts or replaces image analyses by id: all of them or, when this throws, none.
    ///
    /// - Throws: `.inputOutput`.
    public func put(_ images: [ImageAnalysis]) throws(KinError) {
        try putAll(images, "images")
    }

    /// The analysis of the image with this id, or nil.
    ///
    /// - Throws: `.corruptFile` when it is not as it was written; `.inputOutput`.
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
