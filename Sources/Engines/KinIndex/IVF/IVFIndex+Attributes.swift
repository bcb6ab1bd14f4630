public import KinCore
public import KinLinearAlgebra

// As for `FlatIndex`; what differs is that a change of attributes is a change of the index, of which prepared filters have to
// learn.

extension IVFIndex {
    /// Whether vectors can have attributes; if so each has a row of them.
    var hasAttributes: Bool { !attributes.schema.isEmpty }

    /// Declares attributes; see ``FlatIndex/declareAttributes(_:)``.
    ///
    /// - Throws: `.invalidArgument` when one is declared with another kind already, `.capacityExceeded` for too many; the index
    ///   is unchanged then.
    /// - Complexity: O(n).
    public mutating func declareAttributes(_ schema: AttributeSchema) throws(KinError) {
        let isFirst = !hasAttributes
        try attributes.declare(schema)
        if isFirst, hasAttributes { attributes.addRows(ids) }
        touch()
    }

    /// Puts vectors in together with their attributes; see ``FlatIndex/upsert(_:ids:attributes:)``.
    ///
    /// - Throws: As ``upsert(_:ids:threads:)``, and `.invalidArgument`, `.notFinite` or `.capacityExceeded` naming the attribute;
    ///   the index is unchanged then.
    public mutating func upsert(
        _ vectors: Matrix<Float>, ids: [VectorID], attributes columns: [String: AttributeColumn], threads: Int = 1
    ) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try upsert(vectors, ids: ids, threads: threads)
        attributes.write(columns, ids: ids)
    }

    /// Sets attributes of vectors that are there.
    ///
    /// - Throws: `.unknownID` when a vector is not there, else as ``upsert(_:ids:attributes:threads:)``; nothing is changed then.
    public mutating func setAttributes(_ columns: [String: AttributeColumn], ids: [VectorID]) throws(KinError) {
        try attributes.check(columns, rows: ids.count)
        try ids.requireDistinct()
        if let row = ids.firstIndex(where: { !contains($0) }) {
            throw KinError(.unknownID, "there is no vector with id \(ids[row])").within("row", row)
        }
        attributes.write(columns, ids: ids)
        touch()
    }

    /// Sets one attribute of one vector; nil makes it missing.
    ///
    /// - Throws: As ``setAttributes(_:ids:)``.
    public mutating func setAttribute(_ name: String, to value: AttributeValue?, for id: VectorID) throws(KinError) {
        try attributes.set(name, to: value, for: id)
        touch()
    }

    /// Takes over the attributes of another index, whose vectors are here by now.
    mutating func takeAttributes(of other: AttributeTable) throws(KinError) {
        for id in other.ids {
            for (name, value) in other.values(for: id) ?? [:] { try attributes.set(name, to: value, for: id) }
        }
        touch()
    }
}
