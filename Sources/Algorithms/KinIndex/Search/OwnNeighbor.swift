/// A search for the neighbours of a vector of the index, without the vector itself.
///
/// The search requests one more neighbour, so that k others remain. A search for a target recall does not, since its
/// pruning depends on k: there a filter excludes the vector, unless the search already has a filter.
package struct OwnNeighbor: Sendable {
    /// The vector to exclude; nil for none.
    package let id: VectorID?
    /// The number of other vectors wanted.
    package let k: Int
    /// The k of the search itself, larger by one if the result includes the vector itself.
    package let wanted: Int
    /// The filter of the search.
    package let filter: SearchFilter

    /// Chooses k and the filter so that the vector itself, its own nearest neighbour, can be excluded.
    ///
    /// - Parameters:
    ///   - id: The id of the vector that is the query; nil for a query without id.
    ///   - filter: The search's own filter; nil for none.
    package init(_ id: VectorID?, k: Int, mode: SearchMode, filter: SearchFilter?) {
        self.id = id
        self.k = k
        if let id, filter == nil, case .recall = mode {
            wanted = k
            self.filter = .predicate { $0 != id }
        } else {
            wanted = id == nil ? k : k + 1
            self.filter = filter ?? .all
        }
    }

    /// The answer without the vector itself.
    package func others(_ found: [Neighbor]) -> [Neighbor] { Array(found.lazy.filter { $0.id != id }.prefix(k)) }
}
