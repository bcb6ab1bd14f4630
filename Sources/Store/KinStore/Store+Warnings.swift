import GRDB
import KinCore
import Synchronization

extension Store {
    /// What should be looked at although every record is whole; see ``StoreReport/warnings``.
    nonisolated func warnings(in database: Database) throws -> [String] {
        var warnings = try Erasure.warnings(in: database)
        if let failure = unnoted.withLock({ $0 }) {
            warnings.append("the last change is not in the writer's note, which would tell if it got lost: \(failure)")
        }
        let folder = IndexFolder(path: paths.indexFolder, files: files)
        let indexes = ((try? folder.names()) ?? []).map { "\(folder.path)/\($0)" }
        return warnings
            + OwnerOnly.wider([paths.database, paths.log, paths.sharedMemory, paths.writerNote, folder.path] + indexes)
    }
}
