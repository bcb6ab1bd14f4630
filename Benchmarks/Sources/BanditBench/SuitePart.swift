import Foundation
import Kin

/// Labelled sets played as a bandit: the standard policy with a model per arm, compared with LinUCB of five widths.
///
/// A set is a file NAME.csv with a header, whose last column is the label, an integer from 0. The standard policy sees
/// features unchanged. LinUCB sees them standardized over the whole set, with a prior precision of 1. Each set is also
/// played with the constants that did best on all other sets.
struct SuitePart {
    let directory: String
    let shuffles: Int
    let rows: Int
    let seed: UInt64

    /// The contenders' constants for adaptive models: a width and a prior precision; the first pair is the standard.
    private static let constants: [(width: Double, precision: Double)] = [
        (0.7, 0.7), (0.25, 0.5), (0.5, 0.5), (0.5, 1), (1, 1),
    ]
    private static let widths = [0.05, 0.1, 0.25, 0.5, 1]

    /// Mean rewards over the first 200, the first 1,000 and all rounds.
    private struct Curve {
        var early = 0.0
        var middle = 0.0
        var all = 0.0

        mutating func add(_ hits: [Bool], of runs: Int) {
            func share(_ count: Int) -> Double {
                Double(hits.prefix(count).count { $0 }) / Double(min(count, hits.count)) / Double(runs)
            }
            early += share(200)
            middle += share(1000)
            all += share(hits.count)
        }

        var cells: String { [early, middle, all].map { String(format: "%.3f", $0) }.joined(separator: " · ") }
    }

    func run() throws {
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
            .filter { $0.hasSuffix(".csv") }
        guard !files.isEmpty else {
            print("suite: skipped: no data")
            return
        }
        print("Mean reward of the first 200 · 1,000 · all rounds; \(shuffles) random orders of up to \(rows) rows\n")
        let head =
            ["set", "standard", "constants of other sets", "worst order", "best LinUCB", "its width", "µs a round"]
            + Self.widths.map { "LinUCB \($0)" }
        print("| " + head.joined(separator: " | ") + " |\n|" + head.map { _ in " --- |" }.joined())
        var played: [(name: String, adaptive: [Curve], linear: [Curve], seconds: Double, least: Double)] = []
        for file in files {
            let set = try LabelledSet(path: directory + "/" + file)
            var adaptive = [Curve](repeating: Curve(), count: Self.constants.count)
            var linear = [Curve](repeating: Curve(), count: Self.widths.count)
            var (seconds, least) = (0.0, 1.0)
            for shuffle in 0..<shuffles {
                var generator = SeededGenerator.stream(UInt64(shuffle), of: seed)
                let order = Array(Self.order(set.labels.count, &generator).prefix(rows))
                for (k, constants) in Self.constants.enumerated() {
                    let settings = PolicySettings(
                        .adaptive(width: constants.width), dimension: set.raw.columns, arms: set.arms,
                        priorPrecision: constants.precision, seed: UInt64(shuffle))
                    let start = ContinuousClock.now
                    let hits = try play(settings, set.raw, set.labels, order)
                    if k == 0 {
                        seconds += (ContinuousClock.now - start) / .seconds(1) / Double(order.count * shuffles)
                        least = min(least, Double(hits.count { $0 }) / Double(hits.count))
                    }
                    adaptive[k].add(hits, of: shuffles)
                }
                for (k, width) in Self.widths.enumerated() {
                    let settings = PolicySettings(
                        .linUCB(width: width), dimension: set.raw.columns, arms: set.arms, scaling: .fixed,
                        seed: UInt64(shuffle))
                    linear[k].add(try play(settings, set.standardized, set.labels, order), of: shuffles)
                }
            }
            played.append((file, adaptive, linear, seconds, least))
        }
        var sums = [Double](repeating: 0, count: 3)
        for (i, set) in played.enumerated() {
            let others = played.indices.filter { $0 != i || played.count == 1 }
            let chosen = Self.constants.indices.max { a, b in
                others.reduce(0) { $0 + played[$1].adaptive[a].all }
                    < others.reduce(0) { $0 + played[$1].adaptive[b].all }
            }!
            let best = Self.widths.indices.max { set.linear[$0].all < set.linear[$1].all }!
            for (k, value) in [set.adaptive[0].all, set.adaptive[chosen].all, set.linear[best].all].enumerated() {
                sums[k] += value / Double(played.count)
            }
            let cells =
                [
                    String(set.name.dropLast(4)), set.adaptive[0].cells,
                    String(format: "%.3f", set.adaptive[chosen].all), String(format: "%.3f", set.least),
                    set.linear[best].cells, "\(Self.widths[best])", String(format: "%.1f", set.seconds * 1e6),
                ] + set.linear.map { String(format: "%.3f", $0.all) }
            print("| " + cells.joined(separator: " | ") + " |")
        }
        print(
            String(
                format: "\nmean of all sets: standard %.4f, constants of other sets %.4f, best width for each %.4f",
                sums[0], sums[1], sums[2]))
    }

    /// A random order of 0 ..< count.
    private static func order(_ count: Int, _ generator: inout SeededGenerator) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, generator.below(last + 1)) }
        return order
    }

    private func play(
        _ settings: PolicySettings, _ contexts: Matrix<Double>, _ labels: [Int], _ order: [Int]
    ) throws -> [Bool] {
        var policy = try BanditPolicy(settings)
        return try policy.play(contexts, labels: labels, order: order).hits
    }
}

/// A table of features with a label in each row.
private struct LabelledSet {
    let raw: Matrix<Double>
    let standardized: Matrix<Double>
    let labels: [Int]
    var arms: Int { (labels.max() ?? 0) + 1 }

    init(path: String) throws {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
        let rows = lines.map { $0.split(separator: ",").map { Double($0) ?? .nan } }
        labels = rows.map { Int($0[$0.count - 1]) }
        let raw = try Matrix<Double>(rows: rows.map { Array($0.dropLast()) })
        var scaled = rows.map { Array($0.dropLast()) }
        for k in 0..<raw.columns {
            let mean = scaled.reduce(0) { $0 + $1[k] } / Double(scaled.count)
            let deviation = (scaled.reduce(0) { $0 + ($1[k] - mean) * ($1[k] - mean) } / Double(scaled.count))
                .squareRoot()
            for i in scaled.indices { scaled[i][k] = deviation > 0 ? (scaled[i][k] - mean) / deviation : 0 }
        }
        self.raw = raw
        standardized = try Matrix(rows: scaled)
    }
}
