import Foundation
import Kin
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// Runs the example in each method's help on a store with the records that it names.
@Suite("Printed examples")
struct ExampleTests {
    private let folder = TemporaryFolder()
    private let store: String

    init() throws {
        store = folder.path("all.db")
        let records = try folder.file(
            "named.jsonl",
            try
                (["u42", "u77"].flatMap { user in
                    [
                        "{\"soul\":{\"uid\":\"\(user)\",\"goals\":{\"sleep\":2,\"anxiety\":1}}}",
                        "{\"profile\":\(try PleasureProfile(userID: user, pleasure: [.food: 0.5]).json),\"since\":\"2026-01-01T00:00:00Z\"}",
                    ]
                } + [
                    "{\"baby\":{\"user_id\":\"u42\",\"id\":\"baby-1\",\"name\":\"Kim\",\"date_of_birth\":\"2026-01-01\"}}",
                    "{\"care_event\":{\"user_id\":\"u42\",\"baby\":\"baby-1\",\"event\":{\"id\":\"e1\",\"type\":\"sleep\",\"start\":\"2026-03-01T09:00\",\"end\":\"2026-03-01T10:00\"}}}",
                    Self.session("s0", .mastery, [.food]), Self.session("s1", .drift, [.power]),
                    Self.session("s2", .reflection, [.food, .horizon]),
                ]).joined(separator: "\n"))
        for file in ["souls", "images", "challenges", "content"].map({ "\(datasets)/\($0).jsonl" }) + [records] {
            let run = kin("store", "import", file, "--store", store)
            #expect(run.status == 0, "\(run.notes)")
        }
    }

    /// A running session of u42.
    private static func session(_ id: String, _ state: SessionState, _ primary: [Pleasure.Dimension]) throws -> String {
        try PleasureSession(
            id: id, userID: "u42", start: Timestamp(seconds: 1.7e9), state: state,
            pleasure: PleasureMarks(primary: primary)
        ).json
    }

    /// Methods whose example needs the result of an earlier request: an inbox item, the event of a choice.
    private static let needsMore: Set<String> = ["accept", "decline", "block", "choose_arm"]

    @Test("every example of a method does what it says, or names a file of the reader's")
    func methods() throws {
        var (count, files) = (0, 0)
        for method in MethodTable.groups.flatMap(\.methods) {
            let example = "kin \(MethodHelp.example(of: method))"
            guard !example.contains("@"), !example.contains("records.jsonl") else {
                files += 1
                continue
            }
            let copy = folder.path("copy.db")
            for end in ["", "-wal", "-shm", "-writer"] {
                try? FileManager.default.removeItem(atPath: copy + end)
            }
            try FileManager.default.copyItem(atPath: store, toPath: copy)
            let words = example.split(separator: " ").dropFirst().map(String.init)
            let run = kin(words + ["--store", copy])
            let isExcused = Self.needsMore.contains(method.name)
            #expect(run.status == 0 || isExcused, "\(example): \(run.status) \(run.notes)")
            #expect(!run.results.isEmpty || isExcused, "\(example) prints nothing")
            if method.name == "rank_images" { #expect(!run.results.contains("nothing")) }
            count += 1
        }
        #expect(count > 55 && files < 20, "\(count) \(files)")
    }
}
