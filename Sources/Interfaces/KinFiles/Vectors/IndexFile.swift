/// An index of any kind, together with the meaning of its columns.
package struct IndexFile: Sendable {
    /// The index, flat or an inverted file.
    package var index: VectorIndex
    /// The names and scales of its columns.
    package let space: VectorSpace

    /// Joins an index and its space.
    package init(index: VectorIndex, space: VectorSpace) {
        self.index = index
        self.space = space
    }

    /// Opens an index file of either layout, and reads its file of columns.
    ///
    /// - Parameters:
    ///   - path: The index file.
    ///   - isMapped: Whether to map the file instead of reading it into memory.
    /// - Throws: `.inputOutput` for a file that cannot be read; `.corruptFile`, `.unsupportedFormat` or
    ///   `.malformedInput` for a file that is not an index, is damaged, or belongs to a different index.
    package init(opening path: String, mapped isMapped: Bool = true) throws(KinError) {
        let index = try VectorIndex(opening: path, mapped: isMapped)
        self.init(index: index, space: try VectorSpace(beside: path, dimension: index.dimension))
    }

    /// Builds an index from a table of raw vectors.
    ///
    /// - Parameters:
    ///   - table: The vectors in units of the data.
    ///   - metric: The metric of the index.
    ///   - scale: The statistics to scale columns by; nil: no scaling.
    ///   - layout: Flat or an inverted file; nil: a suitable one for the table.
    ///   - threads: The most threads to use; the index does not depend on it.
    package init(
        _ table: VectorTable, metric: Metric, scale: ColumnScaling.Kind?, layout: IndexLayout? = nil, threads: Int = 1
    ) throws(KinError) {
        guard table.dimension <= VectorIndex.largestDimension else {
            throw KinError(
                .capacityExceeded,
                """
                the vectors have \(table.dimension) numbers each, and an index takes \(VectorIndex.largestDimension) at most; leave columns \
                out
                """)
        }
        var table = table
        let scaling = scale.map { ColumnScaling($0, of: table) }
        let space = VectorSpace(dimension: table.dimension, names: table.columns, scaling: scaling)
        space.scale(&table)
        var index = VectorIndex(
            dimension: table.dimension, metric: metric,
            layout: layout ?? .automatic(count: table.count, dimension: table.dimension),
            attributes: table.attributes.schema)
        let (vectors, attributes) = (try table.matrix(), table.attributes.columns)
        if let names = table.names {
            try index.upsert(vectors, names: names, attributes: attributes, threads: threads)
        } else {
            try index.upsert(vectors, ids: table.allIDs, attributes: attributes, threads: threads)
        }
        self.init(index: index, space: space)
    }

    /// Writes the index, and the columns file next to it if it needs one.
    ///
    /// - Throws: `.inputOutput` if a file cannot be written, `.invalidArgument` outside of `withOverwriting` if one of
    ///   the two would replace a file of a different kind.
    ///   a file of a different kind.
    package func save(to path: String) throws {
        try space.write(beside: path) { try index.save(to: path) }
    }
}
