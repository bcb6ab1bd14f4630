import Foundation
import KinTestSupport
import Testing

@testable import KinShell

/// Commands that read tables of vectors or features, with and without `--strict`.
@Suite("Strict reading of tables") struct StrictTests {
    private let folder = TemporaryFolder()

    @Test("under --strict, a note on a file is an error, and nothing is written")
    func notesAreErrors() throws {
        let rows = (0..<24).map { "\(1_790_000_000 + 5 * $0),\($0 % 2),\($0 % 3 == 0 ? "" : "\($0)")" }
        let vectors = try folder.file(
            "v.csv", "t,label\n" + rows.map { $0.prefix { $0 != "," } + ",1" }.joined(separator: "\n"))
        let features = try folder.file("f.csv", "t,label,a\n" + rows.joined(separator: "\n"))
        let index = folder.path("i.kin")
        let commands = [
            ["index", "build", vectors, "-o", index, "--exclude", "label"],
            ["kmeans", vectors, "-k", "2", "-o", folder.path("c.npy")],
            ["policy", "replay", features, "--label", "label", "--ignore", "t", "--shuffles", "1"],
        ]
        for command in commands {
            let strict = kin(command + ["--strict"])
            #expect(strict.status == 65 && strict.notes.contains("without strict"), "\(command): \(strict.notes)")
            #expect(
                !FileManager.default.fileExists(atPath: index)
                    && !FileManager.default.fileExists(atPath: folder.path("c.npy")))
        }
        for command in commands {
            let run = kin(command)
            #expect(run.status == 0 && run.notes.contains("note: column"), "\(command): \(run.notes)")
        }
        let search = ["index", "search", index, "--queries", vectors, "--exclude", "label"]
        #expect(kin(search).notes.contains("note: column t") && kin(search + ["--strict"]).status == 65)
    }
}
