import ArgumentParser
import Kin

/// `kin`: the root of the commands.
struct KinCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "kin",
            abstract:
                "Numbers about people: what is near, who is kin, what belongs together, when is next, what to offer.",
            discussion: """
                Begin with the tour, then ask data of your own:

                  kin demo
                  kin index build profiles.csv -o profiles.kin     then: kin repl profiles.kin
                  kin match souls.jsonl --user u42 --explain
                  kin cluster images.jsonl -o realms               then: kin world --in realms
                  kin forecast baby.csv --now 2026-03-05T10:00
                  kin store import people.jsonl                    then: kin repl kin.db

                Every method of a store is a command too (below): kin missions u42 --near 40.7,-73.9 --minutes 90; kin missions --help.

                Results go to standard output, notes and errors to standard error. Exit status:

                \(ProcessStatus.allCases.map { "  \($0.rawValue < 10 ? " " : "")\($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
                """,
            version: "kin \(Release.version)",
            subcommands: [
                DemoCommand.self, IndexCommand.self, StoreCommand.self, ReplCommand.self, MatchCommand.self,
                FitCommand.self, ClusterCommand.self, WorldCommand.self, PlaceCommand.self, ImagesCommand.self,
                ColoursCommand.self, ConvertCommand.self, ForecastCommand.self, BacktestCommand.self,
                RhythmCommand.self, PolicyCommand.self, KNNCommand.self, MethodsCommand.self, GenerateCommand.self,
            ]
        )
    }

    /// The names of the commands, without the methods of a store.
    static let names = Set(configuration.subcommands.compactMap { $0.configuration.commandName })
}
