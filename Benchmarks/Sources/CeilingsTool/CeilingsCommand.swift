import ArgumentParser
import Ceilings
import Foundation

/// `ceilings`: prints the limits of this machine.
@main
struct CeilingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ceilings",
        abstract: "Measure the most this machine can do: float and byte multiply-adds, and reading memory."
    )

    @Option(help: "Thread counts to measure at.")
    var threads: [Int] = [1, 2]

    @Option(help: "Seconds of one round; the best of five counts.")
    var seconds = 0.05

    @Option(help: "Bytes whose reading is measured too, all threads together.")
    var read: [Int] = []

    @Flag(help: "Print JSON for programs.")
    var json = false

    func validate() throws {
        guard threads.allSatisfy({ (1...1024).contains($0) }) else {
            throw ValidationError("--threads takes numbers from 1 to 1024.")
        }
        guard read.allSatisfy({ $0 >= 4096 }) else { throw ValidationError("--read takes 4096 bytes or more.") }
        guard seconds > 0 else { throw ValidationError("--seconds must be positive.") }
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
