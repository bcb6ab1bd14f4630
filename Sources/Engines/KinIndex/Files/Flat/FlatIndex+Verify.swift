public import KinCore
import KinLinearAlgebra

extension FlatIndex {
    /// Checks a saved index: every byte against its checksum, and then everything that a search relies on.
    ///
    /// That is: vectors are finite, ids are unique and found by the id table, codes are those of the vectors, no coded
    /// vector is farther from its code than the recorded error, and every vector has a valid row of attributes.
    ///
    /// - Returns: What is in the file, and the first damage if there is any.
    /// - Throws: `.inputOutput`, `.unsupportedFormat` or `.corruptFile` when there is nothing that could be described.
    /// - Complexity: O(n · dimension + n log n) time; little memory.
    public static func verify(_ path: String) throws(KinError) -> FileReport {
        var report = try verifySectionFile(at: path)
        guard report.isIntact else { return report }
        let index = try FlatIndex(mapping: path)
        report.facts = index.facts
        report.note(index.firstContradiction())
        return report
    }

    /// Facts about the index, for people.
    private var facts: [FileReport.Fact] {
        let coded = store.chunks.filter { $0.coding != nil }
        return [
            .init(name: "vectors", value: "\(count)"),
            .init(name: "dimensions", value: "\(dimension)"),
            .init(name: "metric", value: metric.rawValue),
            .init(name: "chunks", value: "\(store.chunks.count), \(coded.count) of them coded"),
            .init(
                name: "vectors outside their grid",
                value: "\(coded.reduce(0) { $0 + $1.coding!.outliers.count })"),
        ] + attributes.facts
    }

    /// The first place where the index contradicts itself.
    private func firstContradiction() -> Contradiction? {
        for (number, chunk) in store.chunks.enumerated() {
            if let found = chunk.firstContradiction(number: UInt32(number), notedIn: FlatFile.chunks) { return found }
        }
        let ofIDs = map.firstContradiction(in: store, nextID: nextID) { slot in UInt32(store.location(of: slot).chunk) }
        return ofIDs ?? attributes.firstContradiction(ids: ids)
    }
}
