import Synchronization

/// Indexes of the same sessions in subsets of the dimensions: all other coordinates are 0, so they add nothing to a
/// distance.
///
/// An index is built once its cost has been spent on scans in its dimensions. If there are more than ``most`` indexes,
/// the least recently used one is dropped.
final class DimensionSubsets: Sendable {
    private struct State {
        /// The indexes with the masks of their dimensions, the most recently used one last.
        var made: [(mask: UInt16, index: SessionIndex)] = []
        /// The number of scans in dimensions without an index.
        var scans: [UInt16: Int] = [:]
    }

    private let state: Mutex<State>

    /// The largest number of indexes; each takes about the memory of the points.
    static let most = 4
    /// The number of scans that cost as much as an index: about 5 ns a session, compared with 1.5 µs.
    private static let worth = 300

    init() { state = Mutex(State()) }

    private init(_ made: [(mask: UInt16, index: SessionIndex)]) { state = Mutex(State(made: made)) }

    /// The number of indexes.
    var count: Int { state.withLock { $0.made.count } }

    /// The index in a subset of the dimensions, if it is built or worth building.
    ///
    /// - Parameters:
    ///   - mask: The mask of the dimensions.
    ///   - isNeeded: Whether to build it now.
    ///   - make: Builds the index; other searches continue in the meantime.
    func index(of mask: UInt16, isNeeded: Bool, make: () -> SessionIndex) -> SessionIndex? {
        let (known, isWorthwhile) = state.withLock { state -> (SessionIndex?, Bool) in
            if let place = state.made.firstIndex(where: { $0.mask == mask }) {
                let found = state.made.remove(at: place)
                state.made.append(found)
                return (found.index, false)
            }
            let scans = state.scans[mask, default: 0] + 1
            // Searches that arrive while the index is being built keep scanning.
            state.scans[mask] = scans < Self.worth ? scans : nil
            return (nil, scans >= Self.worth)
        }
        guard known == nil, isNeeded || isWorthwhile else { return known }
        let index = make()
        state.withLock { state in
            state.made.removeAll { $0.mask == mask }
            state.made.append((mask, index))
            if state.made.count > Self.most { state.made.removeFirst() }
        }
        return index
    }

    /// The indexes after a change of the sessions, for a changed copy of the sessions.
    func changed(_ change: (UInt16, inout SessionIndex) throws(KinError) -> Void) throws(KinError) -> DimensionSubsets {
        var made = state.withLock { $0.made }
        guard !made.isEmpty else { return DimensionSubsets() }
        for place in made.indices { try change(made[place].mask, &made[place].index) }
        return DimensionSubsets(made)
    }
}
