import Kin
import Testing

@testable import KinShell

private let profile = CommandParser(space: VectorSpace(dimension: 16))
private let plane = CommandParser(space: VectorSpace(dimension: 2, names: ["x-box", "two words"]))
private let nameless = CommandParser(space: VectorSpace(dimension: 3))

private func ids(_ ranges: ClosedRange<UInt64>...) -> IDList {
    var list = IDList()
    list.ranges = ranges
    return list
}

@Suite("The REPL's language")
struct CommandParserTests {
    @Test(
        "every form is understood",
        arguments: [
            ("near 42", Command.near(.id(42), k: nil, among: nil)),
            ("NEAR 42 K 5", .near(.id(42), k: 5, among: nil)),
            ("near 42 k=5", .near(.id(42), k: 5, among: nil)),
            ("near 42 among 1,2, 10-19 k 3", .near(.id(42), k: 3, among: ids(1...1, 2...2, 10...19))),
            ("near [0.1, -2e-3]", .near(.vector(.numbers([0.1, -0.002])), k: nil, among: nil)),
            ("near [0.1 2]", .near(.vector(.numbers([0.1, 2])), k: nil, among: nil)),
            ("near[1,2]k 1", .near(.vector(.numbers([1, 2])), k: 1, among: nil)),
            (
                "near x-box=3 \"two words\"=4",
                .near(
                    .vector(.named([.init(dimension: 0, value: 3), .init(dimension: 1, value: 4)])), k: nil, among: nil
                )
            ),
            (
                "near X-BOX = 3, k 2",
                .near(.vector(.named([.init(dimension: 0, value: 3)])), k: 2, among: nil)
            ),
            ("within 0.3 of 42", .within(radius: 0.3, .id(42), among: nil)),
            ("within -5 of [1,2] among 7", .within(radius: -5, .vector(.numbers([1, 2])), among: ids(7...7))),
            ("get 18446744073709551614", .get(VectorID(UInt64.max - 1))),
            ("upsert 42 [0.5, 1]", .upsert(42, .numbers([0.5, 1]))),
            ("upsert 42 x-box=1", .upsert(42, .named([.init(dimension: 0, value: 1)]))),
            ("remove 42", .remove(ids(42...42))),
            ("remove 1-3,9", .remove(ids(1...3, 9...9))),
            ("save", .save(path: nil)),
            ("save out.kin", .save(path: "out.kin")),
            ("save \"a b=c.kin\"", .save(path: "a b=c.kin")),
            ("info", .info),
            ("set k 20", .set(.k(20))),
            ("set threads 2", .set(.threads(2))),
            ("set metric Cosine", .set(.metric(.cosine))),
            ("set", .showSettings),
            ("set mode exact", .set(.mode(.exact))),
            ("set mode recall 0.95", .set(.mode(.recall(0.95)))),
            ("set mode Recall=0.95", .set(.mode(.recall(0.95)))),
            ("set mode probes 8", .set(.mode(.probes(8)))),
            ("lists", .lists),
            ("plan", .plan(nil, k: nil)),
            ("plan k 3", .plan(nil, k: 3)),
            ("plan 42 k=3", .plan(.id(42), k: 3)),
            ("plan [1,2]", .plan(.vector(.numbers([1, 2])), k: nil)),
            ("recall", .recall(queries: 100, file: nil)),
            ("recall 7", .recall(queries: 7, file: nil)),
            ("recall from q.csv", .recall(queries: 100, file: "q.csv")),
            ("recall 7 from \"my q.csv\"", .recall(queries: 7, file: "my q.csv")),
            (":timing on", .turn(.timing, isOn: true)),
            (":explain off", .turn(.explain, isOn: false)),
            (":json ON", .turn(.json, isOn: true)),
            ("help", .help(topic: nil)),
            ("help near", .help(topic: "near")),
            ("quit", .quit(isForced: false)),
            ("exit", .quit(isForced: false)),
            ("quit!", .quit(isForced: true)),
            ("  near   42  # the answer", .near(.id(42), k: nil, among: nil)),
        ] as [(String, Command)]
    )
    func understands(line: String, command: Command) throws {
        #expect(try plane.parse(line) == command)
    }

    @Test("blank lines and comments are nothing", arguments: ["", "   ", "\t", "# near 42", "  # x"])
    func ignores(line: String) throws {
        #expect(try plane.parse(line) == nil)
    }

