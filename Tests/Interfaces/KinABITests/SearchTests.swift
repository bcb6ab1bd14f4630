import CKin
import KinIndex
import KinTestSupport
import Testing

@testable import KinABI

/// The C interface gives the same bits as the Swift interface, which other tests check.
struct SearchTests {
    private static let metrics = [
        (KIN_METRIC_L2, Metric.squaredL2), (KIN_METRIC_IP, .innerProduct), (KIN_METRIC_COSINE, .cosine),
    ]

    @Test("any search gives Swift's answer", arguments: 0..<3)
    func searchesAgreeWithSwift(metric: Int) throws {
        var random = TestSeed().generator
        let even = (0..<1500).map { UInt64(2 * $0) }
        let byIDs = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_ids(even, even.count, $0) }
        let words = [UInt64](repeating: 0x5555_5555_5555_5555, count: 3000 / 64 + 1)
        let byBits = try unsafe Owned(kin_filter_free) { unsafe kin_filter_create_bitmap(words, words.count, $0) }
        for round in 0..<24 {
            let (dimension, isFlat) = ([1, 7, 16][random.below(3)], round % 2 == 0)
            let rows: Matrix<Float> = random.uniformMatrix(rows: 3000, columns: dimension, in: 0.1...1)
            var swift = VectorIndex(
                dimension: dimension, metric: Self.metrics[metric].1, layout: isFlat ? .flat : .lists)
            try swift.append(rows)
            let kind = kin_metric(Self.metrics[metric].0)
            let c = try unsafe Owned(kin_index_free) {
                isFlat
                    ? unsafe kin_index_create_flat(dimension, kind, $0)
                    : unsafe kin_index_create_ivf(dimension, kind, 0, $0)
            }
            #expect(unsafe kin_index_append(c.handle, rows.elements, 3000, 0, 2, nil) == kin_status(KIN_OK))
            #expect(unsafe kin_index_metric(c.handle) == kind)

            let (count, k) = ([1, 40][random.below(2)], [0, 1, 10, 4000][random.below(4)])
            let queries: Matrix<Float> = random.uniformMatrix(rows: count, columns: dimension, in: 0.1...1)
            // Exactly the distance of one of the ten nearest, which is then included, or just below it.
            let radii = try swift.search(queries, k: 10).enumerated().map { q, found in
                q % 2 == 0 ? Array(found)[q % 10].distance : Array(found)[q % 10].distance.nextDown
            }
            let modes: [(Double, Int, SearchMode)] = [(0, 0, .exact), (0.8, 0, .recall(0.8)), (0, 2, .probes(2))]
            let (recall, probes, mode) = modes[isFlat ? 0 : random.below(3)]
            let filter = [nil, byIDs, byBits][random.below(3)]
            let isWithin = random.below(2) == 0
            var options = SearchOptions(mode: mode, threads: 1 + random.below(2))
            if filter != nil { options.filter = .ids(even.map { VectorID($0) }) }
            if isWithin { options.radii = radii }
            let found = try unsafe radii.withUnsafeBufferPointer { radii in
                try unsafe search(
                    c.handle, queries.elements, count: count, k: k,
                    options: searchOptions(
                        filter: filter?.handle, threads: options.threads, recall: recall, probes: probes,
                        radii: isWithin ? radii.baseAddress : nil))
            }
            let note: Comment = "round \(round): dimension \(dimension), k \(k), \(mode), \(isFlat), \(isWithin)"
            #expect(found == Found(try swift.search(queries, k: k, options: options), k: k), note)
        }
    }

    @Test func rowsMayHaveAStride() throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.uniformMatrix(rows: 600, columns: 12)
        // The first 8 columns of every third row.
        let picked = try Matrix(rows: (0..<200).map { Array(rows.row(3 * $0).prefix(8)) })
        let c = try unsafe Owned(kin_index_free) { unsafe kin_index_create_flat(8, 0, $0) }
        let ids = (0..<200).map { UInt64(1000 - $0) }
        #expect(unsafe kin_index_upsert(c.handle, rows.elements, 200, 3 * 12 * 4, ids, 1) == kin_status(KIN_OK))
        var swift = VectorIndex(dimension: 8, layout: .flat)
        try swift.upsert(picked, ids: ids.map { VectorID($0) })
        let apart = try unsafe search(c.handle, rows.elements, count: 200, stride: 3 * 12 * 4, k: 3)
        #expect(apart == Found(try swift.search(picked, k: 3), k: 3))
        var back = [Float](repeating: 5, count: 200 * 10)
        #expect(unsafe kin_index_get(c.handle, ids, 200, &back, 10 * 4) == kin_status(KIN_OK))
        for row in 0..<200 {
            #expect(back[row * 10..<row * 10 + 8] == picked.row(row)[...])
            #expect(back[row * 10 + 8..<row * 10 + 10] == [5, 5], "the gap between rows is not written to")
        }
    }

    @Test func searchesByRadiusAgreeWithSwift() throws {
        var random = TestSeed().generator
        let rows: Matrix<Float> = random.uniformMatrix(rows: 4000, columns: 16)
        var swift = VectorIndex(dimension: 16, layout: .flat)
        try swift.append(rows)
        let c = try index(rows)
        let matches = try unsafe Owned(kin_matches_free) {
            unsafe kin_index_range_search(c.handle, rows.elements, 25, 0, 0.9, nil, $0)
        }
        let expected = try (0..<25).map { try swift.rangeSearch(Array(rows.row($0)), radius: 0.9) }
        let offsets = unsafe UnsafeBufferPointer(start: kin_matches_offsets(matches.handle), count: 26)
        #expect(unsafe Array(offsets) == expected.reduce(into: [0]) { $0.append($0.last! + $1.count) })
        let total = unsafe offsets[25]
        let ids = unsafe UnsafeBufferPointer(start: kin_matches_ids(matches.handle), count: total)
        #expect(unsafe Array(ids) == expected.joined().map(\.id.rawValue))
        let distances = unsafe UnsafeBufferPointer(start: kin_matches_distances(matches.handle), count: total)
        #expect(unsafe Array(distances) == expected.joined().map(\.distance))
        #expect(total > 25, "the test finds more than the queries themselves")
    }

    @Test func recommendationsAgreeWithSwift() throws {
        var random = TestSeed().generator
        let (c, swift, rows) = try cells(&random, count: 3_000)
        let json = "kind"
        var index = swift
        try index.declareAttributes(AttributeSchema(["kind": .integer]))
        let all = (0..<3_000).map { UInt64($0) }
        let kinds = all.map { Int64($0 % 3) }
        try index.setAttributes(["kind": .integers(kinds)], ids: all.map { VectorID($0) })
        #expect(unsafe kin_index_declare_attribute(c.handle, json, kin_attribute_kind(KIN_ATTRIBUTE_INTEGER)) == 0)
        #expect(
            unsafe kin_index_set_attribute(
                c.handle, json, kin_attribute_kind(KIN_ATTRIBUTE_INTEGER), all, 3_000, kinds, nil) == 0)
        let expected = try index.recommend(
            Recommendation(
                positive: [.vector(Array(rows.row(7))), .id(9)], negative: [.vector(Array(rows.row(70))), .id(91)],
                negativeWeight: 0.25, diversity: 0.2, perCategory: CategoryLimit(attribute: "kind", count: 2),
                excluded: [7, 37]),
            k: 8)
        var (ids, distances, count) = ([UInt64](repeating: 0, count: 8), [Double](repeating: 0, count: 8), 0)
        let (positive, negative) = (Array(rows.row(7)), Array(rows.row(70)))
        let (liked, disliked, seen) = ([UInt64(9)], [UInt64(91)], [UInt64(7), 37])
        let status = unsafe positive.withUnsafeBufferPointer { positive in
            unsafe negative.withUnsafeBufferPointer { negative in
                unsafe liked.withUnsafeBufferPointer { liked in
                    unsafe disliked.withUnsafeBufferPointer { disliked in
                        unsafe seen.withUnsafeBufferPointer { seen in
                            unsafe json.withCString { kind in
                                var wanted = unsafe kin_recommendation(
                                    size: MemoryLayout<kin_recommendation>.size, positive: positive.baseAddress,
                                    positive_count: 1, positive_stride: 0, positive_ids: liked.baseAddress,
                                    positive_id_count: 1, negative: negative.baseAddress, negative_count: 1,
                                    negative_stride: 0, negative_ids: disliked.baseAddress, negative_id_count: 1,
                                    negative_weight: 0.25, diversity: 0.2, category: kind, per_category: 2,
                                    excluded: seen.baseAddress, excluded_count: 2)
                                return unsafe kin_index_recommend(
                                    c.handle, &wanted, 8, nil, &ids, &distances, &count)
                            }
                        }
                    }
                }
            }
        }
        #expect(status == kin_status(KIN_OK), "\(lastError())")
        #expect(expected.count == 6 && count == 6)
        #expect(ids.prefix(6).map { VectorID($0) } == expected.map(\.id) && ids[6] == VectorID.none.rawValue)
        #expect(distances.prefix(6) == expected.map(\.distance)[...] && distances[7] == .infinity)
    }

    /// An index with lists, in C and in Swift, of points in clusters.
    private func cells(
        _ random: inout SeededGenerator, count: Int = 12_000
    ) throws -> (c: Owned, swift: VectorIndex, rows: Matrix<Float>) {
        let centres: Matrix<Float> = random.uniformMatrix(rows: 30, columns: 8)
        var rows: Matrix<Float> = random.gaussianMatrix(rows: count, columns: 8)
        for i in 0..<count { for j in 0..<8 { rows[i, j] = centres[i % 30, j] + 0.03 * rows[i, j] } }
        var swift = VectorIndex(dimension: 8)
        try swift.append(rows)
        let c = try unsafe Owned(kin_index_free) { unsafe kin_index_create_ivf(8, 0, 0, $0) }
        try #require(unsafe kin_index_append(c.handle, rows.elements, count, 0, 2, nil) == kin_status(KIN_OK))
        return (c, swift, rows)
    }

    @Test func anEmptyIndexFindsNothing() throws {
        let c = try unsafe Owned(kin_index_free) { unsafe kin_index_create_flat(4, 0, $0) }
        let found = try unsafe search(c.handle, [1, 2, 3, 4], count: 1, k: 2)
        #expect(found == Found([[Neighbor]()], k: 2))
        let matches = try unsafe Owned(kin_matches_free) {
            unsafe kin_index_range_search(c.handle, nil, 0, 0, 1, nil, $0)
        }
        #expect(unsafe kin_matches_offsets(matches.handle)[0] == 0)
    }
}
