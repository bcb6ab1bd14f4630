public import KinCore
public import KinStore

extension Engine {
    /// Writes a backup: a consistent, checked copy of the store in one file, while the store is in use.
    ///
    /// It opens as a store by itself, anywhere. `Store.restore(from:to:)` puts it in the place of a store.
    ///
    /// - Parameters:
    ///   - path: The path of the backup; its folder must exist.
    ///   - overwrite: Whether an earlier backup at the path is replaced. A store in use or any other file never is.
    /// - Returns: The version that the backup shows.
    /// - Throws: As `Store.backup(to:overwrite:)`.
    /// - Complexity: O(size of the database).
    @discardableResult
    public func backup(to path: String, overwrite: Bool = false) throws(KinError) -> StoreVersion {
        try store.backup(to: path, overwrite: overwrite)
    }
}
