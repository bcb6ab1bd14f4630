import KinLinearAlgebra

extension CentroidSearch {
    /// Finds the nearest centroid of each of some points.
    ///
    /// - Parameters:
    ///   - points: count × stride floats.
    ///   - labels: Receives the nearest centroids, of equally near ones the lowest number.
    ///   - distances: Receives the distances to them.
    ///   - guessed: Whether `labels` holds a guess for each point. The distance to the guessed centroid is the first limit of the
    ///     screen; the better the guess, the fewer centroids pass. The result does not depend on it.
    /// - Returns: How many labels were changed.
    @discardableResult
    func assign(
        _ points: UnsafePointer<Float>, count: Int, labels: UnsafeMutablePointer<UInt32>,
        distances: UnsafeMutablePointer<Double>, guessed: Bool, scratch: Scratch
    ) -> Int {
        var changes = 0
        var first = 0
        while first < count {
            let n = min(Kernels.tileQueries, count - first)
            var tile = unsafe AssignmentTile(
                points: points + first * stride, count: n, labels: labels + first, distances: distances + first)
            unsafe scratch.before.update(from: tile.labels, count: n)
            if let coding, scratch.tilesToSkip == 0 {
                if !guessed { guess(&tile, scratch: scratch) }
                let survivors = screen(&tile, coding: coding, scratch: scratch)
                // A survivor costs its dimensions and some 14 ns, as much as 74 dimensions of a scan.
                if survivors * (dimension + 74) > k * n * dimension { scratch.tilesToSkip = 7 }
            } else {
                scratch.tilesToSkip = max(0, scratch.tilesToSkip - 1)
                scan(&tile, scratch: scratch)
            }
            for q in 0..<n where unsafe tile.labels[q] != scratch.before[q] { changes += 1 }
            first += n
        }
        return changes
    }

    /// Computes every distance.
    private func scan(_ tile: inout AssignmentTile, scratch: Scratch) {
        for q in 0..<tile.count {
            unsafe tile.labels[q] = 0
            unsafe tile.distances[q] = .infinity
            var c = 0
            while c < k {
                let n = min(Kernels.blockRows, k - c)
                unsafe Kernels.active.distances(
                    metric, from: tile.points + q * stride, to: rows + c * stride, stride: stride, count: n,
                    into: scratch.distances)
                for i in 0..<n { unsafe tile.offer(UInt32(c + i), at: scratch.distances[i], query: q) }
                c += n
            }
        }
    }

    /// Guesses the nearest of √k centroids spread evenly over all.
    private func guess(_ tile: inout AssignmentTile, scratch: Scratch) {
        let step = max(1, Int(Double(k).squareRoot()))
        for q in 0..<tile.count {
            unsafe tile.labels[q] = 0
            unsafe tile.distances[q] = .infinity
            for c in Swift.stride(from: 0, to: k, by: step) { offer(UInt32(c), to: &tile, query: q, scratch: scratch) }
        }
    }

    private func offer(_ c: UInt32, to tile: inout AssignmentTile, query q: Int, scratch: Scratch) {
        unsafe Kernels.active.distances(
            metric, from: tile.points + q * stride, to: rows + Int(c) * stride, stride: stride, count: 1,
            into: scratch.distances)
        unsafe tile.offer(c, at: scratch.distances[0], query: q)
    }

    /// Improves the guesses of a tile to the nearest centroids.
    ///
    /// - Returns: How many distances were computed for centroids that passed.
    private func screen(_ tile: inout AssignmentTile, coding: RowCoding, scratch: Scratch) -> Int {
        let reading = Kernels.active.reading
        for q in 0..<tile.count {
            let point = unsafe tile.points + q * stride
            unsafe Kernels.active.distances(
                metric, from: point, to: rows + Int(tile.labels[q]) * stride, stride: stride, count: 1,
                into: tile.distances + q)
            for c in coding.exceptions { offer(c, to: &tile, query: q, scratch: scratch) }
            unsafe scratch.bounds[q] = QueryBound(
                coding: point, dimension: dimension, metric: metric, grid: coding.grid.placement, reading: reading,
                weights: scratch.weights + q * 4 * groups)
        }
        var survivors = 0
        var block = 0
        while block < blocks {
            for q in 0..<tile.count {
                unsafe scratch.limits[q] = scratch.bounds[q].limit(distance: tile.distances[q], errors: coding.errors)
            }
            let (found, next) = unsafe Kernels.active.screen(
                codes: codes, blocks: blocks, groups: groups, weights: scratch.weights, limits: scratch.limits,
                queries: tile.count, metric: metric, from: block, into: scratch.hits)
            for h in 0..<found {
                survivors += unsafe take(scratch.hits[h], for: &tile, coding: coding, scratch: scratch)
            }
            block = next
        }
        return survivors
    }

    /// Offers the centroids of one hit.
    private func take(
        _ hit: ScreenHit, for tile: inout AssignmentTile, coding: RowCoding, scratch: Scratch
    ) -> Int {
        let q = Int(hit.query)
        let first = Int(hit.block) * Kernels.blockRows
        var passed = hit.rows
        if first + Kernels.blockRows > k { passed &= (1 << UInt64(k - first)) - 1 }
        if !coding.exceptions.isEmpty { passed &= ~coding.exceptions(inBlock: Int(hit.block)) }
        // The distance to the nearest so far is known; a shift by 64 or more, or by less than 0, gives 0.
        passed &= unsafe ~((1 as UInt64) << (Int(tile.labels[q]) - first))
        var n = 0
        while passed != 0 {
            unsafe scratch.picks[n] = UInt32(first + passed.trailingZeroBitCount)
            passed &= passed - 1
            n += 1
        }
        guard n > 0 else { return 0 }
        unsafe Kernels.active.distances(
            metric, from: tile.points + q * stride, to: rows, stride: stride, picks: scratch.picks, count: n,
            into: scratch.distances)
        for i in 0..<n { unsafe tile.offer(scratch.picks[i], at: scratch.distances[i], query: q) }
        return n
    }
}

/// Up to 64 points with the nearest centroid of each so far.
@safe
private struct AssignmentTile {
    let points: UnsafePointer<Float>
    let count: Int
    let labels: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<Double>

    @inline(__always)
    mutating func offer(_ c: UInt32, at distance: Double, query q: Int) {
        let best = unsafe distances[q]
        if unsafe distance < best || (distance == best && c < labels[q]) {
            unsafe distances[q] = distance
            unsafe labels[q] = c
        }
    }
}
