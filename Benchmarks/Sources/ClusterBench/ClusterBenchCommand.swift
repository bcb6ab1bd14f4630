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
        abstract: "Measure k-means: initialization, and seconds per iteration.",
        discussion: """
            The time of an iteration is the difference between a run of many iterations and a run of one, from the same start \
            and with the best of a few rounds of each. So work that is done once per run does not count. Quote ratios of one \
            run only: other programs on the machine change the figures. peers/cluster.py alternates with other libraries.
            """
    )

    @Option(help: "A .npy file of 32-bit floats, one point per row. Default: generated points.")
    var points: String?

    @Option(positive: "The number of generated points, in 2,000 clusters.")
    var rows = 1_000_000

    @Option(positive: "The number of dimensions of generated points.")
    var dimension = 16

    @Option(help: "The seed of points and starts.")
    var seed: UInt64 = 1

    @Option(name: .customLong("k"), parsing: .upToNextOption, help: "The numbers of clusters.")
    var clusters = [256, 1_024, 4_096]

    @Option(parsing: .upToNextOption, help: "The numbers of threads.")
    var threads = [1, 2]

    @Option(help: "The initial centroids. 'first' is the first k points.")
    var start = StartChoice.first

    @Option(positive: "The number of iterations to time.")
    var iterations = 10

    @Option(positive: "The number of rounds; the best round counts.")
    var rounds = 2

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    func validate() throws {
        guard !clusters.isEmpty, !threads.isEmpty else {
            throw ValidationError("--k and --threads need at least one number each.")
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
                        throw ValidationError(
                            "k-means converged after \(found.iterations) iterations; lower --iterations.")
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
            guard k <= points.rows else { throw ValidationError("--k must be at most \(points.rows), not \(k).") }
            let elements = Array(points.elements.prefix(k * points.columns))
            return .centroids(try Matrix(rows: k, columns: points.columns, elements: elements))
        }
    }
}
