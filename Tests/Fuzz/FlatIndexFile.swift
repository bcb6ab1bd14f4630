// module: KinIndex
// seeds: Tests/Algorithms/KinIndexTests/Golden

// Opens arbitrary bytes as a flat index, with corrected checksums, and calls everything on it that a caller could.

import KinCore
import KinIndex
import KinLinearAlgebra

@c(LLVMFuzzerTestOneInput)
public func fuzzFlatIndexFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    let sealed = resealed(input)
    guard let file = unsafe try? SectionFile(copying: sealed.span.bytes), var index = try? VectorIndex(file: file)
    else {
        return 0
    }
    exercise(&index)
    return 0
}

/// In a damaged file wrong neighbours are allowed; leaving its bytes, crashing or hanging is not.
private func exercise(_ index: inout VectorIndex) {
    precondition(index.ids.count == index.count)
    let query = [Float](repeating: 0.5, count: index.dimension)
    let found = (try? index.search(query, k: 10)) ?? []
    precondition(found.count <= 10)
    _ = try? index.rangeSearch(query, radius: 1)
    _ = try? index.search(query, k: 3, options: .init(where: .ids(index.ids.prefix(4))))
    filter(index, query)
    _ = try? index.explain(query, k: 3)
    for diversity in [0, 0.3] {
        let liked = found.prefix(2).map { Recommendation.Example.id($0.id) }
        let wanted = Recommendation(
            positive: [.vector(query)] + liked, negative: [.vector(query.map { $0 + 1 })], diversity: diversity)
        _ = try? index.recommend(wanted, k: 5)
    }
    for neighbor in found.prefix(3) {
        _ = try? index.vector(for: neighbor.id)
        _ = index.attributes.values(for: neighbor.id)
        index.remove(neighbor.id)
    }
    try? index.upsert(query, id: 12_345)
    for attribute in index.attributes.schema.attributes where attribute.kind == .category {
        try? index.setAttribute(attribute.name, to: .category("new"), for: 12_345)
        try? index.setAttribute(attribute.name, to: .category("newer"), for: index.ids[0])
    }
    filter(index, query)
    index.compact()
    filter(index, query)
    _ = try? index.search(query, k: 1)
}

/// Filters by each attribute in the ways that read its column and its categories.
private func filter(_ index: VectorIndex, _ query: [Float]) {
    for attribute in index.attributes.schema.attributes {
        let value: FilterExpression.Literal? =
            switch attribute.kind {
            case .integer, .number: 3
            case .category: "u1"
            case .time: .text("2026-01-01")
            case .boolean: true
            case .timeRange: nil
            }
        let condition = value.map { .isIn(attribute.name, [$0, $0]) || !.equals(attribute.name, $0) }
        let expression = condition ?? !.isMissing(attribute.name)
        let filter = SearchFilter.matching(expression)
        let found = (try? index.search(query, k: 5, options: .init(where: filter))) ?? []
        precondition(found.count <= 5)
        let prepared = (try? index.prepare(filter)) ?? .all
        _ = try? index.search(query, k: 5, options: .init(where: prepared))
        _ = try? index.attributes.ids(where: expression)
    }
}
