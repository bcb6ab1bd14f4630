public import KinCore
import KinLinearAlgebra

extension IVFIndex {
    /// Checks a saved index: every byte against its checksum, and then everything that a search relies on.
    ///
    /// That is: vectors are finite, ids are unique and found by the id table, codes are those of the vectors, no coded vector
    /// is farther from its code than the file says, every vector lies in the box of its block and in that of its list, and has
    /// a row of attributes that can be.
    ///
    /// - Returns: What is in the file, and the first damage if there is any.
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile` when there is nothing that could be described.
    /// - Complexity: O(n · dimension + n log n) time, in a rotated frame O(n · dimension²); little memory.
    public static func verify(_ path: String) throws(KinError) -> FileReport {
        try report(on: path)
    }
}

extension IVFIndex: SavedIndex {
    var chunks: [Chunk] { store.lists.map(\.chunk) }

    func facts(coded: Int) -> [FileReport.Fact] {
        [
            .init(name: "lists", value: "\(listCount) by \(partition.name), \(coded) of them coded"),
            .init(name: "boxes", value: store.frame.isRotated ? "along principal axes" : "along the vectors' own axes"),
            .init(
                name: "recall",
                value: calibration.recall == nil
                    ? "not measured: every search is exact"
                    : "measured with \(calibration.queries) queries when there were \(calibration.measuredCount) vectors"
            ),
        ]
    }

    func firstContradiction() -> Contradiction? {
        for (c, list) in store.lists.enumerated() where list.count > 0 {
            let number = UInt32(c)
            if let found = list.chunk.firstContradiction(number: number, notedIn: IVFFile.lists) { return found }
            if let found = list.firstRowOutside(frame: store.frame, number: c) { return found }
            guard let boxes = store.boxes, !store.outliers.contains(c) else { continue }
            guard unsafe boxes.holds(c, low: list.low, high: list.high) else {
                return (Section.Name(IVFFile.tableLows), "the table of boxes does not hold the box of list \(c)")
            }
        }
        let ofIDs = map.firstContradiction(in: ListAddresses(store: store), nextID: nextID) { slot in
            UInt32(store.location(of: slot).list)
        }
        return ofIDs ?? attributes.firstContradiction(ids: ids)
    }
}

extension InvertedList {
    /// The first row that is not in the box of the list, or not in that of its block.
    fileprivate func firstRowOutside(frame: PruningFrame, number: Int) -> Contradiction? {
        for r in 0..<count {
            let found: Contradiction? = unsafe frame.withBox(of: chunk.row(r)) { low, high in
                guard (0..<frame.dimension).allSatisfy({ unsafe self.low[$0] <= low[$0] && high[$0] <= self.high[$0] })
                else { return (Section.Name(IVFFile.listBoxes), "row \(r) of list \(number) lies outside its box") }
                guard let boxes, unsafe !boxes.holds(r / Kernels.blockRows, low: low, high: high) else { return nil }
                return (Section.Name(IVFFile.boxes), "row \(r) of list \(number) lies outside the box of its block")
            }
            if let found { return found }
        }
        return nil
    }
}
