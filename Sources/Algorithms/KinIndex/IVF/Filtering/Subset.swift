import KinCore
import KinLinearAlgebra

/// The vectors that a filter allows, copied into lists of their own.
///
/// A search under a narrow filter through all lists needs a large radius for its k neighbours, and compares many rows that are not
/// allowed. In lists of the allowed rows alone it is a search of a smaller index. The copy pays when many queries share a filter.
final class Subset: Sendable {
    let store: ListStore
    /// The version of the index that it was made from.
    let version: ContentVersion
    /// The filter that it was made by, for an index that has changed since.
    let filter: SearchFilter

    init(store: ListStore, version: ContentVersion, filter: SearchFilter) {
        self.store = store
        self.version = version
        self.filter = filter
    }
}

extension ListStore {
    /// The rows whose ids a filter allows, in lists of their own.
    func subset(allowedBy filter: SearchFilter, threads: Int) -> ListStore {
        var slots: [UInt32] = []
        for (c, view) in views.enumerated() {
            for r in 0..<view.count where unsafe filter.allows(view.ids[r]) {
                slots.append(UInt32(slot(list: c, row: r)))
            }
        }
        return subset(slots, threads: threads)
    }

    /// The rows in some slots, in lists of their own.
    func subset(_ slots: [UInt32], threads: Int) -> ListStore {
        guard !slots.isEmpty else { return ListStore(layout: layout, frame: frame) }
        var list = RowBuffer(capacity: slots.count, stride: layout.stride)
        for slot in slots {
            let (c, r) = location(of: Int(slot))
            contentCheck?.check(c)
            let view = views[c]
            unsafe list.append(view.rows + r * layout.stride, id: view.ids[r])
        }
        let source = unsafe RowSource(rows: list.rows, ids: list.ids, count: list.count, layout: layout)
        return infallible("what is not cancelled ends") { () throws(KinError) in
            try source.build(.medianSplits, frame: frame, threads: threads).0
        }
    }
}
