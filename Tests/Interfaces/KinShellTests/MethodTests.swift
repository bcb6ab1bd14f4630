import Foundation
import Kin
import KinEngine
import KinTestSupport
import Testing

@testable import KinShell

/// The methods of the table as commands; every test covers all of them.
@Suite("Methods on the command line")
struct MethodTests {
    private let folder: TemporaryFolder
    private let store: String
    private static let methods = MethodTable.groups.flatMap(\.methods)

    init() throws {
        folder = TemporaryFolder()
        store = folder.path("kin.db")
    }

    /// The file of a store with people, souls, a few images, challenges and a baby; made once.
    private static let bytes = Result {
        let folder = TemporaryFolder()
        var files = ["people", "souls", "challenges"].map { "\(datasets)/\($0).jsonl" }
        let images = try String(contentsOfFile: "\(datasets)/images.jsonl", encoding: .utf8)
        files.append(
            try folder.file("images.jsonl", images.split(separator: "\n").prefix(24).joined(separator: "\n") + "\n"))
        files.append(
            try folder.file(
                "baby.jsonl",
                """
                {"baby":{"user_id":"u1","id":"baby-1","name":"Kim","date_of_birth":"2026-01-01"}}
                {"care_event":{"user_id":"u1","baby":"baby-1","event":{"id":"e1","type":"sleep","start":"2026-03-01T09:00","end":"2026-03-01T10:00"}}}
                {"care_event":{"user_id":"u1","baby":"baby-1","event":{"id":"e2","type":"sleep","start":"2026-03-01T12:00","end":"2026-03-01T13:00"}}}
                """))
        let run = kin(["store", "import"] + files + ["--store", folder.path("kin.db")])
        #expect(run.status == 0, "\(run.notes)")
        return try folder.bytes("kin.db")
    }

    private func fill() throws { _ = try folder.file("kin.db", Self.bytes.get()) }

    /// A value for a parameter in words. Files that it names exist.
    private func sample(_ parameter: ParameterDescription) throws -> String {
        let soul = #"{"uid":"a","goals":{"sleep":1,"anxiety":2}}"#
        let first = #"{"uid":"b","goals":{"sleep":3}}"#
        let images = try String(contentsOfFile: "\(datasets)/images.jsonl", encoding: .utf8)
        switch parameter.type {
        case .document: return "@" + (try folder.file("text.jsonl", "{}\n"))
        case .path, .output: return folder.path(MethodHelp.notation(of: parameter).sample)
        case .object("soul"): return parameter.name == "a" ? soul : first
        case .object("vector"): return "@" + (try folder.file("vector.json", "[0.25, -1e-3,3]\n"))
        case .list("soul"): return "@" + (try folder.file("souls.jsonl", "\(soul)\n\(first)\n"))
        case .object("analysis"):
            return "@" + (try folder.file("analysis.json", String(images.prefix { !$0.isNewline })))
        case .list("scene"): return #"[{"id":"x","vector":[1,2,3]},{"id":"y","vector":[3,2,1]}]"#
        case .list("sense"): return #"{"sense":"touch"}"#
        case .object("weights"): return "goals=0.5,realms=0.3"
        case .object("preferences"): return #"{"max_time":30}"#
        case .list("record"): return first
        case .object, .list:
            let text = MethodHelp.notation(of: parameter).sample
            guard text.hasPrefix("@") else { return text }
            return "@" + (try folder.file(String(text.dropFirst()), "{}"))
        case .id where parameter.name == "session": return "u1-7"
        case .id where parameter.name == "user": return "u1"
        case .id where parameter.name == "other": return "u7"
        case .id where parameter.name == "after": return "u1-9"
        case .text where parameter.name == "after": return "session"
        case .choice(let words) where parameter.name == "state": return words.last ?? ""
        default: return MethodHelp.notation(of: parameter).sample
        }
    }

