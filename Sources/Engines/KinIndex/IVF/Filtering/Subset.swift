import KinCore
import KinLinearAlgebra

/// The vectors that a filter allows, in cells of their own.
///
/// A search under a narrow filter that went through all cells would have to look far for its k neighbours, and at nearly
/// everything near it in vain. In cells that hold nothing else it is a search like any other, of a smaller index. Making
/// them copies the allowed vectors, which pays when many queries share a filter.
final class Subset: Sendable {
    let store: CellStore
    /// The state of the index that it was made from.
    let stamp: ChangeStamp
    /// The filter that it was made by, for an index that has changed since.
    let filter: Filter

    init(store: CellStore, stamp: ChangeStamp, filter: Filter) {
        self.store = store
        self.stamp = stamp
        self.filter = filter
    }
}

/// The identity of one state of an index: a change gives it a new one, copies of the state share it.
final class ChangeStamp: Sendable {}

extension CellStore {
    /// The rows whose ids a filter allows, in cells of their own.
    func subset(allowedBy filter: Filter, threads: Int) -> CellStore {
        var slots: [UInt32] = []
        for (c, view) in views.enumerated() {
            for r in 0..<view.count where unsafe filter.allows(view.ids[r]) {
                slots.append(UInt32(slot(cell: c, row: r)))
            }
        }
        return subset(slots, threads: threads)
    }

    /// The rows in some slots, in cells of their own.
    func subset(_ slots: [UInt32], threads: Int) -> CellStore {
        guard !slots.isEmpty else { return CellStore(layout: layout, frame: frame) }
        var list = RowList(capacity: slots.count, stride: layout.stride)
        for slot in slots {
            let (c, r) = place(Int(slot))
            let view = views[c]
            unsafe list.append(view.rows + r * layout.stride, id: view.ids[r])
        }
        let source = unsafe RowSource(rows: list.rows, ids: list.ids, count: list.count, layout: layout)
        return source.build(.medianSplits, frame: frame, threads: threads).0
    }
}
