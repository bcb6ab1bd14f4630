import Foundation
import Kin
import KinDrawings
import KinEngine
import KinFiles
import KinSamples

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
        let shared = Pleasure.Dimension.allCases.map { ($0, ada[$0.rawValue], resident[$0.rawValue]) }
            .sorted { $1.1 * $1.2 < $0.1 * $0.2 }.prefix(3).map { dimension, hers, theirs in
                "\(dimension.name.replacing("_", with: " ")) (\(NumberText.hundredths(hers)) and "
                    + "\(NumberText.hundredths(theirs)))"
            }
        return Answer(
            topic: .near, question: "Who of \(NumberText.count(count)) in the city likes what Ada likes?",
            answer: "Resident \(first.id), at a squared distance of \(NumberText.threeDigits(first.distance)).",
            reason: "both like \(shared.joined(separator: ", ")). "
                + "A plain loop finds the same in \(NumberText.duration(loop)).",
            duration: time)
    }

    /// The time of a query for each way to search.
    func speed() throws {
        let (base, queries, file) = try city()
        var flat = VectorIndex(dimension: 16, layout: .flat)
        try flat.upsert(base.matrix(), ids: base.allIDs)
        let k = Self.k
        var rows: [[String]] = []
        var unit = 1.0
        func answers(
            _ title: String, _ count: Int, _ search: (VectorTable) throws -> [[Neighbor]]
        ) throws -> [[VectorID]] {
            var found: [[Neighbor]] = []
            let seconds = try measure { found = try search(queries.rows(0..<count)) }.seconds / Double(count)
            if rows.isEmpty { unit = seconds }
            rows.append([
                title, NumberText.duration(.seconds(seconds)), NumberText.threeDigits(1 / seconds),
                "\(NumberText.threeDigits(unit / seconds)) ×",
            ])
            return found.map { $0.map(\.id) }
        }
        func each(_ search: @escaping ([Float]) throws -> [Neighbor]) -> (VectorTable) throws -> [[Neighbor]] {
            { table in try (0..<table.count).map { try search(table.row($0)) } }
        }
        let plain = try answers("plain loop", 10, each { PlainScan.nearest(to: $0, k: k, in: base.elements) })
        let exact = try answers("flat index", 100, each { try flat.search($0, k: k) })
        let batch = try answers("flat, 1,000 at once", 1000) {
            try flat.search($0.matrix(), k: k, options: .init(threads: self.threads)).map { Array($0) }
        }
        let lists = try answers("inverted file, exact", 100, each { try file.search($0, k: k) })
        let most = try answers(
            "inverted file, recall 0.95", 100, each { try file.search($0, k: k, options: .init(mode: .recall(0.95))) })
        console.print(TextTable(["among \(NumberText.count(count))", ">a query", ">queries a second", ">"], rows))
        guard plain == Array(exact.prefix(10)), exact == Array(batch.prefix(100)), lists == exact else {
            throw Self.unanswered(.near)
        }
        let recall = Self.percent(RecallTrial.recall(of: most, against: exact).mean)
        console.print("  Checked: the exact searches agree in every neighbour. The last one found \(recall) of them.")
    }
}
