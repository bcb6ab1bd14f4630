extension SectionFile {
    /// The chunk whose sections have this number, in place.
    ///
    /// - Parameters:
    ///   - count: The number of its rows.
    ///   - grid: The grid of its codes; nil if it is not coded.
    /// - Throws: `corruptFile` unless every section has the length for this number of rows and all outliers are rows of
    ///   the chunk.
    func chunk(
        _ number: UInt32, count: Int, grid: CodeGrid?, errors: CodeErrors, layout: RowLayout
    ) throws(KinError) -> Chunk {
        let rows = try section(IndexSections.rows, number, requiring: layout.stride * 4, count: count)
        let ids = try section(IndexSections.ids, number, requiring: 8, count: count)
        var coding: RowCoding?
        var codes: SectionView?
        if let grid {
            guard errors.eightBits >= 0, errors.sixBits >= 0, errors.eightBits.isFinite, errors.sixBits.isFinite else {
                throw .corrupt("the errors of the codes in section CODE \(number) are not numbers from 0 on")
            }
            coding = RowCoding(grid: grid, errors: errors, outliers: try outliers(number, count: count))
            let blocks = (count + Kernels.blockRows - 1) / Kernels.blockRows
            codes = try section(IndexSections.codes, number, requiring: layout.blockBytes, count: blocks)
        }
        return Chunk(layout: layout, count: count, coding: coding, rows: rows, codes: codes, ids: ids)
    }

    private func outliers(_ number: UInt32, count: Int) throws(KinError) -> [UInt32] {
        guard section(IndexSections.outliers, number) != nil else { return [] }
        let rows = try array(IndexSections.outliers, number, of: UInt32.self)
        guard zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }), rows.allSatisfy({ $0 < count }) else {
            throw .corrupt("section EXCP \(number) does not list rows of the chunk in ascending order")
        }
        return rows
    }
}

extension Chunk {
    func writeRows(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        let floats = unsafe Span(_unsafeStart: rows, count: count * layout.stride)
        try writer.write(floats, to: IndexSections.rows, number, stride: layout.stride * 4)
        unsafe releasePages(UnsafeRawBufferPointer(start: rows, count: count * layout.stride * 4))
    }

    func writeIDs(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        try writer.write(unsafe Span(_unsafeStart: ids, count: count), to: IndexSections.ids, number)
        unsafe releasePages(UnsafeRawBufferPointer(start: ids, count: count * MemoryLayout<VectorID>.stride))
    }

    /// Writes codes and outliers, if the chunk is coded.
    func writeCodes(_ number: UInt32, to writer: inout SectionFileWriter) throws(KinError) {
        guard let coding else { return }
        let bytes = unsafe Span(_unsafeStart: codes, count: blocks * layout.blockBytes)
        try writer.write(bytes, to: IndexSections.codes, number, stride: layout.blockBytes)
        unsafe releasePages(UnsafeRawBufferPointer(start: codes, count: blocks * layout.blockBytes))
        guard !coding.outliers.isEmpty else { return }
        try writer.write(coding.outliers.span, to: IndexSections.outliers, number)
    }
}
