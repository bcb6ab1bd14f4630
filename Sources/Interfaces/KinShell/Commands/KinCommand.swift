import Foundation
import Kin
import KinEngine
import KinFiles

/// The commands of `kin`, in addition to the methods of a store.
enum KinCommand {
    /// All commands, in the order of the help.
    static let all: [Command<Console>] =
        [demo] + IndexCommandLine.all + StoreCommands.all + [repl] + MatchingCommands.all + RealmCommands.all
        + RhythmCommands.all + PolicyCommands.all + ExperimentCommands.all
        + [KNN.command, KMeansCommand.command, methods] + GenerateCommands.all

    /// The first word of each command's name.
    static let names = Set(all.map { String($0.name.prefix { $0 != " " }) })

    /// The command named by the first words of a command line, and the number of words in its name.
    static func find(_ words: [String]) -> (command: Command<Console>, count: Int)? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ").lowercased()
            if let command = all.first(where: { $0.name == (name == "colors" ? "colours" : name) }) {
                return (command, count)
            }
        }
        return nil
    }

    /// The help of the tool.
    static func help(style: Style) -> [String] {
        [
            "OVERVIEW: Numbers about people: what is near, who is kin, what belongs together, when is next, what to offer.",
            "",
            "Begin with the tour, then ask data of your own:",
            "",
            "  kin demo",
            "  kin index build profiles.csv -o profiles.kin     then: kin repl profiles.kin",
            "  kin match souls.jsonl --user u42 --explain",
            "  kin cluster images.jsonl -o realms               then: kin world --in realms",
            "  kin forecast baby.csv --now 2026-03-05T10:00",
            "  kin store import people.jsonl                    then: kin repl kin.db",
            "",
            "Every method of a store is a command too (below): kin missions u42 --near 40.7,-73.9 --minutes 90; kin missions --help.",
            "",
            "Results go to standard output, notes and errors to standard error. Exit status:",
            "",
        ]
            + ProcessStatus.allCases.map { status in
                let number = "\(status.rawValue)"
                return " \(String(repeating: " ", count: 4 - number.count))\(number)  \(status.meaning)"
            }
            + ["", "COMMANDS (kin help COMMAND):"] + MethodHelp.list(all, style: style)
            + ["", "METHODS OF A STORE:"] + MethodHelp.groups(style: style)
    }

    private static let methods = Command<Console>(
        "methods", "Lists the methods that programs call with JSON, from C and from Python.",
        details:
            "METHODS.md and the Python package's typed methods are generated from the output of --json.",
        options: [.json]
    ) { console, request in
        if request.isJSON { return console.print(MethodTable.json) }
        console.print(MethodHelp.groups(style: console.style))
    }

    private static let repl = Command<Console>(
        "repl", "Opens a session with an index, or with a store of people.",
        details: """
            At a terminal: line editing, history in ~/.local/state/kin/history, Tab completes, `help` explains. From a script
            (-f), a command (-c) or a pipe there are no prompts, and the first error ends the session with its exit status.

            Examples:

              kin repl profiles.kin
              kin repl profiles.kin -c "near 42" -c "within 0.3 of 42"
              kin repl profiles.kin -f morning.txt
              kin repl kin.db -c "near session:u1-7 where state = drift"
              echo "near nature_mirror=0.9 mobility=0.7" | kin repl profiles.kin
            """, [.required("index", .path, "The index file, or a store's database.")],
        options: [
            .option("command", .paths, "Run this command and exit (-c); may be repeated."),
            .option("file", .path, "Run the commands in this file and exit (-f)."), .mapped, .threads,
        ]
    ) { try ReplCommand(request: $1, console: $0).run() }

    private static let demo = Command<Console>(
        "demo", "Gives a tour: five questions about people, answered on sample data, with the times of this machine.",
        details: """
            Takes some seconds and about 600 MB of memory. It leaves a small index and a store of people in the user's cache
            folder, with the commands to go on with.
            """,
        options: [
            .option("count", .integer(1000...100_000_000), "Profiles for the speed test. Default: 1,000,000."),
            .option("output", .output, "The folder to leave the sample's index and store in (-o)."), .threads,
        ]
    ) { console, request in
        // Unoptimised code is about fifty times slower, so the tour needs fewer profiles to stay short.
        var isDebugBuild = false
        assert(
            {
                isDebugBuild = true; return true
            }())
        if isDebugBuild {
            console.note(
                "note: this is a debug build; its times mean little. `swift run -c release kin demo` shows the real ones"
            )
        }
        let folder = request.text("output") ?? cacheFolder(ProcessInfo.processInfo.environment)
        do { try WholeFile.makeFolder(folder) } catch {
            throw Failure(
                .cannotCreate, KinError(.inputOutput, "the folder \(folder) cannot be made; choose a place with -o"))
        }
        let bundled = DemoData.find(
            workingDirectory: FileManager.default.currentDirectoryPath, program: Bundle.main.executablePath)
        // An earlier tour may have left files with the same names.
        try withOverwriting {
            try Tour(
                console: console, data: bundled ?? DemoData.make(in: folder + "/datasets"),
                count: request.optionalInt("count") ?? (isDebugBuild ? 20_000 : 1_000_000),
                folder: folder, threads: request.threads
            ).run()
        }
    }

    /// The cache folder: `$XDG_CACHE_HOME/kin`. Default: `~/.cache/kin`.
    private static func cacheFolder(_ environment: [String: String]) -> String {
        let home = environment["HOME"] ?? FileManager.default.temporaryDirectory.path
        return (environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.cache") + "/kin"
    }
}
