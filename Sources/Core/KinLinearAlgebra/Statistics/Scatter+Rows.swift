extension Scatter {
    /// Computes the scatter of the rows of a matrix, in double precision throughout.
    ///
    /// The means of a block of rows that fits in the cache are computed first. The rows are then written as doubles,
    /// centred on the means, and added to the scatter by the BLAS (syrk). Fixed runs of blocks are summed separately
    /// and merged in order, so the result is bit-identical with any number of threads. Any constant column has a
    /// scatter of exactly 0. O(n d²) time; d² doubles for each of at most 64 runs.
    ///
    /// - Parameter threads: The most threads to use, at least 1.
    /// - Throws: ``KinError/Code/notFinite`` with the first NaN or infinity, ``KinError/Code/capacityExceeded`` if the
    ///   dimension exceeds the BLAS's 32 bits; `.cancelled` as described at `withProgressHandler`, with rows as units.
    package init(rows data: Matrix<Float>, threads: Int = 1) throws(KinError) {
        let d = data.columns
        try BLAS.check(d)
        self.init(dimension: d, count: data.isEmpty ? data.rows : 0)
        guard !data.isEmpty else { return }

        let plan = ScatterPlan(rows: data.rows, dimension: d)
        var runs = [Scatter?](repeating: nil, count: plan.runs)
        let workers = max(1, min(threads, plan.runs))
        let work = LongWork(of: data.rows)
        unsafe runs.withUnsafeMutableBufferPointer { runs in
            unsafe data.withUnsafeBufferPointer { x in
                BLAS.withOneThread {
                    concurrently(workers) { worker in
                        for run in stride(from: worker, to: plan.runs, by: workers) {
                            unsafe runs[run] = plan.scatter(ofRun: run, of: x, work)
                        }
                    }
                }
            }
        }
        try work.check()
        for case let run? in runs { merge(run) }
        // A NaN or an infinity anywhere in a column appears in its mean, and finite floats cannot overflow a double. So
        // the data itself is searched only if there is something to find.
        if !mean.allSatisfy(\.isFinite) { try data.checkFinite() }
    }
}

/// The division of a matrix's rows into blocks and runs of blocks. It depends only on the matrix's shape, not on the
/// threads.
private struct ScatterPlan {
    let rows: Int
    let dimension: Int
    /// The number of rows centred at a time, at least 256: with fewer rows, syrk would spend more time on loading and
    /// storing S than on multiplying.
    let blockRows: Int
    /// The number of rows summed as one part: whole blocks, at most 64 parts.
    let runRows: Int

    init(rows: Int, dimension: Int) {
        self.rows = rows
        self.dimension = dimension
        blockRows = RowBlock.rowsInCache(columns: dimension, atLeast: 256)
        let blocks = rows.dividedRoundingUp(by: blockRows)
        runRows = max(1, blocks.dividedRoundingUp(by: 64)) * blockRows
    }

    var runs: Int { rows.dividedRoundingUp(by: runRows) }

    /// The scatter of one run of blocks; partial if the work was cancelled.
    func scatter(ofRun run: Int, of data: UnsafeBufferPointer<Float>, _ work: LongWork) -> Scatter {
        let first = run * runRows
        let end = min(first + runRows, rows)
        var total = RunningScatter(dimension: dimension, blockRows: min(blockRows, end - first))
        for start in stride(from: first, to: end, by: blockRows) {
            let range = start..<min(start + blockRows, end)
            unsafe total.add(RowBlock(range, of: data, columns: dimension))
            guard work.advance(by: range.count) else { break }
        }
        return Scatter(count: total.count, mean: total.mean, upperTriangle: total.upperTriangle)
    }
}

/// The scatter of one run, accumulated block by block; only the upper triangle is filled until the end.
private struct RunningScatter {
    private(set) var count = 0
    private(set) var mean: [Double]
    private(set) var upperTriangle: Matrix<Double>
    private var centred: Matrix<Double>

    init(dimension: Int, blockRows: Int) {
        mean = Array(repeating: 0, count: dimension)
        upperTriangle = Matrix(rows: dimension, columns: dimension)
        centred = Matrix(rows: blockRows, columns: dimension)
    }

    mutating func add(_ block: RowBlock) {
        let d = mean.count
        let blockMean = block.columnMeans()
        unsafe centred.withUnsafeMutableBufferPointer { x in
            unsafe block.write(minus: blockMean, to: x)
            unsafe upperTriangle.withUnsafeMutableBufferPointer { s in
                unsafe DenseRoutines.syrk(
                    MatrixOperand(.transposed, x.baseAddress!, rows: d, columns: block.rows, stride: d), beta: 1,
                    into: MatrixTarget(elements: s.baseAddress!, rows: d, columns: d, stride: d))
            }
        }
        merge(blockMean, rows: block.rows)
    }

    /// Updates the mean, and adds the contribution of the difference between the two means to S.
    private mutating func merge(_ blockMean: [Double], rows n: Int) {
        let d = mean.count
        let (old, new) = (Double(count), Double(n))
        let share = new / (old + new)
        let delta = (0..<d).map { blockMean[$0] - mean[$0] }
        var s = upperTriangle.mutableSpan
        for i in 0..<d {
            let factor = delta[i] * (old * share)
            for j in i..<d { s[i * d + j] += factor * delta[j] }
        }
        for j in 0..<d { mean[j] += delta[j] * share }
        count += n
    }
}
