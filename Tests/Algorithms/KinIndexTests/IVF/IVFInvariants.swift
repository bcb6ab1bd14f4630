@testable import KinIndex

extension VectorIndex {
    /// The first broken invariant of the lists, in words; nil if all hold.
    func brokenInvariant() -> String? {
        Set(ids).count == count ? lists.brokenInvariant() : "an id is there twice"
    }
}

extension InvertedFile {
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
        for (c, list) in store.lists.enumerated() {
            if list.count > list.chunk.capacity || list.chunk.capacity > layout.chunkRows {
                return "list \(c) has \(list.count) vectors and room for \(list.chunk.capacity)"
            }
            if let boxes = list.boxes, boxes.count != list.chunk.blocks {
                return "list \(c) has \(boxes.count) boxes around \(list.chunk.blocks) blocks"
            }
            let place = store.outliers.lists.firstIndex(of: c)
            // The list's box, and its box in the table.
            var boxes = [zip(list.low, list.high).flatMap { [Double($0), Double($1)] }]
            if let place {
                let corners = store.outliers.corners[2 * place * layout.stride..<2 * (place + 1) * layout.stride]
                guard corners.elementsEqual(list.low + list.high) else { return "the box of outliers \(c) has changed" }
            } else if let table = store.boxes {
                boxes.append(table.bounds(of: c))
            }
            let shared = boxes.count
            for r in 0..<list.count {
                if let own = list.boxes, r % 64 == 0 { boxes = boxes.prefix(shared) + [own.bounds(of: r / 64)] }
                let id = unsafe list.chunk.ids[r]
                let slot = store.slot(list: c, row: r)
                if self.slot(of: id) != slot { return "the id \(id) of row \(r) of list \(c) is not found there" }
                let z = exactCoordinates(of: store.vector(at: slot))
                for (number, box) in boxes.enumerated() {
                    // Without optimisation, as in tests, `while` is much faster than `for`.
                    var j = 0
                    while j < z.count {
                        if !(box[2 * j] <= z[j] && z[j] <= box[2 * j + 1]) {
                            return "row \(r) of list \(c) lies outside box \(number) of \(boxes.count) on axis \(j)"
                        }
                        j += 1
                    }
                }
            }
        }
        return nil
    }

    /// A vector in the pruning frame.
    private func exactCoordinates(of vector: [Float]) -> [Double] {
        var x = vector.map(Double.init)
        if store.layout.metric == .cosine {
            let length = x.reduce(0) { $0 + $1 * $1 }.squareRoot()
            x = x.map { $0 / length }
        }
        return store.frame.isRotated ? rotated(x, store.frame.rotation, store.frame.centre) : x
    }

    private func rotated(_ x: [Double], _ rotation: [Float], _ centre: [Float]) -> [Double] {
        let stride = store.frame.stride
        var z = [Double](repeating: 0, count: x.count)
        var j = 0
        while j < x.count {
            let offset = x[j] - Double(centre[j])
            var i = 0
            while i < x.count {
                z[i] += Double(rotation[j * stride + i]) * offset
                i += 1
            }
            j += 1
        }
        return z
    }
}

extension BoxTable {
    /// The lower and the upper bound of a box on each axis.
    fileprivate func bounds(of box: Int) -> [Double] {
        (0..<dimension).flatMap { j in
            let offset = codeOffset(row: box, group: j / 4, groups: groups) + j % 4
            return unsafe [lows[offset], highs[offset]].map {
                Double(grid.offsets[j]) + Double(grid.step) * Double($0)
            }
        }
    }
}
