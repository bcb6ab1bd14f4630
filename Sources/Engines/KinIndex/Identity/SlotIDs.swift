package import KinCore

/// A store of rows, seen as the ids that its slots 0 ..< count carry: all that ``IDMap`` has to know of it.
package protocol SlotIDs {
    /// Slots, at most 2³² − 1.
    var count: Int { get }

    /// The id of the row in a slot; `.none` when there is none, in a store whose slots are not all in use.
    ///
    /// - Precondition: `slot` is in 0 ..< `count`.
    func id(at slot: Int) -> VectorID
}
