import KinClustering
import KinCore
import KinRealms
import KinSamples
import KinTestSupport
import Testing

@Suite struct RealmIndexTests {
    @Test func imagesAreListedUnderWhatFits() throws {
        let library = try SampleImages.library(400)
        #expect(Set(library.index.realms.map(\.type)) == Set(ImageAnalysisGenerator.realmTypes))
        var listed = Set<Int>()
        for realm in library.index.realms {
            #expect(zip(realm.entries, realm.entries.dropFirst()).allSatisfy { $0.score >= $1.score })
            #expect(Set(realm.entries.map(\.image)).count == realm.entries.count)
            #expect(realm.entries.allSatisfy { $0.score > 0 && $0.score <= 1 })
            listed.formUnion(realm.entries.map(\.image))
        }
        #expect(listed.count == 400)
        // The first realm of an image is the one it was made for, nearly always.
        let generator = ImageAnalysisGenerator(seed: 5)
        let right = (0..<400).count { row in
            let scores = library.index.realms.map { realm in realm.entries.first { $0.image == row }?.score ?? 0 }
            let best = scores.indices.max { scores[$0] < scores[$1] }!
            return library.index.realms[best].type == ImageAnalysisGenerator.realmTypes[generator.image(row).kind]
        }
        #expect(right > 360)
    }

    @Test func withoutSuggestionsClustersAreRealms() throws {
        var collection = ImageCollection()
        let generator = ImageAnalysisGenerator(seed: 1)
        for number in 0..<120 {
            let image = generator.image(number).analysis
            try collection.append(ImageAnalysis(id: image.id, objects: image.objects, values: image.values))
        }
        let library = try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 5)))
        #expect(library.index.realms.map(\.type).sorted() == library.clusters.clusters.map(\.name).sorted())
        let world = try library.world(WorldRequest(name: "W", realms: 2))
        #expect(world.realms.count == 2)
    }

    @Test func imagesAreRankedForGoals() throws {
        let library = try SampleImages.library(300)
        let generator = ImageAnalysisGenerator(seed: 5)
        let goals: [TherapeuticGoal] = [.sleep, .painRelief]
        let truth = (0..<300).map { number -> (String, Double) in
            let analysis = generator.image(number).analysis
            return (
                analysis.id,
                (((Double(analysis.values[.sleep]) + Double(analysis.values[.painRelief])) / 2) * 1e6).rounded() / 1e6
            )
        }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let found = library.index.images(for: goals, count: 20)
        #expect(found.map(\.id) == truth.prefix(20).map(\.0))
        #expect(zip(found, truth).allSatisfy { abs($0.score - $1.1) < 1e-5 })
        #expect(library.index.images(for: [], count: 5).isEmpty)
    }
}
