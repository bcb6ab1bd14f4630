import KinCore
import KinRealms
import KinSamples
import KinStore
import Testing

@Suite("Images in a store")
struct ImageTests {
    private let folder = StoreFolder()

    private let images = (0..<12).map { ImageAnalysisGenerator(seed: 2).image($0).analysis }

    @Test func analysesSurviveARoundTrip() async throws {
        let store = try folder.open()
        try await store.put(images)
        #expect(try store.image("image-3") == images[3])
        #expect(try store.image("image-99") == nil)
        #expect(try store.imageCollection().ids == images.map(\.id).sorted())
        #expect(try await store.remove("image", key: ["id": "image-3"]))
        #expect(try store.imageCollection().count == 11)
        #expect(try store.check().counts["image"] == 11)
    }

    @Test func analysesAreExportedAndImported() async throws {
        let store = try folder.open()
        let lines = images.prefix(6).map(\.json) + images.suffix(6).map { "{\"image\":\($0.json)}" }
        #expect(try await store.importLines(lines.joined(separator: "\n"), now: hour(0)) == ["image": 12])
        #expect(try store.image("image-11") == images[11])
        await #expect(throws: KinError.self) {
            try await store.importLines("{\"detected_objects\":[]}", now: hour(0))
        }
    }
}
