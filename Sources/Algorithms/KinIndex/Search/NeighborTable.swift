/// The results of a batch of queries: a row of neighbours for each query, nearest first, in one block of memory.
public struct NeighborTable: Sendable, Hashable {
    private let elements: [Neighbor]
    private let ends: [Int]
    /// The number of slots of each query in `elements`.
    private let width: Int

    /// Creates a table of results.
    ///
    /// - Parameters:
    ///   - elements: queries × width slots.
    ///   - counts: The number of slots in use for each query.
    init(elements: [Neighbor], counts: [Int], width: Int) {
        self.elements = elements
        self.width = width
        ends = counts.enumerated().map { $0 * width + $1 }
    }
}

extension NeighborTable: RandomAccessCollection {
    public var startIndex: Int { 0 }

    /// The number of queries.
    public var endIndex: Int { ends.count }

    /// The neighbours of one query, nearest first: min(k, number of allowed vectors) elements.
    public subscript(query: Int) -> ArraySlice<Neighbor> {
        elements[query * width..<ends[query]]
    }
}
