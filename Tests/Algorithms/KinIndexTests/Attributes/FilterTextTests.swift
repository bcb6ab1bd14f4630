import KinTestSupport
import Testing

@testable import KinIndex

@Suite("Filter text")
struct FilterTextTests {
    @Test(
        "equivalent texts print in one canonical form",
        arguments: [
            ("user=\"u42\"", "user = u42"),
            ("USER == 'a b'", "USER = \"a b\""),
            (
                "start >= 2026-01-01 AND state IN (drift,mastery)",
                "start >= 2026-01-01T00:00:00Z and state in (drift, mastery)"
            ),
            ("a = 1 or b = 2 and not c = 3", "a = 1 or b = 2 and not c = 3"),
            ("((a = 1 or (b = 2))) and c = 3", "(a = 1 or b = 2) and c = 3"),
            ("not (not a = 1)", "not not a = 1"),
            ("not (a = 1 and b = 2)", "not (a = 1 and b = 2)"),
            ("(a = 1 and b = 2) and (c = 3 and d = 4)", "a = 1 and b = 2 and c = 3 and d = 4"),
            ("a not in (1, 2.0)", "a is present and not a in (1, 2.0)"),
            ("a not between 1 and 2", "a is present and not a between 1 and 2"),
            ("a is not missing or b is not present", "a is present or b is missing"),
            ("a = 2026-01-01T06:30:00+02:00", "a = 2026-01-01T04:30:00Z"),
            ("a overlaps [2026-01-01, '2026-02-01 12:00')", "a overlaps [2026-01-01T00:00:00Z, 2026-02-01T12:00:00Z)"),
            ("a<>-1e-3", "a != -0.001"), ("a = +5", "a = 5"), ("a = true", "a = true"), ("a = 'true'", "a = \"true\""),
            ("'in' = 'x\\u{41}\\t\\\\'", "\"in\" = \"xA\\t\\\\\""),
            ("\"my stay\".start < 2026-01-01", "\"my stay\".start < 2026-01-01T00:00:00Z"),
            ("tags contains 'a b'", "tags contains \"a b\""), ("tags OVERLAPS (x)", "tags contains x"),
            ("tags not overlaps (x, y)", "tags is present and not tags overlaps (x, y)"),
            ("t overlaps ()", "t overlaps ()"),
            ("größe = ölig", "größe = ölig"), ("a = u-42.x", "a = u-42.x"), ("a in ()", "a in ()"),
        ])
    func canonical(text: String, canonical: String) throws {
        let expression = try FilterExpression(parsing: text)
        #expect(expression.description == canonical)
        #expect(try FilterExpression(parsing: canonical) == expression)
    }

