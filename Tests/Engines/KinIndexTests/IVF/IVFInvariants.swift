import KinCore
import KinLinearAlgebra

@testable import KinIndex

extension IVFIndex {
    /// The first thing that does not hold of what a search relies on, in words; nil when all is well.
    ///
    /// Boxes are held against coordinates computed here in double precision, not against what the index rounds them to.
    func brokenInvariant() -> String? {
        let layout = store.layout
        if store.cells.count != partition.cellCount {
            return "\(store.cells.count) cells where the partition has \(partition.cellCount)"
        }
        if store.cells.reduce(0, { $0 + $1.count }) != count { return "the cells do not hold \(count) vectors" }
        if Set(ids).count != count { return "an id is there twice" }
        if let table = store.boxes, table.count != store.cells.count {
            return "\(table.count) boxes around \(store.cells.count) cells"
        }
        for (c, cell) in store.cells.enumerated() {
            if cell.count > cell.chunk.capacity || cell.chunk.capacity > layout.chunkRows {
                return "cell \(c) has \(cell.count) vectors and room for \(cell.chunk.capacity)"
            }
            if let boxes = cell.boxes, boxes.count != cell.chunk.blocks {
                return "cell \(c) has \(boxes.count) boxes around \(cell.chunk.blocks) blocks"
            }
            for r in 0..<cell.count {
                if let broken = brokenInvariant(cell: c, row: r) { return "row \(r) of cell \(c) \(broken)" }
            }
        }
        return nil
    }

    private func brokenInvariant(cell c: Int, row r: Int) -> String? {
        let layout = store.layout
        let cell = store.cells[c]
        let id = unsafe cell.chunk.ids[r]
        if slot(of: id) != store.slot(cell: c, row: r) { return "has the id \(id), which is not found there" }
        let z = exactCoordinates(of: store.vector(at: store.slot(cell: c, row: r)))
        for j in 0..<dimension where !(Double(cell.low[j]) <= z[j] && z[j] <= Double(cell.high[j])) {
            return "lies at \(z[j]) on axis \(j), the cell's box from \(cell.low[j]) to \(cell.high[j])"
        }
        if let j = cell.boxes?.firstAxisOutside(r / 64, z) { return "lies outside its block's box on axis \(j)" }
        if let place = store.outliers.lists.firstIndex(of: c) {
            let corners = store.outliers.corners[2 * place * layout.stride..<2 * (place + 1) * layout.stride]
            return corners.elementsEqual(cell.low + cell.high)
                ? nil : "lies in a list of outliers whose box has changed"
        }
        if let j = store.boxes?.firstAxisOutside(c, z) {
            return "lies outside its cell's box in the table on axis \(j)"
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
    /// The first axis on which a point lies outside a box.
    fileprivate func firstAxisOutside(_ box: Int, _ z: [Double]) -> Int? {
        (0..<dimension).first { j in
            let place = codeOffset(row: box, group: j / 4, groups: groups) + j % 4
            let low = unsafe Double(grid.offsets[j]) + Double(grid.step) * Double(lows[place])
            let high = unsafe Double(grid.offsets[j]) + Double(grid.step) * Double(highs[place])
            return !(low <= z[j] && z[j] <= high)
        }
    }
}
