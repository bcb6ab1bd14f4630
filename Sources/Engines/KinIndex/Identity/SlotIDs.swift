package import KinCore

/// A dense store of rows, seen as the ids that its slots 0 ..< count carry: all that ``IDMap`` has to know of it.
package protocol SlotIDs {
    /// Slots in use, at most 2³² − 1.
    var count: Int { get }

    /// The id of the row in a slot.
    ///
    /// - Precondition: `slot` is in 0 ..< `count`.
    func id(at slot: Int) -> VectorID
}
