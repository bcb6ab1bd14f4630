extension RealmLibrary {
    /// Adds an image to its nearest cluster and its realms, and updates their means.
    ///
    ///     c ← c + (x − c) ∕ (n + 1)
    ///
    /// This is MacQueen's k-means ("Some methods for classification and analysis of multivariate observations", 1967).
    /// Inertia and its shares, the cluster's focus and all counts include the new image. Other images stay in their
    /// clusters. Silhouette, curve over k, medoids, top categories, names and category means do not change, since they
    /// need the analyses. Cluster the collection again after many insertions.
    ///
    /// - Returns: The placement of the image.
    /// - Throws: `.duplicateID` for an image that is in the index; otherwise as ``place(_:in:)``. A failed call changes
    ///   nothing.
    /// - Complexity: O((realms + clusters) · dimension + images of its realms).
    @discardableResult
    public mutating func insert(_ analysis: ImageAnalysis) throws(KinError) -> ImagePlacement {
        guard !index.images.contains(where: { $0.id == analysis.id }) else {
            throw KinError(.duplicateID, "this image is already in the index").within("image", analysis.id)
        }
        let placement = try place(analysis)
        let vector = clusters.recipe.vector(of: analysis)
        let cluster = nearestCluster(to: vector)
        let categories = clusters.spellings(of: analysis.objects.map(\.category))
        clusters.insert(categories, vector, values: index.ownValues(of: analysis), into: cluster)
        let image = index.images.count
        index.images.append(
            RealmIndex.Image(
                id: analysis.id, cluster: cluster, mood: analysis.mood, values: analysis.values,
                objects: zip(analysis.objects, categories).map {
                    RealmIndex.Object(
                        name: $0.name, category: $1, number: $0.number,
                        detail: index.version > 1 ? ObjectDetail($0) : nil)
                }))
        index.list(image, index.realms.map { realm in placement.realms.first { $0.realm == realm.type }?.score ?? 0 })
        for realm in index.realms.indices where index.realms[realm].entries.last?.image == image {
            index.sortEntries(of: realm)
        }
        for (rank, type) in analysis.realmTypes.enumerated() {
            guard let realm = index.number(of: type) else { continue }
            index.realms[realm].insert(vector, weight: RealmScoring.suggestion(rank: rank))
        }
        return placement
    }

    private func nearestCluster(to vector: [Float]) -> Int {
        let distances = (0..<clusters.centroids.rows).map { squaredDistance(vector, clusters.centroids.row($0)) }
        return distances.indices.min { (distances[$0], $0) < (distances[$1], $1) } ?? 0
    }
}

extension RealmClusters {
    /// The spelling of each name in the table of categories; the least of the given ones for a new category.
    func spellings(of names: [String]) -> [String] {
        let spellings = Dictionary(
            (categories.map(\.category) + names.sorted()).map { (Spelling.plain($0), $0) },
            uniquingKeysWith: { first, _ in first })
        return names.map { spellings[Spelling.plain($0), default: $0] }
    }

    mutating func insert(_ objects: [String], _ vector: [Float], values: GoalValues, into cluster: Int) {
        addInertia(of: vector, to: cluster)
        imageCount += 1
        objectCount += objects.count
        count(objects)
        clusters[cluster].size += 1
        let share = 1 / Double(clusters[cluster].size)
        let focus = clusters[cluster].focus
        clusters[cluster].focus =
            GoalValues { Float(Double(focus[$0]) + (Double(values[$0]) - Double(focus[$0])) * share) }.rounded
        let moved = zip(centroids.row(cluster), vector).map { (mean: Float, value: Float) -> Float in
            Float(Double(mean) + (Double(value) - Double(mean)) * share)
        }
        for (i, value) in moved.enumerated() { centroids[cluster, i] = value }
    }
}

extension RealmClusters {
    /// Adds n ∕ (n + 1) ‖x − c‖², the increase in inertia when a point joins a cluster of n.
    private mutating func addInertia(of vector: [Float], to cluster: Int) {
        let size = Double(clusters[cluster].size)
        let added = size / (size + 1) * squaredDistance(vector, centroids.row(cluster))
        let total = inertia + added
        for number in clusters.indices {
            let own = clusters[number].inertiaShare * inertia + (number == cluster ? added : 0)
            clusters[number].inertiaShare = rounded(total > 0 ? own / total : 0)
        }
        inertia = rounded(total)
    }

    /// Counts objects, by their categories, in the sorted table of categories.
    private mutating func count(_ objects: [String]) {
        var counts = Dictionary(objects.map { ($0, 1) }, uniquingKeysWith: +)
        for number in categories.indices {
            guard let more = counts.removeValue(forKey: categories[number].category) else { continue }
            categories[number].objects += more
            categories[number].images += 1
        }
        for (category, count) in counts {
            categories.append(
                CategorySummary(
                    category: category, objects: count, images: 1, valence: nil, calming: nil, focus: GoalValues()))
        }
        categories.sort { ($1.images, $0.category) < ($0.images, $1.category) }
    }
}

extension RealmIndex.Realm {
    mutating func insert(_ vector: [Float], weight added: Double) {
        weight = rounded(weight + added)
        centre = zip(centre, vector).map { (mean: Float, value: Float) -> Float in
            Float(Double(mean) + (Double(value) - Double(mean)) * added / weight)
        }
    }
}
