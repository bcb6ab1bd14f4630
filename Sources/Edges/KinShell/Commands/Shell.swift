import ArgumentParser
import Kin
import KinEngine

/// The tool without its process: arguments in, exit status out.
public enum Shell {
    /// Runs one command line.
    ///
    /// - Parameters:
    ///   - arguments: what follows the program's name.
    ///   - console: where results and notes go.
    /// - Returns: the exit status, 0 for success; see `kin --help` for the others.
    public static func run(_ arguments: [String], console: Console) -> Int32 {
        defer { console.flush() }
        do {
            try execute(arguments, on: console)
            return ProcessStatus.success.rawValue
        } catch let failure as Failure {
            console.note("\(console.style.bad("Error")): \(failure)")
            return failure.status.rawValue
        } catch let error as KinError {
            let failure = Failure(error)
            console.note("\(console.style.bad("Error")): \(failure)")
            return failure.status.rawValue
        } catch let status as ProcessStatus {
            return status.rawValue
        } catch {
            let status = KinCommand.exitCode(for: error)
            let message = KinCommand.fullMessage(for: error)
            if status.isSuccess {
                console.print(message)
                if arguments.isEmpty || [["help"], ["--help"], ["-h"]].contains(arguments) {
                    console.print("\nMETHODS OF A STORE:")
                    for line in MethodHelp.groups(style: console.style) { console.print(line) }
                }
            } else if !message.isEmpty {
                console.note(message + (hint(for: arguments).map { "\n  \($0)" } ?? ""))
            }
            return status.rawValue
        }
    }

    /// Does what a command line asks for: a method of the table, or a command with a parser of its own.
    static func execute(_ arguments: [String], on console: Console) throws {
        if let call = MethodCommand(arguments) { return try call.run(on: console) }
        var command = try command(arguments)
        if let command = command as? any ShellCommand {
            try command.run(on: console)
        } else {
            try command.run()
        }
    }

    /// The command with a parser of its own that a command line asks for.
    static func command(_ arguments: [String]) throws -> any ParsableCommand { try KinCommand.parseAsRoot(arguments) }

    /// "Did you mean" for a misspelt first word.
    private static func hint(for arguments: [String]) -> String? {
        let names = KinCommand.names.sorted() + MethodTable.names
        guard let first = arguments.first, !first.hasPrefix("-"), !names.contains(first), first != "help" else {
            return nil
        }
        return Spelling.nearest(to: first, in: names).map { "Did you mean 'kin \($0)'?" }
    }
}

/// A command that writes to a console of the caller's.
protocol ShellCommand: ParsableCommand {
    func run(on console: Console) throws
}
