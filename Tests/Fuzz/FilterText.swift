// module: KinIndex
// seeds: Tests/Fuzz/Seeds/FilterText

// Reads arbitrary text as a filter. Accepted filters are printed and read again, bound to attributes and evaluated.

import KinIndex

@c(LLVMFuzzerTestOneInput)
public func fuzzFilterText(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
    guard let expression = unsafe try? FilterExpression(parsing: String(decoding: input, as: UTF8.self)) else {
        return 0
    }
    guard let again = try? FilterExpression(parsing: expression.description) else {
        preconditionFailure("the text of an expression is not read")
    }
    precondition(again == expression, "the text of an expression gives another")
    guard let table = sample() else { preconditionFailure("the sample is as it should be") }
    guard let allowed = try? table.ids(where: expression) else { return 0 }
    for id in [0, 1, 2] as [VectorID] {
        precondition((try? table.allows(id, where: expression)) == allowed.contains(id), "rows differ from columns")
    }
    return 0
}

private func sample() -> AttributeTable? {
    guard
        let schema = try? AttributeSchema([
            "user": .category, "n": .integer, "x": .number, "start": .time, "done": .boolean, "stay": .timeRange,
            "tags": .tags,
        ]), let time = try? Timestamp(parsing: "2026-01-01"), let stay = TimeRange(from: time, to: time),
        let tags = try? TagSet(["red", "u1"]), let none = try? TagSet([String]())
    else { return nil }
    var table = AttributeTable(schema: schema)
    try? table.upsert(
        [
            "user": .categories(["u1", nil, ""]), "n": .integers([0, .min, nil]), "x": .numbers([nil, 0.5, -1e300]),
            "start": .times([time, nil, time]), "done": .booleans([nil, false, true]),
            "stay": .timeRanges([stay, stay, nil]), "tags": .tags([tags, nil, none]),
        ], ids: [0, 1, 2])
    return table
}
