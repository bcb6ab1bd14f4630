import KinCore
import Testing

@Suite("Spelling suggestions")
struct SpellingTests {
    private static let names = ["mobility", "nature_mirror", "path", "serendipity_following"]

    @Test(
        "edits are counted as optimal string alignment distance",
        arguments: [("", "", 0), ("near", "neer", 1), ("naer", "near", 1), ("ca", "abc", 3), ("kitten", "sitting", 3)]
    )
    func edits(a: String, b: String, count: Int) {
        #expect(Spelling.edits(Array(a), Array(b)) == count)
        #expect(Spelling.edits(Array(b), Array(a)) == count)
    }

    @Test("only likely typos are corrected")
    func nearest() {
        #expect(Spelling.nearest(to: "natuer_mirror", in: Self.names) == "nature_mirror")
        #expect(Spelling.nearest(to: "serendip", in: Self.names) == "serendipity_following")
        #expect(Spelling.nearest(to: "elephant", in: Self.names) == nil)
        #expect(Spelling.nearest(to: "", in: Self.names) == nil)
    }

    @Test("words too long to be typos are not compared")
    func long() {
        #expect(Spelling.nearest(to: String(repeating: "x", count: 1 << 20), in: Self.names) == nil)
        let long = String(repeating: "p", count: Spelling.maximumBytes + 1)
        #expect(Spelling.nearest(to: "ppp", in: [long]) == nil)
    }

    @Test("words are compared without case and marks between their parts, names without case and blanks at their ends")
    func comparedForms() {
        for word in [".socialSync", "Social Sync", " social-sync ", "SOCIAL_SYNC"] {
            #expect(Spelling.plain(word) == "socialsync")
        }
        #expect(Spelling.plain("CAF\u{C9} au lait") == Spelling.plain("cafe\u{301}_au-lait"))
        for name in ["Moon ", "\tmoon", "MOON", "moon\u{A0}", "moon"] { #expect(Spelling.folded(name) == "moon") }
        #expect(Spelling.folded(" \u{C9}t\u{E9}") == "\u{E9}t\u{E9}" && Spelling.folded("night sky") == "night sky")
        #expect(Spelling.folded(" ").isEmpty && Spelling.folded("").isEmpty)
    }
}
