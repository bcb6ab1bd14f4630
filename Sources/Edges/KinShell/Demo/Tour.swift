import Foundation
import Kin

/// The tour that `kin demo` gives: five questions, each answered on the sample data, with the time that it took and the command to go on with.
struct Tour {
    let console: Console
    let data: DemoData
    /// Profiles on which speed is shown; of people to match it takes a tenth.
    let count: Int
    /// The folder in which the sample's index and store are left for the user.
    let indexPath: String
    let storePath: String
    let threads: Int

    func run() throws {
        console.print(console.style.strong("Kin in two minutes"))
        console.print(
            "Five questions about people, answered in this process from sample data, with the times of this machine.")
        let file = try near()
        try similarSouls()
        try realms()
        try rhythms()
        try offer()
        try leave(file)
    }

    func chapter(_ title: String, _ text: String) {
        console.print()
        console.print(console.style.strong(title))
        console.print(text)
    }

    /// The command to go on with.
    func next(_ command: String) { console.print(console.style.faint("  next: \(command)")) }

    func measure(_ work: () throws -> Void) rethrows -> Duration {
        let start = ContinuousClock.now
        try work()
        return ContinuousClock.now - start
    }

    /// A path as a shell in this folder takes it.
    static func quoted(_ path: String) -> String {
        let here = FileManager.default.currentDirectoryPath + "/"
        let short = path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
        return short.contains(" ") ? "'\(short)'" : short
    }
}
