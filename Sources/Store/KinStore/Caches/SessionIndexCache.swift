import GRDB
import KinCore
import KinIndex
import KinLinearAlgebra
import KinPleasure
import Synchronization

/// The session indexes in memory, one for each metric in use, each with the version that it shows.
///
/// Before every use the version is compared with the change log: rows changed since are read again, and an index whose
/// version the log does not reach is rebuilt. So a search agrees with the database whatever happened to process, file
/// or database in between.
final class SessionIndexCache: Sendable {
    private let paths: StorePaths
    private let files: any FileOperations
    /// The indexes in memory.
    private let held: Mutex<[Metric: VersionedIndex]> = Mutex([:])
    /// Serializes builds and updates, so that each is done once; searches in a current index do not wait.
    private let working = Mutex(())

    /// An index and the version that it shows.
    struct VersionedIndex: Sendable {
        var index: SessionIndex
        var version: StoreVersion
        /// Whether the index file has the same sessions.
        var isSaved: Bool
    }

    init(paths: StorePaths, files: any FileOperations) {
        self.paths = paths
        self.files = files
    }

    /// The index at the version that a connection sees.
    func current(_ metric: Metric, in database: Database) throws -> SessionIndex {
        let version = try ChangeLog.version(in: database)
        if let held = held.withLock({ $0[metric] }), held.version == version { return held.index }
        return try working.withLock { _ in
            let before = held.withLock { $0[metric] }
            if let before, before.version == version { return before.index }
            // One that is newer than what this connection sees stays for the others.
            if let before, before.version.number > version.number {
                return try SessionIndexBuilder(metric: metric, database: database).build()
            }
            let found = try bringUpToDate(before ?? open(metric), metric, to: version, in: database)
            held.withLock { $0[metric] = found }
            return found.index
        }
    }

    /// Releases the indexes in memory.
    func drop() { held.withLock { $0 = [:] } }

    /// Saves the indexes in memory that their files do not have.
    ///
    /// - Parameter isKnown: Whether the change log reaches a version. An index of another one may contain an erased
    ///   person, and is dropped.
    func save(_ isKnown: (StoreVersion) throws(KinError) -> Bool) throws(KinError) {
        for (metric, index) in held.withLock({ $0 }) where !index.isSaved {
            guard try isKnown(index.version) else {
                held.withLock { if $0[metric]?.version == index.version { $0[metric] = nil } }
                continue
            }
            let folder = IndexFolder(path: paths.indexFolder, files: files)
            try folder.make()
            try index.index.points.save(to: file(metric), note: index.version.bytes, files: files)
            held.withLock { held in
                if held[metric]?.version == index.version { held[metric]?.isSaved = true }
            }
        }
    }

    private func file(_ metric: Metric) -> String { paths.indexFile("session-\(metric.rawValue)") }

    /// The index in its file; nil when the file is missing or damaged.
    private func open(_ metric: Metric) -> VersionedIndex? {
        let path = file(metric)
        guard let found = try? IVFIndex.openNoted(path, files: files), let version = StoreVersion(bytes: found.note),
            found.index.metric == metric, let index = try? SessionIndex(points: found.index)
        else { return nil }
        return VersionedIndex(index: index, version: version, isSaved: true)
    }

    private func bringUpToDate(
        _ old: VersionedIndex?, _ metric: Metric, to version: StoreVersion, in database: Database
    ) throws -> VersionedIndex {
        let builder = SessionIndexBuilder(metric: metric, database: database)
        if var old, let changes = try ChangeLog.changes(of: RecordKind.session.name, since: old.version, in: database) {
            let rows = changes.reduce(0) { $0 + $1.count }
            // A load as large as the index divides the space anew, which a build does better.
            if rows <= max(old.index.count, 1000) {
                try builder.apply(changes, to: &old.index)
                return VersionedIndex(index: old.index, version: version, isSaved: old.isSaved && changes.isEmpty)
            }
        }
        return VersionedIndex(index: try builder.build(), version: version, isSaved: false)
    }
}
