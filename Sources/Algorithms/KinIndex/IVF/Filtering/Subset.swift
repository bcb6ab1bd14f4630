/// The vectors that a filter allows, copied into separate lists.
///
/// A search of all lists under a narrow filter needs a large radius for its k neighbours, and compares many rows that
/// are not allowed. With lists of the allowed rows alone, it is a search of a smaller index. The copy pays off if many
/// queries share a filter.
final class Subset: Sendable {
    let store: ListStore
    /// The version of the index that was copied.
    let version: ContentVersion
    /// The filter that selected the vectors, for use after the index has changed.
    let filter: SearchFilter

    init(store: ListStore, version: ContentVersion, filter: SearchFilter) {
        self.store = store
        self.version = version
        self.filter = filter
    }
}

extension ListStore {
    /// Copies the rows whose ids a filter allows into separate lists.
    func subset(allowedBy filter: SearchFilter, threads: Int) -> ListStore {
        var slots: [UInt32] = []
        for (c, view) in views.enumerated() {
            for r in 0..<view.count where unsafe filter.allows(view.ids[r]) {
                slots.append(UInt32(slot(list: c, row: r)))
            }
        }
        return subset(slots, threads: threads)
    }

    /// Copies the rows in some slots into separate lists.
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
