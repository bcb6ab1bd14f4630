import Foundation
import Kin
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// Command lines for every command and every method, with the files and the store that they read.
struct CommandSamples {
    let folder = TemporaryFolder()
    /// The store that the methods' samples ask.
    let store: String

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
                    sessionText("s0", of: "u42", .mastery), sessionText("s1", of: "u42", .drift, [.power]),
                    sessionText("s2", of: "u42", .reflection, [.food, .horizon]),
                ]).joined(separator: "\n"))
        for file in ["souls", "images", "challenges", "content"].map({ "\(datasets)/\($0).jsonl" }) + [records] {
            let run = kin("store", "import", file, "--store", store)
            #expect(run.status == 0, "\(run.notes)")
        }
    }

    /// A copy of the store, which replaces the copy before.
    func copy() throws -> String {
        let copy = folder.path("copy.db")
        for end in ["", "-wal", "-shm", "-writer"] { try? FileManager.default.removeItem(atPath: copy + end) }
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        return copy
    }

    /// Methods whose example needs the result of an earlier request: an inbox item, the event of a choice.
    static let needsMore: Set<String> = ["accept", "decline", "block", "choose_arm", "dismiss_insight"]

    /// The example of a method in its help, on a store; nil if it names a file of the reader.
    func example(of method: EngineMethod, on store: String) -> [String]? {
        let example = MethodHelp.example(of: method)
        guard !example.contains("@"), !example.contains("--path") else { return nil }
        return example.split(separator: " ").map(String.init) + ["--store", store]
    }

    /// Requests to a store of people with longer answers than those of the examples, on a store of many people.
    static let longer = [
        "sessions u1", "near session:u1-7 k 5", "insight u1-7", "map u1", "transitions u1", "profile u1",
        "inventory --user u1 --near 40.7,-73.9", "missions u1 --near 40.7,-73.9 --minutes 240 --within-km 30",
        "similar_souls u42 --explain", "why u42 u7", "similar_pairs --k 2", "suggest u42 --explain", "today u42",
        "timeline u42", "categories", "world --name Calm --goals sleep", "cluster", "check", "preferences u42",
        "forecast u0 baby-1", "predictions u0 baby-1", "rhythm u0 baby-1", "days u0 baby-1", "repairs u0 baby-1",
        "events --user u0 --baby baby-1 --count 20", "backtest u0 baby-1",
    ].map { $0.split(separator: " ").map(String.init) }

    /// A command line for each command on files, by its name.
    func commandLines() throws -> [String: [[String]]] {
        let (csv, souls, images) = ("\(datasets)/sample-16d.csv", "\(datasets)/souls.jsonl", "\(datasets)/images.jsonl")
        let log = "\(datasets)/babies/baby-1.csv"
        func out(_ name: String) -> String { folder.path("out/" + name) }
        try FileManager.default.createDirectory(atPath: folder.path("out"), withIntermediateDirectories: true)
        let (index, realms, people) = (folder.path("p.kin"), folder.path("realms"), folder.path("people.db"))
        let places = try folder.file("places.csv", "id,x,y,city\n1,1,2,Rome\n2,2,3,Bern\n")
        for line in [
            ["index", "build", csv, "-o", index, "--force"], ["cluster", images, "-o", realms, "--force"],
            ["store", "import", "\(datasets)/people.jsonl", souls, "--store", people],
            ["backup", folder.path("backup.db"), "--store", people, "--force"],
            ["index", "build", places, "--attribute", "city:category", "-o", folder.path("places.kin"), "--force"],
        ] {
            let run = kin(line)
            #expect(run.status == 0, "\(line): \(run.notes)")
        }
        let queries = try folder.file(
            "queries.csv",
            try String(contentsOfFile: csv, encoding: .utf8).split(separator: "\n").prefix(4).joined(separator: "\n"))
        let labels = try folder.file(
            "labels.csv", "a,b,label\n" + (0..<60).map { "\($0 % 7),\($0 % 3),\($0 % 3 == 0 ? "x" : "y")\n" }.joined())
        let outcomes = try folder.file(
            "outcomes.csv",
            "arm,done\n" + (0..<80).map { "\($0 % 2 == 0 ? "a" : "b"),\($0 % 3 == 0 ? 1 : 0)\n" }.joined())
        let decisions = try folder.file(
            "log.jsonl",
            (0..<40).map {
                #"{"reward":\#($0 % 2),"propensity":0.5,"action":\#($0 % 3),"probabilities":[0.2,0.3,0.5]}"#
            }
            .joined(separator: "\n"))
        let unknown = try folder.file(
            "unknown.jsonl",
            (0..<40).map {
                #"{"reward":\#($0 % 2),"action":\#($0 % 3),"features":[\#($0 % 5)],"probabilities":[0.2,0.3,0.5]}"#
            }
            .joined(separator: "\n"))
        let slates = try folder.file(
            "slates.jsonl",
            (0..<40).map { #"{"slots":[{"reward":\#($0 % 2),"propensity":0.5,"probability":0.4}]}"# }
                .joined(separator: "\n"))
        let pairs = try folder.file("pairs.csv", "a,b\n" + (0..<40).map { "u\($0),u\($0 + 40)\n" }.joined())
        let zone = try folder.file(
            "zone.jsonl",
            #"{"zone":{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":["tide"]}}"#
                + "\n")
        let picture = try folder.file(
            "red.ppm", Array("P6\n10 10\n255\n".utf8) + [UInt8](repeating: 120, count: 300))
        let boxes = try folder.file("boxes.csv", "image_id,category_id,x,y,w,h\n9,16,1,2,30,40\n")
        let kinds = try folder.file("kinds.csv", "category_id,category,supercategory\n16,dog,animal\n")
        let upload = try folder.file(
            "upload.json", String(try String(contentsOfFile: images, encoding: .utf8).prefix { !$0.isNewline }))
        let key = try folder.file("key", "0123456789abcdef")
        let arms = ["--variant", "arm", "--outcome", "done", "--control", "a", "--treatment", "b"]
        let shapes = ["uniform", "clustered", "correlated"].map {
            ("generate \($0)", [["generate", $0, "--count", "10", "-o", out("\($0).csv"), "--force"]])
        }
        let lines = ["people", "souls", "images", "challenges", "content"].map {
            ("generate \($0)", [["generate", $0, "-o", out("\($0).jsonl"), "--force"]])
        }
        return [
            "demo": [["demo"]] + Demo.Topic.allCases.map { ["demo", $0.rawValue] },
            "index build": [["index", "build", csv, "-o", out("b.kin"), "--force"]],
            "index info": [["index", "info", index]],
            "index search": [
                ["index", "search", index, "--id", "42"], ["index", "search", index, "--id", "42", "--explain"],
                ["index", "search", index, "--queries", queries, "-k", "2"],
                ["index", "search", folder.path("places.kin"), "--id", "1", "--show", "city"],
            ],
            "index recommend": [["index", "recommend", index, "--like", "42,57"]],
            "index verify": [["index", "verify", index]],
            "kmeans": [["kmeans", csv, "-k", "3", "-o", out("c.npy"), "--force"]],
            "store import": [["store", "import", souls, "--store", people]],
            "store import_log": [["store", "import_log", "u1", "b", log, "--store", people]],
            "store export": [["store", "export", "--user", "u1", "--store", people]],
            "store contribute": [["store", "contribute", "u1", zone, "--store", people]],
            "store restore": [["store", "restore", folder.path("backup.db"), "--store", people]],
            "repl": [
                ["repl", index, "-c", "near 42", "-c", "info", "-c", "plan 42", "-c", "recall 10"],
                ["repl", people, "-c", "near session:u1-7", "-c", "set k 3", "-c", "similar_souls u1"],
            ],
            "match": [
                ["match", souls, "--user", "u42", "--explain"], ["match", souls, "-k", "1"],
                ["match", souls, "--above", "0.95"],
            ],
            "fit weights": [["fit", "weights", souls, "--pairs", pairs]],
            "cluster": [["cluster", images, "-o", out("realms"), "--force"]],
            "world": [
                ["world", "--in", realms, "--goals", "sleep"], ["world", "--in", realms, "--theme", "zzz"],
            ],
            "place": [["place", upload, "--in", realms]],
            "images": [["images", "sleep", "--in", realms]],
            "colours": [["colours", picture]],
            "convert coco": [["convert", "coco", boxes, kinds, "-o", out("coco.jsonl"), "--force"]],
            "forecast": [["forecast", log], ["forecast", log, "--kind", "nap"]],
            "backtest": [["backtest", log, "--kind", "nap"]],
            "rhythm": [["rhythm", log, "--repairs", "--days", "5"]],
            "policy replay": [["policy", "replay", labels, "--label", "label"]],
            "policy evaluate": [decisions, unknown, slates].map { ["policy", "evaluate", $0] },
            "experiment assign": [
                ["experiment", "assign", "e", "--key-file", key, "--variants", "a,b", "--people", "u1,u2"]
            ],
            "experiment test": [["experiment", "test", outcomes] + arms],
            "experiment size": [["experiment", "size", "0.1", "--effect", "0.02"]],
            "methods": [["methods"]],
            "generate babies": [["generate", "babies", "-o", out("babies"), "--force"]],
        ].merging(shapes + lines) { $1 }.mapValues { samples in
            samples.map { $0[0] == "demo" ? $0 + ["--count", "1000", "-o", folder.path("demo")] : $0 }
        }
    }
}
