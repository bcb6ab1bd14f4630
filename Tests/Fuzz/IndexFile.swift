// module: KinIndex
// seeds: Tests/Algorithms/KinIndexTests/Golden

// Opens arbitrary bytes as an index, with corrected checksums, and calls everything on it that a caller could.

import KinIndex
import KinLibC

/// The file of saved indexes: in memory, since the disk is not under test.
private let path = "/dev/shm/kin-fuzz-\(getpid()).kin"

@c(LLVMFuzzerTestOneInput)
public func fuzzIndexFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    let sealed = resealed(input)
    guard let file = unsafe try? SectionFile(copying: sealed.span.bytes), var index = try? VectorIndex(file: file)
    else {
        return 0
    }
    let opened = index
    let query = [Float](repeating: 0.5, count: index.dimension)
    ask(index, query)
    change(&index, query)
    ask(index, query)
    save(index, query)
    try? index.merge(opened)
    _ = try? index.search(query, k: 1)
    return 0
}

/// In a damaged file wrong neighbours are allowed; leaving its bytes, crashing or hanging is not.
private func ask(_ index: VectorIndex, _ query: [Float]) {
    precondition(index.ids.count == index.count)
    let found = (try? index.search(query, k: 10)) ?? []
    precondition(found.count <= 10)
    for mode in [SearchMode.recall(0.9), .probes(2)] {
        _ = try? index.search(query, k: 5, options: .init(mode: mode))
    }
    _ = try? index.search(query, k: 3, options: .init(where: .ids(index.ids.prefix(4))))
    filter(index, query)
    _ = try? index.rangeSearch(query, radius: 1)
    _ = try? index.explain(query, k: 3)
    _ = (index.listReport, index.byteCount)
    for diversity in [0, 0.3] {
        let liked = found.prefix(2).map { Recommendation.Example.id($0.id) }
        let wanted = Recommendation(
            positive: [.vector(query)] + liked, negative: [.vector(query.map { $0 + 1 })], diversity: diversity)
        _ = try? index.recommend(wanted, k: 5)
    }
    for neighbor in found {
        _ = try? index.vector(for: neighbor.id)
        _ = index.attributes.values(for: neighbor.id)
    }
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
            case .tags: "red"
            }
        let isTags = attribute.kind == .tags
        let condition = value.map {
            isTags
                ? .overlaps(attribute.name, [$0, "in"]) || !.contains(attribute.name, $0)
                : .isIn(attribute.name, [$0, $0]) || !.equals(attribute.name, $0)
        }
        let expression = condition ?? !.isMissing(attribute.name)
        let filter = SearchFilter.matching(expression)
        let found = (try? index.search(query, k: 5, options: .init(where: filter))) ?? []
        precondition(found.count <= 5)
        let prepared = (try? index.prepare(filter)) ?? .all
        _ = try? index.search(query, k: 5, options: .init(where: prepared))
        _ = try? index.attributes.ids(where: expression)
    }
}

/// Removes vectors, adds some, and changes their attributes.
private func change(_ index: inout VectorIndex, _ query: [Float]) {
    index.remove(index.ids.prefix(3))
    try? index.upsert(query, id: 12_345)
    _ = try? index.append(Matrix(rows: [query, query.map { $0 + 1 }]))
    for attribute in index.attributes.schema.attributes {
        let values: [AttributeValue] =
            switch attribute.kind {
            case .integer: [.integer(3), .integer(.min)]
            case .number: [.number(0.5), .number(-1e300)]
            case .category: [.category("new"), .category("newer")]
            case .boolean: [.boolean(true), .boolean(false)]
            case .tags: (try? [.tags(TagSet(["new", "red"])), .tags(TagSet([String]()))]) ?? []
            case .time, .timeRange: []
            }
        for (value, id) in zip(values, index.ids.suffix(2)) {
            try? index.setAttribute(attribute.name, to: value, for: id)
        }
    }
    try? index.declareAttributes(AttributeSchema(["fresh": .category]))
    if let id = index.ids.last { try? index.setAttribute("fresh", to: .category("a"), for: id) }
    index.compact()
}

/// Saves the index. A saved index opens with the same vectors.
private func save(_ index: VectorIndex, _ query: [Float]) {
    guard (try? index.save(to: path)) != nil else { return }
    _ = try? VectorIndex.verify(path)
    guard let copy = try? VectorIndex(opening: path, verify: .onUse) else { return }
    precondition(copy.count == index.count)
    _ = try? copy.search(query, k: 10)
}
