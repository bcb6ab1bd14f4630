import Foundation
import KinRealms
import KinTestSupport
import Testing

/// The files in `Golden` were written when version 1 of their formats was fixed, and are never rewritten.
@Suite("Files of format version 1")
struct RealmGoldenFileTests {
    private func golden(_ name: String) throws -> String {
        try String(decoding: Bundle.module.golden(name + ".json"), as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    @Test func versionOneFilesSurviveARoundTrip() throws {
        let clusters = try golden("clusters-1")
        #expect(try RealmClusters(json: clusters).json == clusters)
        let index = try golden("realm_index-1")
        #expect(try RealmIndex(json: index).json == index)
        let world = try golden("world-1")
        #expect(try RealmWorld(json: world).json == world)
    }

    /// In version 1 an image counted only with its own value. From version 2 on, a quarter comes from its cluster.
    @Test func versionOneCountsOnlyAnImagesOwnValues() throws {
        let library = try RealmLibrary(
            clusters: RealmClusters(json: golden("clusters-1")), index: RealmIndex(json: golden("realm_index-1")))
        var differs = false
        for realm in library.index.realms {
            let contents = library.contents(of: realm)
            let weight = realm.entries.reduce(0) { $0 + $1.score }
            for goal in TherapeuticGoal.allCases where weight > 0 {
                var (own, mixed) = (0.0, 0.0)
                for entry in realm.entries {
                    let image = library.index.images[entry.image]
                    let focus = Double(library.clusters.clusters[image.cluster].focus[goal])
                    own += entry.score * Double(image.ownValues[goal]) / weight
                    mixed += entry.score * (0.75 * Double(image.ownValues[goal]) + 0.25 * focus) / weight
                }
                #expect(abs(Double(contents.values[goal]) - own) < 1e-5)
                differs = differs || abs(own - mixed) > 1e-3
            }
        }
        #expect(differs)
    }

    @Test func theSameRequestGivesTheGoldenWorld() throws {
        // Release 0.3.0 changed the sizes of zones: the first world is still read, the second is generated.
        let world = try RealmWorld(json: golden("world-2"))
        let library = try RealmLibrary(
            clusters: RealmClusters(json: golden("clusters-1")), index: RealmIndex(json: golden("realm_index-1")))
        #expect(try library.world(world.request).json == world.json)
    }
}
