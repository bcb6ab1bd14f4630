import KinIndex
import Testing

/// `Golden/flat-0.2.0.kin`, `ivf-0.2.0.kin` and `lists-0.2.0.kin` were built by the tool of release 0.2.0 from 200
/// random vectors. The results below come from its searches. The files are never rewritten.
@Suite("Indexes of release 0.2.0")
struct EarlierIndexTests {
    private static let nearest: [VectorID: Double] = [
        477: 0.010056676518746643, 111: 0.016220833742066176, 174: 0.01675171628376916,
    ]
    private static let nearestInRome: [VectorID: Double] = [
        477: 0.010056676518746643, 111: 0.016220833742066176, 492: 0.027516862889425342,
    ]

    private func answers(_ found: [Neighbor]) -> [VectorID: Double] {
        Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0.distance) })
    }

    @Test(arguments: [true, false]) func earlierIndexesAnswerAsBefore(_ isMapped: Bool) throws {
        let rome = try SearchFilter.matching(FilterExpression.parse("city = Rome"))
        let flat = try VectorIndex(opening: goldenFile("flat-0.2.0"), mapped: isMapped)
        let query = try #require(try flat.vector(for: 30))
        let others = SearchFilter.predicate { $0 != 30 }
        #expect(try answers(flat.search(query, k: 3, options: .init(where: others))) == Self.nearest)
        let lists = try VectorIndex(opening: goldenFile("lists-0.2.0"), mapped: isMapped)
        #expect(try answers(lists.search(query, k: 3, options: .init(where: others))) == Self.nearest)
        // The vector itself may be in Rome.
        for found in [
            try flat.search(query, k: 4, options: .init(where: rome)),
            try lists.search(query, k: 4, options: .init(where: rome)),
        ] {
            #expect(answers(Array(found.filter { $0.id != 30 }.prefix(3))) == Self.nearestInRome)
        }
        let cosine = try VectorIndex(opening: goldenFile("ivf-0.2.0"), mapped: isMapped)
        let point = try #require(try cosine.vector(for: 30))
        #expect(
            try answers(cosine.search(point, k: 3, options: .init(where: others))) == [
                414: 0.0006964558564335199, 456: 0.005417310213585935, 477: 0.0061428555794669215,
            ])
        #expect(flat.count == 200 && lists.count == 200 && cosine.count == 200)
    }
}
