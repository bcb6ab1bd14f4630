import ArgumentParser
import Kin
import KinEngine

/// `kin suggest`: what waits in the queue, and why.
struct SuggestCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Suggest three challenges for a person, and say why.",
        discussion: """
            What the person's preferences forbid is never suggested; when nothing is left, the answer says which limit it was. One of the \
            three may be there to find out more. "chance" is the reward that is expected, "chosen with" the probability that is logged. Nothing is \
            kept before kin challenge assign, kin complete or kin skip.

            Example:

              kin suggest u42 --explain
            """)

    @OptionGroup var asker: ChallengeOptions

    @Flag(help: "Show what speaks for and against each.")
    var explain = false

    func question() -> ChallengeQuestion { .suggest }

    func show(_ answer: ChallengeAnswer, _ text: ChallengeText, on console: Console) {
        guard case .suggestions(.queue(let queue)) = answer else { return text.show(answer, on: console) }
        text.suggestions(queue, isExplaining: explain, on: console)
    }
}

/// `kin today`: today's content and challenge.
struct TodayCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Show a person's thought, action and challenge of today.",
        discussion: """
            The day begins at midnight where the person is. The challenge stays the same all day unless it is skipped. Asking changes \
            nothing, whatever the day: kin challenge assign keeps that the challenge was given, kin complete and kin skip what came of it.

            Examples:

              kin today u42
              kin today u42 --zone Asia/Tokyo --at 2026-11-21T15:30:00Z
            """)

    @OptionGroup var asker: ChallengeOptions

    func question() -> ChallengeQuestion { .today }
}

/// `kin timeline`: the coming days of content.
struct TimelineCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Show the coming days of content with their exact instants.",
        discussion: """
            The first day is today. Instants are in UTC.

              kin timeline u42
              kin timeline u42 --zone America/New_York --at 2026-03-06T12:00:00Z
            """)

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("How many days.", valueName: "n"))
    var days = 7

    func validate() throws {
        guard (1...364).contains(days) else { throw ValidationError("--days is from 1 to 364") }
    }

    func question() -> ChallengeQuestion { .timeline(days: days) }
}

/// `kin complete`: a challenge was done.
struct CompleteCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete",
        abstract: "Note that a person did their challenge: the one that waits for an answer, or today's.",
        discussion: "  kin complete u42 --rating 4 --minutes 20")

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("The challenge; the one that waits unless given.", valueName: "id"))
    var challenge: String?

    @Option(help: ArgumentHelp("How it was liked, 1 to 5.", valueName: "n"))
    var rating: Int?

    @Option(help: ArgumentHelp("How long it took.", valueName: "minutes"))
    var minutes: Double?

    func question() -> ChallengeQuestion { .complete(challenge, rating: rating, minutes: minutes) }
}

/// `kin skip`: a challenge was declined.
struct SkipCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Note that a person declines their challenge; `kin today` has another one.",
        discussion: "  kin skip u42")

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("The challenge; the one that waits unless given.", valueName: "id"))
    var challenge: String?

    func question() -> ChallengeQuestion { .skip(challenge) }
}

/// `kin reflect`: what a person says of today's content.
struct ReflectCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "reflect",
        abstract: "Keep what a person says of the content of today, or of the day of --at.",
        discussion: "  kin reflect u42 --text \"It was easier than I thought\"")

    @OptionGroup var asker: ChallengeOptions

    @Flag(name: .customLong("not-done"), help: "The action was not done.")
    var isOpen = false

    @Option(help: ArgumentHelp("What they say.", valueName: "text"))
    var text = ""

    func question() -> ChallengeQuestion { .reflect(completed: !isOpen, text: text) }
}

/// `kin progress`: what reflections and challenges add up to.
struct ProgressCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "progress",
        abstract: "Show a person's streaks, and what they did of content and challenges.",
        discussion: "  kin progress u42")

    @OptionGroup var asker: ChallengeOptions

    func question() -> ChallengeQuestion { .progress }
}
