import KinDrawings
import Testing

@testable import KinShell
@testable import KinStore

@Suite("How things look")
struct OutputTests {
    @Test("tables are aligned and end without blanks")
    func table() {
        var table = TextTable([("id", .right), ("name", .left), ("n", .right)])
        table.append(["7", "Ann", "10"])
        table.append(["1024", "Bartholomew", "5"])
        #expect(
            table.lines(style: Style(colour: false)) == [
                "    id   name           n", "     7   Ann           10", "  1024   Bartholomew    5",
            ]
        )
        #expect(table.lines(style: Style(colour: true))[0] == "\u{1B}[2m    id   name           n\u{1B}[0m")
    }

    @Test("the kinds of records have plurals")
    func plurals() {
        for kind in RecordKind.all.map({ $0.name.replacing("_", with: " ") }) + ["category", "match", "class", "day"] {
            let plural = NumberText.count(2, kind)
            #expect(plural.hasSuffix("s") && !plural.contains(/(ss|[^aeiou]ys|xs|chs)$/), "\(plural)")
        }
    }

    @Test("a bar shows the share, the amount and the time left")
    func bar() {
        let line = ProgressBar.line(title: "reading", done: 50, total: 100, elapsed: .seconds(3)) { "\($0) B" }
        #expect(line == "reading  ━━━━━━━━━━━━············ 50 %  50 B  3 s left")
        #expect(
            ProgressBar.line(title: "reading", done: 50, total: nil, elapsed: .seconds(3)) { "\($0) B" }
                == "reading  50 B")
        #expect(ProgressBar.line(title: "r", done: 200, total: 100, elapsed: .seconds(3)) { "\($0)" }.contains("100 %"))
    }

    @Test("bars are drawn on a terminal only")
    func silence() {
        let pipe = Transcript()
        ProgressBar("reading", on: pipe.console).update(done: 1, of: 2) { "\($0)" }
        #expect(pipe.notes.isEmpty)
    }

    @Test("results and notes keep their order")
    func order() {
        var written: [String] = []
        let console = Console(results: { written.append("out \($0)") }, notes: { written.append("err \($0)") })
        console.print("one")
        console.note("two")
        console.print("three")
        console.flush()
        #expect(written == ["out one\n", "err two\n", "out three\n"])
    }

    @Test("colour is only where it was asked for")
    func colour() {
        #expect(Style(colour: false).strong("x") == "x")
        #expect(Style(colour: true).strong("x") == "\u{1B}[1mx\u{1B}[0m")
        #expect(Style(colour: true).strong("") == "")
    }

    @Test("candidates stand in even columns")
    func columns() {
        #expect(LineEditor.columns(["a", "bbb", "cc"], width: 10) == ["  a    bbb", "  cc"])
    }

    @Test("the history lives where the XDG rules say")
    func history() {
        #expect(LineEditor.defaultHistoryPath(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/kin/history")
        #expect(
            LineEditor.defaultHistoryPath(["XDG_STATE_HOME": "rel", "HOME": "/h"]) == "/h/.local/state/kin/history")
        #expect(LineEditor.defaultHistoryPath([:]) == nil)
    }
}
