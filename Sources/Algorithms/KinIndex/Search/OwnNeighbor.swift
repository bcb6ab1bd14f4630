package import KinCore
package import KinLinearAlgebra

/// A search for the neighbours of a vector of the index, itself left out.
///
/// One more neighbour is asked for, so that k others remain. Not so in a mode that goes by recall: how far it looks depends
/// on k, and k is what was asked for. There a filter leaves the vector out, unless the search has one of its own already.
package struct OwnNeighbor: Sendable {
    /// The vector that is left out; nil for none.
    package let id: VectorID?
    /// The number of others that are wanted.
    package let k: Int
    /// The k of the search itself, larger by one when the vector finds itself.
    package let wanted: Int
    /// The filter of the search.
    package let filter: SearchFilter

    /// Chooses k and the mode so that the vector itself, which is its own nearest, can be left out.
    ///
    /// - Parameters:
    ///   - id: the vector that is the query; nil for a query of no id.
    ///   - filter: the search's own filter, if it has one.
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
