import ArgumentParser
import Ceilings
import Foundation
import Kin
import KinSamples
import Measuring

/// `cluster-bench`: times k-means iterations from one start.
@main
struct ClusterBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster-bench",
        abstract: "Time k-means: its starts, and seconds an iteration.",
        discussion: """
            An iteration is timed as the difference between a run of many and a run of one from the same start, the best \
            of a few rounds of each, so that what is done once a run does not count. Quote ratios of one run only: other \
            programs on the machine change the figures; peers/cluster.py takes turns with other libraries.
            """
    )

    @Option(help: "A .npy file of 32-bit floats, one point a row. Without it, points are drawn.")
    var points: String?

    @Option(positive: "How many points to draw, in 2,000 clusters.")
    var rows = 1_000_000

    @Option(positive: "Their dimensions.")
    var dimension = 16

    @Option(help: "What points and starts are drawn from.")
    var seed: UInt64 = 1

    @Option(name: .customLong("k"), parsing: .upToNextOption, help: "Numbers of clusters.")
    var clusters = [256, 1_024, 4_096]

    @Option(parsing: .upToNextOption, help: "Numbers of threads.")
    var threads = [1, 2]

    @Option(help: "Where centroids are at first. 'first' is the first k points.")
    var start = StartChoice.first

    @Option(positive: "Iterations to time.")
    var iterations = 10

    @Option(positive: "Rounds, of which the best counts.")
    var rounds = 2

    @Flag(help: "Print JSON for programs instead of a table.")
    var json = false

    func validate() throws {
        guard !clusters.isEmpty, !threads.isEmpty else {
            throw ValidationError("--k and --threads take at least one number each.")
        }
    }

    func run() throws {
        let points = try points.map { try NumPyFile($0).all() } ?? drawnPoints()
        var figures: [Figure] = []
        for k in clusters {
            for count in threads { figures.append(try figure(points, k: k, threads: count)) }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            print(String(decoding: try encoder.encode(figures), as: UTF8.self))
            return
        }
        var table = Table(["k", "threads", "s an iteration", "Gpair/s", "start and one iteration, s", "inertia"])
        for figure in figures {
            table.add([
                "\(figure.k)", "\(figure.threads)", figure.secondsPerIteration.shown,
                (Double(points.rows) * Double(figure.k) / figure.secondsPerIteration / 1e9).shown,
                figure.secondsForOne.shown, figure.inertia.shown,
            ])
        }
        print("\n\(points.rows) × \(points.columns), start: \(start.rawValue), \(iterations) iterations\n\n\(table)")
    }

    private func figure(_ points: Matrix<Float>, k: Int, threads: Int) throws -> Figure {
        var recipe = KMeans(k: k, start: try start.start(k: k, points), tolerance: 0, seed: seed, threads: threads)
        var best = [Double.infinity, .infinity]
        var inertia = 0.0
        for _ in 0..<rounds {
            for (place, count) in [1, 1 + iterations].enumerated() {
                recipe.maximumIterations = count
                let seconds = try Timing.seconds {
                    let found = try recipe.fit(points)
                    guard found.iterations == count else {
                        throw ValidationError("k-means settled after \(found.iterations) iterations; time fewer.")
                    }
                    inertia = found.inertia
                }
                best[place] = min(best[place], seconds)
            }
        }
        return Figure(
            k: k, threads: threads, secondsPerIteration: (best[1] - best[0]) / Double(iterations),
            secondsForOne: best[0], inertia: inertia)
    }

    private func drawnPoints() throws -> Matrix<Float> {
        try Profiles(.clustered(clusters: 2_000), rows: rows, dimension: dimension, seed: seed).vectors
    }
}

/// The measurements for one k and one number of threads.
struct Figure: Encodable {
    var k: Int
    var threads: Int
    var secondsPerIteration: Double
    /// The time of the start and one iteration.
    var secondsForOne: Double
    var inertia: Double
}

/// The starts that can be measured.
enum StartChoice: String, CaseIterable, ExpressibleByArgument {
    case first, plusplus, scalable

    func start(k: Int, _ points: Matrix<Float>) throws -> KMeans.Start {
        switch self {
        case .plusplus: return .plusPlus
        case .scalable: return .kMeansParallel()
        case .first:
            guard k <= points.rows else { throw ValidationError("There are only \(points.rows) points.") }
            let elements = Array(points.elements.prefix(k * points.columns))
            return .centroids(try Matrix(rows: k, columns: points.columns, elements: elements))
        }
    }
}
