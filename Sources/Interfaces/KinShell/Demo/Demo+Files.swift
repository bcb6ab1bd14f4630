import Foundation

/// The files that demos leave in the folder, and a note of their state.
extension Demo {
    static let files = [
        "demo.db", "demo.kin", "photos.jsonl", "mia.csv", "realms/clusters.json", "realms/realm_index.json",
    ]
    var note: String { folder + "/.demo-files" }

    /// The name of a file with its size, its time of change and the size of a store's log; nil without a file.
    func state(_ name: String) -> String? {
        func attributes(_ end: String) -> [FileAttributeKey: Any]? {
            try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)\(end)")
        }
        guard let file = attributes(""), let date = file[.modificationDate] as? Date else { return nil }
        return "\(name) \(file[.size] ?? 0) \(date.timeIntervalSince1970) \(attributes("-wal")?[.size] ?? 0)"
    }

    /// Requires that each file is missing, or is as the last demo left it, or may be replaced (`--force`).
    ///
    /// - Throws: `.invalidArgument` with the next step, also for a changed store with `--force`.
    func requireReplaceable() throws(KinError) {
        let noted = (try? String(contentsOfFile: note, encoding: .utf8))?.components(separatedBy: "\n") ?? []
        for name in Self.files where state(name).map(noted.contains) != true {
            do throws(KinError) { try Kin.requireReplaceable("\(folder)/\(name)") } catch {
                throw error.adding("-o chooses a different folder")
            }
        }
    }
}
