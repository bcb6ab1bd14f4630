import Foundation
import KinDrawings
import KinSamples
import KinStore
import KinTestSupport
import Testing

@testable import KinShell

@Suite("Affinity on the command line")
struct AffinityShellTests {
    private let folder: TemporaryFolder
    private let souls: String
    private let people: [Soul]

    init() throws {
        folder = TemporaryFolder()
        souls = folder.path("souls.jsonl")
        let made = kin("generate", "souls", "--count", "150", "--communities", "5", "--seed", "3", "-o", souls)
        #expect(made.results.hasPrefix("\(souls): 150 souls, seed 3\n"))
        let generator = SoulGenerator(seed: 3, communities: 5)
        people = (0..<150).map { generator.soul($0) }
    }

    @Test("match explains a person's results, as a table and as JSON")
    func one() throws {
        let table = kin("match", souls, "--user", "u42", "-k", "3")
        #expect(table.results.split(separator: "\n").count == 5)
        #expect(table.notes.contains("--every-goal-alike"))
        let explained = kin("match", souls, "--user", "u42", "-k", "1", "--json", "--explain").objects
        let blocks = try #require(explained.first?["blocks"] as? [String: [String: Any]])
        #expect(!blocks.isEmpty)
        #expect(kin("match", souls, "--user", "u42", "-k", "1", "--explain").results.contains("shared most"))
    }

    @Test("everybody's matches and all pairs are in the order of the methods, from a file and from a store")
    func order() throws {
        let store = folder.path("order.db")
        #expect(kin("store", "import", souls, "--store", store).status == 0)
        for options in [["-k", "2"], ["--above", "0.85"]] {
            let lines = [souls, store].map { path in
                kin(["match", path, "--json", "--threads", "2"] + options).objects.map {
                    "\($0["user"] ?? "") \($0["other"] ?? "")"
                }
            }
            let users = lines[0].map { $0.split(separator: " ")[0] }
            #expect(users == users.sorted() && Set(users).count > 10 && lines[0] == lines[1], "\(options)")
        }
    }

    @Test("displayed weights and contributions add up")
    func sums() throws {
        let text = kin("match", souls, "--user", "u42", "--with", "u7", "--explain").results
        let rows = text.split(separator: "\n").filter { $0.contains(#/^ +(goals|realms|objects|patterns|valence) /#) }
            .map { $0.split(separator: " ").map(String.init) }
        #expect(rows.count >= 3, "\(text)")
        let weights = rows.compactMap { Double($0[2]) }.reduce(0, +)
        #expect(abs(weights - 1) < 0.0005 * Double(rows.count) + 1e-9, "\(text)")
        let affinity = try SoulMatcher(people, model: AffinityModel(shrinksScores: true))
            .affinity(between: "u42", and: "u7")
        #expect(
            abs(rows.compactMap { Double($0[3]) }.reduce(0, +) - affinity.score) < 0.0005 * Double(rows.count) + 1e-9)
        for (row, block) in zip(rows, affinity.blocks) {
            #expect(abs((Double(row[2]) ?? 0) - block.weight) <= 0.0005 + 1e-9, "\(row)")
            #expect(abs((Double(row[3]) ?? 0) - block.contribution) <= 0.0005 + 1e-9, "\(row)")
        }
        // Scores are truncated: 0.9996 must not look like 1.
        #expect(AffinityText.score(0.9996) == "0.999" && NumberText.thousandths(0.1666) == "0.167")
    }

    @Test("match supports pairs, everyone, thresholds and weights")
    func many() throws {
        #expect(kin("match", souls, "-k", "2", "--json", "--every-goal-alike").objects.count == 300)
        #expect(kin("match", souls, "--user", "nobody").status == 65)
        #expect(kin("match", souls, "--weights", "1,2").status == 64)
        #expect(kin("match", souls, "--with", "u1").status == 64)
        let bad = try folder.file("bad.jsonl", "{\"uid\":\"a\"}\n{\"uid\":\"b\",\"goals\":{\"sleep\":-1}}\n")
        refused(kin("match", bad), nil, "line 2", "goals.sleep")
    }

    @Test("fit weights learns from pairs")
    func fit() throws {
        let matcher = try SoulMatcher(people)
        var lines = "a,b\n"
        for a in 0..<60 {
            for found in try matcher.mostSimilar(to: "u\(a)", k: 3) { lines += "u\(a),\(found.userID)\n" }
        }
        let pairs = try folder.file("pairs.csv", lines)
        let result = kin("fit", "weights", souls, "--pairs", pairs, "--json").objects
        let fit = try #require(result.first)
        #expect(((fit["held_out"] as? [String: Double])?["auc"] ?? 0) > 0.9)
        let weights = try #require(fit["weights"] as? [String: Double])
        #expect(abs(weights.values.reduce(0, +) - 1) < 1e-9 && weights.values.allSatisfy { $0 >= 0 })
        let text = kin("fit", "weights", souls, "--pairs", pairs)
        #expect(text.results.contains("fitted"))
        let suggested = try #require(text.notes.firstMatch(of: #/--weights ([\d.,]+)/#)).output.1
        let numbers: [Double] = suggested.split(separator: ",").compactMap { Double($0) }
        #expect(abs(numbers.reduce(0, +) - 1) < 1e-5)
        // A store saves the settings and uses them in its answers.
        let database = folder.path("kin.db")
        #expect(kin("store", "import", souls, "--store", database).status == 0)
        #expect(kin("fit", "weights", database, "--pairs", pairs, "--keep", folder.path("none.db")).status == 64)
        let kept = kin("fit", "weights", database, "--pairs", pairs, "--keep", database)
        #expect(kept.results.contains("keeps the fitted weights"), "\(kept.notes)")
        let model = try Store(at: database, for: .reading).affinityModel()
        for (name, weight) in weights {
            #expect(abs(model.weights[try #require(SoulBlock.allCases.first { $0.name == name })] - weight) < 1e-9)
        }
        let asked = kin("match", database, "--user", "u42", "--with", "u7", "--json").objects
        let score = model.affinity(between: people[42], and: people[7]).score
        #expect(abs((asked.first?["score"] as? Double ?? -1) - score) < 1e-14)
        #expect(kin("repl", database, "-c", "why u42 u7").results.contains(AffinityText.score(score)))
        let strange = try folder.file("strange.csv", "u1,u2\nu1,x\n")
        #expect(kin("fit", "weights", souls, "--pairs", strange).notes.contains("line 2"))
    }
}
