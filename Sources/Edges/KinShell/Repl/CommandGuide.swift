/// The description of a REPL's command, for `help`, for completion and for "did you mean".
struct CommandGuide {
    let name: String
    let usage: String
    let summary: String
    /// The lines that `help NAME` adds.
    let details: [String]

    static let settings = ["k", "metric", "mode", "threads"]

    /// The guide of a command, by its exact name; upper and lower case are the same.
    static func find(_ name: String) -> CommandGuide? {
        let name = name.lowercased() == "exit" ? "quit" : name.lowercased()
        return all.first { $0.name == name }
    }

    static let all: [CommandGuide] = [
        CommandGuide(
            name: "near",
            usage: "near TARGET [k N] [among IDS] [where FILTER]",
            summary: "the nearest vectors",
            details: [
                "TARGET is one of", "  42                                    the vector with this id (itself left out)",
                "  [0.1, 0.2, …]                         a vector, one number per dimension",
                "  nature_mirror=0.9 mobility=0.7        some dimensions by name; the others are 0,",
                "                                        or their column's mean in an index built with --scale",
                "IDS limits the answer to a list such as 1,2,10-19, FILTER by attributes (`help filter`).", "Examples:",
                "  near 42", "  near 42 k 3 among 0-999", "  near nature_mirror=0.9 mobility=0.7",
                "  near 42 where user = u42 and start >= 2026-01-01",
            ]
        ),
        CommandGuide(
            name: "within",
            usage: "within DISTANCE of TARGET [among IDS] [where FILTER]",
            summary: "every vector at most so far away",
            details: [
                "The distance is in the metric's own units, those of the distances that `near` prints:",
                "  l2      the squared Euclidean distance",
                "  ip      the negated inner product, so -5 means 5 or more",
                "  cosine  1 minus the cosine, from 0 to 2", "TARGET is as for `near`.", "Examples:",
                "  within 0.3 of 42",
                "  within 0.5 of nature_mirror=0.9 mobility=0.7",
            ]
        ),
        CommandGuide(
            name: "filter",
            usage: "filter [FILTER | off]",
            summary: "searches only what fulfils a condition, from now on; or shows it",
            details: [
                "FILTER compares attributes, which `info` lists, and `id`:",
                "  user = u42   user != \"a b\"   visits >= 3   visits between 3 and 5",
                "  state in (drift, mastery)      start >= 2026-01-01T06:30:00Z",
                "  stay overlaps [2026-01-01, 2026-02-01)   note is missing   done = true",
                "joined by `and`, `or`, `not` and parentheses. A comparison with a missing value is false.",
                "Examples:",
                "  filter user = u42 and not state in (drift, mastery)", "  filter off",
            ]
        ),
        CommandGuide(
            name: "get", usage: "get ID", summary: "one vector, number by number", details: ["Example:", "  get 42"]
        ),
        CommandGuide(
            name: "upsert",
            usage: "upsert ID VECTOR",
            summary: "puts a vector in, or replaces it",
            details: [
                "VECTOR is [0.1, 0.2, …], or some dimensions by name as for `near`.",
                "The file changes only with `save`.", "Example:", "  upsert 42 nature_mirror=0.9 mobility=0.7",
            ]
        ),
        CommandGuide(
            name: "remove",
            usage: "remove IDS",
            summary: "takes vectors out",
            details: [
                "IDS is an id or a list such as 1,2,10-19.", "The file changes only with `save`.", "Example:",
                "  remove 42",
            ]
        ),
        CommandGuide(
            name: "save",
            usage: "save [PATH]",
            summary: "writes the index to its file, or to another",
            details: [
                "The file is replaced at once, when the new one is complete.",
                "A path with blanks goes in double quotes.",
            ]
        ),
        CommandGuide(name: "info", usage: "info", summary: "what the index holds", details: []),
        CommandGuide(
            name: "set",
            usage: "set [k N | metric NAME | mode MODE | threads N]",
            summary: "changes a setting, or shows them all",
            details: [
                "A metric is l2, ip or cosine; a new one builds the index anew from its vectors, and `save` keeps it.",
                "MODE says how much of an inverted file `near` looks at:",
                "  exact         everything that could hold a neighbour",
                "  recall 0.95   as little as finds so much of the true neighbours, see `recall`",
                "  probes 8      so many of the nearest lists", "Examples:", "  set k 20", "  set metric cosine",
                "  set mode recall 0.95",
            ]
        ),
        CommandGuide(
            name: "plan",
            usage: "plan [TARGET] [k N]",
            summary: "what a search would do, and why",
            details: [
                "Tells mode, filter and lists for TARGET, which is as for `near`, or for what was last searched for.",
                "Examples:", "  plan 42", "  plan nature_mirror=0.9 k 3",
            ]
        ),
        CommandGuide(
            name: "recall",
            usage: "recall [N] [from FILE]",
            summary: "compares the mode with exact search",
            details: [
                "N queries (100) are vectors of the index, each left out of its own answer; or the first N of a file,",
                "in the units of the data. The filter counts, and so does k.", "Examples:", "  recall",
                "  recall 1000", "  recall 200 from queries.csv",
            ]
        ),
        CommandGuide(
            name: "lists",
            usage: "lists",
            summary: "how the vectors lie in the lists",
            details: [
                "The radius of a box is half its diagonal: no vector in it is farther from its middle. The smaller it is",
                "beside that of all vectors, the more a search passes over.",
            ]
        ),
        CommandGuide(
            name: ":timing", usage: ":timing on|off", summary: "shows how long each search took", details: []
        ),
        CommandGuide(
            name: ":explain",
            usage: ":explain on|off",
            summary: "shows what each `near` had to look at",
            details: [
                "blocks screened     blocks of 8-bit codes that were read and compared",
                "survivors           vectors the codes could not rule out, compared exactly",
                "memory read         bytes of codes and vectors that the search touched",
            ]
        ),
        CommandGuide(
            name: ":json", usage: ":json on|off", summary: "prints results as JSON, one object a line", details: []
        ),
        CommandGuide(
            name: ":plot", usage: ":plot FILE.svg", summary: "draws the vectors and what was last found",
            details: [
                "Seen along the two directions in which the vectors differ most: the target of the last search in orange,",
                "its neighbours in blue.", "Example:", "  :plot near.svg",
            ]),
        CommandGuide(
            name: "help", usage: "help [COMMAND]", summary: "this list, or more about one command", details: []
        ),
        CommandGuide(
            name: "quit", usage: "quit", summary: "leaves; also exit or Ctrl-D",
            details: ["Asks once if changes are unsaved."]
        ),
        CommandGuide(name: "quit!", usage: "quit!", summary: "leaves and drops unsaved changes", details: []),
    ]

    /// The lines of `help`, or of `help COMMAND`; nil for a command that does not exist.
    static func help(on topic: String?, of guides: [CommandGuide] = all, style: Style) -> [String]? {
        guard let topic else {
            var table = TextTable([("", .left), ("", .left)])
            for guide in guides { table.append([guide.usage, guide.summary]) }
            return table.lines(style: style) + [
                style.faint("`help near` tells more; Tab completes; # starts a comment")
            ]
        }
        let names = [topic.lowercased(), ":" + topic.lowercased()].map { $0 == "exit" ? "quit" : $0 }
        guard let guide = guides.first(where: { names.contains($0.name) }) else { return nil }
        return ["\(style.strong(guide.usage))  \(guide.summary)"] + guide.details.map { "  " + $0 }
    }
}
