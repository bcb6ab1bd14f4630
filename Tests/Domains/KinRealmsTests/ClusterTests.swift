import KinSamples
import KinTestSupport
import Testing

@Suite struct ClusterTests {
    /// The first part of the recipe, computed independently.
    @Test func histogramsAreRootsOfWeightedShares() throws {
        func object(_ category: String, _ side: Float, _ confidence: Float) throws -> DetectedObject {
            try DetectedObject(
                name: category, category: category,
                box: DetectedObject.BoundingBox(x: 0, y: 0, width: side, height: side),
                confidence: confidence)
        }
        let analysis = try ImageAnalysis(
            id: "a", objects: [object("tree", 30, 0.5), object("bird", 1, 1), object("tree", 10, 1)], mood: "peaceful")
        var collection = ImageCollection()
        try collection.append(analysis)
        let recipe = FeatureRecipe(for: collection)
        #expect(recipe.categories == ["bird", "tree"])
        let vector = recipe.vector(of: analysis)
        #expect(vector.count == recipe.dimension && recipe.dimension == 3 + 12 + 2 + 2)
        // The areas are 900, 1 and 100 of 1,001; a bird has at least 2 %.
        let weights = (tree: 0.5 * 900 / 1001 + 100.0 / 1001, bird: 0.02)
        let sum = weights.tree + weights.bird
        #expect(abs(Double(vector[0]) - (weights.bird / sum).squareRoot()) < 1e-6)
        #expect(abs(Double(vector[1]) - (weights.tree / sum).squareRoot()) < 1e-6)
        #expect(vector[2] == 0 && vector[17] == 0.15 * 0.8 && vector[18] == 0.15 * -0.7)
        let unseen = try ImageAnalysis(id: "b", objects: [object("whale", 3, 1)])
        #expect(recipe.vector(of: unseen)[2] == 1)
    }

    @Test func clustersMatchTheGeneratedKinds() throws {
        let (collection, kinds) = try SampleImages.collection(500)
        let clustered = try ClusteredImages(collection, options: ClusterOptions(restarts: 2, seed: 3))
        #expect(adjustedRand(clustered.labels, kinds) > 0.8, "k = \(clustered.clusters.clusters.count)")
        let choice = try #require(clustered.clusters.choice)
        #expect(choice.criterion == "silhouette" && choice.candidates.map(\.k) == Array(2...22) && choice.limit == 22)
        #expect(choice.candidates.max { $0.score < $1.score }?.k == clustered.clusters.clusters.count)
        #expect(clustered.clusters.clusters.reduce(0) { $0 + $1.size } == 500)
        #expect(abs(clustered.clusters.clusters.reduce(0) { $0 + $1.inertiaShare } - 1) < 1e-4)
    }

