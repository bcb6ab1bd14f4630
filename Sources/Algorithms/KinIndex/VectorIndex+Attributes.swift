extension VectorIndex {
    /// Declares attributes; their values are missing in every vector until they are set.
    ///
    /// - Throws: `.invalidArgument` if an attribute is already declared with a different kind, `.capacityExceeded` for
    ///   too many; the index is unchanged then.
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
    ///   - ids: n different ids, not `VectorID.none`.
    ///   - columns: The values by attribute name: one for each vector, nil for a missing value. Other attributes keep
    ///     their values in existing vectors, and are missing in new ones.
    ///   - threads: The number of threads, 1 or more.
    /// - Throws: As ``upsert(_:ids:threads:)``, and `.invalidArgument`, `.notFinite` or `.capacityExceeded` with the
    ///   attribute; the index is unchanged then.
    public mutating func upsert(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes columns: [String: AttributeColumn], threads: Int = 1
    ) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try upsert(vectors, ids: ids, threads: threads)
        updateAttributes { $0.write(columns, ids: ids) }
    }

    /// Sets attributes of existing vectors.
    ///
    /// - Throws: `.unknownID` if a vector does not exist; otherwise as ``upsert(_:ids:attributes:threads:)``. Nothing
    ///   is changed then.
    public mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try ids.requireDistinct()
        if let row = ids.firstIndex(where: { !contains($0) }) {
            throw KinError(.unknownID, "there is no vector with id \(ids[row])").within("row", row)
        }
        updateAttributes { $0.write(columns, ids: ids) }
    }

    /// Sets one attribute of one vector; nil makes the value missing.
    ///
    /// - Throws: As ``setAttributes(_:ids:)``.
    public mutating func setAttribute(_ name: String, to value: AttributeValue?, for id: VectorID) throws(KinError) {
        try updateAttributes { table throws(KinError) in try table.set(name, to: value, for: id) }
    }
}
