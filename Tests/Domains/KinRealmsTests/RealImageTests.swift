import KinRealms
import KinTestSupport
import Testing

/// Real images: COCO's boxes, whose names, categories and places come from human annotators. Values, moods and realm
/// types come from the converter's table.
@Suite struct RealImageTests {
    /// The images in a seeded order.
    private func images() throws -> [ImageAnalysis] {
        let categories = try RealData.rows(of: "coco-val2017-boxes/categories.csv")
            .map { BoxConverter.Category(name: String($0[1]), group: String($0[2])) }
        var boxes: [String: [BoxConverter.Box]] = [:]
        for fields in try RealData.rows(of: "coco-val2017-boxes/boxes.csv") {
            let sides = fields[2...].map { Float($0)! }
            let box = try DetectedObject.BoundingBox(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
            boxes[String(fields[0]), default: []].append((categories[Int(fields[1])!], box, 1))
        }
        var random = SeededGenerator(seed: 11)
        return try boxes.keys.sorted().map { try BoxConverter().analysis(image: $0, boxes: boxes[$0]!) }
            .shuffled(using: &random)
    }

    @Test("a supercategory has the same meaning as a category, and other categories have none")
    func supercategories() throws {
        func analysis(_ name: String, _ group: String) throws -> ImageAnalysis {
            let box = try DetectedObject.BoundingBox(x: 0, y: 0, width: 4, height: 4)
            let category = BoxConverter.Category(name: name, group: group)
            return try BoxConverter().analysis(image: "a", boxes: [(category, box, 1)])
        }
        for name in [
            "person", "vehicle", "outdoor", "animal", "accessory", "sports", "kitchen", "food", "furniture",
            "electronic", "appliance", "indoor", "Person",
        ] {
            let known = try analysis("thing", name)
            // Roboflow and CVAT write such supercategories.
            for group in ["", "none", name] {
                let found = try analysis(name, group)
                #expect(found.values == known.values && found.mood == known.mood, "\(name), \(group)")
                #expect(found.realmTypes == known.realmTypes, "\(name), \(group)")
                #expect(BoxConverter.isKnown(BoxConverter.Category(name: name, group: group)))
            }
            #expect(known.values != (try analysis("thing", "").values), "\(name)")
        }
        for (name, group) in [("thing", ""), ("thing", "none"), ("", "")] {
            #expect(!BoxConverter.isKnown(BoxConverter.Category(name: name, group: group)))
        }
    }

    private func library(_ images: [ImageAnalysis]) throws -> RealmLibrary {
        var collection = ImageCollection()
        for image in images { try collection.append(image) }
        return try RealmLibrary(
            of: ClusteredImages(collection, options: ClusterOptions(k: 16, restarts: 1, maximumIterations: 10)))
    }

    /// With the suggestions of a model, and for uploads without any.
    @Test(.enabled(if: RealData.has("coco-val2017-boxes"), "skipped: no data"), arguments: [true, false])
    func heldOutImagesArePlacedLikeARefit(_ isSuggesting: Bool) throws {
        var images = try images()
        #expect(images.count == 3_344)
        let split = images.count - 400
        if !isSuggesting {
            for i in split..<images.count {
                images[i] = try ImageAnalysis(
                    id: images[i].id, objects: images[i].objects, mood: images[i].mood, values: images[i].values)
            }
        }
        let (part, whole) = try (library(Array(images[..<split])), library(images))
        let same = try images[split...].count { image in
            try part.place(image).realm.realm == whole.place(image).realm.realm
        }
        #expect(Double(same) >= 0.95 * 400, "\(same) of 400")
    }
}
