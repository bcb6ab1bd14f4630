import Kin
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Experiment commands")
struct ExperimentCommandTests {
    private let folder = TemporaryFolder()

    @Test func peopleAreAssigned() throws {
        let key = try folder.file("key", "0123456789abcdef")
        let options = ["--key-file", key, "--variants", "a,b", "--weights", "1,3", "--json"]
        let run = kin(["experiment", "assign", "evenings", "--people", "u1,u2,u3"] + options)
        #expect(run.status == 0, "\(run.notes)")
        let assigned = try #require(try run.object()["assignments"] as? [String: String])
        let swift = try Experiment(
            "evenings", key: Array("0123456789abcdef".utf8), variants: [.init("a"), .init("b", weight: 3)])
        for person in ["u1", "u2", "u3"] {
            #expect(assigned[person] == swift.variants[swift.assign(person)].name)
        }
        let ids = try folder.file("ids.txt", (1...200).map { "u\($0)" }.joined(separator: "\n"))
        let all = kin(["experiment", "assign", "evenings", "--people-file", ids] + options)
        let counts = try #require(try all.object()["counts"] as? [String: Int])
        #expect(counts.values.reduce(0, +) == 200 && counts["b"] ?? 0 > 120)
        #expect(kin(["experiment", "assign", "evenings"] + options).status == 64)
        let short = try folder.file("short", "0123")
        refused(
            kin("experiment", "assign", "e", "--key-file", short, "--variants", "a", "--people", "u1"), nil,
            "16 or more")
        refused(
            kin(
                "experiment", "assign", "e", "--key-file", key, "--variants", "a,b", "--weights", "1", "--people", "u1"),
            64, "do not fit")
    }

    @Test func effectsAreTested() throws {
        var random = SeededGenerator(seed: 3)
        let rows = (0..<600).map { _ in
            let variant = ["a", "b", "c"][random.below(3)]
            return "\(variant),\(random.uniform() < (variant == "b" ? 0.8 : 0.3) ? 10 : 0)"
        }
        let file = try folder.file("log.csv", (["arm,score"] + rows).joined(separator: "\n"))
        let options = ["--variant", "arm", "--outcome", "score", "--control", "a", "--treatment", "b"]
        let found = try kin(["experiment", "test", file] + options + ["--high", "10", "--json"]).object()
        #expect(try #require(found["p_value"] as? Double) < 0.01 && found["left_out"] as? Int ?? 0 > 100)
        #expect(try #require(found["lower"] as? Double) > 0)
        // A comma is the decimal mark between semicolons.
        let semicolons = (["arm;score"] + rows.map { $0.replacing(",", with: ";") + ",0" }).joined(separator: "\n")
        let commas = try kin(
            ["experiment", "test", folder.file("c.csv", semicolons)] + options + ["--high", "10", "--json"])
        #expect(try commas.object()["p_value"] as? Double == found["p_value"] as? Double)
        let means = try ["treatment", "control"].map {
            try #require((found[$0] as? [String: Any])?["mean"] as? Double)
        }
        #expect(abs(try #require(found["difference"] as? Double) - (means[0] - means[1])) < 1e-12)
        let words = kin(["experiment", "test", file] + options + ["--high", "10"])
        #expect(words.results.contains("p value") && words.results.contains("treatment"))
        refused(kin(["experiment", "test", file] + options), 65, "line", "not 10")
        let numbers = try kin(["experiment", "test", file] + options + ["--high", "10", "--json"]).object()["p_value"]
        for (yes, no) in [("True", "False"), ("t", "f"), ("yes", "no"), ("WAHR", "FALSCH")] {
            let words = rows.map { $0.replacing(",10", with: ",\(yes)").replacing(",0", with: ",\(no)") }
            let file = try folder.file("words.csv", (["arm,score"] + words).joined(separator: "\n"))
            let found = try kin(["experiment", "test", file] + options + ["--json"]).object()["p_value"]
            #expect(try abs(#require(found as? Double) - #require(numbers as? Double)) < 1e-12, "\(yes)")
        }
        for gap in ["NULL", "", "much"] {
            let file = try folder.file("gap.csv", "arm,score\na,1\nb,\(gap)\n")
            refused(kin(["experiment", "test", file] + options), 65, "line 3", "'\(gap)'", "1 and 0 for yes and no")
        }
        let word = try folder.file("word.csv", "arm,score\na,1\nb,much\n")
        refused(kin(["experiment", "test", word] + options), 65, "line 3", "not a number")
        refused(kin(["experiment", "test", try folder.file("one.csv", "arm,score\na,1\n")] + options), 65, "'b'")
        refused(
            kin(["experiment", "test", try folder.file("no.csv", "arms,score\na,1\n")] + options), 65,
            "did you mean arms")
    }

    @Test func sizesAndEffectsArePrinted() throws {
        let run = kin("experiment", "size", "0.1", "--effect", "0.02", "--json")
        let people = try #require(try run.object()["people"] as? [String: Int])
        #expect(abs(try #require(people["fixed"]) - 7678) < 20)
        let effects = kin("experiment", "size", "0.1", "--people", "7678", "--json")
        let effect = try #require(try effects.object()["effect"] as? [String: Double])
        #expect(abs(try #require(effect["fixed"]) - 0.02) < 1e-4)
        #expect(kin("experiment", "size", "0.1").status == 64)
        #expect(kin("experiment", "size", "0.1", "--effect", "0.95").status != 0)
    }

    @Test("a person given twice is counted once")
    func duplicates() throws {
        let key = try folder.file("key", [UInt8](0..<32))
        let ids = try folder.file("ids.txt", "\u{FEFF}u42\r\nu7\r\n\r\nu42\r\n")
        let line = ["experiment", "assign", "e", "--key-file", key, "--variants", "a,b", "--json"]
        for (option, value) in [("--people", "u42,u42,u7"), ("--people-file", ids)] {
            let run = kin(line + [option, value])
            let counts = try #require(try run.object()["counts"] as? [String: Int])
            let assignments = try #require(try run.object()["assignments"] as? [String: String])
            #expect(counts.values.reduce(0, +) == 2 && assignments.count == 2 && assignments["u42"] != nil)
            #expect(run.notes.contains("1 id given more than once"))
        }
    }
}
