extension VectorIndex {
    /// The ids of the vectors that a filter allows, ascending.
    ///
    ///     let romans = try index.ids(where: .matching(.equals("city", "Rome")))
    ///
    /// - Throws: `.invalidArgument` if an expression does not match the ``attributes``.
    /// - Complexity: O(n) to evaluate the filter, unless it is a set of ids; O(m log m) for m results.
    public func ids(where filter: SearchFilter) throws(KinError) -> [VectorID] {
        let allowed = try resolved(filter, for: .manyRows)
        let found = allowed.ids(atMost: .max)?.filter(contains) ?? ids.filter(allowed.allows)
        return found.sorted()
    }

    /// Checks that an expression matches the ``attributes``, and the ids if they are texts.
    ///
    /// - Throws: As ``FilterExpression/check(against:)``.
    package func check(_ expression: FilterExpression) throws(KinError) {
        _ = try BoundFilter(expression, attributes, names: nameTable.idsOfTexts(hasVectors: !isEmpty))
    }

    /// Finds the nearest vectors for each query of a batch by one search per query, each with its own filter if there
    /// are ``SearchOptions/filters``.
    func search(
        _ queries: Matrix<Float>, k: Int, oneByOne options: SearchOptions
    ) throws(KinError) -> NeighborTable {
        let filters = options.filters ?? Array(repeating: options.filter, count: queries.rows)
        guard filters.count == queries.rows else {
            throw KinError(
                .invalidArgument, "there are \(filters.count) filters for \(queries.rows) queries; each has one")
        }
        let work = LongWork(of: queries.rows)
        let results = concurrentMap(options.threads, queries.rows, memory: {}) { row, _ in
            Result { () throws(KinError) -> [Neighbor] in
                guard work.advance() else { return [] }
                var own = options
                (own.filter, own.filters, own.threads) = (filters[row], nil, 1)
                (own.radius, own.radii) = (options.radii?[row] ?? options.radius, nil)
                // The batch reports progress in queries.
                return try ProgressScope.shielded { () throws(KinError) in
                    try search(Array(queries.row(row)), k: k, options: own)
                }
            }
        }
        try work.check()
        var (elements, counts) = ([Neighbor](), [Int]())
        let width = min(k, count)
        elements.reserveCapacity(width * results.count)
        for (row, result) in results.enumerated() {
            do throws(KinError) {
                let found = try result.get()
                counts.append(found.count)
                elements += found
                elements += repeatElement(Neighbor(id: .none, distance: .infinity), count: width - found.count)
            } catch {
                throw error.within("row", row)
            }
        }
        return NeighborTable(elements: elements, counts: counts, width: width)
    }

    static var filtersOfABatch: KinError {
        KinError(.invalidArgument, "filters is a list for the queries of a batch; a single query has one filter")
    }
}
