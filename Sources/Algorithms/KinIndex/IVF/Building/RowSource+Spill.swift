extension RowSource {
    /// Writes every row to the group of its list.
    ///
    /// Outliers get a separate list, the partition's last, unless they are too many.
    func spill(
        to spill: inout ListSpill, by partition: inout Partition, outliersBy rule: OutlierRule, frame: PruningFrame,
        threads: Int
    ) throws(KinError) {
        var outliers: [(row: Int, list: UInt32)] = []
        for first in stride(from: 0, to: count, by: Self.windowRows) {
            let window = first..<min(first + Self.windowRows, count)
            let (labels, found) = try labels(
                of: window, by: partition, outliersBy: rule, frame: frame, threads: threads)
            var next = found.makeIterator()
            var outlier = next.next()
            for r in window {
                let list = labels[r - first]
                guard r != outlier else {
                    outliers.append((r, list))
                    outlier = next.next()
                    continue
                }
                unsafe try spill.append(row(r), id: ids[r], list: list, number: UInt32(r))
            }
            release(window)
            try work?.step(by: window.count)
        }
        guard let first = outliers.first else { return }
        defer { release(0..<count) }
        guard Self.areFew(outliers.count, of: count) else {
            for (r, list) in outliers { unsafe try spill.append(row(r), id: ids[r], list: list, number: UInt32(r)) }
            return
        }
        unsafe frame.withBox(of: row(first.row)) { low, _ in unsafe partition.addList(at: low) }
        var rows = RowBuffer(capacity: outliers.count, stride: layout.stride)
        for (r, _) in outliers { unsafe rows.append(row(r), id: ids[r]) }
        spill.outliers = rows
    }
}
