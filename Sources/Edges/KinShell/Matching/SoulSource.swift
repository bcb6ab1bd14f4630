import Kin
import KinFiles
import KinStore

/// Souls from a file of JSON lines, from standard input, or from a store.
struct SoulSource {
    /// A store's database, a file of JSON lines, or - for standard input.
    let path: String

    init(_ path: String) { self.path = path }

    /// The store, where the path is one's.
    private func store() throws -> Store? {
        path != "-" && StoreFile.isStore(path) ? try Store(at: path, for: .reading, check: .brief) : nil
    }

    /// A matcher of the souls: of a store by the model that it keeps, of a file by the standard one.
    ///
    /// - Parameters:
    ///   - weights: Others than those.
    ///   - everyGoalAlike: Whether goals count the same, however rare; as the model says when it is false.
    func matcher(weights: AffinityWeights?, everyGoalAlike: Bool, threads: Int) throws -> SoulMatcher {
        guard let store = try store() else {
            return try SoulMatcher(
                SoulFile.read(path), model: AffinityModel(weights: weights ?? .standard),
                rarity: everyGoalAlike ? .asInModel : .automatic, threads: threads)
        }
        let matcher = try store.matcher(weights: weights, everyGoalAlike: everyGoalAlike ? true : nil, threads: threads)
        guard matcher.count > 0 else {
            throw KinError(.unknownID, "the store has no souls; import some").within("file", path)
        }
        return matcher
    }
}
