import KinEngine
import KinFiles
import Testing

@testable import KinShell

@Suite("The REPL's language")
struct CommandParserTests {
    private let plane = Self.session(dimension: 2, names: ["x-box", "two words"])

    private static func session(dimension: Int, names: [String]?) -> ReplSession {
        let space = VectorSpace(dimension: dimension, names: names)
        let file = IndexFile(index: VectorIndex(dimension: dimension, layout: .flat), space: space)
        return ReplSession(file)
    }

    /// The command of a line and its parameters in JSON; nil for a blank line.
    private func request(_ line: String, to session: ReplSession? = nil) throws -> String? {
        let session = session ?? plane
        return try session.read(line).map { form, words in
            form.name + " " + (try MethodRequest(words, for: form, dimensions: session.dimensions).json)
        }
    }

    @Test(
        "every form of a command is parsed",
        arguments: [
            ("near 42", #"near {"target":42}"#), ("NEAR 42 K 5", #"near {"target":42,"k":5}"#),
            ("near 42 k=5", #"near {"target":42,"k":5}"#), ("near 42 --k 5", #"near {"target":42,"k":5}"#),
            ("near 42 among 1,2, 10-19 k 3", #"near {"target":42,"k":3,"among":["1","2","10-19"]}"#),
            ("near [0.1, -2e-3]", #"near {"target":[0.1,-0.002]}"#), ("near [0.1 2]", #"near {"target":[0.1,2]}"#),
            (#"near x-box=3 "two words"=4"#, #"near {"target":{"x-box":3,"two words":4}}"#),
            ("near X-BOX = 3, k 2", #"near {"target":{"x-box":3},"k":2}"#),
            (
                "near 42 where a = 'b #c' and d = \"e f\" # why",
                #"near {"target":42,"where":"a = 'b #c' and d = \"e f\""}"#
            ),
            ("within 0.3 of 42", #"within {"distance":0.3,"of":42}"#),
            ("within -5 of [1,2] among 7", #"within {"distance":-5,"of":[1,2],"among":["7"]}"#),
            ("within 0.5 of x-box=1 where id > 3", #"within {"distance":0.5,"of":{"x-box":1},"where":"id > 3"}"#),
            ("filter", "filter {}"), ("filter off", #"filter {"where":"off"}"#),
            ("filter id in (1, 2) and not id = 2", #"filter {"where":"id in (1, 2) and not id = 2"}"#),
            ("get 18446744073709551614", #"get {"id":"18446744073709551614"}"#),
            ("upsert 42 [0.5, 1]", #"upsert {"id":"42","vector":[0.5,1]}"#),
            ("upsert 42 x-box=1", #"upsert {"id":"42","vector":{"x-box":1}}"#),
            ("remove 42", #"remove {"ids":["42"]}"#),
            ("remove 1-3,9", #"remove {"ids":["1-3","9"]}"#), ("save", "save {}"),
            ("save out.kin", #"save {"path":"out.kin"}"#), (#"save "a b=c.kin""#, #"save {"path":"a b=c.kin"}"#),
            ("info", "info {}"), ("set k 20", #"set {"k":20}"#), ("set threads 2", #"set {"threads":2}"#),
            ("set metric Cosine", #"set {"metric":"cosine"}"#), ("set", "set {}"),
            ("set mode exact", #"set {"mode":"exact"}"#),
            ("set mode recall 0.95", #"set {"mode":"recall 0.95"}"#),
            ("set mode Recall=0.95", #"set {"mode":"recall 0.95"}"#),
            ("set mode probes 8", #"set {"mode":"probes 8"}"#), ("lists", "lists {}"),
            ("plan", "plan {}"),
            ("plan k 3", #"plan {"k":3}"#), ("plan 42 k=3", #"plan {"target":42,"k":3}"#),
            ("plan [1,2]", #"plan {"target":[1,2]}"#), ("recall", "recall {}"), ("recall 7", #"recall {"queries":7}"#),
            ("recall from q.csv", #"recall {"from":"q.csv"}"#),
            (#"recall 7 from "my q.csv""#, #"recall {"queries":7,"from":"my q.csv"}"#),
            (":timing on", #":timing {"state":"on"}"#), (":json ON", #":json {"state":"on"}"#), ("help", "help {}"),
            ("help near", #"help {"command":"near"}"#), ("quit", "quit {}"), ("exit", "quit {}"), ("quit!", "quit! {}"),
            ("  near   42  # the answer", #"near {"target":42}"#),
        ])
    func understands(line: String, request: String) throws {
        #expect(try self.request(line) == request)
    }

    @Test("blank lines and comments are ignored", arguments: ["", "   ", "\t", "# near 42", "  # x"])
    func ignores(line: String) throws {
        #expect(try request(line) == nil)
        #expect(plane.execute(line) == .done)
    }

    @Test(
        "every error is shown at its position",
        arguments: [
            ("neer 42", "neer", "no command 'neer'", "did you mean near?"),
            ("foo", "foo", "no command", "`help` lists the commands"), ("timing on", "timing", "no command", nil),
            ("near", " ", "target is missing", "near TARGET"), ("near 42 5", "5", "no parameter '5'", nil),
            ("near 42 k", " ", "a value of k is missing", nil), ("near 42 k zero", "zero", "must be a number", nil),
            ("near 42 k 0", "0", "from 1 to", nil), ("near 42 k 1 k 2", "2", "given twice", nil),
            ("near 4x", "4x", "must be an id, a vector such as", nil),
            ("near -1", "-1", "must be an id, a vector such as", nil),
            ("near 18446744073709551615", "18446744073709551615", "must be an id", nil),
            ("near [0.1, abc]", "[0.1, abc]", "must be a number, not 'abc'", nil),
            ("near [0.1, nan]", "[0.1, nan]", "must be a number", nil),
            ("near [0.1, 2", "[0.1, 2", "must end with ]", nil),
            ("near [1,,2]", "[1,,2]", "must be a number", nil),
            ("near x-bux=1", "x-bux=1", "no parameter 'x-bux'", "did you mean x-box?"),
            ("near quux=1", "quux=1", "no parameter", "there are"),
            ("near x-box", "x-box", "must be an id, a vector such as", nil),
            ("near x-box=", "x-box=", "must be NAME=NUMBER", nil),
            ("near x-box=1 x-box=2", "x-box=2", "given twice", nil),
            ("near \"two words=1", "\"two words=1", "quote is never closed", nil),
            ("near 42 where", " ", "a value of where is missing", nil),
            ("within of 42", " ", "distance is missing", nil), ("within 0.3", " ", "of is missing", nil),
            ("within 0.3 42", "42", "no parameter", nil),
            ("get", " ", "id is missing", "get ID"), ("get all", "all", "must be a whole number", nil),
            ("upsert 42", " ", "vector is missing", nil), ("remove 5-3", "5-3", "must be ids or ranges", nil),
            ("remove 1,", "1,", "must be ids or ranges", nil), ("info now", "now", "no parameter 'now'", nil),
            ("set kk 5", "kk", "no parameter 'kk'", "did you mean k?"),
            ("set metric cosin", "cosin", "no \"cosin\"", nil),
            ("set metric", " ", "a value of metric is missing", nil),
            ("set threads 0", "0", "from 1 to", nil), ("set mode recal", "recal", "did you mean recall?", nil),
            ("set mode recall 2", "recall", "at most 1", nil), ("set mode recall", "recall", "needs one number", nil),
            ("set mode exact 1", "1", "no parameter", nil), ("recall 0", "0", "from 1 to", nil),
            ("recall 5 q.csv", "q.csv", "no parameter", nil),
            ("plan maybe", "maybe", "must be an id, a vector such as", nil),
            (":timing maybe", "maybe", "no \"maybe\"", nil), ("quit now", "now", "no parameter", nil),
        ] as [(String, String, String, String?)]
    )
    func points(line: String, at fault: String, saying message: String, hint: String?) throws {
        // Some mistakes are found when the command meets the index.
        let error = try #require(throws: CommandError.self) {
            guard let (form, words) = try plane.read(line) else { return }
            try plane.perform(MethodRequest(words, for: form, dimensions: plane.dimensions))
        }
        #expect(error.message.contains(message), "\(error)")
        let shown = Array(line + "  ")[error.range]
        #expect(String(shown) == fault)
        if let hint { #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "no hint")") }
        #expect(plane.execute(line) == .failed(.usage))
    }

    @Test("an option of one value that is given twice is an error, for every command and method")
    func twice() throws {
        let forms = KinCommand.all as [any CommandSpec] + MethodCommand.all
        var count = 0
        for form in forms {
            for parameter in form.parameters where !ParameterText.isRepeatable(parameter.type) {
                let value =
                    switch parameter.type {
                    case .document: "{}"
                    case .object: "exact"
                    default: MethodHelp.notation(of: parameter).sample
                    }
                let option = Word(text: "--\(parameter.name)=\(value)", range: 0..<1)
                let error = #expect(throws: CommandError.self, "\(form.name) \(parameter.name)") {
                    try MethodRequest([option, option], for: form)
                }
                #expect(error?.message == "--\(parameter.name) is given twice", "\(form.name): \(error?.message ?? "")")
                count += 1
            }
        }
        #expect(count > 300)
    }

    /// The commands of the shell and of a session, and all methods.
    private var forms: [any CommandSpec] { KinCommand.all as [any CommandSpec] + MethodCommand.all + plane.forms }

    @Test("a suggested name is one that the command has")
    func suggestions() throws {
        var count = 0
        for form in forms {
            for typo in ["orderr", "foood", "poower", "foo", "babi", "thread", "formt"] {
                func refusal(_ name: String) throws -> CommandError? {
                    do {
                        _ = try MethodRequest([Word(text: "--\(name)=1", range: 0..<1)], for: form)
                        return nil
                    } catch { return error as? CommandError }
                }
                guard let hint = try refusal(typo)?.hint, hint.hasPrefix("did you mean ") else { continue }
                let name = hint.dropFirst("did you mean ".count).dropLast().drop { $0 == "-" }
                let answer = try refusal(String(name))?.message ?? ""
                #expect(name == "help" || !answer.contains("has no parameter"), "\(form.name) \(typo): \(hint)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test("the last word of a command is enough for a suggestion, and an option needs a command")
    func lastWords() {
        for command in KinCommand.all {
            let words = command.name.split(separator: " ").map(String.init)
            guard words.count > 1, let last = words.last, Shell.find([last]) == nil else { continue }
            let run = kin(last)
            #expect(run.status == 64 && run.notes.contains("did you mean 'kin "), "\(run.notes)")
            #expect(run.notes.contains(" \(last)'?"), "\(run.notes)")
        }
        #expect(kin("--json", "info").notes.contains("options follow the command"))
        #expect(kin("--vresion").notes.contains("did you mean 'kin --version'?"))
        #expect(kin("index", "serch").notes.contains("did you mean 'kin index search'?"))
    }

    @Test("a parameter's name at the end of a line needs a value, unless a required id may have this name")
    func bareNames() throws {
        var count = 0
        for method in MethodCommand.all where !method.ordered.contains(where: { $0.presence == .required }) {
            for parameter in method.parameters where parameter.type != .boolean {
                let error = #expect(throws: CommandError.self, "\(method.name) \(parameter.name)") {
                    try MethodRequest(Word.words(of: parameter.name), for: method)
                }
                #expect(error?.message.contains("a value of \(parameter.name) is missing") == true, "\(method.name)")
                count += 1
            }
        }
        #expect(count > 50)
        let form = try #require(MethodCommand.all.first { $0.name == "sessions" })
        #expect(try MethodRequest(Word.words(of: "count"), for: form).json == #"{"user":"count"}"#)
    }

    @Test("the help in an error begins with a small letter, and words in capitals stay whole")
    func phrases() {
        for form in forms {
            for parameter in form.parameters {
                let first = MethodHelp.phrase(parameter.help).prefix(2)
                #expect(first.first?.isUppercase != true || first.last?.isUppercase == true, "\(form.name): \(first)")
                #expect(first.first?.isLowercase != true || first.last?.isUppercase != true, "\(form.name): \(first)")
            }
        }
        #expect(MethodHelp.phrase("JSON, or A. Else") == "JSON, or A")
    }

    @Test("a condition is the last parameter in the help, and an error of it says so")
    func conditions() throws {
        let forms = (KinCommand.all + MethodCommand.all + IndexCommands.all as [any CommandSpec]).filter { form in
            form.takesBareNames && form.parameters.contains { $0.type == .filter } && form.name != "filter"
        }
        #expect(forms.count > 5)
        for form in forms {
            if form.method == nil {
                #expect(MethodHelp.usage(of: form).hasSuffix(" [where CONDITION]"), "\(form.name)")
            }
            for other in form.bareParameters where other.type != .filter && !form.ordered.contains(other) {
                let words = try Word.words(of: "where age > 3 \(other.name) x")
                let error = #expect(throws: CommandError.self, "\(form.name) \(other.name)") {
                    try MethodRequest(Word.joiningCondition(words, of: "where age > 3 \(other.name) x"), for: form)
                }
                #expect(error?.hint?.contains("must be the last of the line") == true, "\(form.name) \(other.name)")
            }
        }
    }

    @Test("options with a dash end a condition, and negative numbers do not")
    func dashes() throws {
        for condition in ["a = b", "a > -2", "a in (-1, -2)", "a < -.5", "a between -3 and -1"] {
            for option in ["-k 2", "-k2", "--k 2", "--k=2"] {
                let line = "near session:s where \(condition) \(option)"
                let request = try toolRequest(line.split(separator: " ").map(String.init))
                #expect(request.text("where") == condition && request.int("k") == 2, "\(line)")
            }
        }
    }

    @Test("the caret is under the error")
    func report() throws {
        let line = "near 42 k zero"
        let error = try #require(throws: CommandError.self) { try request(line) }.located(in: line)
        #expect(
            error.report(style: Style(colour: false))
                == "  near 42 k zero\n            ^^^^\nk must be a number, not 'zero'")
    }

    @Test("vectors match the dimension, profiles stay in 0…1, and names resolve")
    func profiles() throws {
        func said(_ line: String, to session: ReplSession) -> String {
            let transcript = Transcript()
            return transcript.refusal(line, of: ReplSession(session.file, console: transcript.console))
        }
        let profile = Self.session(dimension: 16, names: nil)
        #expect(
            try request("near nature_mirror=0.9 mobility=0.7", to: profile)
                == #"near {"target":{"nature_mirror":0.9,"mobility":0.7}}"#)
        #expect(said("near mobility=7", to: profile).contains("outside 0…1"))
        #expect(said("near [1]", to: plane).contains("2 dimensions, this vector has 1"))
        #expect(said("near [1,2,3]", to: plane).contains("  near [1,2,3]\n       ^^^^^^^\n"))
        #expect(said("near [0.1, 1e39]", to: plane).contains("finite"))
        let nameless = Self.session(dimension: 3, names: nil)
        #expect(said("near x=1", to: nameless).contains("no parameter 'x'"))
        #expect(said("upsert 42 43", to: plane).contains("a vector is"))
    }

    @Test("any text gives a command or an error, never a trap")
    func fuzz() {
        let pieces = [
            "near", "within", "of", "k", "among", "[", "]", ",", "=", "\"", "'", "#", "42", "-", "1e400", "x-box", " ",
            "\t",
            "é", "👩‍👩‍👧", "set", "mode", "recall", "plan", "from", ":json", "18446744073709551615", "where", "filter", "{",
            "0-18446744073709551615", "\r\n", "--k", "--",
        ]
        for seed in UInt64(0)..<3000 {
            var generator = SeededGenerator(seed: seed)
            let line = (0..<generator.below(8)).map { _ in pieces[generator.below(pieces.count)] }.joined()
            do {
                _ = try request(line)
            } catch let error as CommandError {
                #expect(
                    error.range.lowerBound >= 0 && error.range.upperBound <= line.count + 2, "seed \(seed): \(line)")
                #expect(!error.located(in: line).report(style: Style(colour: false)).isEmpty)
            } catch {
                Issue.record("seed \(seed): \(line): \(error)")
            }
        }
    }
}
