import ArgumentParser
import Kin

/// The sizes of a run.
struct FlatBenchOptions: ParsableArguments {
    @Option(help: "Vectors of 16 dimensions in the batch, single and file parts.")
    var vectors = 1_000_000

    @Option(help: "Vectors of 16 dimensions in the second half of the single part; 0 leaves it out.")
    var large = 10_000_000

    @Option(help: "Queries in one batch.")
    var queries = 10_000

    @Option(help: "Neighbours asked for.")
    var k = 10

    @Option(help: "Thread counts, comma-separated.")
    var threads = "1,2"

    @Option(help: "Metrics of the batch part, comma-separated.")
    var metrics = Metric.allCases.map(\.rawValue).joined(separator: ",")

    @Option(help: "The vectors' distribution: uniform or clustered.")
    var data = Distribution.uniform

    @Option(help: "Queries of every figure checked against the scan in double precision.")
    var checked = 20

    @Option(help: "Seconds spent on one figure, at least one round; a batch that takes ten times as long is cut.")
    var seconds = 2.0

    @Option(help: "Seed of the data.")
    var seed: UInt64 = 1

    var threadCounts: [Int] { threads.split(separator: ",").compactMap { Int($0) } }

    var metricCases: [Metric] { metrics.split(separator: ",").compactMap { Metric(rawValue: String($0)) } }

    func check() throws {
        guard vectors >= k, k > 0, queries > 0, large == 0 || large >= k else {
            throw ValidationError("--vectors and --large must be at least --k; --k and --queries must be positive.")
        }
        guard threadCounts.count == threads.split(separator: ",").count, threadCounts.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("--threads takes positive numbers, comma-separated: 1,2")
        }
        guard metricCases.count == metrics.split(separator: ",").count else {
            throw ValidationError("--metrics takes l2, ip and cosine, comma-separated.")
        }
        guard checked > 0, seconds > 0 else { throw ValidationError("--checked and --seconds must be positive.") }
    }

    /// The same options as a command line, for a run of another level.
    var arguments: [String] {
        [
            "--vectors", "\(vectors)", "--large", "\(large)", "--queries", "\(queries)", "--k", "\(k)",
            "--threads", threads, "--metrics", metrics, "--data", data.rawValue, "--checked", "\(checked)",
            "--seconds", "\(seconds)", "--seed", "\(seed)",
        ]
    }
}

extension Distribution: ExpressibleByArgument {}