    @Test(
        "every mistake is shown where it is",
        arguments: [
            ("neer 42", "neer", "no command 'neer'", "did you mean near?"),
            ("foo", "foo", "no command", "`help` lists the commands"),
            ("timing on", "timing", "no command", nil),
            ("near", " ", "an id or a vector is missing", "near TARGET"),
            ("near 42 5", "5", "'5' is not expected", "near TARGET"),
            ("near 42 k", " ", "how many neighbours is missing", nil),
            ("near 42 k zero", "zero", "not a whole number from 1", nil),
            ("near 42 k 0", "0", "not a whole number from 1", nil),
            ("near 42 k 1 k 2", "k", "not expected", nil),
            ("near 4x", "4x", "'4x' is not an id", nil),
            ("near -1", "-1", "neither an id nor a vector", nil),
            ("near 18446744073709551615", "18446744073709551615", "is not an id", nil),
            ("near [0.1, abc]", "abc", "'abc' is not a number", nil),
            ("near [0.1, nan]", "nan", "not a finite", nil),
            ("near [0.1, 1e39]", "1e39", "not a finite 32-bit", nil),
            ("near [0.1, 2", " ", "closing ] is missing", nil),
            ("near [0.1]", "[0.1]", "2 dimensions, this vector has 1", nil),
            ("near [1,2,3]", "[1,2,3]", "2 dimensions, this vector has 3", nil),
            ("near [1,,2]", ",", "a number is expected", nil),
            ("near x-bux=1", "x-bux", "no dimension is called 'x-bux'", "did you mean x-box?"),
            ("near quux=1", "quux", "no dimension", "`info` lists"),
            ("near x-box", "x-box", "x-box needs a value", "x-box=0.5"),
            ("near x-box=", " ", "a number is missing", nil),
            ("near x-box=1 x-box=2", "x-box", "given twice", nil),
            ("near \"two words=1", "\"two words=1", "quote is never closed", nil),
            ("within of 42", "of", "'of' is not a number", nil),
            ("within 0.3 42", " ", "'of' is missing", nil),
            ("get", " ", "an id is missing", "get ID"),
            ("get all", "all", "is not an id", nil),
            ("upsert 42", " ", "a vector is missing", nil),
            ("upsert 42 43", "43", "neither an id nor a vector", nil),
            ("remove 5-3", "5-3", "not an id or a range", nil),
            ("remove 1,", " ", "missing", nil),
            ("info now", "now", "not expected", "`info`"),
            ("set kk 5", "kk", "no setting 'kk'", "did you mean k?"),
            ("set metric cosin", "cosin", "no metric", "did you mean cosine?"),
            ("set metric", " ", "a metric is missing", "l2, ip, cosine"),
            ("set threads 0", "0", "whole number from 1", nil),
            ("set mode", " ", "a mode is missing", "set mode probes 8"),
            ("set mode recal 0.9", "recal 0.9", "did you mean recall?", nil),
            ("set mode recall 2", "recall 2", "at most 1", nil),
            ("set mode recall", "recall", "needs one number", nil),
            ("set mode exact 1", "1", "not expected", nil),
            ("recall 0", "0", "whole number from 1", nil),
            ("recall 5 q.csv", "q.csv", "not expected", "from FILE"),
            ("recall from", " ", "a file is missing", nil),
            ("plan maybe", "maybe", "neither an id nor a vector", nil),
            (":timing maybe", "maybe", "not expected", ":timing on|off"),
            ("quit now", "now", "not expected", nil),
        ] as [(String, String, String, String?)]
    )
    func points(line: String, at fault: String, saying message: String, hint: String?) throws {
        let error = try #require(throws: CommandError.self) { try plane.parse(line) }
        #expect(error.message.contains(message))
        let shown = Array(line + "  ")[error.range]
        #expect(String(shown) == fault)
        if let hint { #expect(error.hint?.contains(hint) == true, "\(error.hint ?? "no hint")") }
    }

    @Test("the caret stands under the fault")
    func report() throws {
        let line = "near [0.1, abc]"
        let error = try #require(throws: CommandError.self) { try plane.parse(line) }
        #expect(
            error.report(line: line, style: Style(colour: false))
                == "  near [0.1, abc]\n             ^^^\n'abc' is not a number"
        )
    }

    @Test("profiles stay in 0…1, and names lead to the right place")
    func profiles() throws {
        #expect(
            try profile.parse("near nature_mirror=0.9 mobility=0.7")
                == .near(
                    .vector(.named([.init(dimension: 13, value: 0.9), .init(dimension: 9, value: 0.7)])), k: nil,
                    among: nil
                )
        )
        let error = try #require(throws: CommandError.self) { try profile.parse("near mobility=7") }
        #expect(error.message.contains("outside 0…1"))
        let bare = try #require(throws: CommandError.self) { try nameless.parse("near x=1") }
        #expect(bare.hint?.contains("no names") == true)
    }

    @Test("any text gives a command or an error, never a trap")
    func fuzz() {
        let pieces = [
            "near", "within", "of", "k", "among", "[", "]", ",", "=", "\"", "#", "42", "-", "1e400", "x-box", " ", "\t",
            "é", "👩‍👩‍👧", "set", "mode", "recall", "plan", "from", ":json", "18446744073709551615",
            "0-18446744073709551615", "\r\n",
        ]
        for seed in UInt64(0)..<3000 {
            var generator = SeededGenerator(seed: seed)
            let line = (0..<generator.below(8)).map { _ in pieces[generator.below(pieces.count)] }.joined()
            do {
                _ = try plane.parse(line)
            } catch {
                #expect(
                    error.range.lowerBound >= 0 && error.range.upperBound <= line.count + 2, "seed \(seed): \(line)")
                #expect(!error.report(line: line, style: Style(colour: false)).isEmpty)
            }
        }
    }

    @Test("every command of the guide is parsed by its own name")
    func guideIsComplete() {
        for guide in CommandGuide.all {
            do {
                _ = try plane.parse(guide.name)
            } catch {
                #expect(!error.message.contains("no command"), "\(guide.name)")
            }
        }
    }
}
