import ArgumentParser
import Foundation
import Kin
import KinFiles
import KinSamples

/// `kin generate people`: made-up people, their sessions, and items around a city, as JSON lines.
struct GeneratePeopleCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "People with tastes and rhythms, their sessions, and things to do around them, as JSON lines.",
        discussion: """
            A store imports the file. The profiles are the truth that the sessions were made from.

              kin generate people --count 20 --sessions 200 --items 500 -o people.jsonl
              kin store import people.jsonl
            """)

    @Option(help: ArgumentHelp("How many people: u0, u1, …", valueName: "n"))
    var count = 20

    @Option(help: ArgumentHelp("Sessions of each.", valueName: "n"))
    var sessions = 200

    @Option(help: ArgumentHelp("Items around 40.7,-73.9.", valueName: "n"))
    var items = 500

    @Option(help: ArgumentHelp("The seed; the same seed gives the same file.", valueName: "seed"))
    var seed: UInt64 = 0

    @Option(name: [.short, .long], help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var output: String

    func validate() throws {
        guard count >= 0, sessions >= 0, items >= 0 else {
            throw ValidationError("--count, --sessions and --items must not be negative")
        }
    }

    func run(on console: Console) throws {
        let generator = PersonGenerator(seed: seed)
        let centre = try GeographicCoordinates(latitude: 40.7, longitude: -73.9)
        var lines: [String] = []
        for person in 0..<count {
            let life = generator.person(person, sessions: sessions)
            lines.append("{\"profile\":\(life.profile.json),\"since\":\"\(generator.firstDay)\"}")
            lines += life.sessions.map(\.json)
        }
        lines += generator.inventory(count: items, around: centre).map(\.json)
        try WholeFile.make(output, text: lines.joined(separator: "\n") + "\n")
        guard output != "-" else { return }
        console.print(
            "\(output): \(NumberText.count(count, "person")), "
                + "\(NumberText.count(count * sessions, "session")), \(NumberText.count(items, "item"))")
    }
}
