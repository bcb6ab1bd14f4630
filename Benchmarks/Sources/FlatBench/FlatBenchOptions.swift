import ArgumentParser
import Kin
import KinSamples
import Measuring

/// The sizes of a run.
struct FlatBenchOptions: ParsableArguments {
    @Option(positive: "The number of vectors of 16 dimensions in the parts batch and single.")
    var vectors = 1_000_000

    @Option(help: "The number of vectors of 16 dimensions in the second half of the part single; 0 skips it.")
    var large = 10_000_000

    @Option(positive: "The number of queries in a batch.")
    var queries = 10_000

    @Option(positive: "The number of neighbours.")
    var k = 10

    @Option(help: "The numbers of threads, separated by commas.")
    var threads: ValueList<Int> = [1, 2]

    @Option(help: "The metrics of the part batch, separated by commas.")
    var metrics: ValueList<Metric> = [.squaredL2, .innerProduct, .cosine]

    @Option(help: "The distribution of the vectors.")
    var data = Distribution.uniform

    @Option(positive: "The number of queries of each figure that are compared with a scan in double precision.")
    var checked = 20

    @Option(
        positive: "The seconds for one figure, at least one round; a batch is shortened if it needs ten times that.")
    var seconds = 2.0

    @Option(help: "The seed of the data.")
    var seed: UInt64 = 1

    func validate() throws {
        guard vectors >= k, large == 0 || large >= k else {
            throw ValidationError("--vectors and --large must be at least --k.")
        }
        guard threads.values.allSatisfy({ $0 > 0 }) else { throw ValidationError("--threads must be at least 1.") }
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
