import KinCore
import KinJSON
import Testing

struct ObjectSchemaTests {
    private struct Point: DeclaredObject {
        var x: Double
        var label: String?

        static let schema = ObjectSchema<Point>(
            .field("x", \.x, "km"),
            .optional("label", \.label))
    }

    private struct Route: DeclaredObject {
        var start: Point
        var end: Point?
        var hours: Double??
        var stops: [(name: String, minutes: Int)]
        var day: LocalDay

        static let schema = ObjectSchema<Route>(
            .field("start", \.start),
            .field("end", \.end),
            .optional("hours", \.hours),
            .list("stops", \.stops, .field("name", { $0.name }), .field("minutes", { $0.minutes })),
            .object("size", \.stops, .field("count", \.count)),
            .members("by_name", { $0.stops.map { ($0.name, $0.minutes) } }, by: "name"),
            .field("day", \.day),
            .field("names", { $0.stops.map { $0.name } }, as: .texts, "in order"))
    }

    @Test func anObjectIsWrittenInTheOrderOfItsFields() throws {
        let day = try LocalDay(parsing: "2026-11-20")
        let empty = Route(start: Point(x: 1), hours: nil, stops: [], day: day)
        #expect(
            empty.jsonText
                == #"{"start":{"x":1.0},"end":null,"stops":[],"size":{"count":0},"by_name":{},"day":"2026-11-20","names":[]}"#
        )
        let full = Route(
            start: Point(x: 1, label: "a\"b"), end: Point(x: 2), hours: .some(nil), stops: [("z", 5), ("y", 7)],
            day: day)
        #expect(
            full.jsonText
                == #"{"start":{"x":1.0,"label":"a\"b"},"end":{"x":2.0},"hours":null,"#
                + #""stops":[{"name":"z","minutes":5},{"name":"y","minutes":7}],"size":{"count":2},"by_name":{"z":5,"y":7},"#
                + #""day":"2026-11-20","names":["z","y"]}"#)
    }

    @Test func theSchemaDescribesTheWrittenFields() {
        let fields = FieldDescription.flattened(Route.schema.fields)
        #expect(
            fields.map { "\($0.name): \($0.type), \($0.presence)\($0.meaning.isEmpty ? "" : ", \($0.meaning)")" } == [
                "start: object, required", "start.x: number, required, km", "start.label: text, optional",
                "end: object or null, required, as `start`", "hours: number or null, optional",
                "stops: list of object, required", "stops.name: text, required", "stops.minutes: integer, required",
                "size: object, required", "size.count: integer, required",
                "by_name: object of integer, required, by name", "day: date, required",
                "names: list of text, required, in order",
            ])
        #expect(Optional<[Route]>.jsonType.name == "list of object or null")
    }
}
