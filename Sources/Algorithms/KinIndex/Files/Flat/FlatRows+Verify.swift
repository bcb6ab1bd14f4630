import KinCore

extension FlatRows {
    /// Facts about the parts of the index, for people.
    ///
    /// - Parameter coded: The number of chunks that are coded.
    func facts(coded: Int) -> [FileReport.Fact] {
        [.init(name: "chunks", value: "\(store.chunks.count), \(coded) of them coded")]
    }

    /// The first place where vectors, codes and ids contradict each other.
    func firstContradiction(nextID: UInt64) -> Contradiction? {
        for (number, chunk) in store.chunks.enumerated() {
            if let found = chunk.firstContradiction(number: UInt32(number), notedIn: FlatFile.chunks) { return found }
        }
        return map.firstContradiction(in: store, nextID: nextID) { slot in UInt32(store.location(of: slot).chunk) }
    }
}
