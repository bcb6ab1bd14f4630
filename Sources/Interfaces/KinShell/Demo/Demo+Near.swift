/// The first question: a search among a million residents of a city, checked against a plain loop.
extension Demo {
    private static let k = 10

    /// The residents in the index, and queries that are not in it.
    private func city() throws -> (base: VectorTable, queries: VectorTable, index: VectorIndex) {
        let shape = ProfileShape.clustered(clusters: ProfileShape.defaultClusters(for: count))
        let generator = try ProfileGenerator(shape, count: count + 1000, dimension: 16, seed: 1)
        let all = VectorTable(dimension: 16, elements: generator.elements(threads: threads))
        let base = all.rows(0..<count)
        var index = VectorIndex(dimension: 16)
        try index.upsert(base.matrix(), ids: base.allIDs, threads: threads)
        return (base, all.rows(count..<all.count), index)
    }

    func near() throws -> Answer {
        let (base, queries, index) = try city()
        try index.save(to: self.index)
        let pleasure = try Household.profile().pleasure
        let ada = Pleasure.Dimension.allCases.map { pleasure[$0] }
        var plain: [Neighbor] = []
        let loop = measure { plain = PlainScan.nearest(to: ada, k: Self.k, in: base.elements) }
        let found = try index.search(ada, k: Self.k)
        guard let first = found.first, Array(found) == plain else { throw Self.unanswered(.near) }
        let time = try measure { for row in 0..<100 { _ = try index.search(queries.row(row), k: Self.k) } } / 100
        let resident = base.row(Int(first.id.rawValue))
        let products = zip(ada, resident).map { $0 * $1 }
        let shared = Pleasure.Dimension.allCases.sorted { products[$1.rawValue] < products[$0.rawValue] }.prefix(3)
        let likes = shared.map { dimension in
            let both = [ada, resident].map { NumberText.hundredths($0[dimension.rawValue]) }
            return "\(dimension.name.replacing("_", with: " ")) (\(both.joined(separator: " and ")))"
        }
        return Answer(
            topic: .near, question: "Who of \(NumberText.count(count)) in the city likes what Ada likes?",
            answer: "Resident \(first.id), at a squared distance of \(NumberText.threeDigits(first.distance)).",
            reason: "both like \(likes.joined(separator: ", ")). "
                + "A plain loop finds the same in \(NumberText.duration(loop)).",
            duration: time)
    }
}
