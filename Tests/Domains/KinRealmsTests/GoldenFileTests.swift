import Foundation
import KinRealms
import Testing

/// The files in `Golden` were written when version 1 of their formats was fixed, and are never written again.
@Suite("Files of version 1")
struct RealmGoldenFileTests {
    private func golden(_ name: String) throws -> String {
        let place = try #require(Bundle.module.url(forResource: "Golden/\(name)", withExtension: "json"))
        return try String(contentsOf: place, encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    @Test func areReadAndWrittenAsTheyWere() throws {
        let clusters = try golden("clusters-1")
        #expect(try RealmClusters(json: clusters).json == clusters)
        let index = try golden("realm_index-1")
        #expect(try RealmIndex(json: index).json == index)
        let world = try golden("world-1")
        #expect(try RealmWorld(json: world).json == world)
    }

    @Test func stillMakeTheSameWorld() throws {
        let world = try RealmWorld(json: golden("world-1"))
        let library = try RealmLibrary(
            clusters: RealmClusters(json: golden("clusters-1")), index: RealmIndex(json: golden("realm_index-1")))
        #expect(try library.world(world.request).json == world.json)
    }
}
