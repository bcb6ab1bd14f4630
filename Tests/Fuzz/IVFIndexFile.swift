// module: KinIndex
// seeds: Tests/Algorithms/KinIndexTests/Golden

// Opens arbitrary bytes as an inverted-file index, with corrected checksums, and calls everything on it that a caller
// could.

import KinCore
import KinIndex
import KinLinearAlgebra

@c(LLVMFuzzerTestOneInput)
public func fuzzIVFIndexFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
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
    for mode in [SearchMode.recall(0.9), .probes(2)] {
        _ = try? index.search(query, k: 5, options: .init(mode: mode))
    }
    _ = try? index.search(query, k: 3, options: .init(where: .ids(index.ids.prefix(4))))
    _ = try? index.rangeSearch(query, radius: 1)
    _ = try? index.explain(query, k: 3)
    for diversity in [0, 0.3] {
        let liked = found.prefix(2).map { Recommendation.Example.id($0.id) }
        let wanted = Recommendation(
            positive: [.vector(query)] + liked, negative: [.vector(query.map { $0 + 1 })], diversity: diversity)
        _ = try? index.recommend(wanted, k: 5)
    }
    for neighbor in found.prefix(3) {
        _ = try? index.vector(for: neighbor.id)
        index.remove(neighbor.id)
    }
    try? index.upsert(query, id: 12_345)
    _ = try? index.search(query, k: 1)
}
