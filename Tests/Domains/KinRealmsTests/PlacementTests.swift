import KinSamples
import KinTestSupport
import Testing

@Suite struct PlacementTests {
    private func clustered(_ images: [ImageAnalysis]) throws -> RealmLibrary {
        var collection = ImageCollection()
        for image in images { try collection.append(image) }
        return try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 10, restarts: 2)))
    }

    private func bestRealm(of image: String, in library: RealmLibrary) -> String {
        var best = (score: -1.0, type: "")
        for realm in library.index.realms {
            guard let entry = realm.entries.first(where: { library.index.images[$0.image].id == image }) else {
                continue
            }
            if entry.score > best.score { best = (entry.score, realm.type) }
        }
        return best.type
    }

    /// Covers images without model suggestions, as far as the images around them determine the realm.
    @Test(arguments: [true, false]) func heldOutImagesArePlacedLikeARefit(_ isSuggesting: Bool) throws {
        let generator = ImageAnalysisGenerator(seed: 8)
        var images = (0..<600).map { generator.image($0).analysis }
        if !isSuggesting {
            for i in 500..<600 {
                images[i] = try ImageAnalysis(
                    id: images[i].id, objects: images[i].objects, mood: images[i].mood, values: images[i].values,
                    colours: images[i].colours)
            }
        }
        let (part, whole) = try (clustered(Array(images[..<500])), clustered(images))
        let same = try images[500...].count { try part.place($0).realm.realm == bestRealm(of: $0.id, in: whole) }
        #expect(same >= 95)
    }

    @Test func aPlacementGivesReasons() throws {
        let library = try SampleImages.library(400)
        let image = ImageAnalysisGenerator(seed: 99).image(3)
        let placement = try library.place(image.analysis)
        #expect(placement.image == image.analysis.id && placement.realms.count == 8)
        #expect(zip(placement.realms, placement.realms.dropFirst()).allSatisfy { $0.score >= $1.score })
        #expect(abs(placement.realms.reduce(0) { $0 + $1.resemblance } - 1) < 1e-4)
        #expect(placement.reasons.count >= 3)
        #expect(placement.contents == library.contents(of: try #require(library.index.realm(placement.realm.realm))))
        #expect(placement.json.contains("\"contents\":{\"realm\":\"\(placement.realm.realm)\""))
        #expect(
            placement.zones.allSatisfy { $0.zone == nil } && placement.zone.distance <= placement.zones.last!.distance)
        let world = try library.world(WorldRequest(name: "W", seed: 1))
        let inWorld = try library.place(image.analysis, in: world)
        #expect(world.realms.map(\.type).contains(inWorld.realm.realm))
        #expect(world.zones.map(\.id).contains(inWorld.zone.zone ?? ""))
    }

    /// A suggestion has its rank in the analysis, even if the world lacks the realms ranked before it.
    @Test func aReasonNamesThePlaceOfItsSuggestion() throws {
        let library = try SampleImages.library(400)
        let world = try library.world(WorldRequest(name: "W", realms: 1, seed: 1))
        let image = ImageAnalysisGenerator(seed: 99).image(3).analysis
        let realm = world.realms[0].type
        for (others, place) in [
            ([], "\(realm) first, which"), (["moor", "mire"], "\(realm) in place 3, and first of the realms here"),
        ] {
            let analysis = try ImageAnalysis(
                id: image.id, objects: image.objects, mood: image.mood, values: image.values,
                realmTypes: others + [realm], colours: image.colours)
            let reasons = try library.place(analysis, in: world).reasons
            #expect(reasons[0].contains("the analysis suggests \(place)"), "\(reasons)")
        }
    }

    /// The contents of a realm, counted independently.
    @Test func contentsOfARealmAreCounted() throws {
        let library = try SampleImages.library(300)
        for realm in library.index.realms {
            let contents = library.contents(of: realm)
            let images = realm.entries.map { library.index.images[$0.image] }
            #expect(contents.imageCount == images.count && contents.categories.count == 5)
            for frequency in contents.categories {
                let count = images.count { $0.objects.contains { $0.category == frequency.category } }
                #expect(abs(frequency.share - Double(count) / Double(images.count)) < 1e-6)
            }
            for goal in TherapeuticGoal.allCases {
                #expect(abs(Double(contents.values[goal]) - library.index.value(of: realm, for: [goal])) < 1e-5)
            }
        }
    }

    /// The reasons name the numbers of the placement: its scores, resemblances, suggestions and distances.
    @Test func reasonsMatchTheNumbers() throws {
        let library = try SampleImages.library(400)
        func short(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
        var outweighed = 0
        for number in 0..<60 {
            let image = ImageAnalysisGenerator(seed: 99).image(number).analysis
            for isSuggesting in [true, false] {
                let placement = try library.place(
                    ImageAnalysis(
                        id: image.id, objects: image.objects, mood: image.mood, values: image.values,
                        realmTypes: isSuggesting ? image.realmTypes : [], colours: image.colours))
                let (best, next, reasons) = (placement.realms[0], placement.realms[1], placement.reasons)
                #expect(reasons[0].contains("suggests none") == !isSuggesting)
                #expect(reasons[0].hasSuffix(short(best.score)), "\(reasons)")
                if best.suggestion > 0 {
                    #expect(abs(best.score - (best.suggestion + best.resemblance) / 2) < 2e-6)
                    #expect(reasons[0].contains("counts \(short(best.suggestion))"))
                }
                let rivals = placement.realms.filter { $0.suggestion > best.suggestion }
                #expect(reasons[1].contains(" only: ") == !rivals.isEmpty, "\(reasons)")
                let isFarther = reasons.contains { $0.contains("which its suggestion outweighs") }
                #expect(isFarther == (best.distance > next.distance))
                outweighed += isFarther ? 1 : 0
                #expect(reasons.contains { $0.contains(short(best.distance)) && $0.contains(short(next.distance)) })
                #expect(reasons.contains { $0.contains("\(best.realm) has \(placement.contents.imageCount) images") })
                let goal = try #require(placement.contents.values.focus.first)
                #expect(
                    reasons.last?.contains("\(goal.name), \(short(Double(placement.contents.values[goal])))") == true)
            }
        }
        #expect(outweighed > 0)
    }

    /// After images are absorbed, the file has the numbers of all images, as far as these are known without the
    /// analyses.
    @Test func absorbingUpdatesTheNumbers() throws {
        let generator = ImageAnalysisGenerator(seed: 12)
        var collection = ImageCollection()
        for number in 0..<200 { try collection.append(generator.image(number).analysis) }
        let clustered = try ClusteredImages(collection, options: ClusterOptions(k: 6, restarts: 2))
        var library = RealmLibrary(of: clustered)
        var vectors = (0..<200).map { Array(clustered.features.row($0)) }
        var labels = clustered.labels
        for number in 200..<260 {
            let image = generator.image(number).analysis
            let placement = try library.insert(image)
            #expect(library.index.realm(placement.realm.realm)?.entries.contains { $0.image == number } == true)
            #expect(errorCode { try library.insert(image) } == .duplicateID)
            vectors.append(library.clusters.recipe.vector(of: image))
            labels.append(library.index.images[number].cluster)
            try collection.append(image)
        }
        let clusters = library.clusters
        #expect(clusters.imageCount == 260 && clusters.clusters.reduce(0) { $0 + $1.size } == 260)
        #expect(clusters.objectCount == collection.objectCount)
        #expect(clusters.categories.reduce(0) { $0 + $1.objects } == collection.objectCount)
        let counted = collection.categorySummaries
        #expect(clusters.categories.map(\.category) == counted.map(\.category))
        #expect(clusters.categories.map(\.images) == counted.map(\.images))
        #expect(clusters.categories.map(\.objects) == counted.map(\.objects))
        var (sums, values) = ([Double](repeating: 0, count: 6), [Double](repeating: 0, count: 6))
        for (vector, label) in zip(vectors, labels) {
            for (x, c) in zip(vector, clusters.centroids.row(label)) { sums[label] += Double(x - c) * Double(x - c) }
        }
        for (number, label) in labels.enumerated() {
            values[label] += Double(library.index.images[number].ownValues[.sleep])
        }
        let inertia = sums.reduce(0, +)
        #expect(abs(clusters.inertia - inertia) < 1e-3 * inertia)
        for cluster in clusters.clusters {
            #expect(cluster.size == labels.count { $0 == cluster.id })
            let members = zip(vectors, labels).filter { $0.1 == cluster.id }.map(\.0)
            for (i, x) in clusters.centroids.row(cluster.id).enumerated() {
                let mean = members.reduce(0) { $0 + Double($1[i]) } / Double(members.count)
                #expect(abs(Double(x) - mean) < 1e-4)
            }
            #expect(abs(cluster.inertiaShare - sums[cluster.id] / inertia) < 1e-3)
            #expect(abs(Double(cluster.focus[.sleep]) - values[cluster.id] / Double(cluster.size)) < 1e-3)
        }
        #expect(abs(clusters.clusters.reduce(0) { $0 + $1.inertiaShare } - 1) < 1e-4)
        #expect(try RealmClusters(json: clusters.json) == clusters)
        #expect(try RealmIndex(json: library.index.json) == library.index)
    }

    @Test func aNewCategoryIsCounted() throws {
        var library = try SampleImages.library(100)
        let box = try DetectedObject.BoundingBox(x: 0, y: 0, width: 1, height: 1)
        let objects = try (0..<3).map { try DetectedObject(name: "a lamp", category: "lamp \($0 / 2)", box: box) }
        try library.insert(ImageAnalysis(id: "lamps", objects: objects))
        let new = library.clusters.categories.filter { $0.category.hasPrefix("lamp ") }
        #expect(new.map(\.category) == ["lamp 0", "lamp 1"] && new.map(\.objects) == [2, 1])
        #expect(new.allSatisfy { $0.images == 1 && $0.valence == nil && $0.calming == nil })
        #expect(try RealmClusters(json: library.clusters.json) == library.clusters)
    }

    @Test func aWorldOfAnotherIndexIsRefused() throws {
        let library = try SampleImages.library(400)
        let image = ImageAnalysisGenerator(seed: 99).image(3).analysis
        let world = try library.world(WorldRequest(name: "W", seed: 1))
        let realm = try #require(world.realms.first?.type)
        let renamed = try RealmWorld(json: world.json.replacing("\"\(realm)\"", with: "\"elsewhere\""))
        #expect(errorCode { try library.place(image, in: renamed) } == .invalidArgument)
        let cluster = try #require(world.zones.first?.cluster)
        let beyond = try RealmWorld(json: world.json.replacing("\"cluster\":\(cluster),", with: "\"cluster\":999,"))
        #expect(beyond != world && errorCode { try library.place(image, in: beyond) } == .invalidArgument)
    }

    /// Spellings of a category that differ in case, spaces, `_` and `-` are one category in every computation.
    @Test func spellingsOfACategoryAreOneCategory() throws {
        var random = SeededGenerator(seed: TestSeed.value)
        let generator = ImageAnalysisGenerator(seed: 8)
        let images = (0..<120).map { generator.image($0).analysis }
        func copy(_ object: DetectedObject, of category: String) throws -> DetectedObject {
            try DetectedObject(
                name: object.name, category: category, box: object.box, confidence: object.confidence,
                associations: object.associations, valence: object.valence, calming: object.calming,
                number: object.number)
        }
        func copy(_ image: ImageAnalysis, id: String? = nil, with objects: [DetectedObject]) throws -> ImageAnalysis {
            try ImageAnalysis(
                id: id ?? image.id, objects: objects, mood: image.mood, values: image.values,
                realmTypes: image.realmTypes,
                colours: image.colours)
        }
        func respelled(_ image: ImageAnalysis) throws -> ImageAnalysis {
            let objects = try image.objects.map { object in
                let separator = ["_", "-", " ", "  ", ""][random.below(5)]
                let letters = object.category.map { random.below(2) == 0 ? $0.uppercased() : String($0) }
                return try copy(object, of: letters.prefix(2).joined() + separator + letters.dropFirst(2).joined())
            }
            return try copy(image, with: objects)
        }
        let mixed = try images.map(respelled)
        var (plain, other) = try (clustered(Array(images[..<100])), clustered(Array(mixed[..<100])))
        func facts(_ library: RealmLibrary) -> [[Int]] {
            [library.clusters.categories.map(\.images).sorted(), library.clusters.clusters.map(\.size)]
                + library.index.realms.map { $0.entries.map(\.image) }
        }
        #expect(facts(plain) == facts(other) && plain.clusters.inertia == other.clusters.inertia)
        for (image, twin) in zip(images, mixed).dropFirst(100) {
            let (own, second) = try (plain.insert(image), other.insert(twin))
            #expect(own.realms.map(\.score) == second.realms.map(\.score), "\(image.id)")
        }
        #expect(facts(plain) == facts(other) && plain.clusters.categories.count == other.clusters.categories.count)
        // Two spellings of a new category in one image.
        let twice = try ["new thing", "New_Thing"].map { try copy(images[0].objects[0], of: $0) }
        try other.insert(copy(images[0], id: "twice", with: twice))
        #expect(other.clusters.categories.count == plain.clusters.categories.count + 1)
        let names = Set(other.clusters.categories.map(\.category))
        #expect(other.index.images.flatMap(\.objects).allSatisfy { names.contains($0.category) })
    }
}
