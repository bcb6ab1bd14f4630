import Foundation
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// Exit statuses of the commands that read records or check data, for each kind of bad input and each form of the answer.
@Suite("Statuses of bad input")
struct BadInputTests {
    private let folder = TemporaryFolder()

    @Test("missing, empty and broken files have their status, and leave no new store")
    func files() throws {
        let commands = [
            ["put", "FILE"], ["put", "@FILE"], ["import", "FILE"], ["store", "import", "FILE"],
            ["store", "contribute", "u1", "FILE"], ["check_content", "@FILE"],
            ["check_content", "@FILE", "--challenges"],
        ]
        let store = folder.path("new.db")
        let inputs: [(name: String, status: ProcessStatus)] = [
            ("missing", .noInput), (try folder.file("empty", ""), .dataError),
            (try folder.file("blank", "\n\n"), .dataError),
            (try folder.file("broken", "{\"uid\":"), .dataError),
            (try folder.file("wrong", "{\"uid\":3}\n"), .dataError),
        ]
        let before = folder.names
        for command in commands {
            // A file of no challenges has no problem.
            for (name, status) in inputs
            where !(command.last == "--challenges" && inputs[1...2].contains { $0.name == name }) {
                for form in [[], ["--json"], ["--json-lines"]] where command[0] != "store" || form != ["--json-lines"] {
                    let words =
                        command.map { $0.replacing("FILE", with: name) } + form
                        + (command[0] == "check_content" ? [] : ["--store", store])
                    refused(kin(words), status.rawValue)
                    #expect(folder.names == before, "\(words)")
                }
            }
        }
        refused(kin("put", "[]", "--store", store), 65, "there are no records")
        refused(kin("check_content", folder.path("empty")), 64, "must be JSON or @FILE")
        #expect(folder.names == before)
    }

    @Test("a check of a damaged store has one status in every form")
    func damage() throws {
        let store = folder.path("people.db")
        #expect(kin("store", "import", datasets + "/people.jsonl", "--store", store).status == 0)
        let checks = [["check"], ["store", "check"], ["check_part", "--rows", "1000000"]]
        for status in [ProcessStatus.success, .dataError] {
            for form in [[], ["--json"], ["--json-lines"]] {
                for words in checks {
                    #expect(kin(words + form + ["--store", store]).status == status.rawValue, "\(words) \(form)")
                }
            }
            for words in checks {
                #expect(kin("repl", store, "-c", words.joined(separator: " ")).status == status.rawValue, "\(words)")
            }
            var bytes = try folder.bytes("people.db")
            let word = Array("nature_mirror".utf8)
            let place = try #require(bytes.indices.last { bytes[$0...].starts(with: word) })
            bytes[place] ^= 1
            _ = try folder.file("people.db", bytes)
        }
    }

    @Test("records of apps are imported with the same parameters by import and store import")
    func shapes() throws {
        let baby = try folder.file(
            "baby.jsonl",
            #"{"id":"b1","name":"Ada","dateOfBirth":"2026-01-05T00:00:00Z","gender":"female","owners":["mum"],"createdBy":"mum","createdAt":"2026-01-06T08:30:00Z"}"#
        )
        let event = try folder.file(
            "event.jsonl",
            #"{"id":"e5","type":"diaper","timestamp":"2026-05-01T09:00:00Z","diaperData":{"type":"both"}}"#)
        for command in [["import"], ["store", "import"]] {
            let store = ["--store", folder.path("\(command.count).db")]
            #expect(kin(command + [baby] + store).status == 0)
            refused(kin(command + [event] + store), nil, "set \"baby\"")
            let run = kin(command + [event, "--user", "mum", "--baby", "b1", "--shape", "babysync", "--extra"] + store)
            answered(run, "1 care event imported")
        }
        let names = ["shape", "user", "baby", "extra"]
        for name in ["import", "put"] {
            let method = try MethodTable.method(named: name)
            let command = try #require(KinCommand.all.first { $0.name == "store import" })
            for parameter in names {
                let expected = method.parameters.first { $0.name == parameter }
                #expect(
                    expected != nil && command.parameters.first { $0.name == parameter } == expected, "\(parameter)")
            }
        }
        #expect(
            try MethodRequest(Word.words(of: ["-"]).words, for: MethodCommand(MethodTable.method(named: "import"))).json
                == #"{"path":"-"}"#)
    }

    @Test("the values in the help of preferences are those that the engine reads")
    func preferences() throws {
        let store = folder.path("people.db")
        #expect(kin("put", #"{"soul":{"uid":"u1"}}"#, "--store", store).status == 0)
        for parameter in CommandAliases.members["prefer"]?["preferences"] ?? [] {
            let option = "--\(parameter.name.replacing("_", with: "-"))"
            guard case .integer(let range) = parameter.type else { continue }
            for value in [range.lowerBound, range.upperBound] {
                #expect(kin("prefer", "u1", option, "\(value)", "--store", store).status == 0, "\(option) \(value)")
            }
            for value in [range.lowerBound - 1, range.upperBound + 1] {
                let preferences = "{\"\(parameter.name)\":\(value)}"
                refused(kin("prefer", "u1", "--preferences", preferences, "--store", store), nil, parameter.name)
            }
        }
        for word in ["quick", "short", "medium", "long", "extended", "30", "1.5h"] {
            #expect(kin("prefer", "u1", "--max-time", word, "--store", store).status == 0, "\(word)")
        }
        refused(kin("prefer", "u1", "--max-time", "quickly", "--store", store), 64, "max")
        let help = kin("help", "prefer").results.split(separator: " ").joined(separator: " ")
        for name in CommandAliases.memberNames.keys { #expect(help.contains("Also --\(name)."), "\(name)") }
    }
}
