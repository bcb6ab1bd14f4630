import Foundation
import KinCore
import KinJSON
import KinTestSupport
import Testing

@Suite struct JSONReaderTests {
    /// Whether the reader accepts a text when it skips any value.
    private func accepts(_ bytes: [UInt8], depth: Int = 128) -> Bool {
        errorCode {
            try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(KinError) in
                try unsafe JSONReader.read(bytes, depthLimit: depth) { reader throws(KinError) in try reader.skip() }
            }
        } == nil
    }

    private func accepts(_ text: String) -> Bool { accepts(Array(text.utf8)) }

    @Test func standardJSONIsAccepted() {
        for text in [
            "null", " true ", "false\n", "0", "-0", "1.5e-3", "1E+2", #""""#, #""\u0041\ud83d\ude00\/""#, "[]", "{}",
            "[1, [2], {\"a\": [null]}]", "\t\r\n{ \"\" : \"é\" }", #"{"a":1,"a":2}"#, "123456789012345678901234567890",
            #""\u0000""#,
        ] {
            #expect(accepts(text), "\(text)")
        }
    }

    @Test func invalidJSONIsRefused() {
        for text in [
            "", " ", "nul", "True", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "1 2", "[1,]",
            "[,1]",
            "[1", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:1}", "'a'", "\"a", "\"\n\"", "\"\t\"",
            "\"\\x\"",
            "\"\\u12g4\"", "\"\\u12\"", #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, #""\ud800\ue000""#, "// a\n1",
            "[1] x", "\u{FEFF}1",
            "\u{A0}1",
            "[1}", "{\"a\":1]", "\"\\", "1e999", "-1e999", "nullx", "truefalse",
        ] {
            #expect(!accepts(text), "\(text)")
        }
        // Strings are read eight bytes at a time, so a control character is tried at every position.
        for offset in 0..<20 {
            for control in [0, 1, 0x1F] as [UInt8] {
                var text = Array("\"abcdefghijklmnopqrst\"".utf8)
                text[1 + offset] = control
                #expect(!accepts(text), "\(control) at \(offset)")
            }
        }
        // Bytes that are not UTF-8: a lone continuation, an overlong slash, a surrogate, beyond U+10FFFF, cut off.
        for bytes: [UInt8] in [
            [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF],
            [0x5C, 0x6E, 0x80],
        ] {
            #expect(!accepts([0x22] + bytes + [0x22]), "\(bytes)")
        }
    }

    /// Only strings and brackets decide where an element ends, so an error in one hides no other.
    @Test func elementsOfAnArrayAreReadSeparately() throws {
        let texts = [
            #"{"a":NaN}"#, #"{"a":[1,{"b":1e999}]}"#, "Infinity", #"{"a":"}],\""}"#, "[-Infinity,[,]]", "{}", "nul",
            #""],[""#, #"{"a" 1}"#, "[1,2]", "-", "null", #"{"é":"\\"}"#,
        ]
        var random = TestSeed().generator
        for _ in 0..<300 {
            let chosen = (0..<random.below(9)).map { _ in texts[random.below(texts.count)] }
            let text = " [ " + chosen.joined(separator: " ,\n") + " ] "
            let read = try JSONReader.read(text) { reader throws(KinError) in
                try reader.elements().map { element in
                    var element = element
                    return errorCode { try element.skip() } == nil
                }
            }
            #expect(read == chosen.map(accepts), "\(text)")
        }
        // If the end of an element is not found, no element is read.
        for text in [
            "[{}, {", "[{} {}]", #"[{"a":1, {"b":2}]"#, #"[{}, {"a":"b}, {}]"#, #"[{}, "\"#, "[1, 2", "[1}", "[[1}, 2",
            #"[{"a":[1}, {}]"#,
        ] {
            let code = errorCode {
                try JSONReader.read(text) { reader throws(KinError) in _ = try reader.elements() }
            }
            #expect(code == .malformedInput, "\(text)")
        }
    }

    @Test func boundsTheNesting() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(accepts(nested(5), depth: 5))
        #expect(!accepts(nested(6), depth: 5))
        #expect(accepts(nested(128)) && !accepts(nested(129)) && !accepts(nested(1_000_000)))
        // Closed levels do not count.
        #expect(accepts("[" + String(repeating: "[[]],", count: 1000) + "[]]"))
    }

    @Test func readsStringsAsFoundationDoes() throws {
        var generator = SeededGenerator(seed: 5)
        let pieces = [
            "a", "longer text without anything", "é", "😀", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\/",
            "\u{7F}",
            "0123456", "\\b\\f\\r\\t",
        ]
        for _ in 0..<500 {
            let inner = (0..<generator.below(8)).map { _ in pieces[generator.below(pieces.count)] }.joined()
            let json = "\"\(inner)\""
            let ours = try JSONReader.read(json) { reader throws(KinError) in try reader.string() }
            let theirs = try JSONDecoder().decode(String.self, from: Data(json.utf8))
            #expect(ours == theirs, "\(json)")
            var writer = JSONWriter()
            writer.string(ours)
            let again = try JSONReader.read(writer.text) { reader throws(KinError) in try reader.string() }
            #expect(again == ours)
        }
    }

    @Test func readsEveryNumberToTheNearest() throws {
        var generator = SeededGenerator(seed: 6)
        for round in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let digits = 1 + generator.below(19)
            for text in [
                value.description, String(format: "%.*e", digits, value),
                String(format: "%.*f", 6, generator.uniform()),
            ] {
                let ours = try JSONReader.read(text) { reader throws(KinError) in try reader.number() }
                #expect(ours.bitPattern == Double(text)!.bitPattern, "round \(round): \(text)")
            }
            let short = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
            guard short.isFinite else { continue }
            let read = try JSONReader.read(short.description) { reader throws(KinError) in try reader.float() }
            #expect(read == short)
        }
        // Digits whose value modulo 2⁶⁴ is little more than 0.
        for text in [
            "18446744073709551616", "36893488147419103233", "184467440737095516160e-1", "0.18446744073709551617",
        ] {
            #expect(try JSONReader.read(text) { reader throws(KinError) in try reader.number() } == Double(text))
        }
        // Half-way between two floats as a double, but above it as a decimal.
        let text = "1.00000005960464477540"
        #expect(try JSONReader.read(text) { reader throws(KinError) in try reader.float() } == Float(text))
        #expect(
            errorCode { try JSONReader.read("1e300") { reader throws(KinError) in try reader.float() } }
                == .malformedInput)
    }

    @Test func readsWholeNumbersExactly() throws {
        for text in ["0", "-0", "9223372036854775807", "-9223372036854775808", "9007199254740993"] {
            #expect(try JSONReader.read(text) { reader throws(KinError) in try reader.integer() } == Int64(text))
        }
        for text in [
            "5.5", "1e-3", "15e-1", "9223372036854775808", "9007199254740993.0", "9007199254740991.5", "1e16", "1e400",
            "5.0000000000000000001", "-9.1e15", "1e-1000000",
        ] {
            let error = kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.integer() } }
            #expect(error.says(text), "\(text)")
        }
        var random = TestSeed().generator
        for round in 0..<2_000 {
            let size = Int64(1) << (round % 54)
            let number = Int64(random.below(Int(size))) * (random.below(2) == 0 ? 1 : -1)
            let zeros = String("\(number)".reversed().prefix { $0 == "0" })
            let short = number == 0 ? "0" : String("\(number)".dropLast(zeros.count))
            for text in ["\(number).0", "\(number)e0", "\(short)E+\(zeros.count)", "\(number).00e+0"] {
                #expect(
                    try JSONReader.read(text) { reader throws(KinError) in try reader.integer() } == number, "\(text)")
            }
        }
    }

    @Test func errorsQuoteNumbersWhole() {
        let long = "1" + String(repeating: "0", count: 400)
        for number in ["1772359200", "0.5", "-3", "1e-300", long, "0.\(long)", "\(long)e9"] {
            for text in [number, "\(number) ", "\(number),"] {
                let errors = [
                    kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.string() } },
                    kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.boolean() } },
                    kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.strings() } },
                    kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.rawMembers() } },
                ]
                for error in errors {
                    // Advice follows if a text is expected.
                    let message = error?.message.split(separator: ";").first
                    #expect(message?.hasSuffix("not \(number.prefix(80))") == true, "\(text.prefix(90))")
                }
            }
        }
    }

    @Test func valuesAreReadVerbatim() throws {
        let text = try JSONReader.read(#" {"a" : [1, "é"]} "#) { reader throws(KinError) in try reader.verbatim() }
        #expect(text == #"{"a" : [1, "é"]}"#)
        let lines = try JSONReader.read("{\n  \"a\": 1\r\n}") { reader throws(KinError) in try reader.verbatim() }
        #expect(lines == "{   \"a\": 1  }")
    }

    @Test func manyMembersAreReadInLinearTime() throws {
        let count = 300_000
        let json = "{" + (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}"
        let members = try JSONReader.read(json) { reader throws(KinError) in try reader.rawMembers() }
        #expect(members.count == count && members[count - 1].value == "\(count - 1)")
        #expect(
            errorCode { try JSONReader.read(#"{"a":1,"a":2}"#) { reader throws(KinError) in try reader.rawMembers() } }
                == .malformedInput)
    }

    @Test func errorsHaveLineAndColumn() {
        for (text, line, column) in [
            ("[1, x]", "1", "5"), ("{\"é\": \"日本\", x", "1", "13"), ("[\n  1,\n  é]", "3", "3"), ("[1", "1", "3"),
        ] {
            let error = kinError { try JSONReader.read(text) { reader throws(KinError) in try reader.skip() } }
            #expect(error?.fact("line") == line && error?.fact("column") == column, "\(text)")
        }
    }
}
