package import Kin
import Synchronization

/// An index that many requests search while others change it.
///
/// An index is a value: a search takes a copy, which costs nothing, and uses it while later changes are made. The lock
/// is held for the copy and for a change of one vector, a few microseconds, and never for a search.
package final class SharedIndex: Sendable {
    private struct State {
        var index: VectorIndex
        var isChanged = false
    }

    private let state: Mutex<State>
    /// The path of the index's file; nil for an index that exists only as long as the process.
    private let path: String?

    /// Creates an index without vectors that exists only as long as the process.
    ///
    /// - Parameter dimension: The number of dimensions of every vector, 1 to 65,536.
    /// - Throws: `.invalidArgument` for any other number of dimensions.
    package convenience init(dimension: Int) throws(KinError) {
        self.init(try Self.empty(dimension), path: nil)
    }

    /// Opens the inverted file at a path. If the file does not exist, creates an index without vectors, which
    /// ``save()`` writes there.
    ///
    /// - Parameters:
    ///   - path: The path of a file from `kin index build` or `VectorIndex.save(to:)`.
    ///   - isThere: Whether the file exists.
    ///   - dimension: The number of dimensions of an index that is created.
    /// - Throws: As `VectorIndex.init(opening:mapped:)`; `.invalidArgument` for a number of dimensions that no index
    ///   has.
    package convenience init(at path: String, isThere: Bool, dimension: Int) throws(KinError) {
        self.init(try isThere ? VectorIndex(opening: path) : Self.empty(dimension), path: path)
    }

    private init(_ index: VectorIndex, path: String?) {
        state = Mutex(State(index: index))
        self.path = path
    }

    private static func empty(_ dimension: Int) throws(KinError) -> VectorIndex {
        guard (1...65_536).contains(dimension) else {
            throw KinError(.invalidArgument, "the dimension of an index must be from 1 to 65,536, not \(dimension)")
        }
        return VectorIndex(dimension: dimension)
    }

    /// The current index; later changes do not alter this value.
    package var snapshot: VectorIndex { state.withLock { $0.index } }

    /// Inserts or replaces a vector.
    ///
    /// - Returns: The number of vectors in the index afterwards.
    /// - Throws: As `VectorIndex.upsert(_:id:)`; the index is then unchanged.
    package func upsert(_ vector: [Float], id: VectorID) throws(KinError) -> Int {
        try state.withLock { state throws(KinError) in
            try state.index.upsert(vector, id: id)
            state.isChanged = true
            return state.index.count
        }
    }

    /// Removes a vector from the index: no search that begins later finds it.
    ///
    /// - Returns: The number of vectors in the index afterwards.
    /// - Throws: `.unknownID` if no vector has the id.
    package func remove(_ id: VectorID) throws(KinError) -> Int {
        try state.withLock { state throws(KinError) in
            guard state.index.remove(id) else { throw .noVector(id) }
            state.isChanged = true
            return state.index.count
        }
    }

    /// Writes the index to its file, in one step, if the index has changed since its opening or last save.
    ///
    /// - Throws: `.inputOutput`; the file is then unchanged.
    package func save() throws(KinError) {
        guard let path else { return }
        let index = state.withLock { state -> VectorIndex? in
            defer { state.isChanged = false }
            return state.isChanged ? state.index : nil
        }
        do throws(KinError) {
            try index?.save(to: path)
        } catch {
            state.withLock { $0.isChanged = true }
            throw error
        }
    }
}

extension KinError {
    /// The error for an id that no vector of the index has.
    static func noVector(_ id: VectorID) -> KinError {
        KinError(.unknownID, "no vector has the id \(id.rawValue)")
    }
}
