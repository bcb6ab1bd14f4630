/// The summaries of a collection's clusters.
struct ClusterSummaries: ~Copyable {
    let collection: ImageCollection
    let features: Matrix<Float>
    let recipe: FeatureRecipe
    let clustering: Clustering
    let choice: RealmClusters.Choice?
    let silhouette: Double?
    let options: ClusterOptions

    /// The number of representative images of a cluster, and the number of listed categories.
    private static let medoidCount = 3
    private static let categoryCount = 5

    var summary: RealmClusters {
        RealmClusters(
            recipe: recipe, seed: options.seed, imageCount: collection.count, objectCount: collection.objectCount,
            inertia: rounded(clustering.inertia), silhouette: silhouette.map(rounded), choice: choice,
            categories: collection.categorySummaries, clusters: clusters(), centroids: clustering.centroids)
    }

    private func clusters() -> [ImageCluster] {
        var members = [[Int]](repeating: [], count: clustering.k)
        for (row, label) in clustering.labels.enumerated() { members[label].append(row) }
        let shares = categoryShares(members)
        let overall = shares.indices.reduce(into: [Double](repeating: 0, count: collection.categories.count)) {
            sums, cluster in
            for (i, share) in shares[cluster].enumerated() {
                sums[i] += share * Double(members[cluster].count) / Double(collection.count)
            }
        }
        var taken: [String: Int] = [:]
        let spread = spreadOfAll()
        return members.indices.map { cluster in
            let top = topCategories(shares[cluster], overall: overall)
            let isCatchAll =
                members.count > 1
                && clustering.inertias[cluster] > 0
                && clustering.inertias[cluster] >= spread * Double(members[cluster].count)
            var name = isCatchAll ? Self.catchAllName(of: top) : Self.name(of: top)
            taken[name, default: 0] += 1
            if let count = taken[name], count > 1 { name += " \(count)" }
            return ImageCluster(
                id: cluster, name: name, size: members[cluster].count,
                inertiaShare: rounded(clustering.inertia > 0 ? clustering.inertias[cluster] / clustering.inertia : 0),
                medoids: medoids(members[cluster], of: cluster), topCategories: top,
                focus: focus(members[cluster]), mood: commonestMood(members[cluster]), isCatchAll: isCatchAll)
        }
    }

    /// The mean share of each category in the images of each cluster.
    private func categoryShares(_ members: [[Int]]) -> [[Double]] {
        members.map { rows in
            var sums = [Double](repeating: 0, count: collection.categories.count)
            for row in rows {
                let items = collection.items(of: row)
                let total = items.reduce(0) { $0 + Double($1.weight) }
                guard total > 0 else { continue }
                for item in items { sums[Int(item.category)] += Double(item.weight) / total }
            }
            return sums.map { $0 / Double(max(1, rows.count)) }
        }
    }

    private func topCategories(_ shares: [Double], overall: [Double]) -> [ImageCluster.CategoryShare] {
        shares.indices.filter { shares[$0] > 0 }
            .sorted {
                (shares[$1], collection.categories[UInt32($0)]) < (shares[$0], collection.categories[UInt32($1)])
            }
            .prefix(Self.categoryCount).map {
                ImageCluster.CategoryShare(
                    category: collection.categories[UInt32($0)], share: rounded(shares[$0]),
                    lift: rounded(shares[$0] / overall[$0]))
            }
    }

    /// The name of a cluster whose images resemble each other no more than all images do: "mixed: bench & pizza".
    private static func catchAllName(of top: [ImageCluster.CategoryShare]) -> String {
        top.isEmpty ? "mixed" : "mixed: " + top.prefix(2).map(\.category).joined(separator: " & ")
    }

    /// The mean squared distance of all images from their mean.
    private func spreadOfAll() -> Double {
        var mean = [Double](repeating: 0, count: features.columns)
        for row in 0..<features.rows {
            for (i, value) in features.row(row).enumerated() { mean[i] += Double(value) }
        }
        let centre = mean.map { Float($0 / Double(features.rows)) }
        return (0..<features.rows).reduce(0) { $0 + squaredDistance(features.row($1), centre) } / Double(features.rows)
    }

    /// The name of a cluster: its one or two categories with the highest share · lift. Lift is capped, so that rare
    /// categories do not name a cluster.
    private static func name(of top: [ImageCluster.CategoryShare]) -> String {
        let typical = top.filter { $0.share >= 0.08 }.sorted {
            ($0.share * min($0.lift, 4), $1.category) > ($1.share * min($1.lift, 4), $0.category)
        }
        let names = (typical.isEmpty ? Array(top.prefix(1)) : Array(typical.prefix(2))).map(\.category)
        return names.isEmpty ? "nothing seen" : names.joined(separator: " & ")
    }

    private func medoids(_ rows: [Int], of cluster: Int) -> [String] {
        let centre = clustering.centroids.row(cluster)
        let near = rows.map { (row: $0, distance: squaredDistance(features.row($0), centre)) }
        return near.sorted { ($0.distance, $0.row) < ($1.distance, $1.row) }.prefix(Self.medoidCount)
            .map { collection.ids[$0.row] }
    }

    private func focus(_ rows: [Int]) -> GoalValues {
        let values = rows.map { collection.ownValues(of: $0) }
        return GoalValues { goal in
            Float(values.reduce(0) { $0 + Double($1[goal]) } / Double(max(1, rows.count)))
        }.rounded
    }

    private func commonestMood(_ rows: [Int]) -> String? {
        var counts: [String: Int] = [:]
        for row in rows { if let mood = collection.mood(of: row) { counts[mood, default: 0] += 1 } }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}

/// The squared distance Σ (xᵢ − yᵢ)² in double precision, summed in order.
func squaredDistance(_ x: some Collection<Float>, _ y: some Collection<Float>) -> Double {
    zip(x, y).reduce(0) { sum, pair in
        let difference = Double(pair.0) - Double(pair.1)
        return sum + difference * difference
    }
}