    /// A medoid has the least sum of squared distances to the others, found among all pairs.
    @Test func medoidsAndTopCategoriesAreExact() throws {
        let (collection, _) = try SampleImages.collection(200)
        let clustered = try ClusteredImages(collection, options: ClusterOptions(k: 6, seed: 1))
        for cluster in clustered.clusters.clusters {
            let rows = clustered.labels.indices.filter { clustered.labels[$0] == cluster.id }
            let sums = rows.map { a in
                rows.reduce(0) { sum, b in
                    sum
                        + zip(clustered.features.row(a), clustered.features.row(b)).reduce(0) {
                            $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1))
                        }
                }
            }
            let best = try #require(sums.indices.min { sums[$0] < sums[$1] })
            #expect(cluster.medoids.first == collection.ids[rows[best]])
            #expect(cluster.medoids.count == 3 && cluster.topCategories.count == 5)
            #expect(zip(cluster.topCategories, cluster.topCategories.dropFirst()).allSatisfy { $0.share >= $1.share })
        }
    }

    /// With more than 10,000 images, a sample decides on k, and then all images are clustered.
    @Test func manyImagesAreSampledForTheChoice() throws {
        var random = SeededGenerator(seed: 6)
        var collection = ImageCollection()
        func object(_ category: String, _ side: Double) throws -> DetectedObject {
            try DetectedObject(
                name: category, category: category,
                box: DetectedObject.BoundingBox(x: 0, y: 0, width: Float(side), height: Float(side)))
        }
        for number in 0..<12_000 {
            let kind = try object(["cat", "dog", "tree"][number % 3], 100)
            try collection.append(
                ImageAnalysis(id: "i\(number)", objects: [kind, object("sky", 10 + 30 * random.uniform())]))
        }
        let options = ClusterOptions(
            k: .chosen(2...3), weights: .histogramOnly, restarts: 1, maximumIterations: 20, threads: 2)
        let clusters = try RealmClusters(of: collection, options: options)
        #expect(clusters.clusters.map(\.size) == [4000, 4000, 4000])
        let candidates = try #require(clusters.choice).candidates
        #expect(candidates.map(\.k) == [2, 3])
        #expect(abs(candidates[1].inertia / clusters.inertia - 10.0 / 12) < 0.02)
    }

    @Test func categoriesAreCounted() throws {
        let (collection, _) = try SampleImages.collection(100)
        let categories = collection.categorySummaries
        #expect(categories.reduce(0) { $0 + $1.objects } == collection.objectCount)
        let generator = ImageAnalysisGenerator(seed: 5)
        let images = (0..<100).map { generator.image($0).analysis }
        for summary in categories {
            let with = images.filter { $0.objects.contains { $0.category == summary.category } }
            let objects = images.flatMap(\.objects).filter { $0.category == summary.category }
            #expect(with.count == summary.images && objects.count == summary.objects)
            let value = with.reduce(0) { $0 + Double($1.values[.sleep]) } / Double(with.count)
            let associated = Double(objects.count { $0.associations.contains(.sleep) }) / Double(objects.count)
            #expect(abs(Double(summary.focus[.sleep]) - (value + associated) / 2) < 1e-5)
            let calming = objects.reduce(0) { $0 + Double($1.calming ?? 0) } / Double(objects.count)
            #expect(abs((summary.calming ?? 0) - calming) < 1e-5)
        }
    }

    @Test func sameSeedSameBytesAtAnyNumberOfThreads() throws {
        let (collection, _) = try SampleImages.collection(250)
        let one = try ClusteredImages(collection, options: ClusterOptions(restarts: 2, seed: 9, threads: 1))
        let two = try ClusteredImages(collection, options: ClusterOptions(restarts: 2, seed: 9, threads: 2))
        #expect(one.clusters.json == two.clusters.json)
        #expect(RealmIndex(of: one).json == RealmIndex(of: two).json)
    }

    /// The bytes do not depend on the machine or the instruction set (CI runs the tests with each).
    @Test func bytesAreTheSameEverywhere() throws {
        let (collection, _) = try SampleImages.collection(300)
        let clustered = try ClusteredImages(collection, options: ClusterOptions(k: 9, restarts: 2, seed: 4))
        let library = RealmLibrary(of: clustered)
        let world = try library.world(WorldRequest(name: "W", goals: [.sleep], seed: 2))
        #expect(fingerprint(clustered.clusters.json) == 6_196_399_720_213_039_514)
        #expect(fingerprint(library.index.json) == 4_287_441_177_479_389_716)
        #expect(fingerprint(world.json) == 7_178_671_899_176_628_567)
    }

    @Test func filesAreReadBack() throws {
        let (collection, _) = try SampleImages.collection(150)
        let clustered = try ClusteredImages(collection, options: ClusterOptions(seed: 9))
        let library = RealmLibrary(of: clustered)
        let read = try RealmLibrary(
            clusters: RealmClusters(json: library.clusters.json), index: RealmIndex(json: library.index.json))
        #expect(read.clusters == library.clusters && read.index == library.index)
        let request = WorldRequest(name: "W", goals: [.focus], seed: 3)
        #expect(try read.world(request).json == library.world(request).json)
    }

    @Test func filesThatAreWrongAreRefused() throws {
        let library = try SampleImages.library(60)
        let (clusters, index) = (library.clusters.json, library.index.json)
        #expect(errorCode { try RealmClusters(json: index) } != nil)
        #expect(
            errorCode { try RealmClusters(json: clusters.replacing("kin clusters", with: "x")) } == .unsupportedFormat)
        #expect(
            errorCode { try RealmClusters(json: clusters.replacing("\"k\":10", with: "\"k\":11")) } == .malformedInput)
        #expect(
            errorCode {
                try RealmIndex(
                    json: index.replacing(
                        "\"image\":\"image-3\",\"cluster\"", with: "\"image\":\"image-4\",\"cluster\""))
            } == .duplicateID)
        #expect(
            errorCode {
                try RealmIndex(
                    json: index.replacing("\"image\":\"image-3\",\"cluster\"", with: "\"image\":\"other\",\"cluster\""))
            } == .unknownID)
        // Two clusterings of the same images, in different orders.
        let images = (0..<60).map { ImageAnalysisGenerator(seed: 5).image($0).analysis }
        for order in [Array(images.reversed()), images.sorted { $0.id < $1.id }] {
            var collection = ImageCollection()
            for image in order { try collection.append(image) }
            let second = try RealmLibrary(of: ClusteredImages(collection, options: ClusterOptions(k: 10, restarts: 2)))
            #expect(second.clusters.clusters.map(\.size) != library.clusters.clusters.map(\.size))
            for (clusters, index) in [(library.clusters, second.index), (second.clusters, library.index)] {
                let error = kinError { try RealmLibrary(clusters: clusters, index: index) }
                #expect(error?.message.contains("write both files from one collection") == true, "\(error as Any)")
            }
        }
        let other = try SampleImages.library(70)
        #expect(errorCode { try RealmLibrary(clusters: library.clusters, index: other.index) } == .malformedInput)
        // Any truncation or change gives an error or a library, and never a trap.
        var random = TestSeed().generator
        for _ in 0..<200 {
            var bytes = Array((random.below(2) == 0 ? clusters : index).utf8)
            if random.below(2) == 0 { bytes.removeLast(random.below(bytes.count)) }
            for _ in 0..<3 where !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(random.below(128)) }
            let text = String(decoding: bytes, as: UTF8.self)
            if let found = try? RealmClusters(json: text) {
                _ = try? RealmLibrary(clusters: found, index: library.index)
            }
            if let found = try? RealmIndex(json: text),
                let changed = try? RealmLibrary(clusters: library.clusters, index: found)
            {
                _ = try? changed.world(WorldRequest(name: "W", seed: 1))
            }
        }
    }

    /// Identical images are in one cluster, and no cluster is empty because of them.
    @Test func identicalImagesMakeNoEmptyCluster() throws {
        let generator = ImageAnalysisGenerator(seed: 3)
        for kinds in [1, 2, 3, 7] {
            var collection = ImageCollection()
            for number in 0..<60 {
                let image = generator.image(number % kinds).analysis
                try collection.append(
                    ImageAnalysis(
                        id: "i\(number)", objects: image.objects, mood: image.mood, values: image.values,
                        realmTypes: image.realmTypes, colours: image.colours))
            }
            for k in [nil, .exactly(1), .exactly(kinds)] as [KMeans.ClusterCount?] {
                let clusters = try RealmClusters(of: collection, options: ClusterOptions(k: k, restarts: 3))
                #expect(clusters.clusters.count <= kinds)
                #expect(clusters.clusters.allSatisfy { $0.size > 0 && !$0.medoids.isEmpty }, "\(kinds) kinds")
                #expect(clusters.clusters.reduce(0) { $0 + $1.size } == 60)
            }
            let error = #expect(throws: KinError.self) {
                try RealmClusters(of: collection, options: ClusterOptions(k: .exactly(kinds + 1), restarts: 1))
            }
            #expect(
                error?.code == .invalidArgument && error?.message.hasSuffix("1 to \(kinds)") == true, "\(error as Any)")
        }
    }

    @Test func aChoiceAtTheEndOfItsRangeIsReported() throws {
        let collection = try SampleImages.collection(120).collection
        for last in 2...9 {
            let clusters = try RealmClusters(
                of: collection, options: ClusterOptions(k: .chosen(2...last, by: .silhouette), restarts: 1))
            #expect(clusters.isChoiceAtEnd == (clusters.clusters.count == last))
        }
        #expect(try !RealmClusters(of: collection, options: ClusterOptions(k: 4, restarts: 1)).isChoiceAtEnd)
    }

    /// Without a range, k increases while the silhouettes rise, at most to √n.
    @Test func theNumberOfClustersGrowsWhileSilhouettesRise() throws {
        // Thirty kinds of images with nothing in common, 1,000 images: the best k is 30, and the limit √n is 31.
        func collection(_ kinds: Int, _ count: Int) throws -> ImageCollection {
            var collection = ImageCollection()
            for number in 0..<count {
                let box = try DetectedObject.BoundingBox(x: 0, y: 0, width: 9, height: 9)
                let small = try DetectedObject.BoundingBox(x: 0, y: 0, width: 1 + Float(number / kinds % 5), height: 1)
                try collection.append(
                    ImageAnalysis(
                        id: "i\(number)",
                        objects: [
                            DetectedObject(name: "a", category: "kind \(number % kinds)", box: box),
                            DetectedObject(name: "b", category: "small", box: small),
                        ]))
            }
            return collection
        }
        let many = try RealmClusters(of: collection(30, 1_000), options: ClusterOptions(restarts: 1))
        #expect(many.clusters.count == 30 && many.choice?.limit == 31)
        #expect(many.choice?.candidates.map(\.k) == Array(2...31))
        #expect(many.choiceReason?.contains("31 is the most") == true && !many.isChoiceAtEnd)
        let few = try RealmClusters(of: collection(6, 1_000), options: ClusterOptions(restarts: 1))
        #expect(few.clusters.count == 6 && few.choice?.candidates.map(\.k) == Array(2...24))
        #expect(few.choiceReason?.hasSuffix("the scores rise no more") == true)
        #expect(try RealmClusters(json: few.json) == few)
        let tiny = try RealmClusters(of: collection(6, 15))
        #expect(tiny.clusters.count == 1 && tiny.choiceReason?.contains("16 images") == true && !tiny.isChoiceAtEnd)
        #expect(try RealmClusters(json: tiny.json) == tiny)
        let alike = try RealmClusters(of: collection(1, 300)).choiceReason
        #expect(alike?.contains("5 is the most as only 5 images differ") == true, "\(alike ?? "")")
        // Every criterion makes one cluster of too few images to compare, and names the number that it needs.
        for (criterion, least) in [(KMeans.Criterion.gap(), 24), (.silhouette, 16)] {
            for count in [8, least - 1, least] {
                let clusters = try RealmClusters(
                    of: collection(6, count), options: ClusterOptions(criterion: criterion, restarts: 1))
                #expect((clusters.choice?.candidates.isEmpty == true) == (count < least))
                #expect(clusters.choiceReason?.contains("at least \(least) images") == (count < least))
            }
        }
        let single = try RealmClusters(of: collection(2, 16)).choiceReason
        #expect(single?.hasSuffix("k = 2 is the only one tried by silhouette; 2 is the most for so few images") == true)
        #expect(try RealmClusters(of: collection(6, 100), options: ClusterOptions(k: 3)).choiceReason == nil)
    }

    /// The sentence on the choice of k agrees with the curve, by both criteria and for ranges that end too early.
    @Test(arguments: [KMeans.Criterion.silhouette, .gap()], [2...4, 2...9, 3...6])
    func theReasonAgreesWithTheCurve(_ criterion: KMeans.Criterion, _ range: ClosedRange<Int>) throws {
        for seed in [1, 2, 3] as [UInt64] {
            let clusters = try RealmClusters(
                of: try SampleImages.collection(120, seed: seed).collection,
                options: ClusterOptions(k: .chosen(range, by: criterion), restarts: 1, seed: seed))
            let candidates = try #require(clusters.choice?.candidates)
            let reason = try #require(clusters.choiceReason)
            let chosen = try #require(candidates.first { $0.k == clusters.clusters.count })
            #expect(
                reason.hasPrefix("k = \(chosen.k) ")
                    && reason.contains("from \(range.lowerBound) to \(range.upperBound)"))
            if reason.contains("has the best score") {
                #expect(candidates.allSatisfy { $0.score <= chosen.score }, "\(reason): \(candidates)")
            } else if reason.contains("is the last, and the gap still rises") {
                #expect(
                    chosen.k == range.upperBound
                        && zip(candidates, candidates.dropFirst()).allSatisfy { $0.score < $1.score })
            } else {
                #expect(reason.contains("is the first after which the gap rises by no more than its standard error"))
                #expect(
                    clusters.choice?.criterion == "gap"
                        && candidates.prefix { $0.k <= chosen.k }.allSatisfy { $0.score <= chosen.score })
            }
        }
    }

    /// Any number of images without objects leaves the choice of k to the others.
    @Test(
        arguments: [nil, .chosen(2...6), .chosen(2...6, by: .gap())]
            as [KMeans.ClusterCount?])
    func imagesWithoutObjectsHaveNoPartInTheChoice(_ k: KMeans.ClusterCount?) throws {
        var collection = try SampleImages.collection(200).collection
        let options = ClusterOptions(k: k, restarts: 1)
        let alone = try RealmClusters(of: collection, options: options)
        #expect(alone.choice?.withoutObjects == 0 && !alone.json.contains("without_objects"))
        for count in [20, 50, 130] {
            for number in collection.count..<200 + count {
                try collection.append(ImageAnalysis(id: "empty-\(number)", objects: []))
            }
            let clusters = try RealmClusters(of: collection, options: options)
            #expect(clusters.clusters.count == alone.clusters.count && clusters.imageCount == 200 + count)
            #expect(clusters.choice?.candidates.map(\.k) == alone.choice?.candidates.map(\.k))
            #expect(clusters.choice?.withoutObjects == count && clusters.choice?.limit == alone.choice?.limit)
            let reason = "\(alone.choiceReason!); \(count) images without objects had no part in the choice"
            #expect(clusters.choiceReason == reason, "\(clusters.choiceReason ?? "")")
            #expect(try RealmClusters(json: clusters.json) == clusters)
        }
    }

    /// A cluster of leftovers is named mixed, and no other cluster is.
    @Test func catchAllClustersAreNamed() throws {
        var collection = ImageCollection()
        let box = try DetectedObject.BoundingBox(x: 0, y: 0, width: 9, height: 9)
        // Two dense kinds, and forty images of forty categories.
        for number in 0..<240 {
            let category = number < 100 ? "dog" : number < 200 ? "boat" : "thing \(number)"
            try collection.append(
                ImageAnalysis(id: "i\(number)", objects: [DetectedObject(name: "a", category: category, box: box)]))
        }
        let clusters = try RealmClusters(of: collection, options: ClusterOptions(k: 3, restarts: 4)).clusters
        #expect(clusters.filter(\.isCatchAll).map(\.size) == [40])
        #expect(clusters.allSatisfy { $0.name.hasPrefix("mixed") == $0.isCatchAll })
        #expect(Set(clusters.filter { !$0.isCatchAll }.map(\.name)) == ["dog", "boat"])
        #expect(try RealmClusters(of: collection, options: ClusterOptions(k: 1)).clusters.allSatisfy { !$0.isCatchAll })
    }

    @Test func collectionsWithoutImagesOrWeightsAreRefused() throws {
        #expect(errorCode { try ClusteredImages(ImageCollection()) } == .invalidArgument)
        let none = FeatureWeights(histogram: 0, values: 0, affect: 0, mood: 0, colour: 0)
        let (collection, _) = try SampleImages.collection(5)
        #expect(
            errorCode { try ClusteredImages(collection, options: ClusterOptions(weights: none)) } == .invalidArgument)
        #expect(errorCode { try ClusteredImages(collection, options: ClusterOptions(k: 6)) } == .invalidArgument)
        for most in [6, 1_000_000_000, .max] {
            let error = kinError { try ClusteredImages(collection, options: ClusterOptions(k: .chosen(2...most))) }
            #expect(error?.message == "k is chosen from 2 to \(most); it can be at most 5, the number of images")
        }
        let rules = [Float.nan: "finite, not nan", .infinity: "finite, not inf", -1: "0 or more, not -1.0"]
        for (weight, rule) in rules {
            let error = kinError {
                try ClusteredImages(collection, options: ClusterOptions(weights: FeatureWeights(mood: weight)))
            }
            #expect(error?.description == "weights.mood must be \(rule)")
        }
        #expect(try ClusteredImages(collection).clusters.clusters.count == 1)
    }
}

/// FNV-1a, 64 bits.
func fingerprint(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
