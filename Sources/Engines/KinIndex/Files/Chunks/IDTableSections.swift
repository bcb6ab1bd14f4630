import KinCore

/// The tags of the sections of id tables, as in `FORMAT.md`.
enum IDTableSections {
    /// The ids of a ``SortedIDTable``.
    static let ids: FourCharacterCode = "MAPI"
    static let slots: FourCharacterCode = "MAPS"
    /// The slots of a ``DenseIDTable``.
    static let dense: FourCharacterCode = "MAPD"
}

extension SortedIDTable {
    /// Writes the table, if there is anything in it.
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        guard count > 0 else { return }
        try writer.begin(IDTableSections.ids, stride: 8)
        try writer.append(unsafe Span(_unsafeStart: ids, count: count))
        try writer.begin(IDTableSections.slots, stride: 4)
        try writer.append(unsafe Span(_unsafeStart: slots, count: count))
    }
}

extension DenseIDTable {
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        try writer.begin(IDTableSections.dense, stride: 4)
        try writer.append(unsafe Span(_unsafeStart: slots, count: count))
    }
}

extension SectionFile {
    /// The sorted table of so many ids, in place; nil for none.
    func sortedIDTable(count: UInt64) throws(KinError) -> SortedIDTable? {
        guard count > 0 else { return nil }
        guard let count = Int(exactly: count) else { throw .corrupt("section META gives \(count) ids") }
        let ids = try section(IDTableSections.ids, requiring: 8, count: count)
        let slots = try section(IDTableSections.slots, requiring: 4, count: count)
        return unsafe SortedIDTable(
            count: count, ids: UnsafePointer(ids.start(of: VectorID.self)),
            slots: UnsafePointer(slots.start(of: UInt32.self)), mapping: image)
    }

    /// The table of so many consecutive ids, in place.
    func denseIDTable(first: UInt64, count: UInt64) throws(KinError) -> DenseIDTable {
        guard let count = Int(exactly: count) else { throw .corrupt("section META gives \(count) ids") }
        let slots = try section(IDTableSections.dense, requiring: 4, count: count)
        return unsafe DenseIDTable(
            first: VectorID(first), count: count, slots: UnsafePointer(slots.start(of: UInt32.self)), mapping: image)
    }
}

extension IDMap {
    /// The first id that is not found in its slot, or that is larger than the next fresh one.
    ///
    /// When every id is found in its own slot, no two slots have the same.
    ///
    /// - Parameter number: The number of the `IDS ` section that holds the id of a slot.
    func firstContradiction(
        in store: some SlotIDs, nextID: UInt64, number: (_ slot: Int) -> UInt32
    ) -> Contradiction? {
        for slot in 0..<store.count {
            let id = store.id(at: slot)
            guard id != .none else { continue }
            guard let found = self.slot(of: id, in: store) else {
                let section = Section.Name(dense == nil ? IDTableSections.ids : IDTableSections.dense)
                return (section, "the id table does not find the vector \(id)")
            }
            guard found == slot else {
                return (Section.Name(IndexSections.ids, number(slot)), "the id \(id) belongs to two vectors")
            }
            guard id.rawValue < nextID else {
                return (Section.Name(IndexSections.settings), "the next id is \(nextID), but \(id) is in use")
            }
        }
        return nil
    }
}

extension FileReport {
    /// Records a contradiction in a file whose checksums are right.
    mutating func note(_ contradiction: Contradiction?) {
        guard let (section, description) = contradiction else { return }
        let entry = sections.first { $0.name == section.description }
        damage = Damage(section: section.description, offset: entry?.offset ?? 0, description: description)
    }
}
