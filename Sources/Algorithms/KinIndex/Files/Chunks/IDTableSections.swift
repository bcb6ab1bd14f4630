/// The tags of the sections of id tables, as in `FORMAT.md`.
enum IDTableSections {
    /// The ids and the slots of a ``SortedIDTable``.
    typealias Sorted = (ids: FourCharacterCode, slots: FourCharacterCode)
    /// The sorted table of an index.
    static let sorted: Sorted = ("MAPI", "MAPS")
    /// The slots of a ``DenseIDTable``.
    static let dense: FourCharacterCode = "MAPD"
}

extension SortedIDTable {
    /// Writes the table unless it is empty.
    func write(
        to writer: inout SectionFileWriter, as sections: IDTableSections.Sorted = IDTableSections.sorted
    ) throws(KinError) {
        guard count > 0 else { return }
        try writer.write(unsafe Span(_unsafeStart: ids, count: count), to: sections.ids)
        try writer.write(unsafe Span(_unsafeStart: slots, count: count), to: sections.slots)
    }
}

extension DenseIDTable {
    func write(to writer: inout SectionFileWriter) throws(KinError) {
        try writer.write(unsafe Span(_unsafeStart: slots, count: count), to: IDTableSections.dense)
    }
}

extension SectionFile {
    /// The sorted table with this number of ids, in place; nil for 0.
    func sortedIDTable(
        count: UInt64, as sections: IDTableSections.Sorted = IDTableSections.sorted
    ) throws(KinError) -> SortedIDTable? {
        guard count > 0 else { return nil }
        guard let count = Int(exactly: count) else { throw .corrupt("section META gives \(count) ids") }
        return SortedIDTable(
            ids: try section(sections.ids, requiring: 8, count: count),
            slots: try section(sections.slots, requiring: 4, count: count))
    }

    /// The table with this number of consecutive ids, in place.
    func denseIDTable(first: UInt64, count: UInt64) throws(KinError) -> DenseIDTable {
        guard let count = Int(exactly: count) else { throw .corrupt("section META gives \(count) ids") }
        return DenseIDTable(
            first: VectorID(first), slots: try section(IDTableSections.dense, requiring: 4, count: count))
    }
}

extension IDMap {
    /// The first id that the table does not find in its slot, or that is not below the next new id.
    ///
    /// If every id is found in its own slot, no two slots have the same id.
    ///
    /// - Parameter number: The number of the `IDS ` section with the id of a slot.
    func firstContradiction(in store: some SlotIDs, nextID: UInt64, number: (_ slot: Int) -> UInt32) -> Contradiction? {
        for slot in 0..<store.count {
            let id = store.id(at: slot)
            guard id != .none else { continue }
            guard let found = self.slot(of: id, in: store) else {
                let section = Section.Name(dense == nil ? IDTableSections.sorted.ids : IDTableSections.dense)
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
