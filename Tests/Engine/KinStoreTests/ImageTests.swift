import Foundation
import KinSamples
import KinStore
import Testing

@Suite("Images in a store")
struct ImageTests {
    private let folder = StoreFolder()

    private let images = (0..<12).map { ImageAnalysisGenerator(seed: 2).image($0).analysis }

    /// Parts that a vision model got wrong are left out and counted; the rest of the image and all others are stored.
    @Test func invalidPartsOfImagesAreLeftOutAndCounted() async throws {
        let box = #""bounding_box":{"x":1,"y":2,"width":3,"height":4}"#
        let good = #"{"name":"oak","category":"tree",\#(box),"confidence":0.9}"#
        func image(_ objects: [String], _ others: String = "") -> String {
            #"{"image_id":"a","detected_objects":[\#(objects.joined(separator: ","))]\#(others)}"#
        }
        let objects = [
            good.replacing("0.9", with: "1.4"), good.replacing("0.9", with: "\"high\""),
            good.replacing(",\(box)", with: ""), good.replacing("\"width\":3", with: "\"width\":-3"),
            good.replacing("0.9", with: #"0.9,"calming_score":2"#),
            good.replacing("0.9", with: #"0.9,"emotional_valence":-3"#), "7", "{}",
        ]
        var cases = objects.map { (image([$0, good]), ["image": 1, "refused_objects": 1]) }
        cases += [
            (image([good], #","therapeutic_value":{"sleep":1.8,"focus":0.5}"#), ["image": 1, "refused_values": 1]),
            (image([good], #","dominant_colors":[{"hex":"red","share":1}]"#), ["image": 1, "refused_values": 1]),
            (image([good], #","weather":1,"therapeutic_value":{"luck":1}"#), ["image": 1, "unknown_keys": 2]),
            (image([good.replacing("0.9", with: #"0.9,"mood":1"#)]), ["image": 1, "unknown_keys": 1]),
            (image([good]), ["image": 1]),
        ]
        let path = "\(folder.path)/images.jsonl"
        for (image, counts) in cases {
            for line in [image, "{\"image\":\(image)}"] {
                let store = try Store()
                #expect(try await store.importArray("[\(line)]", now: hour(0)) == counts, "\(line)")
                #expect(try store.image("a")?.objects.map(\.name) == ["oak"], "\(line)")
                #expect(try store.check().isIntact)
                try Data("\(line)\n\(images[0].json)\n".utf8).write(to: URL(filePath: path))
                for threads in [1, 2] {
                    let read = try await store.importLines(from: path, now: hour(0), threads: threads)
                    #expect(read == counts.merging(["image": 2]) { $1 })
                }
            }
        }
        // An image without an id or a list of objects is refused, and nothing is stored.
        for broken in [#"{"detected_objects":[]}"#, #"{"image_id":"b","detected_objects":1}"#] {
            let store = try Store()
            await #expect(throws: KinError.self) {
                try await store.importArray("[\(cases[0].0),\(broken)]", now: hour(0))
            }
            #expect(try store.imageCollection().count == 0)
        }
    }
}
