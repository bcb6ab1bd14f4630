/// A section of a file with a description of its invalid content.
typealias Contradiction = (section: Section.Name, description: String)

extension Chunk {
    /// The first invalid content: a number that is not finite, a row without an id, or a wrong code.
    ///
    /// - Parameters:
    ///   - number: The number of the chunk's sections.
    ///   - table: The section that records the errors of its codes.
    func firstContradiction(number: UInt32, notedIn table: FourCharacterCode) -> Contradiction? {
        let floats = unsafe UnsafeBufferPointer(start: rows, count: count * layout.stride)
        if let offset = unsafe Kernels.active.firstNotFinite(floats) {
            let row = offset / layout.stride
            return (
                Section.Name(IndexSections.rows, number), "the vector in row \(row) holds a number that is not finite"
            )
        }
        if let row = (0..<count).first(where: { unsafe ids[$0] == .none }) {
            return (Section.Name(IndexSections.ids, number), "row \(row) has the id that stands for \"no vector\"")
        }
        return coding.flatMap { firstWrongCode($0, number: number, notedIn: table) }
    }

    /// Codes the rows again and compares the codes.
    private func firstWrongCode(
        _ coding: RowCoding, number: UInt32, notedIn table: FourCharacterCode
    ) -> Contradiction? {
        let again = Chunk(layout: layout, minimumCapacity: count)
        var errors = [Float](repeating: 0, count: 2 * count)
        unsafe errors.withUnsafeMutableBufferPointer { errors in
            unsafe Kernels.active.encode(
                PaddedRows(rows, count: count, stride: layout.stride, dimension: layout.dimension),
                metric: layout.metric, grid: coding.grid, into: again.codes, firstRow: 0, errors: errors.baseAddress!)
        }
        for row in 0..<count {
            for group in 0..<layout.groups {
                let offset = codeOffset(row: row, group: group, groups: layout.groups)
                guard (offset..<offset + 4).allSatisfy({ unsafe codes[$0] == again.codes[$0] }) else {
                    return (
                        Section.Name(IndexSections.codes, number), "the codes of row \(row) are not those of its vector"
                    )
                }
            }
            let isListed = coding.outliers(inBlock: row / 64) & (1 << UInt64(row % 64)) != 0
            let isWithin =
                Double(errors[2 * row]) <= coding.errors.eightBits
                && Double(errors[2 * row + 1]) <= coding.errors.sixBits
            guard isListed || isWithin else {
                return (Section.Name(table), "row \(row) of number \(number) is farther from its code than recorded")
            }
        }
        return nil
    }
}
