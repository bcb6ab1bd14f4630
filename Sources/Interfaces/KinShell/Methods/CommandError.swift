import Foundation
import Kin

/// A request that cannot be understood: what is wrong, where, and what might have been meant.
struct CommandError: Error, Equatable {
    let message: String
    /// The characters at fault, counted from the start of the line.
    let range: Range<Int>
    var hint: String?
    /// The line at fault.
    var line = ""

    func located(in line: String) -> CommandError {
        var error = self
        error.line = line
        return error
    }

    /// The line with a caret under the fault, and the hint.
    func report(style: Style) -> String {
        // Tabs are kept in the margin so that the caret stands where the terminal puts the character.
        let margin = line.prefix(range.lowerBound).map { $0 == "\t" ? "\t" : " " }.joined()
        let caret = String(repeating: "^", count: max(1, range.count))
        return "  \(line)\n  \(margin)\(style.bad(caret))\n\(message)" + (hint.map(continued) ?? "")
    }

    /// The hint behind the message, which may be a question: did you mean this?
    private func continued(_ hint: String) -> String {
        message.hasSuffix("?") ? " " + hint.prefix(1).uppercased() + hint.dropFirst() : "; " + hint
    }
}

extension Console {
    /// Writes an error beside the results.
    ///
    /// - Returns: The exit status that belongs to it.
    func report(_ error: any Error) -> ProcessStatus {
        switch error {
        case let status as ProcessStatus: return status
        case let error as CommandError:
            note(error.report(style: style))
            return .usage
        default:
            let failure = error as? Failure ?? Failure(error as? KinError ?? KinError(.inputOutput, "\(error)"))
            note("\(style.bad("Error")): \(failure)")
            return failure.status
        }
    }
}
