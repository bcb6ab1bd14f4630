import KinSamples
import KinTestSupport
import Testing

@testable import KinRealms

@Suite struct RealmIndexTests {
    @Test func imagesAreListedUnderMatchingRealms() throws {
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
        // The first realm of an image is nearly always the one it was generated for.
        let generator = ImageAnalysisGenerator(seed: 5)
        let right = (0..<400).count { row in
            let scores = library.index.realms.map { realm in realm.entries.first { $0.image == row }?.score ?? 0 }
            let best = scores.indices.max { scores[$0] < scores[$1] }!
            return library.index.realms[best].type == ImageAnalysisGenerator.realmTypes[generator.image(row).kind]
        }
        #expect(right > 360)
    }

    /// Spellings of a realm type are one type: in clusters in any order, in placements, insertions and themes.
    @Test func spellingsOfARealmTypeAreOneType() throws {
        let spellings = ["Night Sky", "night_sky", "nightSky", "NIGHT-SKY"]
        func image(_ number: Int, _ types: [String]) throws -> ImageAnalysis {
            let image = ImageAnalysisGenerator(seed: 5).image(number).analysis
            return try ImageAnalysis(
                id: image.id, objects: image.objects, mood: image.mood, values: image.values, realmTypes: types)
        }
        let suggested: [String] = (0..<32).map { $0 % 2 == 0 ? spellings[$0 / 2 % 4] : "Garden" }
        func clustered(_ order: some Sequence<Int>) throws -> RealmLibrary {
            var collection = ImageCollection()
            for number in order { try collection.append(image(number, [suggested[number], "night sky"])) }
            return try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 2)))
        }
        var library = try clustered(0..<32)
        for order in [Array((0..<32).reversed()), (0..<32).map { $0 * 7 % 32 }] {
            #expect(try types(of: clustered(order)) == ["garden", "night sky"])
        }
        #expect(types(of: library) == ["garden", "night sky"])
        for (number, spelling) in spellings.enumerated() {
            #expect(try image(0, [spelling, "garden", spellings[0]]).realmTypes.count == 2)
            let new = try image(100 + number, ["fog", spelling])
            let placement = try library.place(new)
            #expect(placement.realms.first { $0.realm == "night sky" }?.suggestion == 1)
            #expect(placement.reasons[0].contains("suggests night sky in place 2, and first of the realms here"))
            let weight = library.index.realm(spelling)?.weight ?? 0
            try library.insert(new)
            #expect(try abs(#require(library.index.realm("night sky")).weight - weight - 0.5) < 1e-5)
            let world = try library.world(WorldRequest(name: "W", theme: spelling, realms: 1))
            #expect(world.isThemeKnown && world.realms.map(\.type) == ["night sky"])
        }
        // A file of an older version with two spellings: both stay realms, and a type is the nearest spelling's.
        let json = library.index.json.replacing("\"night sky\":", with: "\"night_sky\":")
            .replacing("\"garden\":", with: "\"nightsky\":")
        let old = try RealmIndex(json: json)
        #expect(old.json == json && old.realm("nightSky")?.type == "nightsky")
        #expect(old.realm("night_sky")?.type == "night_sky" && old.realm("NIGHT-SKY") != nil)
    }

    private func types(of library: RealmLibrary) -> [String] { library.index.realms.map(\.type) }

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

    /// The score of an image, recomputed from its analysis: the image's value, its objects' values, and the focus of
    /// its cluster.
    @Test func imagesAreRankedForGoals() throws {
        let library = try SampleImages.library(300)
        let generator = ImageAnalysisGenerator(seed: 5)
        let goals: [TherapeuticGoal] = [.sleep, .painRelief]
        let analyses = (0..<300).map { generator.image($0).analysis }
        let own = analyses.map { analysis in
            goals.reduce(0) { $0 + (Double(analysis.values[$1]) + seen(analysis, $1)) / 2 } / Double(goals.count)
        }
        let clusters = library.index.images.map(\.cluster)
        let truth = analyses.indices.map { number -> (id: String, score: Double) in
            let members = clusters.indices.filter { clusters[$0] == clusters[number] }
            let focus = members.reduce(0) { $0 + own[$1] } / Double(members.count)
            return (analyses[number].id, 0.75 * own[number] + 0.25 * focus)
        }.sorted { $0.score > $1.score }
        let found = library.index.images(for: goals, count: 300)
        #expect(found.count == 300 && found.first?.id == truth[0].id)
        #expect(zip(found, truth).allSatisfy { abs($0.score - $1.score) < 1e-5 })
        #expect(library.index.images(for: [], count: 5).isEmpty)
        // The focus of a cluster in its file equals the focus in the ranking.
        for cluster in library.clusters.clusters {
            let members = clusters.indices.filter { clusters[$0] == cluster.id }
            let mean =
                members.reduce(0) { $0 + Double(library.index.images[$1].ownValues[.sleep]) } / Double(members.count)
            #expect(abs(Double(cluster.focus[.sleep]) - mean) < 1e-5)
        }
    }

    /// A large cluster number in a file does not allocate memory.
    @Test func hugeClusterNumbersAllocateNoMemory() throws {
        let index = try SampleImages.library(60).index
        let cluster = try #require(index.images.first).cluster
        let json = index.json.replacing("\"cluster\":\(cluster),", with: "\"cluster\":\(1 << 40),")
        #expect(try RealmIndex(json: json).images(for: [.sleep], count: 60) == index.images(for: [.sleep], count: 60))
    }

    private func seen(_ analysis: ImageAnalysis, _ goal: TherapeuticGoal) -> Double {
        let area = analysis.objects.reduce(0) { $0 + Double($1.box.area) }
        var (sum, total) = (0.0, 0.0)
        for object in analysis.objects {
            let weight = Double(object.confidence) * max(Double(object.box.area) / area, 0.02)
            let associated = object.associations.contains(goal) ? 1.0 : 0
            let isCalming = [.anxietyRelief, .stressRelief, .sleep].contains(goal)
            sum += weight * (isCalming ? (associated + Double(object.calming!)) / 2 : associated)
            total += weight
        }
        return sum / total
    }

    private func image(
        _ id: String, _ category: String, _ associations: [TherapeuticGoal] = [], calming: Float? = nil,
        sleep: Float = 0
    ) throws -> ImageAnalysis {
        var values = GoalValues()
        values[.sleep] = sleep
        let box = try DetectedObject.BoundingBox(x: 1, y: 2, width: 30, height: 40)
        return try ImageAnalysis(
            id: id,
            objects: [
                DetectedObject(
                    name: category, category: category, box: box, confidence: 0.5, associations: associations,
                    valence: calming, calming: calming)
            ], values: values, realmTypes: ["home"])
    }

    /// Images with model scores for their objects only, together with images without any score.
    @Test func imagesWithScoresOfObjectsOnlyAreFound() throws {
        var collection = ImageCollection()
        for number in 0..<8 { try collection.append(image("street-\(number)", "car")) }
        try collection.append(image("bed-valued", "bed", sleep: 0.9))
        try collection.append(image("bed-associated", "bed", [.sleep]))
        try collection.append(image("bed-calm", "bed", calming: 0.8))
        try collection.append(image("bed-silent", "bed"))
        let library = try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 2, restarts: 2)))
        let found = library.index.images(for: [.sleep], count: 20)
        // The images' own values are 1, 0.9, 0.4 and 0; the focus of the beds is their mean.
        #expect(found.map(\.id) == ["bed-associated", "bed-valued", "bed-calm", "bed-silent"])
        for (image, own) in zip(found, [1, 0.9, 0.4, 0]) {
            #expect(abs(image.score - (0.75 * own + 0.25 * 0.575)) < 1e-5)
        }
        #expect(library.index.images(for: [.anxietyRelief], count: 1).first?.id == "bed-calm")
        #expect(library.index.images(for: [.energy], count: 9).isEmpty)
        let home = try #require(library.index.realm("home"))
        #expect(library.contents(of: home).values[.sleep] > 0)
        #expect(
            abs(library.index.value(of: home, for: [.sleep]) - Double(library.contents(of: home).values[.sleep])) < 1e-5
        )
        let read = try RealmIndex(json: library.index.json)
        #expect(read == library.index && read.images(for: [.sleep], count: 20) == found)
        // A world for sleep selects the beds more often than a world without a goal.
        func beds(_ goals: [TherapeuticGoal]) throws -> Int {
            try (UInt64(0)..<40).reduce(0) { sum, seed in
                let world = try library.world(WorldRequest(name: "W", goals: goals, realms: 1, seed: seed))
                return sum + world.zones[0].scenes.count { $0.image.hasPrefix("bed") }
            }
        }
        #expect(try beds([.sleep]) > beds([]))
        #expect(
            errorCode { try RealmIndex(json: library.index.json.replacing("\"version\":2", with: "\"version\":1")) }
                != nil)
        #expect(
            errorCode { try RealmIndex(json: library.index.json.replacing("\"version\":2", with: "\"version\":3")) }
                == .unsupportedFormat)
    }
}
