import KinCore

extension [VectorID] {
    /// Checks that the ids of a call name different vectors, and are ids.
    ///
    /// - Throws: `.invalidArgument` for ``VectorID/none``, `.duplicateID`, naming the row.
    func requireDistinct() throws(KinError) {
        if let row = firstIndex(of: .none) {
            throw KinError(.invalidArgument, "the id \(VectorID.none) stands for \"no vector\"").within("row", row)
        }
        // Ascending ids, the usual case, are seen to differ without a set.
        guard !zip(self, dropFirst()).allSatisfy({ $0 < $1 }) else { return }
        var seen = Set<VectorID>(minimumCapacity: count)
        for (row, id) in enumerated() where !seen.insert(id).inserted {
            throw KinError(.duplicateID, "the id \(id) is given twice; which vector is meant?").within("row", row)
        }
    }
}
