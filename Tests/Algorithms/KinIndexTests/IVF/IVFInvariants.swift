@testable import KinIndex

extension VectorIndex {
    /// The first broken invariant of the lists, in words; nil if all hold.
    func brokenInvariant() -> String? {
        Set(ids).count == count ? lists.brokenInvariant() : "an id is there twice"
    }
}

extension InvertedFile {
    private var dimension: Int { store.layout.dimension }
    private var metric: Metric { store.layout.metric }

    /// The first broken invariant that a search relies on, in words; nil if all hold.
    ///
    /// Boxes are checked against coordinates computed here in double precision, not against the index's rounded ones.
    func brokenInvariant() -> String? {
        let layout = store.layout
        if store.lists.count != partition.listCount {
            return "\(store.lists.count) lists where the partition has \(partition.listCount)"
        }
        if store.lists.reduce(0, { $0 + $1.count }) != count { return "the lists do not hold \(count) vectors" }
        if let table = store.boxes, table.count != store.lists.count {
            return "\(table.count) boxes around \(store.lists.count) lists"
        }
        if let b = store.boxes?.firstBlockNotEnclosed() { return "the box around block \(b) of lists is another" }
        for (c, list) in store.lists.enumerated() {
            if list.count > list.chunk.capacity || list.chunk.capacity > layout.chunkRows {
                return "list \(c) has \(list.count) vectors and room for \(list.chunk.capacity)"
            }
            if let boxes = list.boxes, boxes.count != list.chunk.blocks {
                return "list \(c) has \(boxes.count) boxes around \(list.chunk.blocks) blocks"
            }
            for r in 0..<list.count {
                if let broken = brokenInvariant(list: c, row: r) { return "row \(r) of list \(c) \(broken)" }
            }
        }
        return nil
    }

    private func brokenInvariant(list c: Int, row r: Int) -> String? {
        let layout = store.layout
        let list = store.lists[c]
        let id = unsafe list.chunk.ids[r]
        if slot(of: id) != store.slot(list: c, row: r) { return "has the id \(id), which is not found there" }
        let z = exactCoordinates(of: store.vector(at: store.slot(list: c, row: r)))
        for j in 0..<dimension where !(Double(list.low[j]) <= z[j] && z[j] <= Double(list.high[j])) {
            return "lies at \(z[j]) on axis \(j), the list's box from \(list.low[j]) to \(list.high[j])"
        }
        if let j = list.boxes?.firstAxisOutside(r / 64, z) { return "lies outside its block's box on axis \(j)" }
        if let place = store.outliers.lists.firstIndex(of: c) {
            let corners = store.outliers.corners[2 * place * layout.stride..<2 * (place + 1) * layout.stride]
            return corners.elementsEqual(list.low + list.high)
                ? nil : "lies in a list of outliers whose box has changed"
        }
        if let j = store.boxes?.firstAxisOutside(c, z) {
            return "lies outside its list's box in the table on axis \(j)"
        }
        return nil
    }

    /// A vector in the pruning frame.
    private func exactCoordinates(of vector: [Float]) -> [Double] {
        let frame = store.frame
        var x = vector.map(Double.init)
        if metric == .cosine {
            let length = x.reduce(0) { $0 + $1 * $1 }.squareRoot()
            x = x.map { $0 / length }
        }
        guard frame.isRotated else { return x }
        return (0..<dimension).map { i in
            (0..<dimension).reduce(0) {
                $0 + Double(frame.rotation[$1 * frame.stride + i]) * (x[$1] - Double(frame.centre[$1]))
            }
        }
    }
}

extension BoxTable {
    /// The first block whose outer box is not the smallest around its boxes.
    func firstBlockNotEnclosed() -> Int? {
        guard let outer else { return nil }
        if outer.count != blocks { return outer.count }
        return (0..<blocks).first { b in
            let boxes = b * Kernels.blockRows..<min((b + 1) * Kernels.blockRows, count)
            return !(0..<dimension).allSatisfy { j in
                func offset(_ row: Int) -> Int { codeOffset(row: row, group: j / 4, groups: groups) + j % 4 }
                let low = boxes.map { unsafe lows[offset($0)] }.min()
                let high = boxes.map { unsafe highs[offset($0)] }.max()
                return unsafe outer.lows[offset(b)] == low && outer.highs[offset(b)] == high
            }
        }
    }

    /// The first axis on which a point is outside a box.
    fileprivate func firstAxisOutside(_ box: Int, _ z: [Double]) -> Int? {
        (0..<dimension).first { j in
            let offset = codeOffset(row: box, group: j / 4, groups: groups) + j % 4
            let low = unsafe Double(grid.offsets[j]) + Double(grid.step) * Double(lows[offset])
            let high = unsafe Double(grid.offsets[j]) + Double(grid.step) * Double(highs[offset])
            return !(low <= z[j] && z[j] <= high)
        }
    }
}
