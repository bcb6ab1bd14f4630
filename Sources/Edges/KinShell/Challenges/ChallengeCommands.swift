import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinFiles

/// `kin challenge`: what is needed less often.
struct ChallengeGroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "challenge",
        abstract: "Preferences, history, rotation and notifications of a person; checks of content files.",
        discussion: """
              kin challenge prefer u42 --time-zone Europe/Berlin --max-time 30 --categories calm,nature
              kin challenge rotation u42 --focus health --reminder 20:30
              kin challenge notify u42
              kin challenge check content.jsonl
            """,
        subcommands: [
            AssignCommand.self, HistoryCommand.self, PreferCommand.self, RotationCommand.self, NotifyCommand.self,
            NotifiedCommand.self,
            ContentCheckCommand.self,
        ])
}

/// `kin challenge assign`: today's challenge is given.
struct AssignCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "assign", abstract: "Give a person today's challenge, and keep that they were given it.",
        discussion: """
            kin today shows the same challenge and keeps nothing. What was assigned on a day before and not answered counts as ignored, which is \
            learned from.

              kin challenge assign u42
            """)

    @OptionGroup var asker: ChallengeOptions

    func question() -> ChallengeQuestion { .assign }
}

/// `kin challenge history`: what a person was given.
struct HistoryCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show what a person was given, the newest first.",
        discussion: "  kin challenge history u42 --count 30")

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("How many at most.", valueName: "n"))
    var count = 20

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count is 1 or more") }
    }

    func question() -> ChallengeQuestion { .history(count: count) }
}

/// `kin challenge prefer`: a person's preferences.
struct PreferCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "prefer", abstract: "Show a person's preferences, or change those that are given.",
        discussion: """
              kin challenge prefer u42 --max-time 30
              kin challenge prefer u42 --window 07:30-21:00 --quiet 12:00-13:00 --daily-budget 2
            """)

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("When notifications may come.", valueName: "08:00-21:00"))
    var window: String?

    @Option(help: ArgumentHelp("When they may not; may be repeated; none removes all.", valueName: "12:00-13:00"))
    var quiet: [String] = []

    @Option(name: .customLong("daily-budget"), help: ArgumentHelp("How many notifications a day.", valueName: "n"))
    var dailyBudget: Int?

    @Option(help: ArgumentHelp("Whether notifications are wanted: on or off.", valueName: "on|off"))
    var notifications: String?

    @Option(help: ArgumentHelp("Categories they like, with commas between; none removes all.", valueName: "names"))
    var categories: String?

    @Option(name: .customLong("max-time"), help: ArgumentHelp("The most minutes of a challenge.", valueName: "minutes"))
    var longest: Double?

    @Option(help: ArgumentHelp("The most it may cost: free, low, medium or high.", valueName: "level"))
    var budget: String?

    @Option(help: ArgumentHelp("The most others: solo, optional, partner or group.", valueName: "level"))
    var social: String?

    @Option(name: .customLong("time-zone"), help: ArgumentHelp("Where they live: Europe/Berlin.", valueName: "zone"))
    var timeZone: String?

    @Option(help: ArgumentHelp("For how many days nothing comes again.", valueName: "days"))
    var recovery: Int?

    func validate() throws {
        guard notifications.map({ ["on", "off"].contains($0) }) ?? true else {
            throw ValidationError("--notifications is on or off")
        }
    }

    func question() -> ChallengeQuestion {
        var changes: [String: JSONSetting] = [:]
        changes["time_window"] = window.map { .text($0) }
        if !quiet.isEmpty { changes["quiet_hours"] = .texts(quiet == ["none"] ? [] : quiet) }
        changes["daily_budget"] = dailyBudget.map { .number(Double($0)) }
        changes["notifications"] = notifications.map { .flag($0 == "on") }
        changes["preferred_categories"] = categories.map { names in
            .texts(names == "none" ? [] : names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        changes["max_time"] = longest.map { .number($0) }
        changes["budget_level"] = budget.map { .text($0) }
        changes["social_comfort"] = social.map { .text($0) }
        changes["time_zone"] = timeZone.map { .text($0) }
        changes["recovery_days"] = recovery.map { .number(Double($0)) }
        return .prefer(JSONText.line(changes))
    }
}

/// A preference as it is written.
private enum JSONSetting: Encodable {
    case text(String), texts([String]), number(Double), flag(Bool)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .texts(let texts): try container.encode(texts)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        }
    }
}

