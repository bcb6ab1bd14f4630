import KinDrawings
import KinEngine
import KinFiles
import Testing

@testable import KinShell
@testable import KinStore

@Suite("Appearance of output")
struct OutputTests {
    @Test("tables are aligned and have no trailing blanks")
    func table() {
        var table = TextTable([("id", .right), ("name", .left), ("n", .right)])
        table.append(["7", "Ann", "10"])
        table.append(["1024", "Bartholomew", "5"])
        #expect(
            table.lines(style: Style(colour: false)) == [
                "    id   name           n", "     7   Ann           10", "  1024   Bartholomew    5",
            ]
        )
        let title = Style.printed(table.lines(style: Style(colour: true))[0])
        #expect(title == "\u{1B}[2m    id   name           n\u{1B}[0m")
    }

    @Test("a table without rows has no titles, and a negative limit the form of its opposite")
    func none() {
        #expect(TextTable(["pair", ">n"], []).lines(style: Style(colour: false)) == ["  none"])
        #expect(TextTable(["", ""], []).lines(style: Style(colour: false)).isEmpty)
        for limit in [0.5, 1, 999, 1e9, 1e15] {
            #expect(MethodHelp.limit(-limit) == "-" + MethodHelp.limit(limit))
        }
    }

    @Test("wide characters take two columns, and combining marks none")
    func widths() {
        for (text, columns) in [
            ("abc", 3), ("日本語", 6), ("한국", 4), ("e\u{301}tude", 5), ("👍🏽", 2), ("👩‍👧", 2), ("❤\u{FE0F}", 2), ("ｶﾅ", 2),
            ("Ａ", 2), ("–…█", 3), ("\u{200B}", 0), ("", 0),
        ] { #expect(Style.columns(text) == columns, "\(text)") }
        let table = TextTable(["name", ">n"], [["日本語の長い名前の場所で静かな森", "1"], ["e\u{301}tude 静か", "2"], ["Ann", "3"]])
        #expect(
            table.lines(style: Style(colour: false)) == [
                "  name                               n", "  日本語の長い名前の場所で静かな森   1",
                "  e\u{301}tude 静か                         2", "  Ann                                3",
            ])
        let narrow = table.lines(style: Style(colour: false, width: 24))
        #expect(narrow.allSatisfy { Style.columns($0) <= 24 } && !"\(narrow)".contains("…"), "\(narrow)")
        #expect(TextWidth.prefix("日本語", columns: 3) == "日")
        let error = CommandError(message: "wrong", range: 3..<5, line: "日本 森林 x")
        #expect(error.report(style: Style(colour: false)).hasPrefix("  日本 森林 x\n       ^^^^\n"))
    }

    @Test("record kinds have correct plurals")
    func plurals() {
        for kind in RecordKind.all.map({ $0.name.replacing("_", with: " ") }) + ["category", "match", "class", "day"] {
            let plural = NumberText.count(2, kind)
            #expect(plural.hasSuffix("s") && !plural.contains(/(ss|[^aeiou]ys|xs|chs)$/), "\(plural)")
        }
    }

    @Test("a bar shows the share, the amount and the remaining time")
    func bar() {
        let line = ProgressBar.line(title: "reading", done: 50, total: 100, elapsed: .seconds(3)) { "\($0) B" }
        #expect(line == "reading  ━━━━━━━━━━━━············ 50 %  50 B  3 s left")
        #expect(
            ProgressBar.line(title: "reading", done: 50, total: nil, elapsed: .seconds(3)) { "\($0) B" }
                == "reading  50 B")
        #expect(ProgressBar.line(title: "r", done: 200, total: 100, elapsed: .seconds(3)) { "\($0)" }.contains("100 %"))
    }

    @Test("bars are drawn only on a terminal")
    func silence() {
        let pipe = Transcript()
        ProgressBar("reading", on: pipe.console).update(done: 1, of: 2) { "\($0)" }
        #expect(pipe.notes.isEmpty)
    }

    @Test("results and notes stay in order")
    func order() {
        var written: [String] = []
        let console = Console(results: { written.append("out \($0)") }, notes: { written.append("err \($0)") })
        console.print("one")
        console.note("two")
        console.print("three")
        console.flush()
        #expect(written == ["out one\n", "err two\n", "out three\n"])
    }

    @Test("colour is used only on request")
    func colour() {
        #expect(Style(colour: false).strong("x") == "x")
        #expect(Style.printed(Style(colour: true).strong("x")) == "\u{1B}[1mx\u{1B}[0m")
        #expect(Style(colour: true).strong("") == "")
    }

    @Test("a table fits the terminal by wrapping or becoming paragraphs")
    func wrapping() {
        func style(_ width: Int) -> Style { Style(colour: false, width: width) }
        let table = TextTable(
            ["", ""], [["near", "The nearest vectors, and what else is said."], ["get", "One vector."]])
        #expect(
            table.lines(style: style(40)) == [
                "  near  The nearest vectors, and what", "        else is said.", "  get   One vector.",
            ])
        let wide = style(30).lines("aaaaaaaaaabbbbbbbbbbccccccccccddddd  e", behind: 2)
        #expect(wide == ["aaaaaaaaaabbbbbbbbbbccccccccccddddd", "e"], "prose never cuts a word")
        let long = TextTable(["id", ">much of it"], [["a-very_long-name-without-blanks", "1"]])
        #expect(long.lines(style: style(24)) == ["  a-very_long-name-without-blanks", "    much of it 1"])
        let names = TextTable(
            ["id", "strongest"], [["a_session_2026-06-09T08:00", "serendipity_following 0.80, path 0.40"]])
        #expect(
            names.lines(style: style(46)) == [
                "  id                          strongest", "  a_session_2026-06-09T08:00  serendipity_",
                "                              following", "                              0.80, path 0.40",
            ])
        let figures = TextTable(
            [">id", ">score", ">n", ">way"], [["1.5", "0.5", "12", "1,000"], ["1.25", "-2", "-", "0.5"]])
        #expect(
            figures.lines(style: style(80)) == [
                "    id   score    n     way", "   1.5     0.5   12   1,000", "  1.25    -2.0    -     0.5",
            ])
        let many = TextTable(["name"] + (1...9).map { ">title\($0)" }, [["x"] + (1...9).map { "\($0)000000" }])
        let lines = many.lines(style: style(60))
        #expect(lines.allSatisfy { $0.count <= 60 } && lines[0] == "  x", "\(lines)")
        for number in 1...9 { #expect(lines.contains { $0.contains("title\(number) \(number)000000") }) }
        for width in 20...200 {
            for line in table.lines(style: style(width)) + many.lines(style: style(width)) where width >= 40 {
                #expect(line.count <= width, "\(width): \(line)")
            }
        }
    }

    @Test("control, bidirectional and invisible characters are escaped on the terminal")
    func hidden() throws {
        var hostile: [UInt32] = [0xAD, 0x61C, 0x200B, 0x200E, 0x2028, 0x2060, 0xFEFF, 0xFDE0, 0xFFFE, 0xE0041]
        hostile += (0...0x1F).filter { $0 != 0x09 && $0 != 0x0A }
        for range in [0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069] as [ClosedRange<UInt32>] { hostile += range }
        for number in hostile {
            let scalar = try #require(Unicode.Scalar(number))
            let digits = String(number, radix: 16, uppercase: true)
            let shown =
                number == 0xE0041
                ? "\\uDB40\\uDC41" : "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            let text = "a\u{301}\(scalar)b"
            let terminal = Transcript(isTerminal: true, notesAreOnTerminal: true, colour: true)
            let console = try #require(terminal.console)
            console.print(console.style.bad(text))
            console.print(TextTable([text, ""], [["1", text]]))
            console.note(text)
            console.draw(bar: text)
            console.flush()
            let written = (terminal.results + terminal.notes).replacing("\u{1B}[K", with: "").replacing("\r", with: "")
                .replacing(#/\u{1B}\[(0|1|2|31|32)m/#, with: "")
            #expect(!written.unicodeScalars.contains(scalar), "U+\(digits)")
            #expect(written.ranges(of: shown).count == 5, "U+\(digits): \(written)")
        }
        for text in ["é山", "👩‍👩‍👧", "می‌خواهم", "e\u{301}", "a\tb\nc", "│ ─ …"] {
            #expect(Style.printed(text) == text, "what people write is not escaped")
        }
        #expect(TextTable(["", ""], [["1", "a\nb\tc"]]).rows[0][1] == "a\\nb\\tc", "a cell is one line")
    }

    @Test("candidates are printed in even columns")
    func columns() {
        #expect(LineEditor.columns(["a", "bbb", "cc"], width: 10) == ["  a    bbb", "  cc"])
    }

    @Test("the history file follows the XDG rules")
    func history() {
        #expect(LineHistory.defaultPath(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/kin/history")
        #expect(
            LineHistory.defaultPath(["XDG_STATE_HOME": "rel", "HOME": "/h"]) == "/h/.local/state/kin/history")
        #expect(LineHistory.defaultPath([:]) == nil)
        #expect(LineHistory.defaultPath(["KIN_HISTORY": "", "HOME": "/h"]) == nil)
        #expect(LineHistory.defaultPath(["KIN_HISTORY": "h.txt", "HOME": "/h"]) == "h.txt")
    }

    @Test("a note does not run into a progress bar")
    func barAndNotes() {
        let terminal = Transcript(notesAreOnTerminal: true)
        let console: Console = terminal.console
        console.note("before")
        console.draw(bar: "working")
        console.note("after")
        console.draw(bar: "working")
        console.eraseBar()
        console.eraseBar()
        let erased = "\r\u{1B}[K"
        #expect(terminal.notes == "before\n\(erased)working\(erased)after\n\(erased)working\(erased)")
    }

    @Test("range limits are shown with all significant digits")
    func ranges() throws {
        let forms: [any CommandSpec] = KinCommand.all + MethodCommand.all
        for form in forms {
            let lines = MethodHelp.lines(form, style: Style(colour: false))
            for parameter in form.parameters {
                guard case .number(let range, unit: _) = parameter.type, abs(range.upperBound) < 1000 else { continue }
                let shown = lines.compactMap { $0.firstMatch(of: #/\(([-\d.e]+) to ([-\d.e]+)/#)?.output }
                #expect(
                    shown.contains { Double($0.1) == range.lowerBound && Double($0.2) == range.upperBound },
                    "\(form.name) \(parameter.name)")
            }
        }
    }
}
