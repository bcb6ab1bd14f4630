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

                Results go to standard output, notes and errors to standard error. Exit status:

                \(ProcessStatus.allCases.map { "  \($0.rawValue < 10 ? " " : "")\($0.rawValue)  \($0.meaning)" }.joined(separator: "\n"))
                """,
            version: "kin \(Release.version)",
            subcommands: [
                DemoCommand.self, IndexCommand.self, StoreCommand.self, ReplCommand.self, NearCommand.self,
                SessionsCommand.self, ProfileCommand.self, InsightCommand.self, InventoryCommand.self,
                MissionsCommand.self, MapCommand.self, MatchCommand.self, WhyCommand.self, InboxCommand.self,
                DigestCommand.self, FitCommand.self, ClusterCommand.self, WorldCommand.self, PlaceCommand.self,
                ImagesCommand.self, ColoursCommand.self, ConvertCommand.self, ForecastCommand.self,
                BacktestCommand.self, RhythmCommand.self, SuggestCommand.self, TodayCommand.self,
                TimelineCommand.self, CompleteCommand.self, SkipCommand.self, ReflectCommand.self,
                ProgressCommand.self, ChallengeGroupCommand.self, PolicyCommand.self, KNNCommand.self,
                MethodsCommand.self,
                GenerateCommand.self,
            ]
        )
    }
}
