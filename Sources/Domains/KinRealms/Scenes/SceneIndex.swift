/// An exact index of scenes by the caller's vectors, such as text embeddings.
///
/// The caller encodes scenes and queries with one encoder, for example as sentence embeddings of 512 dimensions.
///
///     var index = SceneIndex(dimension: 512)
///     try index.upsert(vectors, scenes: world.scenes.map(\.id))
///     let near = try index.nearest(to: query, count: 5)      // scene and distance, nearest first
public struct SceneIndex: Sendable {
    /// A scene with its distance.
    public struct Match: Sendable, Hashable {
        /// The id of the scene.
        public let scene: String
        /// The cosine distance 1 − cos, 0…2.
        public let distance: Double
    }

    private var index: VectorIndex
    private var names: [String] = []
    private var numbers: [String: Int] = [:]

    /// Creates an index without scenes.
    ///
    /// - Precondition: `dimension` is at least 1.
    public init(dimension: Int) { index = VectorIndex(dimension: dimension, metric: .cosine, layout: .flat) }

    /// The number of scenes.
    public var count: Int { index.count }

    /// Adds scenes or replaces their vectors. If it throws, the index is unchanged.
    ///
    /// - Parameters:
    ///   - vectors: The vectors, n × dimension.
    ///   - scenes: The n distinct ids.
    /// - Throws: `.dimensionMismatch` for a different number of ids or a different dimension, `.notFinite` or
    ///   `.zeroVector` naming the scene, `.duplicateID`.
    public mutating func upsert(_ vectors: Matrix<Float>, scenes: [String]) throws(KinError) {
        guard scenes.count == vectors.rows else {
            throw KinError(.dimensionMismatch, "there are \(vectors.rows) vectors for \(scenes.count) scenes")
        }
        var (changed, taken) = (self, Set<String>())
        let ids = try scenes.map { scene throws(KinError) in
            guard taken.insert(scene).inserted else {
                throw KinError(.duplicateID, "the scene appears twice").within("scene", scene)
            }
            return changed.id(of: scene)
        }
        do throws(KinError) { try changed.index.upsert(vectors, ids: ids) } catch {
            let row = error.context.first { $0.name == "row" }.flatMap { Int($0.value) }
            throw row.map { error.without(["row"]).within("scene", scenes[$0]) } ?? error
        }
        self = changed
    }

    private mutating func id(of scene: String) -> VectorID {
        if let known = numbers[scene] { return VectorID(UInt64(known)) }
        numbers[scene] = names.count
        names.append(scene)
        return VectorID(UInt64(names.count - 1))
    }

    /// Removes a scene by its id.
    ///
    /// - Returns: Whether the scene was there.
    @discardableResult
    public mutating func remove(_ scene: String) -> Bool {
        guard let number = numbers[scene] else { return false }
        return index.remove(VectorID(UInt64(number)))
    }

    /// Finds the nearest scenes by ascending distance, ties in the order of addition.
    ///
    /// - Parameters:
    ///   - vector: The query, of `dimension` numbers.
    ///   - count: The largest number of scenes, at least 1.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` for a count below 1.
    /// - Complexity: O(scenes · dimension), mostly on 8-bit codes.
    public func nearest(to vector: [Float], count: Int = 5) throws(KinError) -> [Match] {
        try index.search(vector, k: count).map {
            Match(scene: names[Int($0.id.rawValue)], distance: $0.distance)
        }
    }
}
