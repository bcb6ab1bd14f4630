import ArgumentParser
import CKin
import Ceilings
import Kin
import KinABI
import Measuring

/// `interface-bench`: the cost of a search through the C interface, compared with the same search from Swift.
@main
struct InterfaceBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface-bench",
        abstract: "Measure searches through the C interface and the same searches from Swift, alternately."
    )

    @Option(help: "The number of vectors for each row of the table.")
    var vectors = [10, 10_000, 1_000_000]

    @Option(help: "The number of queries in the batch.")
    var batch = 1000

    @Option(positive: "The seconds for each figure.")
    var seconds = 1.0

    func validate() throws {
        guard vectors.allSatisfy({ $0 >= 1 }) else { throw ValidationError("--vectors must be at least 1.") }
        guard batch >= 2 else { throw ValidationError("--batch must be at least 2.") }
    }

    func run() throws {
        var table = Table(["vectors", "queries", "µs from Swift", "µs from C", "C − Swift, µs", "C ∕ Swift"])
        for count in vectors {
            let interfaces = try Interfaces(vectors: count, queries: batch)
            for queries in [1, batch] {
                let (swift, c) = try interfaces.compare(queries: queries, seconds: seconds)
                table.add([
                    "\(count)", "\(queries)", (1e6 * swift).shown, (1e6 * c).shown, (1e6 * (c - swift)).fixed(2),
                    (c / swift).fixed(3),
                ])
            }
        }
        print("16 dimensions, squared L2, k = 10, one thread; the best of many rounds, which alternate.\n")
        print(table)
    }
}
