import ArgumentParser
import Ceilings
import Foundation

/// `ceilings`: prints the limits of this machine.
@main
struct CeilingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ceilings",
        abstract: "Measure the limits of this machine: float and byte multiply-adds, and reading memory."
    )

    @Option(help: "The numbers of threads to measure.")
    var threads: [Int] = [1, 2]

    @Option(help: "The seconds of a round; the best of five rounds counts.")
    var seconds = 0.05

    @Option(help: "Further sizes, in bytes for all threads together, for which reading is measured.")
    var read: [Int] = []

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard threads.allSatisfy({ (1...1024).contains($0) }) else {
            throw ValidationError("--threads must be 1…1024.")
        }
        guard read.allSatisfy({ $0 >= 4096 }) else { throw ValidationError("--read must be at least 4096 bytes.") }
        guard seconds > 0 else { throw ValidationError("--seconds must be more than 0.") }
    }

    func run() throws {
        let ceilings = Ceilings.measure(threads: threads, seconds: seconds, bytes: read)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(ceilings), as: UTF8.self))
        } else {
            print(ceilings.table)
        }
    }
}
