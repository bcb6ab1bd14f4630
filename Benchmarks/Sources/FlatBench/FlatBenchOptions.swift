import ArgumentParser
import Kin
import KinSamples
import Measuring

/// The sizes of a run.
struct FlatBenchOptions: ParsableArguments {
    @Option(positive: "Vectors of 16 dimensions in the batch, single and file parts.")
    var vectors = 1_000_000

    @Option(help: "Vectors of 16 dimensions in the second half of the single part; 0 leaves it out.")
    var large = 10_000_000

    @Option(positive: "Queries in one batch.")
    var queries = 10_000

    @Option(positive: "Neighbours asked for.")
    var k = 10

    @Option(help: "Thread counts, comma-separated.")
    var threads: ValueList<Int> = [1, 2]

    @Option(help: "Metrics of the batch part, comma-separated.")
    var metrics: ValueList<Metric> = [.squaredL2, .innerProduct, .cosine]

    @Option(help: "The vectors' distribution.")
    var data = Distribution.uniform

    @Option(positive: "Queries of every figure checked against the scan in double precision.")
    var checked = 20

    @Option(positive: "Seconds spent on one figure, at least one round; a batch that takes ten times as long is cut.")
    var seconds = 2.0

    @Option(help: "Seed of the data.")
    var seed: UInt64 = 1

    func validate() throws {
        guard vectors >= k, large == 0 || large >= k else {
            throw ValidationError("--vectors and --large must be at least --k.")
        }
        guard threads.values.allSatisfy({ $0 > 0 }) else { throw ValidationError("--threads takes positive numbers.") }
    }

    /// Vectors of a dimension, and queries of the same distribution.
    func profiles(_ rows: Int, dimension: Int = 16, queries: Int) throws -> Profiles {
        let shape: ProfileShape = data == .uniform ? .uniform : .clustered(clusters: 2_000)
        return try Profiles(shape, rows: rows, queries: queries, dimension: dimension, seed: seed)
    }
}

/// The distributions of `kin generate` for the vectors, the second in 2,000 clusters.
enum Distribution: String, CaseIterable, ExpressibleByArgument {
    case uniform, clustered
}
