import Foundation
import Kin
import KinEngine
import KinFiles
import KinStore

/// Files that the tour leaves to play with.
extension Tour {
    func leave(_ file: IndexFile) throws {
        try file.save(to: indexPath)
        chapter("Now you", "Both are yours to try: the store of people and the index of profiles.")
        let session = try StoreSession(storePath, console: console)
        show(session, "near session:u1-7 k 3 where user = u1")
        show(session, "forecast u0 baby-1")
        console.print()
        for path in [storePath, indexPath] { console.print("  kin repl \(Tour.quoted(path))") }
        console.print()
        console.print(
            console.style.faint("Built from source, that is: swift run -c release kin repl \(Tour.quoted(storePath))"))
    }

    /// Makes the store anew.
    ///
    /// - Returns: How many records of each kind it has.
    func fillStore() throws -> [String: Int] {
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: storePath + ending) }
        let (path, data) = (storePath, data)
        let log = try RhythmLogFile.read(data.baby)
        let now = try SystemClock.now()
        return try waiting {
            let store = try Store(at: path, for: .writing, check: .complete)
            var all: [String: Int] = [:]
            for file in [data.people, data.souls, data.images, data.challenges, data.content] {
                all.merge(try await store.importLines(from: file, now: now)) { $0 + $1 }
            }
            let care = try CareEvent.events(of: log, userID: "u0", babyID: "baby-1")
            try await store.put([BabyRecord(userID: "u0", id: "baby-1", baby: log.baby)])
            try await store.put(care)
            all["care_event"] = care.count
            try await store.close()
            return all
        }
    }
}
