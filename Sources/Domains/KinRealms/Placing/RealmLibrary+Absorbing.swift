public import KinCore
import KinLinearAlgebra

extension RealmLibrary {
    /// Takes an image in: it joins its cluster and realms, whose centres become the means with it.
    ///
    ///     c ← c + (x − c) ∕ (n + 1)
    ///
    /// as MacQueen's k-means does ("Some methods for classification and analysis of multivariate observations", 1967). Images that were there
    /// stay where they are; after many new ones, cluster the album anew.
    ///
    /// - Returns: Where it was placed.
    /// - Throws: `.duplicateID` when the image is there already; as ``place(_:in:)``. A failed call changes nothing.
    /// - Complexity: O((realms + clusters) · dimension + images of its realms).
    @discardableResult
    public mutating func absorb(_ analysis: ImageAnalysis) throws(KinError) -> Placement {
        guard !index.images.contains(where: { $0.id == analysis.id }) else {
            throw KinError(.duplicateID, "this image is in the index already").within("image", analysis.id)
        }
        let placement = try place(analysis)
        let vector = clusters.recipe.vector(of: analysis)
        let cluster = nearestCluster(to: vector)
        clusters.absorb(vector, into: cluster, objects: analysis.objects.count)
        let image = index.images.count
        index.images.append(
            RealmIndex.Image(
                id: analysis.id, cluster: cluster, mood: analysis.mood, values: analysis.values,
                objects: analysis.objects.map {
                    RealmIndex.Object(name: $0.name, category: $0.category, number: $0.number)
                }))
        index.list(image, index.realms.map { realm in placement.realms.first { $0.realm == realm.type }?.score ?? 0 })
        index.sortEntries()
        for (rank, type) in analysis.realmTypes.enumerated() {
            guard let realm = index.realms.firstIndex(where: { $0.type == type }) else { continue }
            index.realms[realm].absorb(vector, weight: RealmScoring.suggestion(rank: rank))
        }
        return placement
    }

    private func nearestCluster(to vector: [Float]) -> Int {
        let distances = (0..<clusters.centroids.rows).map { squaredDistance(vector, clusters.centroids.row($0)) }
        return distances.indices.min { (distances[$0], $0) < (distances[$1], $1) } ?? 0
    }
}

extension RealmClusters {
    mutating func absorb(_ vector: [Float], into cluster: Int, objects: Int) {
        clusters[cluster].size += 1
        imageCount += 1
        objectCount += objects
        let share = 1 / Double(clusters[cluster].size)
        let moved = zip(centroids.row(cluster), vector).map { Float(Double($0) + (Double($1) - Double($0)) * share) }
        for (i, value) in moved.enumerated() { centroids[cluster, i] = value }
    }
}

extension RealmIndex.Realm {
    mutating func absorb(_ vector: [Float], weight added: Double) {
        weight = rounded(weight + added)
        centre = zip(centre, vector).map { Float(Double($0) + (Double($1) - Double($0)) * added / weight) }
    }
}
