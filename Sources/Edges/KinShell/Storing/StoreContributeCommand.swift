import ArgumentParser
import Foundation
import Kin
import KinEngine
import KinFiles
import KinStore

/// `kin store contribute`: something that a person made.
struct StoreContributeCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "contribute",
        abstract: "Take in zones and stories that a person made.",
        discussion: """
            The file has a contribution a line:

              {"zone":{"name":"Moon pool","suggestedRealm":"ocean","therapeuticValue":{"sleep":0.8},"scenes":["tide"],
               "overlayEffects":["mist"]}}
              {"story":{"title":"The shell","content":"Once …","triggerZone":"Moon pool","narrativeType":"fable"}}

            `kin store route` brings them to the people who match their author.
            """)

    @Argument(help: ArgumentHelp("Who made them.", valueName: "id"))
    var user: String

    @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var store: StoreOptions

    func run(on console: Console) throws {
        let reader = try ByteReader(path: file)
        let text = try reader.text()
        var contributions: [Contribution] = []
        for (number, line) in text.split(separator: "\n").enumerated() {
            do throws(KinError) {
                contributions.append(try Contribution(json: String(line)))
            } catch {
                throw error.within("contribution", number + 1).within("file", reader.name)
            }
        }
        let (all, user, options, now) = (
            contributions, user, store, try SystemClock.now()
        )
        try waiting {
            let store = try options.open(.writing, makes: true)
            for contribution in all { try await store.contribute(contribution, by: user, at: now) }
            try await store.close()
        }
        console.print("\(store.path): \(NumberText.count(all.count, "contribution")) of \"\(user)\" taken in")
        console.print(console.style.faint("next: kin store route"))
    }
}

/// `kin store route`: contributions to their people.
struct StoreRouteCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Bring contributions to the inboxes of the people who match their authors.",
        discussion: """
            Each contribution is routed once, however often and by however many this is run: it arrives as delivered from an affinity of \
            0.95 on, discovered from 0.85, pending from 0.75, visible from 0.70.
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var threads: ThreadOption

    func run(on console: Console) throws {
        let (options, threads, now) = (store, threads.count, try SystemClock.now())
        let report = try waiting {
            let store = try options.open(.writing)
            let report = try await store.route(with: store.matcher(threads: threads), at: now)
            try await store.close()
            return report
        }
        console.print(
            "\(store.path): \(NumberText.count(report.contributions, "contribution")) routed to "
                + NumberText.count(report.deliveries, "inbox"))
        if report.waiting > 0 {
            console.note(
                "\(NumberText.count(report.waiting, "contribution")) waiting until there is a soul of the author")
        }
    }
}
