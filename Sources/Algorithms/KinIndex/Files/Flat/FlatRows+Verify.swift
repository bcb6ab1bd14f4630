extension FlatRows {
    /// Readable facts about the parts of the index.
    ///
    /// - Parameter coded: The number of chunks that are coded.
    func facts(coded: Int) -> [FileReport.Fact] {
        [.init(name: "chunks", value: "\(store.chunks.count), \(coded) of them coded")]
    }

    /// The first contradiction between vectors, codes and ids.
    func firstContradiction(nextID: UInt64) -> Contradiction? {
        for (number, chunk) in store.chunks.enumerated() {
            if let found = chunk.firstContradiction(number: UInt32(number), notedIn: FlatFile.chunks) { return found }
        }
        return map.firstContradiction(in: store, nextID: nextID) { slot in UInt32(store.location(of: slot).chunk) }
    }
}
