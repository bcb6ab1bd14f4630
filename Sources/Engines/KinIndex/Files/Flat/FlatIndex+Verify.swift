public import KinCore
import KinLinearAlgebra

extension FlatIndex {
    /// Checks a saved index: every byte against its checksum, and then everything that a search relies on.
    ///
    /// That is: vectors are finite, ids are unique and found by the id table, codes are those of the vectors, no coded
    /// vector is farther from its code than the file says, and every vector has a row of attributes that can be.
    ///
    /// - Returns: What is in the file, and the first damage if there is any.
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile` when there is nothing that could be described.
    /// - Complexity: O(n · dimension + n log n) time; memory for the ids.
    public static func verify(_ path: String) throws(KinError) -> FileReport {
        var report = try verifySectionFile(at: path)
        guard report.isIntact else { return report }
        let index = try FlatIndex(mapping: path)
        report.facts = index.facts
        if let (section, description) = index.firstContradiction() {
            let place = report.sections.first { $0.name == section.description }
            report.damage = FileReport.Damage(
                section: section.description, offset: place?.offset ?? 0, description: description)
        }
        return report
    }

    /// What there is to say about an index, for people.
    private var facts: [FileReport.Fact] {
        let coded = store.chunks.filter { $0.coding != nil }
        return [
            .init(name: "vectors", value: "\(count)"),
            .init(name: "dimensions", value: "\(dimension)"),
            .init(name: "metric", value: metric.rawValue),
            .init(name: "chunks", value: "\(store.chunks.count), \(coded.count) of them coded"),
            .init(
                name: "vectors outside their grid",
                value: "\(coded.reduce(0) { $0 + $1.coding!.exceptions.count })"),
        ] + attributes.facts
    }

    /// The first place where the index contradicts itself.
    private func firstContradiction() -> (section: Section.Name, description: String)? {
        for (number, chunk) in store.chunks.enumerated() {
            if let found = chunk.firstContradiction(number: UInt32(number)) { return found }
        }
        let ids = ids
        if let id = ids.sorted().firstRepeated {
            return (Section.Name(FlatFile.ids), "the id \(id) belongs to two vectors")
        }
        if let id = ids.first(where: { !contains($0) }) {
            return (Section.Name(FlatFile.tableIDs), "the id table does not find the vector \(id)")
        }
        if let id = ids.max(), id.rawValue >= nextID {
            return (Section.Name(FlatFile.settings), "the next id is \(nextID), but \(id) is in use")
        }
        return attributes.firstContradiction(ids: ids)
    }
}

extension Chunk {
    fileprivate func firstContradiction(number: UInt32) -> (section: Section.Name, description: String)? {
        let floats = unsafe UnsafeBufferPointer(start: rows, count: count * layout.stride)
        if let place = unsafe Kernels.active.firstNotFinite(floats) {
            let row = place / layout.stride
            return (Section.Name(FlatFile.rows, number), "the vector in row \(row) holds a number that is not finite")
        }
        if let row = (0..<count).first(where: { unsafe ids[$0] == .none }) {
            return (Section.Name(FlatFile.ids, number), "row \(row) has the id that stands for \"no vector\"")
        }
        return coding.flatMap { firstWrongCode($0, number: number) }
    }

    /// Codes the rows again and compares.
    private func firstWrongCode(
        _ coding: RowCoding, number: UInt32
    ) -> (section: Section.Name, description: String)? {
        let again = Chunk(layout: layout, minimumCapacity: count)
        var errors = [Float](repeating: 0, count: 2 * count)
        unsafe errors.withUnsafeMutableBufferPointer { errors in
            unsafe Kernels.active.encode(
                rows: rows, count: count, stride: layout.stride, dimension: layout.dimension, metric: layout.metric,
                grid: coding.grid, into: again.codes, firstRow: 0, errors: errors.baseAddress!)
        }
        for row in 0..<count {
            for group in 0..<layout.groups {
                let place = codeOffset(row: row, group: group, groups: layout.groups)
                guard (place..<place + 4).allSatisfy({ unsafe codes[$0] == again.codes[$0] }) else {
                    return (Section.Name(FlatFile.codes, number), "the codes of row \(row) are not those of its vector")
                }
            }
            let isListed = coding.exceptions(inBlock: row / 64) & (1 << UInt64(row % 64)) != 0
            let isWithin =
                Double(errors[2 * row]) <= coding.errors.eightBits
                && Double(errors[2 * row + 1]) <= coding.errors.sixBits
            guard isListed || isWithin else {
                return (
                    Section.Name(FlatFile.chunks), "row \(row) of chunk \(number) is farther from its code than noted"
                )
            }
        }
        return nil
    }
}

extension Array where Element: Equatable {
    /// In a sorted array, the first element that is there twice.
    fileprivate var firstRepeated: Element? {
        zip(self, dropFirst()).first { $0 == $1 }?.0
    }
}