    @Test("every method is listed and has help for each parameter")
    func help() throws {
        let list = kin("help", "all").results
        for method in Self.methods {
            let help = kin([method.name, "--help", "--store", store])
            #expect(help.status == 0 && help.notes.isEmpty)
            #expect(help.results.contains(method.summary.replacing("`", with: "")), "\(method.name)")
            for parameter in method.parameters {
                #expect(
                    help.results.contains("--\(parameter.name.replacing("_", with: "-")) "),
                    "\(method.name) \(parameter.name)")
            }
            #expect(help.results.contains("Example: kin \(method.name)"))
            #expect(list.contains("  \(method.name) "), "\(method.name)")
            if !KinCommand.names.contains(method.name) {
                #expect(kin([method.name, "-h"]).results == help.results)
                #expect(kin(["help", method.name]).results == help.results)
            }
        }
    }

    @Test("an error of incomplete JSON is at its parameter, and names only typed characters")
    func incomplete() {
        var count = 0
        for method in Self.methods {
            for parameter in method.parameters {
                switch parameter.type {
                case .object("mode"), .object("vector"), .list("id"): continue
                case .list(let kind) where ParameterText.isWhole(kind): continue
                case .object, .list, .point, .coordinates: break
                default: continue
                }
                for text in [#"{"a""#, #"[{"a""#, #"{"a":1"#] {
                    let word = Word(text: "--\(parameter.name)=\(text)", range: 0..<1)
                    let error = #expect(throws: CommandError.self, "\(method.name) \(parameter.name) \(text)") {
                        try MethodRequest([word], for: MethodCommand(method))
                    }
                    #expect(error?.message.hasPrefix("--\(parameter.name)") == true, "\(String(describing: error))")
                    #expect(error?.message.contains("the text ends") == true, "\(String(describing: error))")
                    count += 1
                }
            }
        }
        #expect(count > 60)
    }

    @Test("each method reads each of its parameters in every form")
    func parameters() throws {
        for method in Self.methods {
            for parameter in method.parameters {
                var rest: [String] = []
                for other in method.parameters where other.presence == .required && other.name != parameter.name {
                    rest += ["--\(other.name)", try sample(other)]
                }
                let value = try sample(parameter)
                let forms = [
                    ["--\(parameter.name)", value], ["--\(parameter.name)=\(value)"], ["\(parameter.name)=\(value)"],
                    [parameter.name, value], ["--\(parameter.name.replacing("_", with: "-"))", value],
                ]
                let requests = try forms.map { form in
                    try MethodRequest(Word.words(of: form + rest).words, for: MethodCommand(method)).json
                }
                #expect(Set(requests).count == 1, "\(method.name) \(parameter.name): \(requests)")
                #expect(try jsonObject(requests[0])[parameter.name] != nil, "\(requests[0])")
                // In the REPL, with quotes if needed.
                let isPlain =
                    value.allSatisfy { !$0.isWhitespace && $0 != "\"" } || value.hasPrefix("{") || value.hasPrefix("[")
                let line = ([isPlain ? "\(parameter.name)=\(value)" : "\(parameter.name)=\"\(value)\""] + rest).joined(
                    separator: " ")
                #expect(
                    try MethodRequest(Word.words(of: line), for: MethodCommand(method)).json == requests[0], "\(line)")
                // Values in files are tested elsewhere.
                guard !value.hasPrefix("@") else { continue }
                do throws(KinError) {
                    _ = try Engine().call(method.name, requests[0])
                } catch {
                    let path = error.context.first { $0.name == "field" }?.value ?? ""
                    let field = String(path.prefix { $0 != "." && $0 != "[" })
                    let isRefused = [.invalidArgument, .malformedInput].contains(error.code) && field == parameter.name
                    #expect(!isRefused, "\(method.name) \(requests[0]): \(error)")
                }
            }
        }
    }

    @Test("an array in place of an object is passed unchanged, from the line or a file")
    func arrays() throws {
        let array = #"[{"a":[1, {}]},"}", [2]]"#
        let file = try folder.file("array.json", "\n \(array)\n")
        var tried = 0
        for method in Self.methods {
            for parameter in method.parameters {
                switch parameter.type {
                case .object("vector"), .object("mode"): continue
                case .object, .point, .coordinates: break
                default: continue
                }
                tried += 1
                for text in [array, "@\(file)"] {
                    let parts = try ParameterText(type: parameter.type, text: text).parts()
                    #expect(
                        ParameterText.json(parts, of: parameter.type) == array, "\(method.name) \(parameter.name)")
                }
            }
        }
        #expect(tried > 30, "\(tried)")
        // A log may be a list of events or an object.
        let events =
            #"[{"type":"feed","start":"2026-03-05T10:00"},{"type":"sleep","start":"2026-03-05T12:00","end":"2026-03-05T13:00"}]"#
        let answers = try [events, "{\"events\":\(events)}", "@" + folder.file("log.json", events)].map {
            kin(["days", "--log", $0, "--json"])
        }
        #expect(answers.allSatisfy { $0.status == 0 && $0.results == answers[0].results }, "\(answers)")
        #expect(answers[0].results.contains("2026-03-05"))
    }

    @Test("the printed JSON equals the engine's answer")
    func json() throws {
        try fill()
        let engine = try Engine(store: store, isReadOnly: true)
        var answered = 0
        // The state of the cache belongs to one process, and a backup is not written twice.
        for method in Self.methods where !method.isCommand && !["memory", "backup"].contains(method.name) {
            var words: [String] = []
            let wanted = Set(["user", "baby", "at", "now", "kind"])
            for parameter in method.parameters {
                let isTarget = method.name == "near" && parameter.name == "session"
                let isWanted = wanted.contains(parameter.name) && !(method.name == "near")
                guard parameter.presence == .required || isWanted || isTarget else { continue }
                if method.name == "match" || method.name == "export", parameter.name == "user" { continue }
                words += ["--\(parameter.name)", try sample(parameter)]
            }
            let request = try MethodRequest(Word.words(of: words).words, for: MethodCommand(method)).json
            let told = kin([method.name] + words + ["--json", "--store", store])
            do throws(KinError) {
                let expected = try engine.call(method.name, request)
                #expect(told.results == expected + "\n", "\(method.name) \(told.notes)")
                answered += 1
                // The text form is not empty.
                let text = kin([method.name] + words + ["--store", store])
                #expect(!text.results.isEmpty && text.status == (method.name == "check_content" ? 65 : 0), "\(text)")
                let line = ([method.name] + words).map(quoted).joined(separator: " ")
                let talked = kin("repl", store, "-c", ":json on", "-c", line)
                #expect(talked.status == text.status && talked.results == told.results, "\(talked.notes)")
            } catch {
                #expect(told.status != 0, "\(method.name): \(error)")
            }
        }
        #expect(answered > 30, "\(answered) of \(Self.methods.count) methods answered")
    }

    private func quoted(_ word: String) -> String {
        word.hasPrefix("{") || word.hasPrefix("[") || !word.contains { $0.isWhitespace || $0 == "\"" }
            ? word : "\"\(word)\""
    }

    @Test("the exit status gives the kind of error")
    func statuses() throws {
        try fill()
        let broken = try folder.file("broken.json", "{")
        let wrong = try folder.file("wrong.json", #"{"uid":"a","goals":{"sleep":-1}}"#)
        let soul = try folder.file("soul.json", #"{"uid":"a","goals":{"sleep":1}}"#)
        _ = try folder.file("damaged.db", String(repeating: "not a store ", count: 100))
        let cases: [(words: [String], status: ProcessStatus, said: String)] = [
            (["sessions"], .usage, "user is missing"), (["sessions", "u1", "cuont=3"], .usage, "did you mean count?"),
            (["sessions", "u1", "--count", "many"], .usage, "must be a number"),
            (["sessions", "u1", "--count", "0"], .usage, "from 1"), (["sessions", "u1", "u1-9", "x"], .usage, "^"),
            (["near", "--metric", "l3"], .usage, "metric"), (["inbox", "u1", "--state", "pendign"], .usage, "pending"),
            (["missions", "u1", "--near", "north", "--minutes", "9"], .usage, "40.7,-73.9"),
            (["timeline", "u1", "--at", "yesterday"], .usage, "at"),
            (["affinity", "--a", "{", "--b", "{}"], .usage, "^"),
            (["insight", "nobody-1"], .dataError, "there is no session"),
            (["map", "nobody"], .dataError, "no sessions"),
            (["affinity", "--a", "@" + broken, "--b", "@" + soul], .dataError, "broken.json"),
            (["affinity", "--a", "@" + wrong, "--b", "@" + soul], .dataError, "wrong.json"),
            (["affinity", "--a", "@" + folder.path("none.json"), "--b", "{}"], .noInput, "none.json"),
            (["map", "u1", "--plot", folder.path("no/such.svg")], .cannotCreate, "such.svg"),
        ]
        for (words, status, said) in cases {
            refused(kin(words + ["--store", store]), status.rawValue, said)
        }
        #expect(kin(["info", "--store", folder.path("damaged.db")]).status == ProcessStatus.dataError.rawValue)
        for method in Self.methods where method.name != "put" && method.name != "import" {
            var words = [method.name]
            for parameter in method.parameters where parameter.presence == .required {
                words += ["--\(parameter.name)", try sample(parameter)]
            }
            let told = kin(words + ["--store", folder.path("none.db")])
            #expect(told.status == ProcessStatus.noInput.rawValue, "\(method.name): \(told.notes)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
        let holder = try Store(at: store)
        #expect(kin(["skip", "u1", "--store", store]).status == ProcessStatus.tryAgain.rawValue)
        #expect(kin(["info", "--store", store]).status == 0)
        _ = holder
    }

    @Test("ids with blanks, units, word lists and short words are parsed")
    func words() throws {
        func json(_ line: String) throws -> String {
            let words = try Word.words(of: line)
            let (method, count) = try #require(CommandAliases.method(words.map(\.text)))
            return try MethodRequest(Array(words.dropFirst(count)), for: MethodCommand(method)).json
        }
        #expect(try json(#"sessions "Anna Maria""#) == #"{"user":"Anna Maria"}"#)
        #expect(try json(#"sessions user="Anna Maria" count = 3"#) == #"{"user":"Anna Maria","count":3}"#)
        #expect(try json(#"sessions "count" count 3"#) == #"{"user":"count","count":3}"#)
        #expect(
            try json("missions u1 near 40.7, -73.9 for 1.5 h at dawn within 500m in summer")
                == #"{"user":"u1","near":{"lat":40.7,"lng":-73.9},"minutes":90,"slot":"dawn","within_km":0.5,"season":"summer"}"#
        )
        #expect(
            try json("missions u1 near 40.7,-73.9 minutes 90 at 2026-11-20T06:30:00Z")
                == #"{"user":"u1","near":{"lat":40.7,"lng":-73.9},"minutes":90,"at":"2026-11-20T06:30:00Z"}"#)
        #expect(
            try json("inventory type tool type space as u1 giving food,power")
                == #"{"type":["tool","space"],"giving":["food","power"],"user":"u1"}"#)
        #expect(
            try json("near food=0.9 mobility = 0.2 k 3") == #"{"point":{"food":0.9,"mobility":0.2},"k":3}"#)
        #expect(try json("near point food=0.9,mobility=0.2") == #"{"point":{"food":0.9,"mobility":0.2}}"#)
        #expect(try json("dominant_colours 255,0,0 k 1") == #"{"pixels":[255,0,0],"k":1}"#)
        #expect(try json("why u1 u2") == #"{"user":"u1","other":"u2"}"#)
        #expect(try json("inbox u1 pending") == #"{"user":"u1","state":"pending"}"#)
        #expect(
            try json("forecast u1 baby-1 at 2026-03-01T12:00")
                == #"{"user":"u1","baby":"baby-1","now":"2026-03-01T12:00"}"#)
        #expect(
            try json(#"reflect u1 --not-done text="so \"so\"""#)
                == #"{"user":"u1","completed":false,"text":"so \"so\""}"#)
        #expect(
            try json("prefer u1 --max-time 30 categories=calm,nature notifications off quiet none")
                == #"{"user":"u1","preferences":{"max_time":30,"preferred_categories":["calm","nature"],"notifications":false,"quiet_hours":[]}}"#
        )
        #expect(try json("challenge notify u1 --uniform") == #"{"user":"u1","phase":"uniform"}"#)
        for line in ["near \"session", "sessions u1 count=2 count=3", "sessions u1 u2 u3 u4", "prefer u1 --max-tiem 3"]
        {
            #expect(throws: CommandError.self, "\(line)") { try json(line) }
        }
    }

    @Test("Tab offers methods, parameters and words")
    func completion() throws {
        try fill()
        let session = try StoreSession(store, console: Transcript().console)
        func offered(_ text: String) -> [String] { session.completion(of: text).candidates }
        #expect(offered("miss") == ["missions "])
        #expect(Set(offered("")).isSuperset(of: MethodTable.names.map { $0 + " " }))
        #expect(offered("missions u1 slot=da") == ["slot=dawn"])
        #expect(offered("missions u1 slot m") == ["morning"])
        #expect(offered("missions u1 --wea") == ["--weather "])
        #expect(offered("sessions u9").contains("u99"))
        #expect(offered("near nature_m") == ["nature_mirror="])
        #expect(offered("near session:u1-7 where us") == ["user "])
        #expect(offered("help transi") == ["transitions"])
        for method in Self.methods {
            for parameter in method.parameters {
                #expect(offered("\(method.name) \(parameter.name)").contains(parameter.name + "="))
            }
        }
    }
}
