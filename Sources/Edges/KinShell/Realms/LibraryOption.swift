import ArgumentParser
import Foundation
import Kin
import KinFiles
import KinJSON

/// The paths of the clusters and of the realm index.
struct LibraryOption: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("The folder with clusters.json and realm_index.json.", valueName: "folder"))
    var path = LibraryOption.defaultPath

    static let defaultPath = "realms"

    /// Reads the library of the folder.
    func read() throws(KinError) -> RealmLibrary {
        do throws(KinError) { return try RealmLibraryFolder(path).read() } catch {
            guard error.names("input") else { throw error }
            throw KinError(error.code, "there is no realm library; `kin cluster IMAGES -o \(path)` makes it").within(
                "input", path)
        }
    }
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
