import Kin

/// An attribute of an index, in JSON.
struct AttributeRecord: Encodable {
    let name: String
    let kind: String
    /// The number of different values of a category.
    let values: Int?

    static func all(of table: AttributeTable) -> [AttributeRecord] {
        table.schema.attributes.map { attribute in
            AttributeRecord(
                name: attribute.name, kind: attribute.kind.rawValue,
                values: try? table.categoryCount(of: attribute.name))
        }
    }

    /// A value, in JSON: numbers and booleans as such, times as text, a range of time as its two ends.
    struct Value: Encodable {
        let value: AttributeValue

        init(_ value: AttributeValue) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .category(let value): try container.encode(value)
            case .time(let value): try container.encode(value.description)
            case .boolean(let value): try container.encode(value)
            case .timeRange(let value): try container.encode([value.start.description, value.end.description])
            }
        }
    }
}
