import Foundation

/// The commands of `kin`, in addition to the methods of a store.
enum KinCommand {
    /// All commands, in the order of the help.
    static let all: [Command<Console>] = [demo, repl] + HelpTopic.all.flatMap(\.commands) + [methods]

    /// The first word of each command's name.
    static let names = Set(all.map { String($0.name.prefix { $0 != " " }) })

    /// The help of the tool on one screen.
    static func help(style: Style) -> [String] {
        [
            "Kin answers five questions about people: what is near, who is alike, what",
            "belongs together, what happens next, what to offer.", "",
            "  \(style.strong("kin demo"))          the five questions on sample data, in 30 seconds",
            "  \(style.strong("kin repl FILE"))     a session with an index or a store of people", "",
            style.strong("Topics") + " (kin help TOPIC lists the commands)",
        ] + TextTable(["", "", ""], HelpTopic.all.map { [$0.name, $0.summary, $0.example] }).lines(style: style) + [
            "",
            "  kin help COMMAND  the options and an example of a command",
            "  kin help all      all commands, methods of a store, and exit statuses", "",
            "Results go to standard output, as JSON with --json; notes to standard error.",
        ]
    }

    /// The exit statuses, and all commands by topic.
    static func fullHelp(style: Style) -> [String] {
        let statuses = TextTable([">", ""], ProcessStatus.allCases.map { ["\($0.rawValue)", $0.meaning] })
        let topics = HelpTopic.all.flatMap { [""] + $0.lines(style: style) }
        let others = MethodHelp.list([demo, repl, methods], style: style)
        return help(style: style) + ["", style.strong("Exit status")] + statuses.lines(style: style) + [""] + others
            + topics
    }

    private static let methods = Command<Console>(
        "methods", "Lists the methods that programs call with JSON, from C and from Python.",
        details:
            "METHODS.md and the Python package's typed methods are generated from the output of --json.",
        options: [.json]
    ) { console, request in
        if request.isJSON { return console.print(json: MethodTable.json) }
        for topic in HelpTopic.all where topic.request != nil {
            console.print(topic.lines(style: console.style, methodsOnly: true))
        }
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
            .option("command", .list("request"), "Run this command and exit (-c); may be repeated."),
            .option("file", .path, "Run the commands in this file and exit (-f)."), .mapped, .threads,
            .flag("json", "Print answers as JSON, as after `:json on`."),
        ]
    ) { try ReplCommand(request: $1, console: $0).run() }

    private static let demo = Command<Console>(
        "demo", "Answers five questions about a household and its neighbourhood, with the time of each.",
        details: """
            Takes a few seconds and about 600 MB of memory. Writes a store and its files to the user's cache folder. With
            --output it writes them, and an index, to that folder. A later demo replaces these files. If they were changed,
            it refuses --output, and without --output writes to a folder next to them.

            Examples:

              kin demo
              kin demo next
              kin demo --json
            """,
        [.option("topic", .choice(Demo.Topic.allCases.map(\.rawValue)), "One question, in detail.")],
        options: [
            .option("count", .integer(1000...100_000_000), "Residents of the city. Default: 1,000,000."),
            .option("output", .output, "The folder to leave the files in (-o)."), .threads, .json,
        ]
    ) { console, request in
        // Unoptimised code is about fifty times slower, so the demo needs a smaller city to stay short.
        let standardCount = isOptimised ? 1_000_000 : 20_000
        if !isOptimised {
            console.note("note: this is a debug build; a release build shows the real times")
        }
        let cache =
            (userFolder("XDG_CACHE_HOME", "/.cache", ProcessInfo.processInfo.environment)
                ?? FileManager.default.temporaryDirectory.path + "/.cache/kin") + "/demo"
        // In the cache, changed files stay, and so do those of an interrupted demo.
        let folders = request.text("output").map { [$0] } ?? [cache] + (2...99).map { "\(cache)-\($0)" }
        var demo = Demo(
            console: console, count: request.optionalInt("count") ?? standardCount,
            folder: folders[0], keepsIndex: request.isGiven("output"), threads: request.threads)
        for folder in folders.dropFirst() {
            guard (try? demo.requireReplaceable()) == nil else { break }
            demo.folder = folder
        }
        try demo.requireReplaceable()
        try WholeFile.makeFolder(demo.folder)
        try withOverwriting { try demo.run(request.choice("topic"), asJSON: request.isJSON) }
    }

    /// The tool's folder in a folder of the user: that of a variable, such as `$XDG_CACHE_HOME`, if it has an absolute
    /// path, otherwise one in `$HOME`; nil without both.
    static func userFolder(_ variable: String, _ standard: String, _ environment: [String: String]) -> String? {
        let given = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (given ?? environment["HOME"].map { $0 + standard }).map { $0 + "/kin" }
    }
}
