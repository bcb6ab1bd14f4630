import GRDB
import KinCore
import Synchronization

extension Store {
    /// What should be looked at although every record is whole; see ``StoreReport/warnings``.
    nonisolated func warnings(in database: Database) throws -> [String] {
        var warnings = try Erasing.owed(in: database)
        if let failure = unnoted.withLock({ $0 }) {
            warnings.append("the last change is not in the writer's note, which would tell if it got lost: \(failure)")
        }
        let folder = IndexFolder(path: place.indexFolder, files: files)
        let indexes = ((try? folder.names()) ?? []).map { "\(folder.path)/\($0)" }
        return warnings
            + OwnerOnly.wider([place.database, place.log, place.sharedMemory, place.writerNote, folder.path] + indexes)
    }
}
