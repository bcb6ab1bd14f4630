import ArgumentParser
import Foundation
import Kin

/// A folder with `clusters.json` and `realm_index.json`.
struct LibraryFolder {
    let path: String

    static let defaultPath = "realms"
    private var clusters: String { path + "/clusters.json" }
    private var index: String { path + "/realm_index.json" }

    func read() throws(Failure) -> RealmLibrary {
        do throws(KinError) {
            return try RealmLibrary(
                clusters: reading(clusters) { text throws(KinError) in try RealmClusters(json: text) },
                index: reading(index) { text throws(KinError) in try RealmIndex(json: text) })
        } catch {
            guard error.code == .inputOutput else { throw Failure(error) }
            throw Failure(
                .noInput,
                KinError(.inputOutput, "\(error.message); `kin cluster IMAGES -o \(path)` makes it").within(
                    "folder", path))
        }
    }

    private func reading<Value>(
        _ file: String, _ body: (String) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw KinError(.inputOutput, "there is no \((file as NSString).lastPathComponent)")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw KinError(.malformedInput, "the file is not valid UTF-8").within("file", file)
        }
        do throws(KinError) { return try body(text) } catch { throw error.within("file", file) }
    }

    func write(_ library: RealmLibrary) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw Failure(.cannotCreate, KinError(.inputOutput, "the folder cannot be made").within("folder", path))
        }
        try TextFile.write(library.clusters.json + "\n", to: clusters)
        try TextFile.write(library.index.json + "\n", to: index)
    }
}

/// A file of text that is written whole or not at all.
enum TextFile {
    static func write(_ text: String, to path: String) throws(Failure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure(.cannotCreate, KinError(.inputOutput, "the file cannot be written").within("file", path))
        }
    }
}

/// The paths of the clusters and of the realm index.
struct LibraryOption: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The folder with clusters.json and realm_index.json.", valueName: "folder"))
    var path = LibraryFolder.defaultPath

    var folder: LibraryFolder { LibraryFolder(path: path) }
}

extension TherapeuticGoal {
    /// Goals from words with commas between.
    static func list(_ text: String) throws -> [TherapeuticGoal] {
        try text.split(separator: ",").map { try TherapeuticGoal(named: $0.trimmingCharacters(in: .whitespaces)) }
    }
}

extension GoalValues {
    /// The strongest goals with their values: `sleep 0.80, focus 0.41`.
    func text(_ count: Int = 3) -> String {
        focus.prefix(count).map { "\($0.name) \(NumberText.hundredths(self[$0]))" }.joined(separator: ", ")
    }

    /// The values by name.
    var record: [String: Float] { Dictionary(uniqueKeysWithValues: focus.map { ($0.name, self[$0]) }) }
}
