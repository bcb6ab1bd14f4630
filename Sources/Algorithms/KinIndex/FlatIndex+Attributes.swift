public import KinCore
public import KinLinearAlgebra

extension FlatIndex {
    /// Declares attributes; they are missing in every vector until they are set.
    ///
    /// - Throws: `.invalidArgument` when one is declared with another kind already, `.capacityExceeded` for too many; the index
    ///   is unchanged then.
    /// - Complexity: O(n).
    public mutating func declareAttributes(_ schema: AttributeSchema) throws(KinError) {
        let isFirst = !hasAttributes
        try attributes.declare(schema)
        if isFirst, hasAttributes { attributes.addRows(ids) }
    }

    /// Inserts or replaces vectors together with their attributes.
    ///
    /// - Parameters:
    ///   - vectors: n × ``dimension``.
    ///   - ids: n different ids, none of them `VectorID.none`.
    ///   - columns: By the attributes' names, n values each, nil where one is missing. Attributes that are not named keep their
    ///     values in vectors that are there, and are missing in new ones.
    /// - Throws: As ``upsert(_:ids:)``, and `.invalidArgument`, `.notFinite` or `.capacityExceeded` naming the attribute; the index
    ///   is unchanged then.
    public mutating func upsert(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes columns: [String: AttributeColumn]
    ) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try upsert(vectors, ids: ids)
        attributes.write(columns, ids: ids)
    }

    /// Sets attributes of vectors that the index has.
    ///
    /// - Throws: `.unknownID` when a vector is not there, else as ``upsert(_:ids:attributes:)``; nothing is changed then.
    public mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError) {
        try checkAttributes(columns, of: ids)
        attributes.write(columns, ids: ids)
    }

    /// Sets one attribute of one vector; nil makes it missing.
    ///
    /// - Throws: As ``setAttributes(_:ids:)``.
    public mutating func setAttribute(_ name: String, to value: AttributeValue?, for id: VectorID) throws(KinError) {
        try attributes.set(name, to: value, for: id)
    }

    /// Evaluates a filter's expression once for many searches; a search after a change of the attributes evaluates it anew.
    ///
    /// So a prepared filter gives what the unprepared one gives, on this index, its snapshots and any other.
    ///
    /// - Throws: `.invalidArgument` when an expression does not fit the ``attributes``, or threads is below 1.
    public func prepare(_ filter: SearchFilter, threads: Int = 1) throws(KinError) -> SearchFilter {
        try validation.checkArguments(k: 0, threads: threads)
        return try filter.prepared(for: attributes, threads: threads)
    }
}
