/// A topic of the help, with its commands on files and its methods of a store; the same in the shell and in the REPL.
struct HelpTopic {
    let name: String
    let summary: String
    /// A command line of the shell.
    let example: String
    let commands: [Command<Console>]
    /// The title of the topic's methods in their table; nil for a topic without methods.
    var group: String?
    /// A request in the REPL of a store; nil for a topic without methods.
    var request: String?

    var methods: [EngineMethod] { MethodTable.groups.first { $0.title == group }?.methods ?? [] }

    /// All topics, in the order of the help.
    static let all = [
        HelpTopic(
            name: "index", summary: "build, search, check an index", example: "kin index build v.csv -o v.kin",
            commands: IndexCommandLine.all + [KMeansCommand.command]),
        HelpTopic(
            name: "records", summary: "import, export, back up", example: "kin store import people.jsonl",
            commands: StoreCommands.all, group: "Records", request: "users"),
        HelpTopic(
            name: "pleasure", summary: "sessions, places, missions", example: "kin near session:s1 k 5", commands: [],
            group: "Sessions, profiles and missions", request: "near session:s1 k 5"),
        HelpTopic(
            name: "souls", summary: "similar people, and why", example: "kin match s.jsonl --user u42",
            commands: MatchingCommands.all, group: "Affinity", request: "similar_souls u42 k 5"),
        HelpTopic(
            name: "realms", summary: "groups of photos, and worlds", example: "kin cluster photos.jsonl -o r",
            commands: RealmCommands.all, group: "Images and worlds", request: "world name=Calm goals=sleep"),
        HelpTopic(
            name: "rhythms", summary: "the next nap, feed or bedtime", example: "kin forecast baby.csv",
            commands: RhythmCommands.all, group: "Rhythms", request: "forecast u42 baby-1"),
        HelpTopic(
            name: "challenges", summary: "suggestions, daily content", example: "kin suggest u42 --explain",
            commands: [], group: "Challenges and daily content", request: "suggest u42"),
        HelpTopic(
            name: "policy", summary: "policies and experiments", example: "kin policy replay log.csv",
            commands: PolicyCommands.all + ExperimentCommands.all, group: "Policies", request: "policies"),
        HelpTopic(
            name: "generate", summary: "sample data", example: "kin generate souls -o s.jsonl",
            commands: GenerateCommands.all),
    ]

    /// The topic with a name; nil if there is none.
    static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name.lowercased() } }

    /// The commands and methods of the topic, or only its methods, with their summaries.
    func lines(style: Style, methodsOnly: Bool = false) -> [String] {
        let forms: [any CommandSpec] = methodsOnly ? [] : commands
        return [style.strong(name) + "  " + summary]
            + MethodHelp.list(forms + methods.map(MethodCommand.init), style: style)
    }
}
