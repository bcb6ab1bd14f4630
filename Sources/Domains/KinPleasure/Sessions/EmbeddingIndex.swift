/// The embeddings of sessions in an inverted-file index for each model, for searches together with a ``SessionIndex``.
///
/// Vectors are stored at unit length, so a squared distance is 2 − 2 cos. Sessions have the same numbers as in the
/// session index, which has their persons, states and starts. Memory: about 5 bytes a number.
package struct EmbeddingIndex: Sendable {
    /// The unit vectors of each model.
    package private(set) var vectors: [String: VectorIndex] = [:]

    /// The largest number of models.
    package static let mostModels = 64

    /// Creates an index without embeddings.
    package init() {}

    /// The labels of the models with embeddings, ascending.
    package var models: [String] { vectors.keys.sorted() }

    /// The number of embeddings of all models.
    package var count: Int { vectors.values.reduce(0) { $0 + $1.count } }

    /// An estimate of the memory that the index takes, in bytes.
    package var byteCount: Int { 256 + vectors.values.reduce(0) { $0 + $1.byteCount } }

    /// Adds embeddings of one model under the numbers of their sessions; replaces those with the same numbers.
    ///
    /// - Parameters:
    ///   - embeddings: Vectors of one dimension that are not all zeros.
    ///   - ids: Distinct numbers of sessions, one for each vector.
    ///   - model: The label of the model.
    /// - Throws: `.dimensionMismatch`, naming both dimensions, and as `VectorIndex.upsert`; the index is then
    ///   unchanged.
    /// - Complexity: O(n · (dimension + log n)).
    package mutating func upsert(_ embeddings: [[Float]], as ids: [VectorID], model: String) throws(KinError) {
        guard let first = embeddings.first else { return }
        let dimension = vectors[model]?.dimension ?? first.count
        var matrix = Matrix<Float>(rows: embeddings.count, columns: dimension)
        for (row, vector) in embeddings.enumerated() {
            guard vector.count == dimension else { throw Self.mismatch(of: model, dimension, vector.count) }
            let unit = SessionEmbedding.unit(vector)
            for j in 0..<dimension { matrix[row, j] = unit[j] }
        }
        try vectors[model, default: VectorIndex(exactlySearched: dimension, metric: .squaredL2)].upsert(
            matrix, ids: ids)
    }

    /// Removes the embeddings of sessions, without a trace; unknown numbers are ignored.
    ///
    /// - Parameter model: The label of the model; nil for all models.
    package mutating func remove(_ ids: [VectorID], model: String? = nil) {
        for name in model.map({ [$0] }) ?? models {
            if vectors[name]?.remove(ids) ?? 0 > 0 { vectors[name]?.rebuildChangedLists() }
            if vectors[name]?.isEmpty == true { vectors[name] = nil }
        }
    }

    /// The label of the model that a query refers to.
    ///
    /// - Parameters:
    ///   - model: The label in the query, if any.
    ///   - models: The labels of the models with embeddings, ascending.
    /// - Throws: `.unknownID` for an unknown model, or if there are no models; `.invalidArgument` if there are several
    ///   and the query names none.
    package static func model(_ model: String?, of models: [String]) throws(KinError) -> String {
        if let model, models.contains(model) { return model }
        let list = models.prefix(8).map { "\"\($0)\"" }.joined(separator: ", ")
        guard !models.isEmpty else {
            throw KinError(.unknownID, "no session has an embedding; import records of the kind `session_embedding`")
        }
        if let model {
            throw KinError(
                .unknownID, "no session has an embedding of model \"\(model.prefix(80))\"; there are \(list)")
        }
        guard models.count == 1 else {
            throw KinError(.invalidArgument, "there are embeddings of several models; choose one with `model`: \(list)")
        }
        return models[0]
    }

    /// The error for a vector whose dimension differs from that of its model.
    package static func mismatch(of model: String, _ expected: Int, _ dimension: Int) -> KinError {
        KinError(
            .dimensionMismatch,
            "the vector has \(dimension) dimensions, and the embeddings of model \"\(model.prefix(80))\" have \(expected)"
        )
    }
}

extension EmbeddingIndex {
    private static let names: SavedTexts.Tags = ("MODB", "MODE")

    /// Writes the sections of the index to a file, which may contain further sections.
    ///
    /// - Throws: `.inputOutput`.
    package func write(to writer: inout SectionFileWriter) throws(KinError) {
        let models = models
        try writer.write(texts: models.lazy.map { Array($0.utf8) }, to: Self.names)
        for (number, model) in models.enumerated() {
            guard let index = vectors[model] else { continue }
            try writer.writePart(UInt8(number + 1)) { writer throws(KinError) in try index.write(to: &writer) }
        }
    }

    /// Reads an index from a file with valid checksums; vectors stay in the file until they change.
    ///
    /// - Throws: `.corruptFile` for a file that contradicts itself.
    package init(file: SectionFile) throws(KinError) {
        let names = try SavedTexts(file, Self.names)
        guard names.count <= Self.mostModels else { throw KinError(.corruptFile, "an index of \(names.count) models") }
        for number in 0..<names.count {
            let index = try VectorIndex(exactlySearched: file.part(UInt8(number + 1)), alongOwnAxes: false)
            guard index.metric == .squaredL2, vectors.updateValue(index, forKey: names[number]) == nil else {
                throw KinError(.corruptFile, "the index of model \(number + 1) is not one of embeddings")
            }
        }
    }

    /// Whether an index has the same embeddings; O(numbers).
    package func agrees(with other: EmbeddingIndex) -> Bool {
        models == other.models
            && vectors.allSatisfy { model, index in
                guard let its = other.vectors[model], its.count == index.count else { return false }
                return its.ids.allSatisfy { index.storedVector(for: $0) == its.storedVector(for: $0) }
            }
    }
}
