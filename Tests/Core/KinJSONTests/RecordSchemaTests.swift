import KinCore
import KinJSON
import KinTestSupport
import Synchronization
import Testing

// Serialised, because a test counts the living values.
@Suite(.serialized) struct RecordSchemaTests {
    /// A reference that counts its living instances.
    private final class Counted: Sendable {
        static let living = Atomic(0)
        let number: Double
        init(_ number: Double) {
            self.number = number
            Self.living.add(1, ordering: .relaxed)
        }
        deinit { Self.living.subtract(1, ordering: .relaxed) }
    }

    private struct Part: Sendable, Equatable {
        var ids: [String]
    }

    private struct Sample: DeclaredRecord {
        var id: String
        var countedValue: Counted
        var isLarge: Bool
        var note: String?
        var part: Part

        static let form = RecordSchema<Sample>(
            "sample", id: "id", aliases: [("legacy_value", "counted_value")],
            .required("id", \.id, .id),
            .required("counted_value", \.countedValue, counted),
            .standard("is_large", \.isLarge, .boolean, default: false, writesDefault: false),
            .optional("note", \.note, .text, writesNull: true),
            .required("part", \.part, JSONForm(part)),
            make: Sample.init(id:countedValue:isLarge:note:part:))

        private static let counted = JSONForm<Counted>(
            "number", read: { reader throws(KinError) in Counted(try reader.number()) },
            write: { $1.number($0.number) })

        private static let part = RecordSchema<Part>("part", .required("other_ids", \.ids, .list(of: .id))) { ids in
            Part(ids: ids)
        }

        init(id: String, countedValue: Counted, isLarge: Bool, note: String?, part: Part) throws(KinError) {
            guard note != "refused" else { throw KinError(.invalidArgument, "no").within("field", "note") }
            (self.id, self.countedValue, self.isLarge, self.note, self.part) = (id, countedValue, isLarge, note, part)
        }
    }

    private func message(_ json: String) -> String { kinError { try Sample(parsing: json) }?.description ?? "" }

    @Test func readsFieldsInAnyOrderInSnakeAndCamelCase() throws {
        let text = #"{"id":"a","counted_value":2.5,"note":null,"part":{"other_ids":["x","y"]}}"#
        for json in [
            text, #"{"part":{"otherIds":["x","y"]},"countedValue":2.5,"isLarge":false,"id":"a"}"#,
            #"{"legacyValue":2.5,"is_large":null,"id":"a","part":{"other_ids":["x","y"]}}"#,
            #"{"legacy_value":2.5,"id":"a","p\u0061rt":{"other_ids":["x","y"]}}"#,
        ] {
            let sample = try Sample(parsing: json)
            #expect(sample.jsonText == text)
        }
        let large = try Sample(parsing: #"{"id":"","isLarge":true,"countedValue":1,"note":"n","part":{"otherIds":[]}}"#)
        #expect(large.jsonText == #"{"id":"","counted_value":1.0,"is_large":true,"note":"n","part":{"other_ids":[]}}"#)
    }

    @Test func errorsNameTheRecordAndTheField() {
        #expect(
            message(#"{"id":"a","countedValue":1}"#)
                == "sample a, field part, line 1, column 1: the field \"part\" is missing")
        #expect(message(#"{"id":"a","countedValue":1,"counted_value":1}"#).contains("\"counted_value\" appears twice"))
        #expect(message(#"{"id":"a","cuonted_value":1}"#).hasSuffix("did you mean \"counted_value\"?"))
        #expect(message(#"{"id":null,"counted_value":1}"#).hasPrefix("sample null, field id"))
        #expect(
            message(#"{"id":"a","countedValue":1,"part":{"other_ids":["x",3]}}"#).hasPrefix(
                "sample a, field part.other_ids[1], line 1, column 53"))
        #expect(
            message(#"{"id":"a","countedValue":1,"note":"refused","part":{"otherIds":[]}}"#)
                == "sample a, field note: no")
    }

    @Test func everyValueIsReleasedAfterAnyFailure() throws {
        var generator = TestSeed().generator
        let whole = Array(
            #"{"id":"a","countedValue":1,"isLarge":true,"note":"refused","part":{"otherIds":["x"]}}"#.utf8)
        let before = Counted.living.load(ordering: .relaxed)
        for _ in 0..<2000 {
            var bytes = whole
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            if Bool.random(using: &generator), !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 32..<127, using: &generator)
            }
            _ = try? Sample(parsing: String(decoding: bytes, as: UTF8.self))
        }
        #expect(Counted.living.load(ordering: .relaxed) == before)
    }

    @Test func theSchemaDescribesTheReadFields() {
        #expect(Sample.form.idPaths == [["id"], ["part", "other_ids"]])
        #expect(
            Sample.form.fields.map { "\($0.name) \($0.type) \($0.presence)" } == [
                "id id required", "counted_value number required", "is_large boolean standard(\"false\")",
                "note text optional", "part part required",
            ])
    }
}
