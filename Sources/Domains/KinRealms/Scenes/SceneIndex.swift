public import KinCore
import KinIndex
public import KinLinearAlgebra

/// Finds the scenes nearest to a vector of the caller's: an embedding of a wish, a note, a song's text.
///
/// Kin makes no embeddings; whoever describes scenes by vectors (512 dimensions of a sentence encoder, say) describes the question by the same
/// encoder. Distances are 1 − cosine, and the search is exact.
///
///     var index = SceneIndex(dimension: 512)
///     try index.upsert(vectors, scenes: world.scenes.map(\.id))
///     let near = try index.nearest(to: wish, count: 5)       // scene and distance, nearest first
public struct SceneIndex: Sendable {
    /// A scene and how far it is.
    public struct Match: Sendable, Hashable {
        /// The scene's id, as it was given.
        public let scene: String
        /// 1 − cosine, from 0 to 2.
        public let distance: Double
    }

    private var index: FlatIndex
    private var names: [String] = []
    private var numbers: [String: Int] = [:]

    /// An index without scenes.
    ///
    /// - Precondition: `dimension` is at least 1.
    public init(dimension: Int) { index = FlatIndex(dimension: dimension, metric: .cosine) }

    /// The number of scenes.
    public var count: Int { index.count }

    /// Adds scenes, or gives those that are there other vectors. All of them or, when this throws, none.
    ///
    /// - Parameters:
    ///   - vectors: n × dimension.
    ///   - scenes: n ids, each once.
    /// - Throws: `.dimensionMismatch` when there are not n ids or the dimension is another, `.notFinite` or `.zeroVector` naming
    ///   the row, `.duplicateID`.
    public mutating func upsert(_ vectors: Matrix<Float>, scenes: [String]) throws(KinError) {
        guard scenes.count == vectors.rows else {
            throw KinError(.dimensionMismatch, "there are \(vectors.rows) vectors for \(scenes.count) scenes")
        }
        var (changed, taken) = (self, Set<String>())
        let ids = try scenes.map { scene throws(KinError) in
            guard taken.insert(scene).inserted else {
                throw KinError(.duplicateID, "the scene is there twice").within("scene", scene)
            }
            return changed.id(of: scene)
        }
        try changed.index.upsert(vectors, ids: ids)
        self = changed
    }

    private mutating func id(of scene: String) -> VectorID {
        if let known = numbers[scene] { return VectorID(UInt64(known)) }
        numbers[scene] = names.count
        names.append(scene)
        return VectorID(UInt64(names.count - 1))
    }

    /// Removes a scene.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public mutating func remove(_ scene: String) -> Bool {
        guard let number = numbers[scene] else { return false }
        return index.remove(VectorID(UInt64(number)))
    }

    /// The nearest scenes, nearest first, ties in the order in which they were added.
    ///
    /// - Parameters:
    ///   - vector: `dimension` numbers.
    ///   - count: How many scenes at most.
    /// - Throws: `.dimensionMismatch`, `.notFinite`, `.zeroVector` or `.invalidArgument` for a count below 1.
    /// - Complexity: O(scenes · dimension), on 8-bit codes for the most part.
    public func nearest(to vector: [Float], count: Int = 5) throws(KinError) -> [Match] {
        try index.search(vector, k: count).map {
            Match(scene: names[Int($0.id.rawValue)], distance: $0.distance)
        }
    }
}
