import KinCore
import KinLinearAlgebra

extension Lloyd {
    /// Draws points as centroids, the next one each time with a probability proportional to w δ, where δ is the distance to the
    /// nearest one drawn (k-means++).
    ///
    /// When every point of positive weight coincides with one drawn, the first drawn is repeated.
    ///
    /// Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
    ///
    /// - Complexity: O(n k dimension), in double precision.
    func plusPlus(_ generator: inout SeededGenerator) -> Place {
        let assignment = Assignment(count: points.count)
        assignment.isGuess = true
        var chosen = [draw(by: { unsafe masses.weights[$0] }, blockTotals: blockWeights(), &generator) ?? 0]
        while true {
            let blockLosses = approach(chosen[chosen.count - 1], as: chosen.count - 1, assignment)
            guard chosen.count < k else { break }
            let next = draw(
                by: { unsafe masses.weights[$0] * assignment.distances[$0] }, blockTotals: blockLosses, &generator)
            chosen.append(next ?? chosen[0])
        }
        let centroids: Matrix<Float> = unsafe Matrix(rows: k, columns: points.dimension) { places in
            for (c, i) in chosen.enumerated() {
                for j in 0..<points.dimension {
                    unsafe places.initializeElement(at: c * points.dimension + j, to: points.row(i)[j])
                }
            }
        }
        return Place(centroids: metric == .cosine ? centroids.normalizedRows() : centroids, assignment: assignment)
    }

    private func blockWeights() -> [Double] {
        (0..<blocks.count).map { block in blocks.range(block).reduce(0) { unsafe $0 + masses.weights[$1] } }
    }

    /// Draws a point with a probability proportional to its mass; nil when no mass is positive.
    private func draw(
        by mass: (Int) -> Double, blockTotals: [Double], _ generator: inout SeededGenerator
    ) -> Int? {
        let total = blockTotals.reduce(0, +)
        guard total > 0 else { return nil }
        var rest = generator.uniform() * total
        var last: Int?
        for (block, blockTotal) in blockTotals.enumerated() where blockTotal > 0 {
            // Rounding may leave the mark behind the last point: then that is drawn.
            if rest >= blockTotal && blockTotals[(block + 1)...].contains(where: { $0 > 0 }) {
                rest -= blockTotal
                continue
            }
            for i in blocks.range(block) {
                let share = mass(i)
                guard share > 0 else { continue }
                last = i
                if rest < share { return i }
                rest -= share
            }
            return last
        }
        return last
    }

    /// Assigns the points that are nearer to point `i`, the new centroid `c`, than to the earlier ones.
    ///
    /// - Returns: Σ w δ of each block.
    private func approach(_ i: Int, as c: Int, _ assignment: Assignment) -> [Double] {
        let threads = points.threads(threads, work: points.count * points.dimension)
        let (labels, distances) = unsafe (assignment.labels, assignment.distances)
        let piece = 512
        return unsafe [Double](unsafeUninitializedCapacity: blocks.count) { losses, initialized in
            let base = losses.baseAddress!
            blocks.forEach(threads: threads, memory: {}) { block, _ in
                unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: piece) { found in
                    let whole = blocks.range(block)
                    var loss = 0.0
                    for first in stride(from: whole.lowerBound, to: whole.upperBound, by: piece) {
                        let n = min(piece, whole.upperBound - first)
                        unsafe Kernels.active.distances(
                            metric, from: points.row(i), to: points.row(first), stride: points.stride, count: n,
                            into: found.baseAddress!)
                        for r in 0..<n {
                            if unsafe found[r] < distances[first + r] {
                                unsafe distances[first + r] = found[r]
                                unsafe labels[first + r] = UInt32(c)
                            }
                            loss += unsafe masses.weights[first + r] * distances[first + r]
                        }
                    }
                    unsafe (base + block).initialize(to: loss)
                }
            }
            initialized = blocks.count
        }
    }
}
