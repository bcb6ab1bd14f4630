extension InvertedFile {
    /// Readable facts about the parts of the index.
    ///
    /// - Parameter coded: The number of lists that are coded.
    func facts(coded: Int) -> [FileReport.Fact] {
        [
            .init(name: "lists", value: "\(store.lists.count) by \(partition.name), \(coded) of them coded"),
            .init(name: "boxes", value: store.frame.isRotated ? "along principal axes" : "along the vectors' own axes"),
            .init(
                name: "recall",
                value: calibration.recall == nil
                    ? "not measured: every search is exact"
                    : "measured with \(calibration.queries) queries when there were \(calibration.measuredCount) vectors"
            ),
        ]
    }

    /// The first contradiction between vectors, codes, boxes and ids.
    func firstContradiction(nextID: UInt64) -> Contradiction? {
        for (c, list) in store.lists.enumerated() where list.count > 0 {
            let number = UInt32(c)
            if let found = list.chunk.firstContradiction(number: number, notedIn: IVFFile.lists) { return found }
            if let found = list.firstRowOutside(frame: store.frame, number: c) { return found }
            guard let boxes = store.boxes, !store.outliers.contains(c) else { continue }
            guard unsafe boxes.holds(c, low: list.low, high: list.high) else {
                return (Section.Name(IVFFile.tableLows), "the table of boxes does not hold the box of list \(c)")
            }
        }
        return map.firstContradiction(in: ListAddresses(store: store), nextID: nextID) { slot in
            UInt32(store.location(of: slot).list)
        }
    }
}

extension InvertedList {
    /// The first row outside the box of the list, or outside the box of its block.
    fileprivate func firstRowOutside(frame: PruningFrame, number: Int) -> Contradiction? {
        for r in 0..<count {
            let found: Contradiction? = unsafe frame.withBox(of: chunk.row(r)) { low, high in
                guard (0..<frame.dimension).allSatisfy({ unsafe self.low[$0] <= low[$0] && high[$0] <= self.high[$0] })
                else { return (Section.Name(IVFFile.listBoxes), "row \(r) of list \(number) is outside its box") }
                guard let boxes, unsafe !boxes.holds(r / Kernels.blockRows, low: low, high: high) else { return nil }
                return (Section.Name(IVFFile.boxes), "row \(r) of list \(number) is outside the box of its block")
            }
            if let found { return found }
        }
        return nil
    }
}