/// `kin challenge rotation`: where a person is in the daily content.
struct RotationCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotation", abstract: "Show where a person is in the daily content, or change how it goes on.",
        discussion: """
            Another focus begins at day 1. After 364 days the advanced year may begin.

              kin challenge rotation u42 --focus health
              kin challenge rotation u42 --focus none --refresh 06:30 --reminder none
            """)

    @OptionGroup var asker: ChallengeOptions

    @Option(help: ArgumentHelp("consciousness, health, wealth, relationships or none.", valueName: "domain"))
    var focus: String?

    @Option(help: ArgumentHelp("When the day's content is shown.", valueName: "06:30"))
    var refresh: String?

    @Option(help: ArgumentHelp("When to remind in the evening, or none.", valueName: "20:30"))
    var reminder: String?

    @Flag(help: "Begin the advanced year.")
    var advanced = false

    func question() throws -> ChallengeQuestion {
        var change = RotationChange()
        if let focus { change.focus = .some(try ContentDomain.named(focus)) }
        change.refresh = try refresh.map { try TimeOfDay(parsing: $0) }
        if let reminder { change.reminder = .some(reminder == "none" ? nil : try TimeOfDay(parsing: reminder)) }
        change.startsAdvancedYear = advanced
        return .rotate(change)
    }
}

/// `kin challenge notify`: when to notify next.
struct NotifyCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify", abstract: "Choose the minute of a person's next notification.",
        discussion: """
            Inside the time window, outside the quiet hours, within the daily budget; by what was answered before, or by lot with --uniform. \
            Tell what came of it:

              kin challenge notify u42
              kin challenge notified u42 2026-11-21T17:05:00Z --answered yes
            """)

    @OptionGroup var asker: ChallengeOptions

    @Flag(help: "Every allowed minute is equally likely.")
    var uniform = false

    @Option(help: ArgumentHelp("The seed; the same seed and past give the same minute.", valueName: "seed"))
    var seed: UInt64 = 1

    func question() -> ChallengeQuestion { .nextNotification(uniform ? .uniform : .learned, seed: seed) }
}

/// `kin challenge notified`: what came of a notification.
struct NotifiedCommand: ChallengeCommand {
    static let configuration = CommandConfiguration(
        commandName: "notified", abstract: "Note that a person was notified, and whether they answered.",
        discussion: "  kin challenge notified u42 2026-11-21T17:05:00Z --answered no")

    @OptionGroup var asker: ChallengeOptions

    @Argument(help: ArgumentHelp("When it came.", valueName: "time"), transform: { try Timestamp(parsing: $0) })
    var sent: Timestamp

    @Option(help: ArgumentHelp("Whether they answered; open unless given.", valueName: "yes|no"))
    var answered: String?

    func validate() throws {
        guard answered.map({ ["yes", "no"].contains($0) }) ?? true else {
            throw ValidationError("--answered is yes or no")
        }
    }

    func question() -> ChallengeQuestion { .notified(sent: sent, wasAnswered: answered.map { $0 == "yes" }) }
}

/// `kin challenge check`: everything that is wrong with a file.
struct ContentCheckCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check a file of daily content, or of challenges, line by line.",
        discussion: """
            Daily content has every day from 1 to 364 once, and quotes of 15 to 50 words.

              kin challenge check content.jsonl
              kin challenge check challenges.jsonl --challenges
            """)

    @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
    var file: String

    @Flag(help: "The file has challenges.")
    var challenges = false

    func run(on console: Console) throws {
        let reader = try ByteReader(path: file)
        let text = try reader.text()
        let (count, problems): (Int, [KinError])
        if challenges {
            let check = ContentCheck.challenges(text)
            (count, problems) = (check.records.count, check.problems.map(\.error))
        } else {
            let check = ContentCheck.content(text)
            (count, problems) = (check.records.count, check.problems.map(\.error))
        }
        for problem in problems { console.print("\(reader.name): \(problem)") }
        let what = challenges ? NumberText.count(count, "challenge") : NumberText.count(count, "day")
        guard problems.isEmpty else {
            throw Failure(
                KinError(.malformedInput, "\(NumberText.count(problems.count, "problem")), and \(what) that are right")
                    .within("file", reader.name))
        }
        console.print("\(reader.name): \(what), nothing wrong")
    }
}
