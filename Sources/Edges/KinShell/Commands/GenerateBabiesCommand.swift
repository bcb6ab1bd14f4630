import ArgumentParser
import Foundation
import Kin
import KinFiles
import KinSamples

/// `kin generate babies`: made-up babies' logs, one CSV file each.
struct GenerateBabiesCommand: ShellCommand {
    static let configuration = CommandConfiguration(
        commandName: "babies",
        abstract: "Logs of sleep, feeds and diapers whose rules are known, one CSV file a baby.",
        discussion: """
            Wake windows grow with age and through the day, naps become fewer, feeds come apart; each baby has a tempo of \
            its own and one leap. The files go to a folder as baby-1.csv, baby-2.csv …

              kin generate babies --count 2 --days 120 --seed 16 -o babies
              kin forecast babies/baby-1.csv --now 2026-03-05T10:00
            """)

    @Option(help: ArgumentHelp("How many babies.", valueName: "n"))
    var count = 2

    @Option(help: ArgumentHelp("Days of each log, from 2026-01-01 on.", valueName: "n"))
    var days = 120

    @Option(help: ArgumentHelp("Their age at the beginning, in days.", valueName: "n"))
    var age = 30

    @Option(help: ArgumentHelp("The seed; the same seed gives the same files.", valueName: "seed"))
    var seed: UInt64 = 0

    @Option(
        name: [.short, .long], help: ArgumentHelp("The folder to write to; it is made if need be.", valueName: "folder")
    )
    var output: String

    func validate() throws {
        guard count >= 0, (0...36_500).contains(days), (0...36_500).contains(age) else {
            throw ValidationError("--count must not be negative, --days and --age must be from 0 to 36,500")
        }
    }

    func run(on console: Console) throws {
        let generator = BabyGenerator(seed: seed)
        try WholeFile.makeFolder(output)
        for number in 0..<count {
            let log = generator.log(number, days: days, age: age)
            try RhythmLogFile.write(log, to: "\(output)/baby-\(number + 1).csv")
        }
        console.print(
            "\(output): \(NumberText.count(count, "baby")), \(NumberText.count(days, "day")) each")
    }
}
