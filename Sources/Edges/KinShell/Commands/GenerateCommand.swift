import ArgumentParser
import Foundation
import Kin
import KinFiles
import KinSamples

/// `kin generate`: synthetic profiles.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make synthetic profiles: the same seed gives the same file on every machine.",
        discussion: """
            Coordinates lie in 0…1 with six decimals, so CSV, NPY and fvecs hold the same numbers. Sixteen dimensions \
            carry the names of a profile.

            Examples:

              kin generate uniform --count 1000000 --seed 1 -o uniform.npy
              kin generate clustered --count 2000 --seed 16 -o sample.csv
              kin generate correlated --count 100000 --factors 4 --noise 0.02 -o sheet.fvecs
            """,
        subcommands: [
            Uniform.self, Clustered.self, Correlated.self, GeneratePeopleCommand.self, GenerateSoulsCommand.self,
            GenerateImagesCommand.self,
            GenerateBabiesCommand.self, GenerateChallengesCommand.self, GenerateContentCommand.self,
        ]
    )

    struct Uniform: ShellCommand {
        static let configuration = CommandConfiguration(
            abstract: "Independent uniform coordinates: no structure at all.")

        @OptionGroup var options: GenerateOptions

        func run(on console: Console) throws { try options.run(.uniform, console: console) }
    }

    struct Clustered: ShellCommand {
        static let configuration = CommandConfiguration(
            abstract: "Crowds of power-law sizes, each a tilted ellipsoid."
        )

        @Option(help: ArgumentHelp("How many crowds (default: 2 √count, so 2,000 for a million).", valueName: "n"))
        var clusters: Int?

        @OptionGroup var options: GenerateOptions

        func run(on console: Console) throws {
            let clusters = clusters ?? ProfileShape.defaultClusters(for: max(1, options.count))
            try options.run(.clustered(clusters: clusters), console: console)
        }
    }

    struct Correlated: ShellCommand {
        static let configuration = CommandConfiguration(
            abstract: "A few hidden factors and a little noise: low intrinsic dimension."
        )

        @Option(help: ArgumentHelp("How many hidden factors.", valueName: "n"))
        var factors: Int = 4

        @Option(help: ArgumentHelp("The noise's standard deviation.", valueName: "sigma"))
        var noise: Double = 0.02

        @OptionGroup var options: GenerateOptions

        func run(on console: Console) throws {
            try options.run(.correlated(factors: factors, noise: noise), console: console)
        }
    }
}

/// Options that every kind of profile needs.
struct GenerateOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many profiles.", valueName: "n"))
    var count: Int

    @Option(help: ArgumentHelp("Numbers per profile.", valueName: "n"))
    var dimension: Int = Pleasure.Dimension.names.count

    @Option(help: ArgumentHelp("The seed; the same seed gives the same profiles.", valueName: "seed"))
    var seed: UInt64 = 0

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String

    @Option(
        help: ArgumentHelp("csv, npy or fvecs, where the name does not tell.", valueName: "format"),
        transform: VectorFormat.init(argument:))
    var format: VectorFormat?

    @OptionGroup var threads: ThreadOption

    func run(_ shape: ProfileShape, console: Console) throws {
        guard let format = format ?? VectorFormat(path: output) ?? (output == "-" ? .csv : nil) else {
            throw Failure.usage("the name \(output) does not tell the format: say --format csv, npy or fvecs")
        }
        let start = ContinuousClock.now
        let generator = try ProfileGenerator(shape, count: count, dimension: dimension, seed: seed)
        let bar = ProgressBar("writing \((output as NSString).lastPathComponent)", on: console)
        try generator.write(to: output, format: format, threads: threads.count) {
            bar.update(done: $0, of: count) { NumberText.count($0, "row") }
        }
        bar.finish()
        guard output != "-" else { return }
        let time = NumberText.duration(ContinuousClock.now - start)
        let rows = NumberText.count(count, "profile")
        console.print("\(output): \(rows) of \(NumberText.count(dimension, "dimension")), seed \(seed), in \(time)")
        console.print(
            console.style.faint("next: kin index build \(output) -o \((output as NSString).deletingPathExtension).kin"))
    }
}
