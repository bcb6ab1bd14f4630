import ArgumentParser
import Kin
import KinFiles

/// The kind of event to forecast, by its name.
enum KindOption {
    static func kind(named name: String) throws -> RhythmKind {
        if let kind = RhythmKind(rawValue: name.lowercased()) { return kind }
        throw ValidationError("the kinds are \(RhythmKind.allCases.map(\.rawValue).joined(separator: " and "))")
    }
}

/// The log that a command reads.
struct RhythmInput: ParsableArguments {
    @Argument(help: ArgumentHelp("The log, CSV or JSON; - is standard input.", valueName: "log"))
    var log: String

    @Option(help: ArgumentHelp("The day of birth; better forecasts in the first days.", valueName: "date"))
    var born: String?

    func read() throws -> RhythmLog { try RhythmLogFile.read(log, born: born) }
}
