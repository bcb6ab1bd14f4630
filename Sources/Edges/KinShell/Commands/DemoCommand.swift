import ArgumentParser
import Foundation
import Kin

/// `kin demo`: the tour.
struct DemoCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Take a tour: five questions about people, answered on sample data, with the times of this machine.",
        discussion: """
            Takes some seconds and about 600 MB of memory. It leaves a small index and a store of people in the user's cache \
            folder, with the commands to go on with.
            """
    )

    @Option(help: ArgumentHelp("Profiles to show the speed on.", valueName: "n"))
    var count: Int = DemoCommand.defaultCount

    @Option(
        name: [.short, .long], help: ArgumentHelp("Where to leave the sample's index and store.", valueName: "folder"))
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
        let folder = output ?? DemoCommand.cacheFolder(ProcessInfo.processInfo.environment)
        try DemoCommand.make(folder)
        let bundled = DemoData.find(
            workingDirectory: FileManager.default.currentDirectoryPath, program: Bundle.main.executablePath)
        try Tour(
            console: console, data: bundled ?? DemoData.make(in: folder + "/datasets"), count: count,
            indexPath: folder + "/demo.kin", storePath: folder + "/demo.db", threads: threads.count
        ).run()
    }

    /// `$XDG_CACHE_HOME/kin`, by default `~/.cache/kin`.
    private static func cacheFolder(_ environment: [String: String]) -> String {
        let home = environment["HOME"] ?? FileManager.default.temporaryDirectory.path
        return (environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.cache") + "/kin"
    }

    private static func make(_ folder: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw Failure(
                .cannotCreate, KinError(.inputOutput, "the folder \(folder) cannot be made; choose a place with -o"))
        }
    }
}
