import Testing

@testable import KinIndex

/// Opens bytes as an index, then runs and changes everything that a caller can. Opening may throw, and searches may
/// fail or return anything. The test requires only that no access leaves the bytes, traps or hangs.
///
/// - Returns: Whether the index opened.
@discardableResult
func useDamaged(_ bytes: [UInt8], query: [Float]) -> Bool {
    guard let file = try? unsafe SectionFile(copying: resealed(bytes).span.bytes),
        var index = try? VectorIndex(file: file), index.dimension == query.count
    else { return false }
    let ids = index.ids.prefix(3)
    for filter in [SearchFilter.all, .ids([7, 14]), .predicate { $0.rawValue % 2 == 0 }] {
        for mode in [SearchMode.exact, .recall(0.9), .probes(2)] {
            let found = try? index.search(query, k: 10, options: .init(mode: mode, where: filter))
            #expect((found?.count ?? 0) <= 10)
        }
        _ = try? index.rangeSearch(query, radius: 0.5, where: filter)
        _ = try? index.explain(query, k: 3, options: .init(where: filter))
        _ = try? index.prepare(filter)
    }
    _ = try? index.search(Matrix(rows: [query, query]), k: 3)
    let other = query.map { $0 + 0.1 }
    let disliked: [(diversity: Double, [Recommendation.Example])] = [(0, []), (0.4, []), (0.3, [.vector(other)])]
    let liked: [[Recommendation.Example]] = [[.vector(query)], [.id(7), .id(14)], ids.map { .id($0) }]
    for (diversity, negative) in disliked {
        for positive in liked {
            let wanted = Recommendation(positive: positive, negative: negative, diversity: diversity)
            _ = try? index.recommend(wanted, k: 5)
        }
    }
    for name in index.attributes.schema.attributes.map(\.name) {
        for condition in [!.isMissing(name), .isIn(name, ["u1", "drift"]), .overlaps(name, ["red", "in"])]
            as [FilterExpression]
        {
            _ = try? index.search(query, k: 3, options: .init(where: .matching(condition)))
        }
    }
    for id in ids { _ = (try? index.vector(for: id), index.attributes.values(for: id), index.contains(id)) }
    _ = (index.listReport, index.byteCount)
    _ = (ids.map(index.name(of:)), index.id(of: "name 98"), index.id(of: "name"), try? index.names())
    _ = index.nameTable.saved?.firstContradiction(isVector: index.contains)
    var copy = index
    copy.remove(ids)
    copy.remove(names: ["name 700", "name"])
    _ = try? copy.upsert(query, name: "name 700")
    try? copy.upsert(query, id: 123_456)
    try? copy.setAttribute("city", to: .category("new"), for: copy.ids.first ?? 0)
    try? copy.setAttribute("tags", to: .tags(TagSet(["new", "red"])), for: copy.ids.first ?? 0)
    _ = try? copy.append(Matrix(rows: [query]))
    copy.compact()
    _ = copy.attributes.firstContradiction(ids: copy.ids)
    _ = try? copy.search(query, k: 3)
    try? index.merge(copy)
    return true
}
