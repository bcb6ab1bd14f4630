import ArgumentParser

/// `kin`: the root of the commands.
struct KinCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "kin",
            abstract: "Exact nearest neighbours, fast, in one file.",
            discussion: """
                Begin with the tour, then build an index of your own and ask it:

                  kin demo
                  kin generate clustered --count 100000 --seed 7 -o profiles.csv
                  kin index build profiles.csv -o profiles.kin
                  kin index search profiles.kin --id 42 -k 5
                  kin repl profiles.kin

                Results go to standard output, notes and errors to standard error. Exit status:

                \(ProcessStatus.allCases.map { "  \($0.rawValue < 10 ? " " : "")\($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
                """,
            subcommands: [
                DemoCommand.self, IndexCommand.self, StoreCommand.self, ReplCommand.self, NearCommand.self,
                SessionsCommand.self, ProfileCommand.self, InsightCommand.self, InventoryCommand.self,
                MissionsCommand.self, MapCommand.self, MatchCommand.self, WhyCommand.self, InboxCommand.self,
                AwayCommand.self, FitCommand.self, ClusterCommand.self, WorldCommand.self, PlaceCommand.self,
                ImagesCommand.self, ColoursCommand.self, ConvertCommand.self, ForecastCommand.self,
                BacktestCommand.self, RhythmCommand.self, PolicyCommand.self, KNNCommand.self, GenerateCommand.self,
            ]
        )
    }
}
