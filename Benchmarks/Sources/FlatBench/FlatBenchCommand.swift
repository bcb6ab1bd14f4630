import ArgumentParser
import Ceilings
import Foundation
import Kin
import Measuring

/// `flat-bench`: times exact flat search and compares every figure with the limits of this machine.
@main
struct FlatBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flat-bench",
        abstract: "Measure exact flat search compared with the machine's ceilings, and check the ids.",
        discussion: """
            Prints Markdown tables: batches, one query at a time, general dimensions. The first queries of every figure \
            are checked against a scan in double precision; a difference ends the run with an error. Quote ratios of one run only: other programs on the machine change the figures.
            """
    )

    @OptionGroup var options: FlatBenchOptions

    @Option(help: "The instruction set levels to run, separated by commas, or 'all'. Default: the best one.")
    var levels: ValueList<String> = []

    @Option(help: "The parts to run, separated by commas.")
    var parts: ValueList<Part> = [.batch, .single, .dimensions]

    func run() throws {
        guard levels.values.isEmpty else {
            return try (levels.values == ["all"] ? ["serial"] + Ceilings.levels : levels.values).forEach(rerun)
        }
        let level = try activeLevel()
        let ceilings = Ceilings.measure(threads: options.threads.values, seconds: min(0.05, options.seconds / 10))
        print("\n## Level \(level), \(options.data.rawValue) data, k = \(options.k)\n")
        print(ceilings.table)
        let setting = Setting(options: options, level: level, ceilings: ceilings)
        for part in parts.values { try part.run(setting) }
    }

    /// The level is chosen once per process, from KIN_SIMD, so each further level needs a separate process.
    private func rerun(level: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        // The last occurrence of an option counts.
        process.arguments = CommandLine.arguments.dropFirst() + ["--levels", ""]
        process.environment = ProcessInfo.processInfo.environment.merging(["KIN_SIMD": level]) { $1 }
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ExitCode(process.terminationStatus) }
    }

    /// The level that the library reports; throws if it is not the requested one.
    private func activeLevel() throws -> String {
        var probe = VectorIndex(dimension: 16, layout: .flat)
        _ = try probe.append(Matrix(rows: 1, columns: 16))
        let level = try probe.explain([Float](repeating: 0, count: 16), k: 1).simdLevel
        let asked = ProcessInfo.processInfo.environment["KIN_SIMD"] ?? level
        guard asked == level else {
            throw ValidationError("KIN_SIMD is \(asked), but this machine runs \(level).")
        }
        return level
    }
}

/// The settings shared by all parts of one run.
struct Setting {
    var options: FlatBenchOptions
    var level: String
    var ceilings: Ceilings
}

/// One table of the output.
enum Part: String, CaseIterable, ExpressibleByArgument {
    case batch, single, dimensions

    func run(_ setting: Setting) throws {
        switch self {
        case .batch: try BatchPart(setting: setting).metrics()
        case .single: try SinglePart(setting: setting).run()
        case .dimensions: try BatchPart(setting: setting).dimensions()
        }
    }
}
