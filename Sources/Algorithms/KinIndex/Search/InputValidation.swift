/// Validates all arguments of an index, so that later code never handles invalid ones.
struct InputValidation {
    let dimension: Int
    let metric: Metric

    func checkArguments(k: Int, threads: Int) throws(KinError) {
        guard k >= 0 else { throw KinError(.invalidArgument, "k must be 0 or more, not \(k)") }
        try requireThreads(threads)
    }

    func check(query: Span<Float>) throws(KinError) {
        guard query.count == dimension else {
            throw KinError(
                .dimensionMismatch, "the index has \(dimension) dimensions, the query has \(query.count)")
        }
        var isZero = true
        for j in query.indices {
            guard query[j].isFinite else {
                throw KinError(.notFinite, "dimension \(j) of the query is \(query[j]); vectors hold finite numbers")
            }
            if query[j] != 0 { isZero = false }
        }
        guard !isZero || !metric.comparesDirections else {
            throw KinError(.zeroVector, "all numbers of the query are zero: the cosine metric needs a direction")
        }
    }

    func check(queries: Matrix<Float>) throws(KinError) {
        for row in 0..<queries.rows {
            do throws(KinError) {
                try check(query: queries.row(row).span)
            } catch {
                throw error.within("row", row)
            }
        }
    }

    func check(radius: Double) throws(KinError) {
        guard !radius.isNaN else { throw KinError(.notFinite, "the radius is not a number") }
    }

    func check(radii: [Double], queries: Int) throws(KinError) {
        guard radii.count == queries else {
            throw KinError(.invalidArgument, "there are \(radii.count) radii for \(queries) queries; each has one")
        }
        guard let row = radii.firstIndex(where: \.isNaN) else { return }
        throw KinError(.notFinite, "the radius is not a number").within("row", row)
    }

    private func check(_ vectors: Matrix<Float>, threads: Int) throws(KinError) {
        guard vectors.columns == dimension || vectors.rows == 0 else {
            throw KinError(
                .dimensionMismatch, "the index has \(dimension) dimensions, the vectors have \(vectors.columns)")
        }
        let elements = vectors.elements
        let bad = unsafe elements.withUnsafeBufferPointer { all in
            concurrentReduce(threads, rangesOf: all.count) { range in
                unsafe Kernels.active.firstNotFinite(UnsafeBufferPointer(rebasing: all[range])).map {
                    range.lowerBound + $0
                }
            } _: {
                $0 ?? $1
            }
        }
        if let bad {
            throw KinError(.notFinite, "dimension \(bad % dimension) is \(elements[bad]); vectors hold finite numbers")
                .within("row", bad / dimension)
        }
        guard metric.comparesDirections else { return }
        for row in 0..<vectors.rows where vectors.row(row).allSatisfy({ $0 == 0 }) {
            throw KinError(.zeroVector, "all numbers are zero: the cosine metric needs a direction")
                .within("row", row)
        }
    }

    /// Checks vectors to be stored under some ids.
    ///
    /// - Parameters:
    ///   - count: The number of vectors in the index.
    ///   - most: The largest number of vectors in an index.
    func check(
        _ vectors: Matrix<Float>, ids: some RandomAccessCollection<VectorID>, beside count: Int, most: Int,
        threads: Int = 1
    ) throws(KinError) {
        guard vectors.rows == ids.count else {
            throw KinError(.invalidArgument, "\(vectors.rows) vectors need as many ids, but \(ids.count) were given")
        }
        try check(vectors, threads: threads)
        try ids.requireDistinct(threads: threads)
        guard count + ids.count <= most else {
            throw KinError(.capacityExceeded, "an index holds at most \(most) vectors")
        }
    }

    /// The largest number of neighbours in one result: 2³¹ of them, 16 bytes each, are 32 GB.
    private static let largestResult = 1 << 31

    func checkResult(queries: Int, width: Int) throws(KinError) {
        let total = queries.multipliedReportingOverflow(by: width)
        guard !total.overflow, total.partialValue <= Self.largestResult else {
            throw KinError(
                .capacityExceeded,
                "\(queries) queries with \(width) neighbours each do not fit in memory: search in smaller batches")
        }
    }
}

extension RandomAccessCollection<VectorID> {
    /// Checks that the ids of a call are distinct, and that none is ``VectorID/none``.
    ///
    /// - Throws: `.invalidArgument` for ``VectorID/none``; `.duplicateID`; both with the row.
    func requireDistinct(threads: Int = 1) throws(KinError) {
        func id(_ row: Int) -> VectorID { self[index(startIndex, offsetBy: row)] }
        // Ascending ids, the usual case, need no set.
        let areAscending = concurrentReduce(threads, rangesOf: count) { rows in
            rows.allSatisfy { $0 == 0 || id($0 - 1) < id($0) }
        } _: {
            $0 && $1
        }
        guard !areAscending || last == VectorID.none else { return }
        if let (row, _) = enumerated().first(where: { $1 == .none }) {
            throw KinError(
                .invalidArgument,
                "the id \(VectorID.none), or -1 with a sign, stands for \"no vector\"; choose a different one"
            ).within("row", row)
        }
        // Each part of a large set has the ids in one range of hashes; parts differ little in size.
        let parts = count < 1 << 18 ? 1 : UInt(Swift.min(threads, 64))
        let repeated = concurrentMap(threads, Int(parts), memory: {}) { part, _ in
            var seen = IDSet(capacity: count / Int(parts) * 9 / 8)
            return enumerated().first { (id: (offset: Int, element: VectorID)) in
                Int(((id.element.tableHash >> 32) &* parts) >> 32) == part && !seen.insert(id.element)
            }
        }
        guard let (row, id) = repeated.compactMap(\.self).min(by: { $0.offset < $1.offset }) else { return }
        throw KinError(.duplicateID, "the id \(id) is given twice; give each vector its own id").within("row", row)
    }
}
