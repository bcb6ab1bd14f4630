/// The exit status of the process, in the numbers of BSD's `sysexits.h`.
enum ProcessStatus: Int32, CaseIterable, Error {
    case success = 0
    /// The command line or a REPL command is invalid, or requests the impossible.
    case usage = 64
    /// The input exists but is invalid: text that is not a number, a damaged index, an unknown id.
    case dataError = 65
    /// An input file is missing or cannot be read.
    case noInput = 66
    /// An output file cannot be written.
    case cannotCreate = 73
    /// The system failed while reading or writing.
    case inputOutput = 74
    /// Another process holds the resource.
    case tryAgain = 75
    /// The work was cancelled by Ctrl-C. As in shells, 128 plus the number of the signal.
    case interrupted = 130

    /// One line per status, for the help.
    var meaning: String {
        switch self {
        case .success: "all went well"
        case .usage: "the command line, or a REPL command, is wrong"
        case .dataError: "the input is wrong: not a number, a damaged index, an unknown id"
        case .noInput: "an input file is missing or unreadable"
        case .cannotCreate: "an output file cannot be written"
        case .inputOutput: "reading or writing failed half-way"
        case .tryAgain: "another process holds the store for more than 2 seconds; try again when it is done"
        case .interrupted: "Ctrl-C ended the work, and nothing has changed"
        }
    }
}

/// An error with the exit status of the process.
struct Failure: Error, CustomStringConvertible {
    let error: KinError
    let status: ProcessStatus

    init(_ status: ProcessStatus, _ error: KinError) {
        self.status = status
        self.error = error
    }

    init(_ error: KinError) {
        let status: ProcessStatus =
            switch error.code {
            // An invalid value in a file is an error of the file, not of the command line.
            case .invalidArgument: error.names("line") ? .dataError : .usage
            case .inputOutput: error.names("output") ? .cannotCreate : error.names("input") ? .noInput : .inputOutput
            case .busy: .tryAgain
            case .cancelled: .interrupted
            default: .dataError
            }
        self.init(status, error)
    }

    static func usage(_ message: String) -> Failure { Failure(.usage, KinError(.invalidArgument, message)) }

    var description: String { error.description }
}
