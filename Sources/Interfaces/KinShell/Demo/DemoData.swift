import Foundation
import Kin
import KinFiles

/// The sample data of the tour: the files of `datasets`, or the same files generated again if the sources are not
/// found.
struct DemoData {
    let folder: String

    var profiles: String { folder + "/sample-16d.csv" }
    var people: String { folder + "/people.jsonl" }
    var souls: String { folder + "/souls.jsonl" }
    var images: String { folder + "/images.jsonl" }
    var challenges: String { folder + "/challenges.jsonl" }
    var content: String { folder + "/content.jsonl" }
    var baby: String { folder + "/babies/baby-1.csv" }

    /// Searches for the files upwards from the working directory and from the program.
    static func find(workingDirectory: String, program: String?) -> DemoData? {
        var folders = [workingDirectory]
        if let program {
            var folder = (program as NSString).deletingLastPathComponent
            while folder.count > 1 {
                folders.append(folder)
                folder = (folder as NSString).deletingLastPathComponent
            }
        }
        let found = folders.map { DemoData(folder: $0 + "/datasets") }
        return found.first { data in data.all.allSatisfy { FileManager.default.fileExists(atPath: $0) } }
    }

    /// Generates the files in a folder.
    static func make(in folder: String) throws -> DemoData {
        let data = DemoData(folder: folder)
        for file in data.all {
            try WholeFile.makeFolder((file as NSString).deletingLastPathComponent)
        }
        let silent = Console(results: { _ in }, notes: { _ in })
        for command in data.commands { try Shell.execute(command, on: silent) }
        return data
    }

    private var all: [String] { [profiles, people, souls, images, baby, challenges, content] }

    /// The commands that generate the files, as listed in `datasets/README.md`.
    var commands: [[String]] {
        [
            ["generate", "challenges", "--count", "200", "--seed", "16", "-o", challenges],
            ["generate", "content", "-o", content],
            ["generate", "clustered", "--count", "2000", "--seed", "16", "-o", profiles],
            ["generate", "people", "--count", "3", "--sessions", "30", "--items", "30", "--seed", "16", "-o", people],
            ["generate", "souls", "--count", "100", "--communities", "8", "--seed", "16", "-o", souls],
            ["generate", "images", "--count", "120", "--seed", "16", "-o", images],
            [
                "generate", "babies", "--count", "2", "--days", "60", "--age", "45", "--seed", "16", "-o",
                folder + "/babies",
            ],
        ]
    }
}
