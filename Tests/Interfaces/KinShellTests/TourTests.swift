import Foundation
import Kin
import KinTestSupport
import Testing

@testable import KinShell

@Suite("The tour")
struct TourTests {
    private let folder = TemporaryFolder()

    /// Other tests of generators make their own data; this one recreates each bundled file.
    @Test("data made where there is no source are those that come with it, byte for byte")
    func madeAnew() throws {
        let made = try DemoData.make(in: folder.path("made"))
        let bundled = try #require(DemoData.find(workingDirectory: repository, program: nil))
        #expect(bundled.folder == repository + "/datasets")
        let names = try FileManager.default.subpathsOfDirectory(atPath: made.folder)
            .filter { ($0 as NSString).pathExtension != "" }
        #expect(names.count == 8)
        for name in names {
            let (ours, theirs) = (made.folder + "/" + name, bundled.folder + "/" + name)
            #expect(FileManager.default.contentsEqual(atPath: ours, andPath: theirs), "\(name)")
        }
        let program = repository + "/.build/release/kin"
        #expect(DemoData.find(workingDirectory: "/", program: program)?.folder == bundled.folder)
        #expect(DemoData.find(workingDirectory: folder.path, program: folder.path("kin")) == nil)
    }

    @Test("it asks all five questions, checks itself, and leaves an index and a store that answer")
    func everyChapter() throws {
        // The files of an earlier tour are replaced, even broken ones.
        try FileManager.default.createDirectory(atPath: folder.path("left"), withIntermediateDirectories: true)
        for name in ["demo.db", "demo.kin"] { _ = try folder.file("left/" + name, "not what it was") }
        let run = kin("demo", "--count", "1000", "-o", folder.path("left"))
        #expect(run.status == 0, "\(run.notes)")
        let questions = [
            "What is near?", "Who is kin?", "What belongs together?", "When is next?", "What to offer?", "Now you",
        ]
        var rest = run.results[...]
        for question in questions {
            let found = try #require(rest.range(of: question), "\(question)")
            rest = rest[found.upperBound...]
        }
        #expect(run.results.components(separatedBy: "checked").count >= 4)
        let near = kin("repl", folder.path("left/demo.kin"), "-c", "near 42 k 2")
        #expect(near.status == 0, "\(near.notes)")
        let store = kin(
            "repl", folder.path("left/demo.db"), "-c", "kin u42 k 3", "-c", "forecast u0 baby-1", "-c", "babies u0")
        #expect(store.status == 0, "\(store.notes)")
        #expect(store.results.contains("next nap about"))
    }
}