    @Test("Swift builders and text give the same filter")
    func builders() throws {
        let time = try Timestamp(parsing: "2026-01-01")
        let built =
            FilterExpression.equals("user", "u42") && .compare("start", .greaterOrEqual, .time(time))
            && (.isIn("state", ["drift", "mastery"]) || !.between("n", 1, 2.5)) && .isMissing("x") && .isPresent("y")
        let text =
            "user = u42 and start >= 2026-01-01T00:00:00Z and (state in (drift, mastery) or not n between 1 and 2.5) and "
            + "x is missing and y is present"
        #expect(try FilterExpression(parsing: text) == built)
        #expect(built.description == text)
        let id = FilterExpression.equals("id", .id(VectorID(.max - 1)))
        #expect(try FilterExpression(parsing: id.description) == id)
        let range = try #require(TimeRange(from: time, to: try Timestamp(seconds: 1_767_225_600.5)))
        let overlap = FilterExpression.overlaps("stay", range)
        #expect(try FilterExpression(parsing: overlap.description) == overlap)
        let tagged = FilterExpression.contains("tags", "a b") || .overlaps("tags", ["x", "y"])
        #expect(try FilterExpression(parsing: "tags contains 'a b' or tags overlaps (x, y)") == tagged)
        let quoted = [(#"'it''s'"#, "it's"), (#""a""b""#, #"a"b"#), ("''''", "'"), ("''", ""), (#"'a""b'"#, #"a""b"#)]
        for (text, plain) in quoted {
            #expect(try FilterExpression(parsing: "c = \(text)") == .equals("c", .text(plain)), "\(text)")
        }
    }

    @Test(
        "syntax errors report their position and the expected input",
        arguments: [
            ("", 1, "the name of an attribute is missing at the end"),
            (
                "user", 5,
                "a comparison (= != < <= > >= is in between overlaps contains) after user is missing at the end"
            ),
            ("user = ", 8, "a value is missing at the end"),
            ("user = )", 8, "a value is expected here, not )"),
            ("user = and", 8, "a value is expected here, not and; as a category, and must be in quotes"),
            ("user = u1 adn x = 1", 11, "'and', 'or' or the end is expected here, not adn; did you mean and?"),
            ("user = u1 x = 1", 11, "'and', 'or' or the end is expected here, not x"),
            ("(user = u1", 11, "'and', 'or' or the closing ) is missing at the end"),
            ("user => u1", 6, "=> is not a comparison; there are = != < <= > >="),
            ("user = “u1”", 8, "the character “ has no meaning here; strings must be in straight quotes, \"…\""),
            ("user = \"u1", 8, "this quote is never closed; a quote inside a string is doubled"),
            ("user = \"\\q\"", 9, "this is not an escape; there are \\\" \\' \\\\ \\n \\t \\r and \\u{1F600}"),
            (
                "a = 12ab", 5,
                "12ab is neither a number nor a time; a category that begins with a digit or a sign must be in quotes"
            ),
            ("a = 1e999", 5, "1e999 is too large for a number"),
            (
                "a = 2026-02-30", 5,
                "\"2026-02-30\" is not a time: the calendar has no such day; "
                    + "write 2026-01-01 or 2026-01-01T06:30:00Z"
            ),
            ("a in 1", 6, "( and a list of values is expected here, not 1"),
            ("a in (1 2)", 9, "a comma or the closing ) is expected here, not 2"),
            ("a is mising", 6, "'missing' or 'present' is expected here, not mising; did you mean missing?"),
            ("a overlaps [2026-01-02, 2026-01-01)", 12, "the range ends before it begins"),
            (
                "a overlaps [2026-01-01, 2026-01-02]", 35,
                ") is expected here, not ]; the end does not belong to a range of time: write [2026-01-01, 2026-02-01), or (red, blue) for tags"
            ),
            ("a between 1 or 2", 13, "'and' and the upper end is expected here, not or"),
            ("größe = 1 §", 11, "the character § has no meaning here; strings with such characters need quotes"),
            (
                "a = 1 && b = 2", 7,
                "the character & has no meaning here; write `and` between conditions; strings with & need quotes"
            ),
            (
                "a = 1 || b = 2", 7,
                "the character | has no meaning here; write `or` between conditions; strings with | need quotes"
            ),
            ("!(a = 1)", 1, "! is not a comparison; write `not` before a condition"),
            (
                "a < .5", 5,
                "the character . has no meaning here; write 0.5 for .5; strings with such characters need quotes"
            ),
            (
                "1 < age", 1,
                "the name of an attribute is expected here, not 1; write the value after the comparison"
            ),
            (
                "a is null", 6,
                "'missing' or 'present' is expected here, not null; write `is missing` or `is not missing`"
            ),
            ("a = NULL", 5, "a value is expected here, not NULL; write `is missing`, or the text NULL in quotes"),
        ] as [(String, Int, String)])
    func errors(text: String, character: Int, message: String) {
        let error = #expect(throws: KinError.self) { try FilterExpression(parsing: text) }
        #expect(error?.message == message)
        #expect(error?.context.map(\.value) == ["\(character)"] && error?.context.first?.name == "character")
        #expect(error?.code == .malformedInput)
    }

    @Test("depth, length and number of conditions are limited")
    func limits() throws {
        func nested(_ n: Int, _ word: String = "(") -> String {
            String(repeating: word, count: n) + "a = 1" + String(repeating: word == "(" ? ")" : "", count: n)
        }
        #expect(throws: Never.self) { try FilterExpression(parsing: nested(100)) }
        #expect(throws: Never.self) { try FilterExpression(parsing: nested(100, "not ")) }
        #expect(errorCode { try FilterExpression(parsing: nested(101)) } == .capacityExceeded)
        #expect(errorCode { try FilterExpression(parsing: nested(400_000)) } == .capacityExceeded)
        #expect(errorCode { try FilterExpression(parsing: nested(250_000, "not ")) } == .capacityExceeded)
        #expect(
            errorCode { try FilterExpression(parsing: String(repeating: " ", count: 1 << 21)) } == .capacityExceeded)
        let many = Array(repeating: "id = 1", count: 2_500).joined(separator: " or ")
        #expect(throws: Never.self) { try FilterExpression(parsing: many).check(against: AttributeSchema()) }
        #expect(errorCode { try FilterExpression(parsing: many + " or id = 2") } == .capacityExceeded)
        var deep = FilterExpression.equals("id", 1)
        for _ in 0..<12_000 { deep = !deep }
        #expect(errorCode { try deep.check(against: AttributeSchema()) } == .capacityExceeded)
        #expect(deep.description.hasPrefix("not not not"))
        let list = "id in (" + (0..<100_000).map(String.init).joined(separator: ",") + ")"
        #expect(throws: Never.self) { try FilterExpression(parsing: list).check(against: AttributeSchema()) }
    }

    @Test(
        "conditions that contradict the schema name the attribute and its type",
        arguments: [
            ("usr = u1", "no attribute is called \"usr\"; did you mean user?"),
            (
                "colour = u1",
                "no attribute is called \"colour\"; the attributes are user, visits, score, start, done, stay, my state, tags and id"
            ),
            (
                "user = 42",
                "user is a category and cannot be compared with the number 42, in \"user = 42\"; write \"42\""
            ),
            (
                "user < u1",
                "user is a category and cannot be compared so, in \"user < u1\"; categories have no order: use = != or in"
            ),
            ("visits = u1", "visits is an integer and cannot be compared with the text u1, in \"visits = u1\""),
            (
                "score between a and 2",
                "score is a number and cannot be compared with the text a, in \"score between a and 2\""
            ),
            (
                "start > 5",
                "start is a time and cannot be compared with the number 5, in \"start > 5\"; write a time such as 2026-01-01"
            ),
            (
                "start > never",
                "start is a time, and \"never\" is not a time: the year has 4 digits; "
                    + "write 2026-01-01 or 2026-01-01T06:30:00Z"
            ),
            ("done = 1", "done is a boolean and cannot be compared so, in \"done = 1\"; write done = true"),
            ("done in (true)", "done is a boolean and cannot be compared so, in \"done in (true)\"; write done = true"),
            (
                "stay = 2026-01-01",
                "stay is a time-range and cannot be compared so, in \"stay = 2026-01-01T00:00:00Z\"; "
                    + "compare stay.start or stay.end, or use 'overlaps [from, to)'"
            ),
            (
                "tags = red",
                "tags is a set of tags and cannot be compared so, in \"tags = red\"; "
                    + "write tags contains red, or overlaps (red, blue)"
            ),
            (
                "tags contains 42",
                "tags is a set of tags and cannot be compared with the number 42, in \"tags contains 42\"; write \"42\""
            ),
            (
                "user contains u1", "user is a category and cannot be compared so, in \"user contains u1\""
            ),
            ("start.end > 2026-01-01", "start is a time; only time ranges have a .end"),
            (
                "start overlaps [2026-01-01, 2026-01-02)",
                "start is a time and cannot be compared so, "
                    + "in \"start overlaps [2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)\""
            ),
            ("id = u1", "id is an integer and cannot be compared with the text u1, in \"id = u1\""),
        ])
    func binding(text: String, message: String) throws {
        let schema = try AttributeSchema(SampleRows.schema)
        let expression = try FilterExpression(parsing: text)
        let error = kinError { try expression.check(against: schema) }
        #expect(error?.message == message && error?.code == .invalidArgument)
    }

    @Test("non-finite literals are refused")
    func notFinite() throws {
        let schema = try AttributeSchema(["x": .number])
        #expect(errorCode { try FilterExpression.equals("x", .number(.nan)).check(against: schema) } == .notFinite)
        #expect(
            errorCode { try FilterExpression.isIn("id", [.number(.infinity)]).check(against: schema) } == .notFinite)
    }

    @Test("every name and every text is parsed again from its printed form")
    func names() throws {
        var random = TestSeed().generator
        let pieces = [
            ".start", ".end", ".", "a", "id", "and", "in", " ", "\"", "'", "\\", "\n", "\u{85}", "\u{301}", "\u{600}",
            "\u{200D}",
            "ü", "7", "-", "🙂", "2026-01-01", "true",
        ]
        // Single pieces, pairs, and random sequences.
        var names = pieces + pieces.flatMap { first in pieces.map { first + $0 } }
        for _ in 0..<2_000 {
            names.append((0..<3 + random.below(4)).map { _ in pieces[random.below(pieces.count)] }.joined())
        }
        for name in names {
            let expression = FilterExpression.equals(name, .text(name)) && .isMissing(name)
            let again = try? FilterExpression(parsing: expression.description)
            #expect(again == expression, "\(name.debugDescription)")
        }
    }
}
