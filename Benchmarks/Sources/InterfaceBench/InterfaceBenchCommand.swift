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
        abstract: "Measure searches through the C interface beside the same ones from Swift, in turns."
    )

    @Option(help: "Vectors in the index of each row of the table.")
    var vectors = [10, 10_000, 1_000_000]

    @Option(help: "Queries in the batch.")
    var batch = 1000

    @Option(positive: "Seconds for each figure.")
    var seconds = 1.0

    func validate() throws {
        guard vectors.allSatisfy({ $0 >= 1 }) else { throw ValidationError("--vectors takes positive numbers.") }
        guard batch >= 2 else { throw ValidationError("--batch takes 2 or more.") }
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
        print("16 dimensions, squared L2, k = 10, one thread; the best of many rounds, taken in turns.\n")
        print(table)
    }
}
