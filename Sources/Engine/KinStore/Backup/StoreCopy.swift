import GRDB

/// A copy of a store's database, by SQLite's online backup: one state of a database that is in use.
///
/// The copy is one file without a log: a database with rollback journals, which the first opening for writing turns
/// into a database with a write-ahead log. It is verified and synchronized to the disk before it appears under its
/// name.
struct StoreCopy {
    let files: any FileOperations
    /// The lineage of the copy; nil for the lineage of the original.
    var lineage: Lineage?
    /// Whether the copy may replace a store.
    var replacesStore = true

    /// Pages per step: 4 MiB, some milliseconds of work.
    private static let pagesPerStep: CInt = 1024

    /// Replaces the file at a path by a copy, completely or not at all.
    ///
    /// - Parameters:
    ///   - source: The database.
    ///   - path: The path of the copy. The caller has checked the file there.
    ///   - prepare: Runs when the copy is complete, before it takes its place.
    /// - Returns: The version of the copy.
    /// - Throws: `.corruptFile` if the copy is not intact; `.inputOutput`; `.cancelled` by a progress handler, which
    ///   counts pages. If this throws, the file at the path is unchanged.
    func write(
        _ source: any DatabaseReader, to path: String, _ prepare: () throws(KinError) -> Void = {}
    ) throws(KinError) -> StoreVersion {
        var version: StoreVersion?
        try replaceFile(
            at: path, files: files, isPrivate: true, replacing: replacesStore ? [.database(isStore: true)] : []
        ) { output throws(KinError) in
            do throws(KinError) {
                let place = StorePaths(database: output.name)
                try attempting("copy the database", at: place) { try copy(source, to: place.database) }
                // The versions for writing and reading: 1 for a database without a log. The user version: 0 for a
                // closed store. The application id, which a store in memory lacks.
                for (offset, bytes) in [(18, [1, 1]), (60, [0, 0, 0, 0]), (68, Array("KinS".utf8))] {
                    try output.write(unsafe bytes.span.bytes, at: offset)
                }
                if let lineage {
                    try attempting("begin a new lineage", at: place) { try begin(lineage, in: place.database) }
                }
                version = try verified(place.database)
            } catch {
                // The name of the unfinished copy would not help.
                throw error.without(["file"])
            }
            try prepare()
        }
        return version!
    }

    private func copy(_ source: any DatabaseReader, to path: String) throws {
        let copy = try DatabaseQueue(path: path, configuration: Self.configuration)
        defer { try? copy.end() }
        var work: LongWork?
        try source.backup(to: copy, pagesPerStep: Self.pagesPerStep) { progress in
            let pages = work ?? LongWork(of: progress.totalPageCount)
            work = pages
            try pages.step(to: progress.completedPageCount)
        }
        try work?.check()
    }

    private func begin(_ lineage: Lineage, in path: String) throws {
        let copy = try DatabaseQueue(path: path, configuration: Self.configuration)
        defer { try? copy.end() }
        try Migrations.migrator.migrate(copy)
        try copy.write { try lineage.store(in: $0) }
    }

    /// Checks every page, index and record of the copy.
    private func verified(_ path: String) throws(KinError) -> StoreVersion {
        let report = try Store(at: path, for: .reading, check: .brief, in: StoreEnvironment()).check()
        guard let problem = report.problems.first else { return report.version }
        throw KinError(
            .corruptFile, "the copy is not intact: \(problem). Nothing was replaced; `check` lists what is damaged")
    }

    /// The configuration of a copy without readers: SQLite writes no other file.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = MEMORY; PRAGMA fullfsync = ON") }
        return configuration
    }
}
