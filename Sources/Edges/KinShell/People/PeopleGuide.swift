/// The help of the commands of a REPL on a store.
enum PeopleGuide {
    static func find(_ name: String) -> CommandGuide? {
        let name = name.lowercased() == "exit" ? "quit" : name.lowercased()
        return all.first { $0.name == name }
    }

    /// The commands whose first word is a person.
    static let aboutPeople: Set = [
        "sessions", "profile", "missions", "map", "kin", "why", "inbox", "digest", "babies", "forecast",
    ]

    static let all: [CommandGuide] = [
        CommandGuide(
            name: "near", usage: "near TARGET [k N] [metric NAME] [where FILTER]", summary: "sessions like something",
            details: [
                "TARGET is one of", "  session:u42-7                         a session by its id (itself left out)",
                "  user:u42 [at TIME]                    what a person is after at a time of day (now)",
                "  nature_mirror=0.9 mobility=0.7        a point by some dimensions; the others are 0",
                "NAME is l2, ip or cosine. FILTER compares user, state and start:",
                "  near session:u42-7 where state = drift and start >= 2026-01-01",
                "  near user:u42 at 2026-11-20T06:30 k 3 where user = u42",
            ]),
        CommandGuide(
            name: "sessions", usage: "sessions USER [count N] [after SESSION]",
            summary: "a person's sessions, newest first",
            details: ["Examples:", "  sessions u42", "  sessions u42 count 20 after u42-180"]),
        CommandGuide(
            name: "profile", usage: "profile USER [at TIME]", summary: "a person's taste, now or at any past time",
            details: [
                "declared  the profile as it was last put in before that time",
                "learned   moved towards the sessions that ended since, recent ones counting more",
                "target    shaped by the time of day (UTC)", "Example:", "  profile u42 at 2026-11-20T06:30",
            ]),
        CommandGuide(
            name: "insight", usage: "insight session:ID [k N]", summary: "what a person's past says about a session",
            details: ["Example:", "  insight session:u42-180"]),
        CommandGuide(
            name: "inventory", usage: "inventory [near LAT,LNG [within DISTANCE]] [CONDITIONS] [as USER] [k N]",
            summary: "tools, spaces and experts",
            details: [
                "DISTANCE is 500m or 2km. CONDITIONS are any of", "  for 45min       worth that time",
                "  at dawn         good at that time of day: dawn, morning, afternoon, evening, night",
                "  in summer       good in that season", "  type tool       or space, expert",
                "  status available   or booked, maintenance", "  access peer     or owned, rental, public_library",
                "  sense touch     speaks to that sense", "  context water   in that situation",
                "  giving nature_mirror   gives that pleasure; may be repeated",
                "  like nature_mirror=0.9 mobility=0.7   ranks by that point; `as USER` by what a person is after then",
                "Examples:", "  inventory near 40.7,-73.9 within 2km for 45min at dawn",
                "  inventory near 40.7,-73.9 within 2km type space status available as u42",
            ]),
        CommandGuide(
            name: "missions",
            usage:
                "missions USER near LAT,LNG for MINUTES at SLOT [within DISTANCE] [state S] [weather W] [in SEASON] [k N]",
            summary: "a tool and a space that fit together, and why",
            details: ["Example:", "  missions u42 near 40.7,-73.9 for 90min at dawn weather rain"]),
        CommandGuide(
            name: "map", usage: "map USER [--plot FILE.svg]", summary: "a person's sessions on a map, and their kinds",
            details: ["Example:", "  map u42 --plot pleasure.svg"]),
        CommandGuide(
            name: "kin", usage: "kin USER [k N]", summary: "who is most like a person",
            details: ["Scores are exact; who has no soul in the store is not among them.", "Example:", "  kin u42 k 5"]),
        CommandGuide(
            name: "why", usage: "why USER OTHER", summary: "what the affinity of two people is made of",
            details: ["Example:", "  why u42 u77"]),
        CommandGuide(
            name: "inbox", usage: "inbox USER [STATE]", summary: "what others made and a person was given",
            details: [
                "STATE is one of delivered, discovered, pending, accepted, declined, visible.", "Example:",
                "  inbox u42 pending",
            ]),
        CommandGuide(
            name: "digest", usage: "digest USER since TIME", summary: "what arrived in a person's inbox since a time",
            details: ["Example:", "  digest u42 since 2026-11-01"]),
        CommandGuide(
            name: "babies", usage: "babies USER", summary: "the babies whose logs a person keeps", details: []),
        CommandGuide(
            name: "forecast", usage: "forecast USER BABY [at TIME]", summary: "a baby's next nap and feed",
            details: ["Times are those of the clock on the wall. Example:", "  forecast u0 baby-1"]),
        CommandGuide(name: "users", usage: "users", summary: "everybody in the store", details: []),
        CommandGuide(name: "info", usage: "info", summary: "what the store holds", details: []),
        CommandGuide(
            name: ":json", usage: ":json on|off", summary: "prints results as JSON, one object a line", details: []),
        CommandGuide(
            name: ":timing", usage: ":timing on|off", summary: "shows how long each question took", details: []),
        CommandGuide(
            name: "help", usage: "help [COMMAND]", summary: "this list, or more about one command", details: []),
        CommandGuide(name: "quit", usage: "quit", summary: "leaves; also exit or Ctrl-D", details: []),
    ]
}
