public import KinCore
public import KinLinearAlgebra

extension VectorIndex {
    /// Declares attributes; they are missing in every vector until they are set.
    ///
    /// - Throws: `.invalidArgument` when one is declared with another kind already, `.capacityExceeded` for too many; the index
    ///   is unchanged then.
    /// - Complexity: O(n).
    public mutating func declareAttributes(_ schema: AttributeSchema) throws(KinError) {
        let isFirst = !hasAttributes
        try updateAttributes { table throws(KinError) in try table.declare(schema) }
        if isFirst, hasAttributes {
            let ids = ids
            updateAttributes { $0.addRows(ids) }
        }
    }

    /// Inserts or replaces vectors together with their attributes.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, none of them `VectorID.none`.
    ///   - columns: By the attributes' names, n values each, nil where one is missing. Attributes that are not named keep their
    ///     values in vectors that are there, and are missing in new ones.
    ///   - threads: The number of threads, 1 or more.
    /// - Throws: As ``upsert(_:ids:threads:)``, and `.invalidArgument`, `.notFinite` or `.capacityExceeded` naming the attribute;
    ///   the index is unchanged then.
    public mutating func upsert(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes columns: [String: AttributeColumn], threads: Int = 1
    ) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try upsert(vectors, ids: ids, threads: threads)
        updateAttributes { $0.write(columns, ids: ids) }
    }

    /// Sets attributes of vectors that the index has.
    ///
    /// - Throws: `.unknownID` when a vector is not there, else as ``upsert(_:ids:attributes:threads:)``; nothing is changed then.
    public mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try ids.requireDistinct()
        if let row = ids.firstIndex(where: { !contains($0) }) {
            throw KinError(.unknownID, "there is no vector with id \(ids[row])").within("row", row)
        }
        updateAttributes { $0.write(columns, ids: ids) }
    }

    /// Sets one attribute of one vector; nil makes it missing.
    ///
    /// - Throws: As ``setAttributes(_:ids:)``.
    public mutating func setAttribute(_ name: String, to value: AttributeValue?, for id: VectorID) throws(KinError) {
        try updateAttributes { table throws(KinError) in try table.set(name, to: value, for: id) }
    }
}
