import ArgumentParser
import Foundation
import Kin

/// `kin demo`: the tour.
struct DemoCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Take a tour: search, range, filter, explanation, cells and speed, on real code and sample data.",
        discussion: """
            Takes some seconds and about 600 MB of memory. It leaves a small index in the user's cache folder, with \
            the command to go on with.
            """
    )

    @Option(help: ArgumentHelp("Profiles to show the speed on.", valueName: "n"))
    var count: Int = DemoCommand.defaultCount

    @Option(name: [.short, .long], help: ArgumentHelp("Where to leave the sample's index.", valueName: "index"))
    var output: String?

    @OptionGroup var threads: ThreadOption

    /// Unoptimised code is some fifty times slower, so that a tour of it stays short only with fewer profiles.
    private static let isDebugBuild: Bool = {
        var isDebug = false
        assert(
            {
                isDebug = true; return true
            }())
        return isDebug
    }()
    private static let defaultCount = isDebugBuild ? 20_000 : 1_000_000

    func validate() throws {
        guard count >= 1000 else { throw ValidationError("--count must be at least 1,000") }
    }

    func run(on console: Console) throws {
        if DemoCommand.isDebugBuild {
            console.note(
                "note: this is a debug build; its times mean little. `swift run -c release kin demo` shows the real ones"
            )
        }
        let program = Bundle.main.executablePath
        let sample = SampleProfiles.file(workingDirectory: FileManager.default.currentDirectoryPath, program: program)
        let path = try output ?? DemoCommand.cachePath(ProcessInfo.processInfo.environment)
        try Tour(console: console, count: count, indexPath: path, threads: threads.count).run(samplePath: sample)
    }

    /// `$XDG_CACHE_HOME/kin/demo.kin`, by default in `~/.cache`; the folder is made.
    private static func cachePath(_ environment: [String: String]) throws(Failure) -> String {
        let home = environment["HOME"] ?? FileManager.default.temporaryDirectory.path
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.cache"
        let folder = cache + "/kin"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(
                .cannotCreate, KinError(.inputOutput, "the folder \(folder) cannot be made; choose a place with -o"))
        }
        return folder + "/demo.kin"
    }
}
