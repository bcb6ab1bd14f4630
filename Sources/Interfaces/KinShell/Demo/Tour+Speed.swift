import Foundation
import Kin
import KinDrawings
import KinFiles
import KinSamples

/// Timed searches among a million vectors and a hundred thousand people, checked against plain loops.
extension Tour {
    private static let k = 10

    func speed() throws {
        let queryCount = 10_000
        let shape = ProfileShape.clustered(clusters: ProfileShape.defaultClusters(for: count))
        let generator = try ProfileGenerator(shape, count: count + queryCount, dimension: 16, seed: 1)
        let all = VectorTable(dimension: 16, elements: generator.elements(threads: threads))
        let (base, queries) = (all.rows(0..<count), all.rows(count..<all.count))
        var (flat, file) = (VectorIndex(dimension: 16, layout: .flat), VectorIndex(dimension: 16))
        let built = try measure { try flat.upsert(base.matrix(), ids: base.allIDs) }
        let divided = try measure { try file.upsert(base.matrix(), ids: base.allIDs, threads: threads) }
        chapter(
            "   … among \(NumberText.count(count))",
            "\(NumberText.count(count)) synthetic profiles, indexed in \(NumberText.duration(built)), and divided into "
                + "\(NumberText.count(file.listCount, "list")) in \(NumberText.duration(divided)). The \(Self.k) nearest to\n"
                + "profiles that are not in the index, beside a plain loop in double precision over the same numbers. A search of an\n"
                + "inverted file passes over lists that are too far away to hold a neighbour, which changes no answer; asked for\n"
                + "a recall below 1 it looks at still less:")
        let k = Self.k
        var rows: [[String]] = []
        var unit = 1.0
        func answers(
            _ title: String, _ count: Int, _ search: (VectorTable) throws -> [[Neighbor]]
        ) throws -> [[VectorID]] {
            var found: [[Neighbor]] = []
            let seconds =
                try measure { found = try search(queries.rows(0..<min(count, queries.count))) }.seconds / Double(count)
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
        let exact = try answers("flat, one by one", 100, each { try flat.search($0, k: k) })
        let batch = try answers("flat, 1,000 at once, \(NumberText.count(threads, "thread"))", 1000) {
            try flat.search($0.matrix(), k: k, options: .init(threads: self.threads)).map { Array($0) }
        }
        let lists = try answers("ivf, exact", 100, each { try file.search($0, k: k) })
        let most = try answers(
            "ivf, recall 0.95", 100, each { try file.search($0, k: k, options: .init(mode: .recall(0.95))) })
        console.print(TextTable(["", ">a query", ">queries a second", ">"], rows))
        guard plain == Array(exact.prefix(10)), exact == Array(batch.prefix(100)), lists == exact else {
            throw Failure(KinError(.numericalFailure, "indexes and plain loop disagree: please report this machine"))
        }
        let recall = NumberText.percent(RecallTrial.recall(of: most, against: exact).mean)
        console.print(
            "  \(console.style.good("checked")): exact searches give the same neighbours in the same order as the plain loop; "
                + "the last one found \(recall) of them")
        try reopen(flat, query: queries.row(0))
    }

    private func reopen(_ index: VectorIndex, query: [Float]) throws {
        let path = folder + "/speed.kin"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let saved = try measure { try index.save(to: path) }
        var opened: VectorIndex?
        let open = try measure { opened = try VectorIndex(opening: path) }
        var first: [Neighbor] = []
        let search = try measure { first = try opened?.search(query, k: Self.k) ?? [] }
        guard try first == index.search(query, k: Self.k) else {
            throw Failure(KinError(.corruptFile, "the file and the index in memory disagree").within("file", path))
        }
        console.print(
            "  \(console.style.good("checked")): saved as \(NumberText.bytes(IndexFile.bytes(of: path) ?? 0)) in "
                + "\(NumberText.duration(saved)), opened by mapping in \(NumberText.duration(open)); its first answer, the same, took "
                + NumberText.duration(search))
    }

    func similarSoulsOfMany() throws {
        let people = max(1000, count / 10)
        let generator = SoulGenerator(seed: 1)
        let souls = (0..<people).map { generator.soul($0) }
        var made: SoulMatcher?
        let built = try measure { made = try SoulMatcher(souls, threads: threads) }
        guard let matcher = made else { return }
        let users = stride(from: 0, to: people, by: max(1, people / 200)).map { "u\($0)" }
        var found: [[ScoredSoul]] = []
        let asked = try measure { found = try users.map { try matcher.mostSimilar(to: $0, k: Self.k) } }
        var plain: [(score: Double, user: String)] = []
        let scored = try measure {
            for other in matcher.userIDs where other != users[0] {
                let affinity = try matcher.affinity(between: users[0], and: other)
                if affinity.coverage > 0 { plain.append((affinity.score, other)) }
            }
            plain.sort { ($1.score, $0.user) < ($0.score, $1.user) }
        }
        let best = plain.prefix(Self.k)
        guard found[0].map(\.userID) == best.map(\.user), found[0].map(\.affinity) == best.map(\.score) else {
            throw Failure(
                KinError(.numericalFailure, "the matcher and plain scoring disagree: please report this machine"))
        }
        console.print(
            "Among \(NumberText.count(people)) made-up people, indexed in \(NumberText.duration(built)): one's ten in "
                + "\(NumberText.duration(asked / users.count)), where scoring all of them takes \(NumberText.duration(scored))."
        )
        console.print("  \(console.style.good("checked")): the same ten, with the same affinities to the bit")
    }
}
