import Foundation
import Kin
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Policy commands")
struct PolicyCommandTests {
    private let folder = TemporaryFolder()

    /// Rows whose label depends on two numbers and a word.
    private func labelled(_ count: Int) -> String {
        var generator = SeededGenerator(seed: 6)
        let rows = (0..<count).map { _ in
            let (a, b) = (generator.below(100), generator.below(100))
            let word = generator.below(2) == 0 ? "left" : "right"
            return "\(word == "left" ? (a > 50 ? "A" : "B") : "C"),\(a),\(b),\(word)"
        }
        return (["label,a,b,side"] + rows).joined(separator: "\n") + "\n"
    }

    @Test func labelsArePlayedAsABandit() throws {
        let file = try folder.file("rows.csv", labelled(800))
        let run = kin("policy", "replay", file, "--label", "label", "--shuffles", "2")
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.results.contains("progressive reward") && run.results.contains("by order"))
        let told = kin("policy", "replay", file, "--label", "label", "--shuffles", "2", "--pairwise", "--json")
        let record = try told.object()
        #expect(record["arms"] as? Int == 3 && record["features"] as? Int == 4 && record["rows"] as? Int == 800)
        let reward = try #require(record["progressive_reward"] as? Double)
        #expect(reward > 0.7)
        let again = kin("policy", "replay", file, "--label", "label", "--shuffles", "2", "--pairwise", "--json")
        #expect(again.results == told.results)
    }

    @Test func aLogIsReplayedAndComparedWithTheBestArm() throws {
        var generator = SeededGenerator(seed: 6)
        let rows = (0..<1500).map { _ in
            let (arm, mood) = (generator.below(3), generator.below(2))
            let isTaken = generator.uniform() < (arm == mood ? 0.85 : 0.3)
            return "\(["tea", "walk", "nap"][arm]),\(["calm", "busy"][mood]),\(isTaken ? 1 : 0)"
        }
        let file = try folder.file("log.csv", (["offer,mood,taken"] + rows).joined(separator: "\n"))
        let record = try kin(
            "policy", "replay", file, "--arm", "offer", "--reward", "taken", "--shuffles", "2", "--json"
        ).object()
        for key in ["rejection", "doubly_robust"] {
            let comparison = try #require(record[key] as? [String: Any])
            let gain = try #require(comparison["gain"] as? [String: Double])
            #expect(try #require(gain["lower"]) > 0.1, "\(key): \(gain)")
        }
        #expect(try #require(record["calibration_error"] as? Double) < 0.06)
        let words = kin("policy", "replay", file, "--arm", "offer", "--reward", "taken", "--shuffles", "0")
        #expect(
            words.results.contains("doubly robust") && words.results.contains("gain")
                && words.results.contains("calibration error"))
    }

    @Test func aPolicyIsEvaluatedOnALog() throws {
        let lines = (0..<40).map { i in
            #"{"reward":\#(i % 2),"propensity":0.5,"action":\#(i % 3),"probabilities":[0.2,0.3,0.5],"estimates":[0.4,0.5,0.6],"who":"u1"}"#
        }
        let file = try folder.file("log.jsonl", lines.joined(separator: "\n"))
        let run = kin("policy", "evaluate", file, "--json")
        #expect(run.status == 0, "\(run.notes)")
        #expect(run.notes.contains("unknown names, ignored: who (40)"))
        let truths = lines.map { $0.replacing("\"reward\":1", with: "\"reward\":true") }
        let same = try folder.file("true.jsonl", truths.joined(separator: "\n"))
        #expect(kin("policy", "evaluate", same, "--json").results == run.results)
        let record = try run.object()
        let estimates = try #require(record["estimates"] as? [String: [String: Any]]).mapValues {
            $0.compactMapValues { $0 as? Double }
        }
        #expect(estimates["dr"]?["lower"] != nil && estimates["dm"]?["lower"] == nil)
        #expect(estimates.keys.sorted() == ["dm", "dr", "dros", "ips", "sg-dr", "snips", "switch-dr"])
        #expect(try #require(estimates["switch-dr"]?["parameter"]) > 0 && estimates["dr"]?["parameter"] == nil)
        #expect(abs(try #require(estimates["dm"]?["value"]) - 0.53) < 1e-12)
        let slots =
            #"{"slots":[{"reward":1,"propensity":0.5,"probability":0.25},{"reward":2,"propensity":0.5,"probability":1}]}"#
        let slates = kin("policy", "evaluate", try folder.file("slates.jsonl", slots), "--json")
        let ranked = try slates.object()
        let found = try #require(ranked["estimates"] as? [String: [String: Any]])
        let values: [String: Double?] = found.mapValues { $0["value"] as? Double }
        #expect(values == ["sips": 3, "iips": 4.5, "rips": 2.5])
        #expect(ranked["slates"] as? Int == 1)
        let features = #"{"reward":1,"likelihoods":[1,0,1],"propensities":[0.2,0.6,0.2],"probabilities":[0.5,0.2,0.3]}"#
        let marginal = kin("policy", "evaluate", try folder.file("features.jsonl", features))
        #expect(marginal.results.contains("value 2"))
        refused(
            kin("policy", "evaluate", try folder.file("mixed.jsonl", features + "\n" + slots)), 65, "line 2", "slates")
        let plain = try folder.file("plain.jsonl", #"{"reward":1,"propensity":0.5,"probability":0.25}"#)
        let words = kin("policy", "evaluate", plain)
        #expect(words.results.contains("ips") && words.results.contains("value 0.5") && !words.results.contains("dr "))
    }

    @Test("a policy that takes no logged action has no self-normalised value")
    func noLoggedAction() throws {
        let file = try folder.file("none.jsonl", #"{"reward":1,"propensity":0.5,"probability":0}"#)
        let estimates = try #require(
            try kin("policy", "evaluate", file, "--json").object()["estimates"] as? [String: Any])
        #expect((estimates["ips"] as? [String: Any])?["value"] as? Double == 0)
        #expect((estimates["snips"] as? [String: Any])?["value"] is NSNull)
    }

    @Test func fewRoundsHaveNoInterval() throws {
        func round(_ i: Int) -> String { #"{"reward":\#(i % 3),"propensity":0.5,"probability":0.25"# }
        for count in [19, 20] {
            for lines in [
                (0..<count).map { round($0) + "}" }, (0..<count).map { #"{"slots":["# + round($0) + "}]}" },
                (0..<2 * count).map { round($0) + ",\"person\":\"u\($0 / 2)\"}" },
            ] {
                let file = try folder.file("few.jsonl", lines.joined(separator: "\n"))
                let run = kin("policy", "evaluate", file, "--json")
                let estimates = try #require(try run.object()["estimates"] as? [String: [String: Any]])
                #expect(
                    estimates.values.allSatisfy { ($0["lower"] is NSNull) == (count < 20) && $0["value"] is Double })
                #expect(run.notes.contains("too little evidence for some intervals") == (count < 20))
                #expect(kin("policy", "evaluate", file).results.contains("lower -, upper -") == (count < 20))
            }
        }
    }

    @Test func missingPropensitiesAreEstimatedWithANote() throws {
        func line(_ i: Int, _ more: String = "") -> String {
            #"{"reward":\#(i % 2),"action":\#(i * 7 % 3),"features":[\#(i % 5),1],"probability":0.5\#(more)}"#
        }
        let lines = (0..<60).map { line($0) }
        let file = try folder.file("log.jsonl", lines.joined(separator: "\n"))
        let run = kin("policy", "evaluate", file, "--json")
        #expect(run.status == 0 && run.notes.contains("no propensities"), "\(run.notes)")
        let record = try run.object()
        let estimated = try #require(record["estimated_propensities"] as? [String: Double])
        #expect(estimated["floor"] == 0.01 && estimated["clipped"] == 0 && estimated["calibration_error"] != nil)
        let floor = kin("policy", "evaluate", file, "--floor", "0.33")
        #expect(floor.results.contains("estimated propensities") && !floor.results.contains("clipped 0"))
        #expect(kin("policy", "evaluate", file, "--floor", "0.9").notes.contains("even share"))
        for (wrong, words) in [
            (line(1, #","propensity":0.5"#), "propensity is given here"),
            (#"{"reward":1,"probability":1}"#, "features"),
            (#"{"reward":1,"probability":1,"features":[1]}"#, "features are 1"),
            (line(1, #","person":"u1""#), "person is missing"),
            (#"{"reward":1,"probability":1,"features":[1,2]}"#, "action is missing"),
            (#"{"reward":1,"probability":1,"action":1,"features":[1,null]}"#, "line 61"),
        ] {
            let bad = try folder.file("bad.jsonl", (lines + [wrong]).joined(separator: "\n"))
            refused(kin("policy", "evaluate", bad), 65, "line 61", words)
        }
        let logged = #"{"reward":1,"propensity":0.5,"probability":0.25,"action":0,"features":[1,2]}"#
        refused(
            kin("policy", "evaluate", try folder.file("some.jsonl", logged + "\n" + line(1))), 65, "line 2",
            "propensity is missing")
        refused(kin("policy", "evaluate", try folder.file("few.jsonl", line(1) + "\n" + line(2))), 65, "cross-fitting")
    }

    @Test(arguments: [
        (#"{"reward":1}"#, "propensity is missing"),
        (#"{"reward":1,"propensity":0,"probability":1}"#, "propensity must be above 0 and at most 1, not 0.0"),
        (#"{"reward":1,"propensity":1,"probability":2}"#, "probability must be 0 to 1, not 2.0"),
        (#"{"reward":1,"propensity":1,"probabilities":[0.5,0.5]}"#, "action must be an index"),
        (#"{"reward":1,"propensity":1,"action":0,"probabilities":[0.5,0.6]}"#, "add up to 1"),
        (#"{"reward":1,"propensity":1,"action":0,"probabilities":[0.5,0.5],"estimates":[1]}"#, "as many"),
        (#"{"reward":"yes","propensity":1,"probability":1}"#, "reward"),
        ("not JSON", "line 2"),
    ])
    func aWrongLineIsNamed(line: String, words: String) throws {
        let good = #"{"reward":1,"propensity":0.5,"probability":0.25}"#
        let file = try folder.file("log.jsonl", "\(good)\n\(line)\n")
        refused(kin("policy", "evaluate", file), 65, "line 2", words)
    }

    @Test func wrongFilesAndOptionsAreRefused() throws {
        let file = try folder.file("rows.csv", labelled(10))
        #expect(kin("policy", "replay", file).status == 64)
        #expect(kin("policy", "replay", file, "--label", "label", "--reward", "a").status == 64)
        #expect(kin("policy", "replay", file, "--label", "labels").notes.contains("did you mean label"))
        #expect(kin("policy", "replay", file, "--arm", "label", "--reward", "side").notes.contains("'"))
        let empty = try folder.file("empty.csv", "label,a\n")
        #expect(kin("policy", "replay", empty, "--label", "label").status == 65)
        let ragged = try folder.file("ragged.csv", "label,a\nA,1\nB\n")
        #expect(kin("policy", "replay", ragged, "--label", "label").notes.contains("line 3"))
        #expect(kin("policy", "evaluate", try folder.file("none.jsonl", "\n")).notes.contains("no rounds"))
        #expect(kin("policy", "evaluate", "no such file").status == 66)
    }
}
