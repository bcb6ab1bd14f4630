import KinIndex

/// Rows with every kind of attribute, stored twice: as plain dictionaries for the naive evaluator, and as columns for a
/// table.
struct SampleRows {
    static let schema: KeyValuePairs<String, AttributeKind> = [
        "user": .category, "visits": .integer, "score": .number, "start": .time, "done": .boolean,
        "stay": .timeRange, "my state": .category, "tags": .tags,
    ]
    static let users = ["u1", "u2", "42", "", "in", "ünï", "a \"b\"\n", "drift"]

    /// Tags. Two are the same text in different bytes.
    static let words = ["red", "ünï", "u\u{308}nï", "a b", "in", "42", "re"]

    var ids: [VectorID]
    var rows: [[String: AttributeValue]]

    /// - Parameter hasTags: Whether rows have tags, which files of version 1.1 cannot have.
    init(_ ids: [VectorID], using random: inout SeededGenerator, hasTags: Bool = true) {
        self.ids = ids
        rows = ids.map { _ in Self.row(&random) }
        guard hasTags else { return }
        for row in rows.indices where random.below(5) > 0 {
            let tags = try? TagSet(Self.words.filter { _ in random.below(3) == 0 }.shuffled(using: &random))
            rows[row]["tags"] = tags.map { .tags($0) }
        }
    }

    /// Values from small ranges, so that conditions hold and fail about equally often; every fifth is missing.
    static func row(_ random: inout SeededGenerator) -> [String: AttributeValue] {
        var row: [String: AttributeValue] = [:]
        func draw(_ name: String, _ value: AttributeValue) {
            if random.below(5) > 0 { row[name] = value }
        }
        let small = random.below(9) - 4
        draw("user", .category(users[random.below(users.count)]))
        draw(
            "visits", .integer(random.below(40) == 0 ? [Int64.min, .max].randomElement(using: &random)! : Int64(small)))
        draw("score", .number(random.below(8) == 0 ? -0.0 : Double(random.below(9) - 4) / 2))
        draw("start", .time(time(random.below(12))))
        draw("done", .boolean(random.below(2) == 0))
        let start = random.below(10)
        draw("stay", .timeRange(TimeRange(from: time(start), to: time(start + random.below(3)))!))
        draw("my state", .category(["drift", "mastery"][random.below(2)]))
        return row
    }

    /// The n-th of a few instants, six hours apart.
    static func time(_ n: Int) -> Timestamp {
        guard let time = try? Timestamp(microseconds: 1_767_225_600_000_000 + Int64(n) * 21_600_000_000) else {
            preconditionFailure("2026 is in range")
        }
        return time
    }

    /// The columns of some of the rows.
    func columns(_ range: Range<Int>) -> [String: AttributeColumn] {
        func values<Value>(_ name: String, _ value: (AttributeValue) -> Value?) -> [Value?] {
            rows[range].map { $0[name].flatMap(value) }
        }
        func text(_ value: AttributeValue) -> String? { if case .category(let text) = value { text } else { nil } }
        return [
            "user": .categories(values("user", text)),
            "my state": .categories(values("my state", text)),
            "visits": .integers(values("visits") { if case .integer(let value) = $0 { value } else { nil } }),
            "score": .numbers(values("score") { if case .number(let value) = $0 { value } else { nil } }),
            "start": .times(values("start") { if case .time(let value) = $0 { value } else { nil } }),
            "done": .booleans(values("done") { if case .boolean(let value) = $0 { value } else { nil } }),
            "stay": .timeRanges(values("stay") { if case .timeRange(let value) = $0 { value } else { nil } }),
            "tags": .tags(values("tags") { if case .tags(let value) = $0 { value } else { nil } }),
        ]
    }

    /// A table of the rows.
    func table() throws -> AttributeTable {
        var table = AttributeTable(schema: try AttributeSchema(Self.schema))
        try table.upsert(columns(0..<ids.count), ids: ids)
        return table
    }
}
