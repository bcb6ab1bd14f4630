/// Reads the `.fvecs`, `.bvecs` and `.ivecs` files of the TEXMEX corpus (http://corpus-texmex.irisa.fr): each vector is
/// a little-endian 32-bit length followed by that number of floats, bytes or 32-bit integers.
struct VecsReader {
    let bytes: ByteReader
    let format: VectorFormat
    var progress: (Int) throws(KinError) -> Void = { _ in }

    /// Passes the rows to the body, `rows` at a time.
    func forEachBatch(rows: Int, _ body: (VectorTable) throws(KinError) -> Void) throws(KinError) {
        let number = format == .fvecs ? "<f4" : format == .bvecs ? "|u1" : "<i4"
        guard let number = NPYNumber(code: number) else { preconditionFailure("the three codes are known") }
        var table = VectorTable(dimension: 0)
        var row = 0
        while true {
            let head = try bytes.read(upTo: 4)
            if head.isEmpty { break }
            guard head.count == 4 else { throw bytes.malformed("vector \(row): the file ends inside its length") }
            var claimed = 0
            LittleEndian.forEach(Int32.self, in: head) { claimed = Int($0) }
            guard claimed > 0 else { throw bytes.malformed("vector \(row) claims a length of \(claimed)") }
            if row == 0 {
                try start(&table, dimension: claimed, width: number.width, rows: rows)
            } else if claimed != table.dimension {
                throw bytes.malformed("vector \(row) has \(claimed) numbers, the first has \(table.dimension)")
            }
            let numbers = try bytes.readExactly(claimed * number.width, for: "vector \(row)")
            if let bad = number.append(numbers, to: &table.elements) {
                let error = KinError(.notFinite, "vector \(row), number \(bad) (both from 0) is not finite")
                throw error.within("file", bytes.name)
            }
            row += 1
            if row % 4096 == 0 { try progress(bytes.position) }
            if table.count >= rows {
                try body(table)
                table.removeRows()
            }
        }
        if row == 0 || table.count > 0 { try body(table) }
    }

    private func start(_ table: inout VectorTable, dimension: Int, width: Int, rows: Int) throws(KinError) {
        table.dimension = dimension
        guard let size = bytes.size else { return }
        let record = 4 + dimension * width
        guard size % record == 0 else {
            throw bytes.malformed(
                "the first vector claims \(dimension) numbers, but the file's \(Plural.count(size, "byte")) are no whole number of such vectors"
            )
        }
        table.elements.reserveCapacity(min(rows, size / record) * dimension)
    }
}
