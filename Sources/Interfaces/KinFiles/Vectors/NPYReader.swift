/// Reads a two-dimensional array in NumPy's `.npy` format, versions 1 to 3
/// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
struct NPYReader {
    let bytes: ByteReader
    var isScaled = false
    var progress: (Int) throws(KinError) -> Void = { _ in }

    /// Passes the rows to the body, at least `rows` at a time except at the end; all at once for column-major files.
    func forEachBatch(rows: Int, _ body: (VectorTable) throws(KinError) -> Void) throws(KinError) {
        let header = try readHeader()
        let (count, overflow) = header.rows.multipliedReportingOverflow(by: header.columns)
        let (length, lengthOverflow) = count.multipliedReportingOverflow(by: header.number.width)
        if overflow || lengthOverflow {
            throw bytes.malformed("the header claims an impossible shape (\(header.rows), \(header.columns))")
        }
        if let size = bytes.size, size - bytes.position != length {
            throw bytes.malformed(
                "the header claims \(header.rows) × \(header.columns) numbers, \(Plural.count(length, "byte")), "
                    + "but \(size - bytes.position) follow"
            )
        }
        let isWhole = header.isColumnMajor || rows >= header.rows
        var table = VectorTable(dimension: header.columns)
        if bytes.size != nil && isWhole { table.elements.reserveCapacity(count) }
        let pieceCount = max(1, (1 << 20) / header.number.width / max(1, header.columns)) * max(1, header.columns)
        var done = 0
        while done < count {
            let wanted = min(pieceCount, count - done)
            let piece = try bytes.readExactly(wanted * header.number.width, for: "the array")
            if done == 0, !header.isColumnMajor, !isScaled { table.notes += precisionNotes(piece, header) }
            guard let bad = header.number.append(piece, to: &table.elements) else {
                if isScaled, header.number.mayMerge {
                    let numbers = zip(header.number.doubles(piece), table.elements.suffix(wanted))
                    table.remainders += numbers.map { Float($0 - Double($1)) }
                }
                done += wanted
                try progress(bytes.position)
                if !isWhole && table.count >= rows {
                    try body(table)
                    table.removeRows()
                }
                continue
            }
            let position = done + bad
            let row = header.isColumnMajor ? position % header.rows : position / header.columns
            let column = header.isColumnMajor ? position / header.rows : position % header.columns
            let error = KinError(.notFinite, "row \(row), column \(column) (from 0) is not a finite 32-bit float")
            throw error.within("file", bytes.name)
        }
        if try !bytes.peek(1).isEmpty { throw bytes.malformed("there are bytes after the end of the array") }
        if header.isColumnMajor {
            table.elements = header.transposed(table.elements)
            if !table.remainders.isEmpty { table.remainders = header.transposed(table.remainders) }
        }
        if isWhole || table.count > 0 { try body(table) }
    }

    /// Notes on columns whose different numbers in the first rows become equal as floats.
    private func precisionNotes(_ piece: [UInt8], _ header: NPYHeader) -> [String] {
        let row = header.number.width * header.columns
        guard header.number.mayMerge, row > 0 else { return [] }
        let numbers = header.number.doubles(Array(piece.prefix(max(1, PrecisionNote.sampleBytes / row) * row)))
        return PrecisionNote.notes(
            on: (0..<header.columns).map { column in
                ("\(column)", stride(from: column, to: numbers.count, by: header.columns).map { numbers[$0] })
            })
    }

    private func readHeader() throws(KinError) -> NPYHeader {
        let start = try bytes.readExactly(8, for: "the NumPy header")
        guard start[0] == 0x93, start[1...5].elementsEqual("NUMPY".utf8) else {
            throw bytes.malformed("this is not a NumPy file: it does not begin with \\x93NUMPY")
        }
        guard (1...3).contains(start[6]) else {
            throw bytes.malformed("NumPy format version \(start[6]) is not known; save it again with numpy.save")
        }
        let sizeBytes = try bytes.readExactly(start[6] == 1 ? 2 : 4, for: "the NumPy header")
        let size = sizeBytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard size <= 1 << 20 else { throw bytes.malformed("the NumPy header claims a length of \(size) bytes") }
        let text = String(decoding: try bytes.readExactly(size, for: "the NumPy header"), as: UTF8.self)
        do {
            return try NPYHeader(text)
        } catch {
            throw error.within("file", bytes.name)
        }
    }
}
