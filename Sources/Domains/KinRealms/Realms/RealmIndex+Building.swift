extension RealmIndex {
    /// Builds the index of a clustered collection.
    ///
    /// - Complexity: O(images · realms · dimension).
    public init(of clustered: ClusteredImages) {
        let collection = clustered.collection
        var types = Self.suggestedRealms(clustered)
        if types.isEmpty { types = Self.clusterRealms(clustered) }
        // The collection's number of each type, used in its suggestions.
        let numbers = types.map { collection.realmTypes.find(Spelling.plain($0.type)) }
        var position = [Int?](repeating: nil, count: collection.realmTypes.count)
        for (i, number) in numbers.enumerated() { if let number { position[Int(number)] = i } }

        let distances = (0..<collection.count).map { row in
            types.map { squaredDistance(clustered.features.row(row), $0.centre) }
        }
        let sum = distances.indices.reduce(0) { sum, row in
            let own = collection.suggestions(of: row).first.flatMap { position[Int($0)] }
            return sum + (own.map { distances[row][$0] } ?? distances[row].min() ?? 0)
        }
        version = Self.newestVersion
        temperature = max(rounded(sum / Double(collection.count) / 2), 1e-6)
        images = (0..<collection.count).map { Self.image(clustered, $0) }
        realms = types
        for row in 0..<collection.count {
            let positions = collection.suggestions(of: row).map { position[Int($0)] }
            let scores = Self.scores(distances[row], suggestions: positions.compactMap { $0 }, temperature)
            list(row, scores.map(\.score))
        }
        for realm in realms.indices { sortEntries(of: realm) }
    }

    /// A realm for each suggested type, without entries.
    private static func suggestedRealms(_ clustered: ClusteredImages) -> [Realm] {
        let (collection, dimension) = (clustered.collection, clustered.features.columns)
        var sums = [[Double]](repeating: [], count: collection.realmTypes.count)
        var weights = [Double](repeating: 0, count: sums.count)
        for row in 0..<collection.count {
            let vector = clustered.features.row(row)
            for (rank, type) in collection.suggestions(of: row).enumerated() {
                let weight = RealmScoring.suggestion(rank: rank)
                let type = Int(type)
                if sums[type].isEmpty { sums[type] = [Double](repeating: 0, count: dimension) }
                for (i, value) in vector.enumerated() { sums[type][i] += weight * Double(value) }
                weights[type] += weight
            }
        }
        return sums.indices.filter { weights[$0] > 0 }.map { type in
            Realm(
                type: collection.realmTypes[UInt32(type)], entries: [],
                centre: sums[type].map { Float($0 / weights[type]) },
                weight: rounded(weights[type]))
        }.sorted { $0.type < $1.type }
    }

    /// A realm for each cluster with images, weighted by its number of images, by ascending name of its type.
    private static func clusterRealms(_ clustered: ClusteredImages) -> [Realm] {
        clustered.clusters.clusters.filter { $0.size > 0 }.map {
            Realm(
                type: $0.name, entries: [], centre: Array(clustered.clusters.centroids.row($0.id)),
                weight: Double($0.size))
        }.sorted { $0.type < $1.type }
    }

    private static func image(_ clustered: ClusteredImages, _ row: Int) -> Image {
        let collection = clustered.collection
        return Image(
            id: collection.ids[row], cluster: clustered.labels[row], mood: collection.mood(of: row),
            values: collection.values[row],
            objects: collection.items(of: row).map {
                Object(
                    name: collection.names[$0.name], category: collection.categories[$0.category],
                    number: Int($0.number), detail: $0.detail)
            })
    }

    /// The scores of an image in each realm, with their two parts.
    static func scores(
        _ distances: [Double], suggestions: [Int], _ temperature: Double
    ) -> [(score: Double, suggestion: Double, resemblance: Double)] {
        RealmScoring.shares(distances, temperature: temperature).enumerated().map { realm, resemblance in
            let suggestion = suggestions.firstIndex(of: realm).map(RealmScoring.suggestion) ?? 0
            let score = RealmScoring.score(
                suggestion: suggestion, resemblance: resemblance, isSuggesting: !suggestions.isEmpty)
            return (rounded(score), suggestion, rounded(resemblance))
        }
    }

    /// Lists an image in its best realm and in all realms with a sufficient score.
    mutating func list(_ image: Int, _ scores: [Double]) {
        guard let highest = scores.max(), let best = scores.firstIndex(of: highest) else { return }
        for (realm, score) in scores.enumerated() where realm == best || score >= Self.leastScore {
            realms[realm].entries.append(Entry(image: image, score: score))
        }
    }

    /// Sorts the entries of a realm by descending score, ties by id.
    mutating func sortEntries(of realm: Int) {
        realms[realm].entries.sort { ($1.score, images[$0.image].id) < ($0.score, images[$1.image].id) }
    }
}

/// The scoring of realms and clusters, by nearness and by the model's suggestions.
enum RealmScoring {
    /// The exponent of the Student kernel; higher values separate more sharply.
    private static let power = 8

    /// The share of each centre by nearness; the shares sum to 1.
    ///
    ///     qⱼ ∝ (1 + d²(x, cⱼ) ∕ τ)⁻⁸
    ///
    /// This is a Student kernel, like that of Xie, Girshick and Farhadi, "Unsupervised deep embedding for clustering
    /// analysis", ICML 2016. Unlike an exponential it is bit-identical on every machine.
    ///
    /// - Parameter distances: The squared distances.
    static func shares(_ distances: [Double], temperature: Double) -> [Double] {
        // Relative to the nearest, to avoid underflow for far images.
        let nearest = distances.min() ?? 0
        let kernels = distances.map { distance in
            let ratio = (temperature + nearest) / (temperature + distance)
            return (0..<power).reduce(1) { product, _ in product * ratio }
        }
        let sum = kernels.reduce(0, +)
        return kernels.map { $0 / sum }
    }

    /// The suggestion part for a rank from 0: 1, ½, ⅓ …
    static func suggestion(rank: Int) -> Double { 1 / Double(rank + 1) }

    /// The score of a realm: the mean of suggestion and resemblance, or resemblance alone if there is no suggestion.
    static func score(suggestion: Double, resemblance: Double, isSuggesting: Bool) -> Double {
        isSuggesting ? (suggestion + resemblance) / 2 : resemblance
    }
}
