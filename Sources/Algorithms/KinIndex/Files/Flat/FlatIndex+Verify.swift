public import KinCore

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
        try report(on: path)
    }
}

extension FlatIndex: SavedIndex {
    var chunks: [Chunk] { store.chunks }

    func facts(coded: Int) -> [FileReport.Fact] {
        [.init(name: "chunks", value: "\(store.chunks.count), \(coded) of them coded")]
    }

    func firstContradiction() -> Contradiction? {
        for (number, chunk) in store.chunks.enumerated() {
            if let found = chunk.firstContradiction(number: UInt32(number), notedIn: FlatFile.chunks) { return found }
        }
        let ofIDs = map.firstContradiction(in: store, nextID: nextID) { slot in UInt32(store.location(of: slot).chunk) }
        return ofIDs ?? attributes.firstContradiction(ids: ids)
    }
}
