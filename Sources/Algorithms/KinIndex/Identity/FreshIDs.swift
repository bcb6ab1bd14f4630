import KinCore

extension [VectorID] {
    /// Consecutive ids from a number on.
    ///
    /// - Throws: `.capacityExceeded` when there are not as many.
    init(fresh first: UInt64, count: Int) throws(KinError) {
        guard first < UInt64.max - UInt64(count) else {
            throw KinError(.capacityExceeded, "no ids are left above \(first): use upsert with ids of your own")
        }
        self = (0..<UInt64(count)).map { VectorID(first + $0) }
    }
}
