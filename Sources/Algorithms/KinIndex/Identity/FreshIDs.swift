extension [VectorID] {
    /// Consecutive ids starting at a number.
    ///
    /// - Throws: `.capacityExceeded` if fewer than `count` ids are left.
    init(fresh first: UInt64, count: Int) throws(KinError) {
        guard first < UInt64.max - UInt64(count) else {
            throw KinError(.capacityExceeded, "no ids are left above \(first); give the vectors ids of your own")
        }
        self = (0..<UInt64(count)).map { VectorID(first + $0) }
    }
}
