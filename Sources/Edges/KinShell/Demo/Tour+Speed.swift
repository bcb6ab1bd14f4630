import Foundation
import Kin
import KinFiles
import KinSamples

/// Searches among a million vectors, timed.
extension Tour {
    static let k = 10

    func speed() throws {
        let clock = ContinuousClock()
        var start = clock.now
        let queryCount = 10_000
        let shape = ProfileShape.clustered(clusters: ProfileShape.defaultClusters(for: count))
        let generator = try ProfileGenerator(shape, count: count + queryCount, dimension: 16, seed: 1)
        let all = VectorTable(dimension: 16, elements: generator.elements(threads: threads))
        let made = clock.now - start
        let base = all.rows(0..<count)
        start = clock.now
        var index = FlatIndex(dimension: 16)
        try index.upsert(base.matrix(), ids: base.allIDs)
        let built = clock.now - start
        chapter(
            "   … among \(NumberText.count(count))",
            "\(NumberText.count(count)) synthetic profiles, made in \(NumberText.duration(made)), indexed in "
                + "\(NumberText.duration(built)). The \(Tour.k) nearest to\nprofiles that are not in the index, beside a plain "
                + "loop in double precision over the same numbers:"
        )
        try compare(index, base: base, queries: all.rows(count..<all.count))
        try lists(base, queries: all.rows(count..<all.count), flat: index)
        try reopen(index, query: all.row(count))
    }

    private func compare(_ index: FlatIndex, base: VectorTable, queries: VectorTable) throws {
        var plain: [[Neighbor]] = []
        let probes = 10
        let plainTime = measure {
            for row in 0..<probes {
                plain.append(PlainScan.nearest(to: queries.row(row), k: Tour.k, in: base.elements))
            }
        }
        let unit = plainTime.seconds / Double(probes)
        var table = TextTable([("", .left), ("a query", .right), ("queries a second", .right), ("", .right)])
        func add(_ title: String, seconds: Double, ratio: String) {
            table.append([
                title, NumberText.duration(.seconds(seconds)), NumberText.threeDigits(1 / seconds), ratio,
            ])
        }
        func times(_ seconds: Double) -> String { "\(NumberText.threeDigits(unit / seconds)) ×" }
        add("plain loop", seconds: unit, ratio: "")
        let threadCounts = Set([1, threads]).sorted()
        var single: [[Neighbor]] = []
        var alone = unit
        for n in threadCounts {
            single = []
            let time = try measure {
                for row in 0..<100 { single.append(try index.search(queries.row(row), k: Tour.k, threads: n)) }
            }
            alone = time.seconds / 100
            add("one by one, \(NumberText.count(n, "thread"))", seconds: alone, ratio: times(alone))
        }
        // As many as a slow machine answers in about two seconds, up to all.
        let batch = queries.rows(0..<max(100, min(queries.count, Int(2 / alone))))
        let matrix = try batch.matrix()
        var together: [[Neighbor]] = []
        for n in threadCounts {
            let time = try measure { together = try index.search(matrix, k: Tour.k, threads: n).map { Array($0) } }
            let each = time.seconds / Double(batch.count)
            add(
                "\(NumberText.count(batch.count)) at once, \(NumberText.count(n, "thread"))", seconds: each,
                ratio: times(each))
        }
        console.print(table)
        let isSameAsPlain = plain.map { $0.map(\.id) } == single.prefix(probes).map { $0.map(\.id) }
        guard isSameAsPlain, single == Array(together.prefix(single.count)) else {
            throw Failure(
                KinError(.numericalFailure, "the index and the plain loop disagree: please report this machine"))
        }
        console.print(
            "  \(console.style.good("checked")): the same neighbours in the same order as the plain loop, "
                + "for its \(probes) queries"
        )
    }

    private func reopen(_ index: FlatIndex, query: [Float]) throws {
        let path = indexPath + ".speed"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let saved = try measure { try index.save(to: path) }
        var opened: FlatIndex?
        let open = try measure { opened = try FlatIndex(mapping: path) }
        let bytes = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0
        var first: [Neighbor] = []
        let search = try measure { first = try opened?.search(query, k: Tour.k) ?? [] }
        let isSame = try first == index.search(query, k: Tour.k)
        guard isSame else {
            throw Failure(KinError(.corruptFile, "the file answers otherwise than memory").within("file", path))
        }
        chapter(
            "   … in a file",
            "Saved as \(NumberText.bytes(bytes)) in \(NumberText.duration(saved)). Opened by mapping in "
                + "\(NumberText.duration(open)); its first answer, the same as in memory, took \(NumberText.duration(search))."
        )
    }
}
