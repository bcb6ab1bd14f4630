import Kin
import KinFiles

/// The chapter on inverted files: the same answers, from a part of the vectors.
extension Tour {
    func lists(_ base: VectorTable, queries: VectorTable, flat: FlatIndex) throws {
        var file = IVFIndex(dimension: 16)
        let built = try measure { try file.upsert(base.matrix(), ids: base.allIDs, threads: threads) }
        chapter(
            "   … in an inverted file",
            "The same profiles divided into \(NumberText.count(file.listCount, "list")), in \(NumberText.duration(built)). "
                + "A search passes over lists that are too far away\nto hold a neighbour, which changes no answer; asked for "
                + "a recall below 1 it looks at still less:"
        )
        let probe = queries.rows(0..<min(queries.count, 200))
        let (exact, unit) = try inTurn(probe) { try flat.search($0, k: Tour.k) }
        var table = TextTable([("", .left), ("a query", .right), ("", .right), ("recall", .right)])
        func add(_ title: String, seconds: Double, answers: [[Neighbor]]) {
            let found = RecallTrial.recall(of: answers.map { $0.map(\.id) }, against: exact.map { $0.map(\.id) })
            let ratio = "\(NumberText.threeDigits(unit / seconds)) ×"
            table.append([title, NumberText.duration(.seconds(seconds)), ratio, NumberText.threeDigits(found.mean)])
        }
        add("flat", seconds: unit, answers: exact)
        let (same, sameSeconds) = try inTurn(probe) { try file.search($0, k: Tour.k) }
        add("ivf, exact", seconds: sameSeconds, answers: same)
        let (most, mostSeconds) = try inTurn(probe) { try file.search($0, k: Tour.k, mode: .recall(0.95)) }
        add("ivf, recall 0.95", seconds: mostSeconds, answers: most)
        console.print(table)
        guard exact == same else {
            throw Failure(
                KinError(.numericalFailure, "inverted file and flat index disagree: please report this machine"))
        }
        console.print(
            "  \(console.style.good("checked")): exact search in the inverted file gives the flat index's neighbours, "
                + "for \(NumberText.count(probe.count, "query"))")
    }

    /// Answers queries one after the other, on one thread.
    ///
    /// - Returns: the answers, and the seconds that one took in the mean.
    private func inTurn(
        _ queries: VectorTable, search: ([Float]) throws -> [Neighbor]
    ) rethrows -> (answers: [[Neighbor]], seconds: Double) {
        let vectors = (0..<queries.count).map { queries.row($0) }
        var answers: [[Neighbor]] = []
        let time = try measure { answers = try vectors.map(search) }
        return (answers, time.seconds / Double(queries.count))
    }
}
