import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinStore

/// A question about one person's challenges or daily content on the command line.
protocol ChallengeCommand: ShellCommand {
    var asker: ChallengeOptions { get }
    /// The question that the command puts to the store.
    func question() throws -> ChallengeQuestion
    /// Shows the answer to a person.
    func show(_ answer: ChallengeAnswer, _ text: ChallengeText, on console: Console)
}

extension ChallengeCommand {
    func show(_ answer: ChallengeAnswer, _ text: ChallengeText, on console: Console) { text.show(answer, on: console) }

    func run(on console: Console) throws {
        let (question, asker, options) = (try question(), try asker.asker(), asker.store)
        guard FileManager.default.fileExists(atPath: options.path) else {
            throw Failure(
                .noInput,
                KinError(
                    .inputOutput,
                    "there is no store; make one: kin generate challenges -o challenges.jsonl, then kin store import challenges.jsonl"
                ).within("file", options.path))
        }
        let (answer, zone) = try waiting {
            let store = try options.open(question.isCommand ? .writing : .reading, check: .brief)
            do {
                let answer = try await store.answer(question, for: asker)
                let zone =
                    try asker.zone.map { name throws(KinError) in try LocalZone(named: name) }
                    ?? store.zone(of: asker.user)
                try await store.close()
                return (answer, zone)
            } catch {
                try? await store.close()
                throw error
            }
        }
        if self.asker.json { return console.print(answer.json) }
        show(answer, ChallengeText(user: asker.user, zone: zone), on: console)
    }
}

/// For whom, when and where, and how to answer.
struct ChallengeOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The person's id.", valueName: "user"))
    var user: String

    @Option(
        help: ArgumentHelp("The instant, ISO 8601; now unless given.", valueName: "time"),
        transform: { try Timestamp(parsing: $0) })
    var at: Timestamp?

    @Option(
        help: ArgumentHelp(
            "Where the person is: Europe/Berlin; as their preferences say unless given.", valueName: "zone"))
    var zone: String?

    @OptionGroup var store: StoreOptions

    @Flag(help: "Print as JSON.")
    var json = false

    func asker() throws(KinError) -> PersonContext {
        let present = try SystemClock.now()
        return PersonContext(user: user, now: at ?? present, zone: zone, present: present)
    }
}
