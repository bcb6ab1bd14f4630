import KinCore
import KinJSON
import KinTestSupport
import Testing

@Suite struct JSONRecordTests {
    private struct Point: JSONRecord, Equatable {
        static let recordName = "point"
        static let keys = JSONKeys(["x", "label", "colour"], required: ["x"])
        static let colours = JSONKeys(["red", "green"])
        var x = 0.0
        var label: String?
        var colour = 0

        init(from reader: inout JSONReader) throws(KinError) {
            var (x, label, colour): (Double, String?, Int) = (0, nil, 0)
            try reader.members(of: Self.keys) { reader, key throws(KinError) in
                switch key {
                case 0: x = try reader.number()
                case 1: label = try reader.optionalString()
                default: colour = try reader.choice(of: Self.colours, "colour")
                }
            }
            (self.x, self.label, self.colour) = (x, label, colour)
        }

        func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.member("x") { $0.number(x) }
                writer.member("label") { $0.string(label) }
                writer.member("colour") { $0.string(Self.colours.names[colour]) }
            }
        }
    }

    private func message(_ json: String) -> String { kinError { try Point(parsing: json) }?.description ?? "" }

    @Test func namesAreReadInAnyOrderAndEscape() throws {
        let point = try Point(parsing: #"{"colour":"green","\u0078":2,"label":null}"#)
        #expect(point.x == 2 && point.label == nil && point.colour == 1)
        #expect(try Point(parsing: point.jsonText) == point)
        #expect(point.jsonText == #"{"x":2.0,"label":null,"colour":"green"}"#)
    }

    @Test func errorsNameFieldLineAndColumn() {
        #expect(message(#"{"x":1,"x":2}"#) == "line 1, column 8: the field \"x\" appears twice")
        #expect(message("{\n \"label\":\"a\"}") == "field x, line 1, column 1: the field \"x\" is missing")
        #expect(
            message("{\"x\": \"-0.5\"}")
                == "field x, line 1, column 7: a number is expected here, not the text \"-0.5\"; write it without quotation marks"
        )
        #expect(message("{\"x\": NaN}") == "field x, line 1, column 7: a number is expected here, not NaN")
        #expect(message("{\"x\":\n \"é\"}") == "field x, line 2, column 2: a number is expected here, not a text")
        #expect(message(#"{"x":1,"größe":2}"#).contains("there is no field \"größe\"; there are x, label, colour"))
        #expect(message(#"{"x":1,"colour":"gren"}"#).hasPrefix("field colour, line 1, column 17: there is no colour"))
        #expect(message(#"{"x":1,"colour":"gren"}"#).hasSuffix("did you mean \"green\"?"))
        #expect(message("{\"x\": null}") == "field x, line 1, column 7: a number is expected here, not null")
        #expect(message("[1]") == "line 1, column 1: an object is expected here, not \"[\"")
    }

    @Test(
        "a number in place of a text or an instant is refused with the text to write",
        arguments: ["1", "-2.5", "0", "1e3", "9007199254740993"])
    func numbersAreNoTexts(number: String) {
        #expect(
            message("{\"x\":1,\"label\":\(number)}").hasSuffix("not \(number); write \"\(number)\", in quotation marks")
        )
        let error = kinError { try JSONReader.read(number) { reader throws(KinError) in _ = try reader.instant() } }
        #expect(error?.message == "an instant such as \"2026-11-20T06:30:00Z\" is expected here, not \(number)")
    }

    @Test func linesAreReadAndErrorsNameTheLine() throws {
        func read(_ text: String) throws(KinError) -> [Point] {
            var points: [Point] = []
            try JSONLines.forEach(in: Array(text.utf8)[...]) { reader, _ throws(KinError) in
                points.append(try Point(from: &reader))
            }
            return points
        }
        #expect(try read("").isEmpty)
        #expect(try read("{\"x\":1}\r\n\n  \n{\"x\":2}").map(\.x) == [1, 2])
        let error = kinError { try read("{\"x\":1}\n\n{\"x\":}\n") }
        #expect(error?.description == "field x, line 3, column 6: a number is expected here, not \"}\"")
    }

    @Test func unknownNamesAreReportedAndSkipped() throws {
        let keys = JSONKeys(["x"])
        var (value, others): (Double, [String]) = (0, [])
        let json = "{\"a\": [1, {\"b\": 2}], \"x\": 3, \"\\u0061\": null}"
        try JSONReader.read(json) { reader throws(KinError) in
            try reader.members(of: keys, others: { others.append($0) }) { reader, _ throws(KinError) in
                value = try reader.number()
            }
        }
        #expect(value == 3 && others == ["a", "a"])
        #expect(throws: KinError.self) {
            try JSONReader.read("{\"a\": [}") { reader throws(KinError) in
                try reader.members(of: keys, others: { _ in }) { _, _ throws(KinError) in }
            }
        }
    }

    @Test func membersOfAnyNameAreRead() throws {
        var members: [String: Double] = [:]
        try JSONReader.read("{\"a\": 1, \"b\": 2}") { reader throws(KinError) in
            try reader.eachMember { reader, name throws(KinError) in members[name] = try reader.number() }
        }
        #expect(members == ["a": 1, "b": 2])
    }
}
