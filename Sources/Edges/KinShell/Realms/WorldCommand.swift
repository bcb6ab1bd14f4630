import ArgumentParser
import Foundation
import Kin
import KinFiles

/// `kin world`: a world of realms, zones and scenes.
struct WorldCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "world",
        abstract: "Make a world of realms, zones and scenes from clustered images.",
        discussion: """
            Chooses the realms that serve the goals best, three to five zones in each and two to four scenes in a zone, and joins \
            the zones by paths. The same seed makes the same world.

            Goals: \(TherapeuticGoal.allCases.map(\.name).joined(separator: ", ")); other words for them are understood: anxiety, insomnia, \
            joy, grief …

            Examples:

              kin world --goals anxiety,sleep --minutes 60 --plot world.svg
              kin world --name "Quiet hills" --theme forest --realms 2 --seed 7 -o world.json

            Of a store: kin world --store kin.db --name Calm; kin world --store kin.db --help
            """)

    @Option(help: ArgumentHelp("Its name.", valueName: "name"))
    var name = "A world"

    @Option(help: ArgumentHelp("What it is about: words of realm types, categories, moods.", valueName: "words"))
    var theme = ""

    @Option(help: ArgumentHelp("Who makes it.", valueName: "name"))
    var creator = ""

    @Option(help: ArgumentHelp("What it should be good for.", valueName: "goal,goal"))
    var goals = ""

    @Option(help: ArgumentHelp("How long a visit takes.", valueName: "n"))
    var minutes = 60

    @Flag(help: "Several people visit it together: every realm gets a place to gather.")
    var collaborative = false

    @Option(help: ArgumentHelp("How many realms (default: one for twenty minutes, at most five).", valueName: "n"))
    var realms: Int?

    @Option(help: ArgumentHelp("The seed; the same seed gives the same world.", valueName: "seed"))
    var seed: UInt64 = 0

    @OptionGroup var library: LibraryOption

    @Option(name: [.short, .long], help: ArgumentHelp("Write the whole world as JSON.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Draw the world.", valueName: "file.svg"))
    var plot: String?

    @Flag(help: "Print the whole world as JSON.")
    var json = false

    func run(on console: Console) throws {
        let library = try library.read()
        let request = WorldRequest(
            name: name, theme: theme, creator: creator, goals: try TherapeuticGoal.list(goals), minutes: minutes,
            isCollaborative: collaborative, realms: realms, seed: seed)
        let start = ContinuousClock.now
        let world = try library.world(request)
        let time = ContinuousClock.now - start
        if let output { try WholeFile.make(output, text: world.json + "\n") }
        if let plot { try WorldPlot(world).drawing.write(to: plot) }
        if !world.isThemeKnown {
            console.note(
                "no realm type, category or mood is called \"\(theme)\": the theme decided nothing; there are "
                    + library.index.realms.map(\.type).joined(separator: ", "))
        }
        if json { return console.print(world.json) }
        console.print(console.style.strong(name) + console.style.faint("  seed \(seed), \(minutes) minutes"))
        for realm in world.realms {
            console.print()
            let value =
                request.goals.isEmpty ? "" : ", value for the goals \(NumberText.hundredths(Float(realm.goalValue)))"
            console.print(
                "  " + console.style.strong(realm.type) + "  match \(NumberText.hundredths(Float(realm.match)))\(value)"
            )
            var table = TextTable([("zone", .left), ("where", .left), ("what", .left), ("scenes", .left)])
            let names = realm.zoneNames
            for zone in realm.zones {
                table.append([
                    zone.id, zone.direction.rawValue + (zone.isGatheringPlace ? ", to gather" : ""),
                    names[zone.id] ?? zone.name,
                    zone.scenes.map(\.image).joined(separator: ", "),
                ])
            }
            console.print(table)
        }
        console.print()
        console.print(
            "\(NumberText.count(world.realms.count, "realm")), \(NumberText.count(world.zones.count, "zone")), "
                + "\(NumberText.count(world.scenes.count, "scene")), \(NumberText.count(world.objectCount, "object")), "
                + "\(NumberText.count(world.paths.count, "path")); made in \(NumberText.duration(time))")
        for file in [output, plot].compactMap({ $0 }) { console.print("written: \(file)") }
    }
}
