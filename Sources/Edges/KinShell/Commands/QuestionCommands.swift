import ArgumentParser
import Foundation
import Kin

// The questions of the REPL on a store as commands: `kin near session:u42-7 where state = drift`.

/// A question to a store on the command line.
protocol QuestionCommand: ShellCommand {
    var words: QuestionWords { get }
}

/// The words of a question as they are typed, and the options among them.
struct QuestionWords: ParsableArguments {
    @Argument(
        parsing: .captureForPassthrough,
        help: ArgumentHelp("The question; with --store FILE and --json among its words.", valueName: "words"))
    var words: [String] = []
}

extension QuestionCommand {
    /// A guide's words as the help of a command.
    static func configuration(of name: String, aliases: [String] = []) -> CommandConfiguration {
        guard let guide = PeopleGuide.find(name) else { preconditionFailure("the guide has every question") }
        return CommandConfiguration(
            commandName: name, abstract: "In a store: \(guide.summary).",
            discussion: (["kin \(guide.usage)", ""] + guide.details).joined(separator: "\n"), aliases: aliases)
    }

    func run(on console: Console) throws {
        let name = Self.configuration.commandName ?? ""
        var words = words.words
        if words.contains("--help") || words.contains("-h") { throw CleanExit.helpRequest(self) }
        var store = StoreOptions.defaultPath
        if let place = words.firstIndex(of: "--store") {
            guard place + 1 < words.count else { throw Failure.usage("--store needs a path") }
            store = words[place + 1]
            words.removeSubrange(place...place + 1)
        }
        let isJSON = words.contains("--json")
        words.removeAll { $0 == "--json" }
        let session = try PeopleSession(store, console: console)
        if isJSON { session.useJSON() }
        // The shell has removed the quotes: a word with blanks gets its own again, but a filter is a sentence of words.
        let filter = words.firstIndex(of: "where") ?? words.count
        let quoted = words.enumerated().map { place, word in
            place < filter && words.count > 1 && word.contains { $0.isWhitespace } ? "\"\(word)\"" : word
        }
        let line = ([name] + quoted).joined(separator: " ")
        if case .failed(let status) = session.execute(line) { throw status }
    }
}

/// The command `kin near`, a question to a store.
struct NearCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "near") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin sessions`, a question to a store.
struct SessionsCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "sessions") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin profile`, a question to a store.
struct ProfileCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "profile") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin insight`, a question to a store.
struct InsightCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "insight") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin inventory`, a question to a store.
struct InventoryCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "inventory") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin missions`, a question to a store.
struct MissionsCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "missions") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin why`, a question to a store.
struct WhyCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "why") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin inbox`, a question to a store.
struct InboxCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "inbox") }
    @OptionGroup var words: QuestionWords
}

/// The command `kin digest`, a question to a store.
struct DigestCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "digest", aliases: ["away"]) }
    @OptionGroup var words: QuestionWords
}

/// The command `kin map`, a question to a store.
struct MapCommand: QuestionCommand {
    static var configuration: CommandConfiguration { configuration(of: "map") }
    @OptionGroup var words: QuestionWords
}
