import Kin
import KinEngine

/// A topic of the help, with its commands on files and its methods of a store; the same in the shell and in the REPL.
struct HelpTopic {
    let name: String
    let summary: String
    /// A command line of the shell.
    let example: String
    /// A request in the REPL of a store; nil for a topic without methods.
    let request: String?
    let commands: [Command<Console>]
    let methods: [EngineMethod]

    private init(
        _ name: String, _ summary: String, _ example: String, _ commands: [Command<Console>], group: String? = nil,
        request: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.example = example
        self.request = request
        self.commands = commands
        methods = MethodTable.groups.first { $0.title == group }?.methods ?? []
    }

    /// All topics, in the order of the help.
    static let all = [
        HelpTopic(
            "index", "build, search, check an index", "kin index build v.csv -o v.kin",
            IndexCommandLine.all + [KNN.command, KMeansCommand.command]),
        HelpTopic(
            "records", "import, export, back up", "kin store import people.jsonl", StoreCommands.all, group: "Records",
            request: "users"),
        HelpTopic(
            "pleasure", "sessions, places, missions", "kin near session:s1 k 5", [],
            group: "Sessions, profiles and missions", request: "near session:s1 k 5"),
        HelpTopic(
            "souls", "similar people, and why", "kin match s.jsonl --user u42", MatchingCommands.all,
            group: "Affinity", request: "similar_souls u42 k 5"),
        HelpTopic(
            "realms", "groups of photos, and worlds", "kin cluster photos.jsonl -o r", RealmCommands.all,
            group: "Images and worlds", request: "world name=Calm goals=sleep"),
        HelpTopic(
            "rhythms", "the next nap, feed or bedtime", "kin forecast baby.csv", RhythmCommands.all, group: "Rhythms",
            request: "forecast u42 baby-1"),
        HelpTopic(
            "challenges", "suggestions, daily content", "kin suggest u42 --explain", [],
            group: "Challenges and daily content", request: "suggest u42"),
        HelpTopic(
            "policy", "policies and experiments", "kin policy replay log.csv",
            PolicyCommands.all + ExperimentCommands.all, group: "Policies", request: "policies"),
        HelpTopic("generate", "sample data", "kin generate souls -o s.jsonl", GenerateCommands.all),
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
