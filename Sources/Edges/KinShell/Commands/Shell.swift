import ArgumentParser
import Kin

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
            var command = try KinCommand.parseAsRoot(arguments)
            if let command = command as? any ShellCommand {
                try command.run(on: console)
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch let failure as Failure {
            console.note("\(console.style.bad("error")): \(failure)")
            return failure.status.rawValue
        } catch let error as KinError {
            let failure = Failure(error)
            console.note("\(console.style.bad("error")): \(failure)")
            return failure.status.rawValue
        } catch let status as ExitStatus {
            return status.rawValue
        } catch {
            let status = KinCommand.exitCode(for: error)
            let message = KinCommand.fullMessage(for: error)
            if status.isSuccess {
                console.print(message)
            } else if !message.isEmpty {
                console.note(message)
            }
            return status.rawValue
        }
    }
}

/// A command that writes to a console of the caller's.
protocol ShellCommand: ParsableCommand {
    func run(on console: Console) throws
}
