import KinLinearAlgebra

extension Lloyd {
    /// Gives empty clusters a point each: the points with the largest w δ to their own centroids, of equal ones the first.
    ///
    /// A point is taken only from a cluster that keeps a different one, and no two equal points are taken: a new centroid
    /// on either would leave a cluster empty again. Taking a point out and giving it a centroid of its own lowers the
    /// inertia by its w δ at least.
    ///
    /// - Parameter empty: The clusters without weight, ascending.
    /// - Returns: How many of them got a point.
    /// - Complexity: O(n log n).
    func repair(_ assignment: Assignment, empty: [Int]) -> Int {
        let (labels, distances, weights) = unsafe (assignment.labels, assignment.distances, masses.weights)
        let loss = (0..<points.count).map { unsafe weights[$0] * distances[$0] }
        let candidates = loss.indices.filter { loss[$0] > 0 }.sorted { (loss[$0], $1) > (loss[$1], $0) }
        var members = [[Int]](repeating: [], count: k)
        for i in 0..<points.count where unsafe weights[i] > 0 { unsafe members[Int(labels[i])].append(i) }
        /// Clusters all of whose points are equal.
        var uniform = Set<Int>()
        var taken = Set<[Float]>()
        var filled = 0
        for i in candidates where filled < empty.count {
            let donor = unsafe Int(labels[i])
            guard !uniform.contains(donor) else { continue }
            let keepsAnother = members[donor].contains { unsafe Int(labels[$0]) == donor && !isEqual($0, i) }
            guard keepsAnother else {
                uniform.insert(donor)
                continue
            }
            guard taken.insert(vector(i)).inserted else { continue }
            unsafe labels[i] = UInt32(empty[filled])
            unsafe distances[i] = 0
            filled += 1
        }
        return filled
    }

    private func vector(_ i: Int) -> [Float] {
        unsafe Array(UnsafeBufferPointer(start: points.row(i), count: points.dimension))
    }

    private func isEqual(_ i: Int, _ j: Int) -> Bool {
        let (x, y) = unsafe (points.row(i), points.row(j))
        return (0..<points.dimension).allSatisfy { unsafe x[$0] == y[$0] }
    }
}
