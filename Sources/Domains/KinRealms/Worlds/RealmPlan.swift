/// The assignment of a realm's images to zones.
struct RealmPlan {
    let type: String
    private(set) var zones: [(cluster: Int, images: [Int])] = []

    /// An image that may be drawn, with its weight.
    private struct Candidate {
        let image: Int
        let weight: Double
    }

    /// The number of candidates for each image to draw.
    private static let breadth = 4

    /// Draws the zones and scenes of a realm.
    ///
    /// - Parameters:
    ///   - goalScores: The score of every image for the goals; nil without goals.
    ///   - used: The images of other realms, drawn again only if too few others are left; the drawn images are added.
    ///   - sizes: The sizes of the world's zones.
    init(
        of realm: RealmIndex.Realm, in library: RealmLibrary, goalScores: [Double]?, avoiding used: inout Set<Int>,
        sizes: inout ZoneSizes, _ generator: inout SeededGenerator
    ) {
        type = realm.type
        let all = library.index.images
        let fresh = realm.entries.filter { !used.contains($0.image) }
        let entries = fresh.count >= RealmLibrary.imagesPerRealm ? fresh : realm.entries
        // The weight is the score times the value for the goals.
        var pools = Dictionary(grouping: entries) { all[$0.image].cluster }.mapValues { entries in
            entries.map { entry in
                let value = goalScores?[entry.image] ?? 0.5
                return Candidate(image: entry.image, weight: entry.score * (0.25 + value) + 1e-9)
            }.sorted { ($1.weight, $0.image) < ($0.weight, $1.image) }
        }
        let sizes = sizes.next(for: entries.count, &generator)
        let clusters = Self.drawClusters(pools, count: sizes.count, &generator)
        for (cluster, size) in zip(clusters, sizes) {
            zones.append((cluster, (0..<size).map { _ in Self.drawImage(of: cluster, size, &pools, &generator) }))
        }
        used.formUnion(zones.flatMap(\.images))
    }

    /// Draws an image of a zone from the best of its cluster, or from the largest cluster if its own is exhausted.
    private static func drawImage(
        of cluster: Int, _ size: Int, _ pools: inout [Int: [Candidate]], _ generator: inout SeededGenerator
    ) -> Int {
        let source =
            pools[cluster]?.isEmpty == false
            ? cluster : pools.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }!.key
        let width = min(pools[source]!.count, size * breadth)
        let position = generator.index(weights: pools[source]![..<width].map(\.weight))
        return pools[source]!.remove(at: position).image
    }

    /// Draws the cluster of each zone by weight; clusters are repeated only after all were drawn.
    private static func drawClusters(
        _ pools: [Int: [Candidate]], count: Int, _ generator: inout SeededGenerator
    ) -> [Int] {
        let all = pools.keys.sorted()
        var (left, clusters): ([Int], [Int]) = (all, [])
        while clusters.count < count {
            if left.isEmpty { left = all }
            // Eight images, twice the largest number of scenes in a zone, determine the weight of a cluster.
            let weights = left.map { pools[$0]!.prefix(8).reduce(0) { $0 + $1.weight } }
            clusters.append(left.remove(at: generator.index(weights: weights)))
        }
        return clusters
    }
}
